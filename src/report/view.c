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

/* Puts the indices of an element of an array of arrays into the text (abi/shown.def, SHOWN_BY). */
static void put_indices(const char *form, uint64_t index, uint64_t b, uint64_t c, char *text, size_t size)
{
    const uint64_t indices[3] = { index / c / b, index / c % b, index % c };
    size_t done = 0;
    for (; *form && done < size - 1; form++) {
        bool is_index = form[0] == '%' && form[1] >= 'a' && form[1] <= 'c';
        if (is_index)
            done += (size_t)snprintf(text + done, size - done, "%llu", (unsigned long long)indices[*++form - 'a']);
        else
            text[done++] = *form;
    }
    text[done < size ? done : size - 1] = 0;
}

bool hd_report_own_name(const hd_elf_symbol *symbol, uint64_t address, char *text, size_t size)
{
    static const struct {
        const char *name, *text;
        uint64_t bytes, count;
        bool is_array;
        uint64_t b, c; /* SHOWN_BY; 0: not */
    } shown[] = {
#define SHOWN(variable, text) { #variable, text, 1, 1, false, 0, 0 },
#define SHOWN_EACH(variable, bytes, text) { #variable, text, bytes, ~0ull, true, 0, 0 },
#define SHOWN_OF_PROCESS(variable, bytes, count, text) { #variable, text, bytes, count, true, 0, 0 },
#define SHOWN_BY(variable, bytes, b, c, text) { #variable, text, bytes, ~0ull, true, b, c },
#include "abi/shown.def"
#undef SHOWN
#undef SHOWN_EACH
#undef SHOWN_OF_PROCESS
#undef SHOWN_BY
    };
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (!strcmp(symbol->name, shown[i].name)) {
            uint64_t index = (address - symbol->address) / shown[i].bytes % shown[i].count;
            if (shown[i].c)
                put_indices(shown[i].text, index, shown[i].b, shown[i].c, text, size);
            else if (shown[i].is_array)
                snprintf(text, size, "%s %llu", shown[i].text, (unsigned long long)index);
            else
                snprintf(text, size, "%s", shown[i].text);
            return true;
        }
    return false;
}

void hd_report_view_name(const hd_report_view *v, uint64_t object, char *text, size_t size)
{
    hd_elf_symbol symbol;
    uint64_t address = object & ((1ull << HD_ADDRESS_BITS) - 1);
    for (uint32_t i = v->reported->accesses ? v->run->op_count : 0; i-- > 0;)
        if (v->run->ops[i].op.object == object && v->reported->accesses[i].name) {
            snprintf(text, size, "%s", v->reported->accesses[i].name);
            return;
        }
    /* An object of other executions. */
    if (!hd_report_view_variable(v, address, &symbol))
        snprintf(text, size, "0x%llx", (unsigned long long)address);
    else if (!hd_report_own_name(&symbol, address, text, size))
        snprintf(text, size, "%s", symbol.name);
}

const char *hd_report_view_awaited(const hd_report_view *v, uint32_t thread)
{
    const char *name = v->reported->awaited ? v->reported->awaited[thread] : NULL;
    return name ? name : "?";
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

/* Bytes of the text that take `columns` columns: a character of UTF-8 is not cut. */
static size_t bytes_of(const char *text, int columns)
{
    const char *c = text;
    for (; *c; c++)
        if ((*c & 0xc0) != 0x80 && columns-- <= 0)
            break;
    return (size_t)(c - text);
}

const char *hd_report_view_line(hd_report_view *v, const hd_location *location)
{
    const struct hd_report_source *s = source_of(v, location->file);
    if (!s->text || !location->line || location->line > s->lines.count)
        return "";
    const char *line = s->text + s->lines.items[location->line - 1];
    return line + strspn(line, " ");
}

void hd_report_view_excerpt(hd_report_view *v, const hd_location *location, int columns, char *text, size_t size)
{
    const struct hd_report_source *s = source_of(v, location->file);
    *text = '\0';
    if (!s->text || !location->line || location->line > s->lines.count || columns < 2)
        return;
    const char *line = s->text + s->lines.items[location->line - 1], *start = line + strspn(line, " ");
    size_t length = strlen(start), at = location->column ? location->column - 1 : 0;
    at = at > (size_t)(start - line) ? at - (size_t)(start - line) : 0;
    const char *from = start;
    /* The operation is in the middle, unless the line ends before. */
    if (bytes_of(start, columns) < length && at > (size_t)columns / 2) {
        size_t first = at - (size_t)columns / 2;
        if (length - first < (size_t)columns)
            first = length > (size_t)columns ? length - (size_t)columns + 1 : 0;
        from = start + first;
        while ((*from & 0xc0) == 0x80)
            from++;
        columns--;
    }
    size_t shown = bytes_of(from, columns);
    bool is_cut = shown < strlen(from);
    if (is_cut)
        shown = bytes_of(from, columns - 1);
    snprintf(text, size, "%s%.*s%s", from > start ? "…" : "", (int)shown, from, is_cut ? "…" : "");
}
