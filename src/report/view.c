#include "report/view.h"

#include "abi/site.h"
#include "event/op.h"
#include "report/symbolise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- opening --------------------------------------------------------------------------------- */

void hd_report_view_open(hd_report_view *v, const char *program, const hd_report_finding *f)
{
    *v = (hd_report_view) { .program = program, .reported = f, .run = &f->run, .finding = &f->finding };
    hd_arena_init(&v->arena, &hd_heap);
    hd_elf_open(&v->elf, program, NULL);
    hd_report_current_folder(v->here, sizeof v->here);
}

void hd_report_view_close(hd_report_view *v)
{
    for (size_t i = 0; i < v->sources.count; i++)
        hd_vec_fini(&v->sources.items[i].lines);
    hd_vec_fini(&v->sources);
    hd_elf_close(&v->elf);
    hd_arena_fini(&v->arena);
}

/* --- names ------------------------------------------------------------------------------------ */

uint64_t hd_report_view_address(const hd_op *op, uint32_t *size)
{
    bool memory = hd_kind_is_memory(op->kind) && op->mask;
    *size = memory ? (uint32_t)__builtin_popcount(op->mask) : 0;
    return hd_op_address(op) + (memory ? (uint64_t)__builtin_ctz(op->mask) : 0);
}

bool hd_report_view_variable(const hd_report_view *v, uint64_t address, hd_elf_symbol *symbol)
{
    for (uint32_t i = 0; i < v->run->module_count; i++) {
        const hd_module *m = &v->run->modules[i];
        /* Only the program's own variables have names: its module has an empty path. */
        if (*m->path || address < m->start || address >= m->end)
            continue;
        if (!v->elf.bytes || !hd_elf_data_at(&v->elf, address - m->base, symbol))
            return false;
        symbol->address += m->base;
        return true;
    }
    return false;
}

/* What the runtime's own objects are called. */
static bool own_name(const hd_elf_symbol *symbol, uint64_t address, char *text, size_t size)
{
    static const struct {
        const char *name, *text;
        uint64_t bytes, count;
        bool is_array;
    } shown[] = {
#define SHOWN(variable, text) { #variable, text, 1, 1, false },
#define SHOWN_EACH(variable, bytes, text) { #variable, text, bytes, ~0ull, true },
#define SHOWN_OF_PROCESS(variable, bytes, count, text) { #variable, text, bytes, count, true },
#include "abi/shown.def"
#undef SHOWN
#undef SHOWN_EACH
#undef SHOWN_OF_PROCESS
    };
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (!strcmp(symbol->name, shown[i].name)) {
            uint64_t index = (address - symbol->address) / shown[i].bytes % shown[i].count;
            if (shown[i].is_array)
                snprintf(text, size, "%s %llu", shown[i].text, (unsigned long long)index);
            else
                snprintf(text, size, "%s", shown[i].text);
            return true;
        }
    return false;
}

bool hd_report_view_name(const hd_report_view *v, uint64_t object, char *text, size_t size)
{
    hd_elf_symbol symbol;
    uint64_t address = object & ((1ull << HD_ADDRESS_BITS) - 1);
    const hd_recorded_block *b = &v->run->block;
    bool is_variable = hd_report_view_variable(v, address, &symbol);
    if (is_variable && own_name(&symbol, address, text, size))
        return false;
    if (is_variable && address == symbol.address)
        snprintf(text, size, "%s", symbol.name);
    else if (is_variable)
        snprintf(text, size, "%s+%llu", symbol.name, (unsigned long long)(address - symbol.address));
    else if (b->known && address == b->address)
        snprintf(text, size, "heap block");
    else if (b->known && address - b->address < b->size)
        snprintf(text, size, "heap block+%llu", (unsigned long long)(address - b->address));
    else
        snprintf(text, size, "0x%llx", (unsigned long long)address);
    return true;
}

void hd_report_view_name_awaited(const hd_report_view *v, const hd_thread_view *thread, char *text, size_t size)
{
    uint32_t bytes;
    bool waits = thread->status == HD_THREAD_WAITING;
    hd_report_view_name(v, waits ? thread->wait_object : hd_report_view_address(&thread->pending, &bytes), text, size);
}

const char *hd_report_view_file(const hd_report_view *v, const char *file)
{
    return hd_report_relative(v->here, file);
}

/* --- source lines ------------------------------------------------------------------------------ */

static char *read_file(hd_report_view *v, const char *path)
{
    FILE *in = fopen(path, "r");
    hd_vec(char) bytes = { 0 };
    if (!in)
        return NULL;
    for (int c; (c = getc(in)) != EOF;)
        hd_vec_push(&bytes, c ? (char)c : '?');
    fclose(in);
    char *text = hd_arena_alloc(&v->arena, bytes.count + 1);
    if (bytes.count)
        memcpy(text, bytes.items, bytes.count);
    hd_vec_fini(&bytes);
    return text;
}

/* Reads the file relative to a folder in which the compiler ran. */
static char *read_where_compiled(hd_report_view *v, const char *file)
{
    size_t size = 0;
    const char *folders = v->elf.bytes ? hd_elf_section(&v->elf, HD_FOLDERS_SECTION, &size) : NULL;
    char *text = NULL;
    for (size_t at = 0, length; folders && at < size && !text; at += length + 1) {
        length = strnlen(folders + at, size - at);
        if (length)
            text = read_file(v, hd_arena_print(&v->arena, "%.*s/%s", (int)length, folders + at, file));
    }
    return text;
}

/* Reads the file where it was compiled, else under its name, else relative to the program's folder: sources may have
 * been moved together with the program. */
static char *read_source(hd_report_view *v, const char *file)
{
    char *text = *file == '/' ? NULL : read_where_compiled(v, file);
    text = text ? text : read_file(v, file);
    const char *slash = strrchr(v->program, '/');
    if (text || *file == '/' || !slash)
        return text;
    return read_file(v, hd_arena_print(&v->arena, "%.*s/%s", (int)(slash - v->program), v->program, file));
}

static struct hd_report_source *source_of(hd_report_view *v, const char *file)
{
    for (size_t i = 0; i < v->sources.count; i++)
        if (!strcmp(v->sources.items[i].file, file))
            return &v->sources.items[i];
    struct hd_report_source *s = hd_vec_add(&v->sources);
    memset(s, 0, sizeof *s);
    s->file = file;
    s->text = read_source(v, file);
    bool begins = true;
    for (char *c = s->text; c && *c; c++) {
        if (begins)
            hd_vec_push(&s->lines, (uint32_t)(c - s->text));
        begins = *c == '\n';
        if (begins)
            *c = '\0';
        /* Tabs and control characters would break the table. */
        else if ((unsigned char)*c < ' ')
            *c = ' ';
        if (begins && c[1] == '\0')
            break;
    }
    return s;
}

const char *hd_report_view_source(hd_report_view *v, const hd_location *location)
{
    const struct hd_report_source *s = source_of(v, location->file);
    if (!s->text || !location->line || location->line > s->lines.count)
        return "";
    const char *text = s->text + s->lines.items[location->line - 1];
    return text + strspn(text, " ");
}
