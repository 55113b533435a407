#include "report/view.h"

#include "event/op.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- opening --------------------------------------------------------------------------------- */

static void want_stacks(hd_report_view *v)
{
    const hd_recorded_run *s = v->run;
    for (int i = 0; i < 2; i++)
        if (v->finding->entries[i] < s->op_count)
            hd_report_symbols_want(&v->symbols, &s->ops[v->finding->entries[i]].stack);
    for (uint32_t i = 0; i < s->thread_count; i++) {
        hd_report_symbols_want(&v->symbols, &s->threads[i].stack);
        hd_report_symbols_want(&v->symbols, &s->threads[i].creation_stack);
        uint32_t held = hd_report_view_holding(v, s->threads[i].view.pending.object);
        if (held != ~0u)
            hd_report_symbols_want(&v->symbols, &s->ops[held].stack);
    }
}

void hd_report_view_open(hd_report_view *v, const char *program, const hd_recorded_run *run, const hd_finding *finding)
{
    *v = (hd_report_view) { .program = program, .run = run, .finding = finding };
    hd_arena_init(&v->arena, &hd_heap);
    hd_elf_open(&v->elf, program, NULL);
    if (getcwd(v->here, sizeof v->here - 1))
        strcat(v->here, strcmp(v->here, "/") ? "/" : "");
    else
        v->here[0] = '\0';
    hd_report_symbols_open(&v->symbols, program, run, &v->arena);
    want_stacks(v);
    hd_report_symbols_resolve(&v->symbols);
}

void hd_report_view_close(hd_report_view *v)
{
    for (size_t i = 0; i < v->sources.count; i++)
        hd_vec_fini(&v->sources.items[i].lines);
    hd_vec_fini(&v->sources);
    hd_report_symbols_close(&v->symbols);
    hd_elf_close(&v->elf);
    hd_arena_fini(&v->arena);
}

/* --- names ------------------------------------------------------------------------------------ */

uint64_t hd_report_view_address(const hd_op *op, uint32_t *size)
{
    bool memory = hd_kind_is_memory(op->kind) && op->mask;
    *size = memory ? (uint32_t)__builtin_popcount(op->mask) : 0;
    return op->object + (memory ? (uint64_t)__builtin_ctz(op->mask) : 0);
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

void hd_report_view_name(const hd_report_view *v, uint64_t address, char *text, size_t size)
{
    hd_elf_symbol symbol;
    const hd_recorded_block *b = &v->run->block;
    if (hd_report_view_variable(v, address, &symbol) && address == symbol.address)
        snprintf(text, size, "%s", symbol.name);
    else if (hd_report_view_variable(v, address, &symbol))
        snprintf(text, size, "%s+%llu", symbol.name, (unsigned long long)(address - symbol.address));
    else if (b->known && address == b->address)
        snprintf(text, size, "heap block");
    else if (b->known && address - b->address < b->size)
        snprintf(text, size, "heap block+%llu", (unsigned long long)(address - b->address));
    else
        snprintf(text, size, "0x%llx", (unsigned long long)address);
}

void hd_report_view_name_awaited(const hd_report_view *v, const hd_thread_view *thread, char *text, size_t size)
{
    uint32_t bytes;
    bool waits = thread->status == HD_THREAD_WAITING;
    hd_report_view_name(v, waits ? thread->wait_object : hd_report_view_address(&thread->pending, &bytes), text, size);
}

const char *hd_report_view_file(const hd_report_view *v, const char *file)
{
    size_t length = strlen(v->here);
    return length && !strncmp(file, v->here, length) ? file + length : file;
}

bool hd_report_view_is_step(const hd_op *op)
{
    return hd_op_is_done(op);
}

static int lock_change(uint8_t kind)
{
    switch (hd_kinds[kind].role) {
    case HD_ROLE_TAKES:
    case HD_ROLE_SHARES:
    case HD_ROLE_BEGINS:
        return 1;
    case HD_ROLE_GIVES:
    case HD_ROLE_UNSHARES:
    case HD_ROLE_ENDS:
        return -1;
    default:
        return 0;
    }
}

uint32_t hd_report_view_holding(const hd_report_view *v, uint64_t object)
{
    uint32_t undone[HD_MAX_THREADS] = { 0 }; /* unlocks seen whose matching lock comes earlier in the log */
    for (uint32_t i = v->run->op_count; object && i-- > 0;) {
        const hd_op *op = &v->run->ops[i].op;
        int change = op->object == object && hd_report_view_is_step(op) ? lock_change(op->kind) : 0;
        if (change < 0)
            undone[op->thread]++;
        /* Backwards, a lock without a later unlock of the same thread still holds. */
        else if (change > 0 && !undone[op->thread]--)
            return i;
    }
    return ~0u;
}

/* --- places ----------------------------------------------------------------------------------- */

static const hd_place unknown = { "?", "?", 0, 0 };

/* The innermost frame with a source line; preferably one of the program and not of a system library. */
static hd_place place_of_stack(const hd_report_view *v, const hd_stack *stack)
{
    hd_place found = unknown;
    for (uint32_t i = 0; i < HD_STACK_DEPTH && stack->pc[i]; i++) {
        uint32_t count;
        const hd_report_frame *frames = hd_report_symbols_at(&v->symbols, stack->pc[i], &count);
        bool system = hd_report_symbols_is_system(&v->symbols, stack->pc[i]);
        for (uint32_t k = 0; k < count; k++) {
            if (!frames[k].line || (system && found.line))
                continue;
            found = (hd_place) { frames[k].file, frames[k].function, frames[k].line, frames[k].column };
            if (!system)
                return found;
        }
    }
    return found;
}

static const char *last_part(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* Operations name files as the compiler was given them; the stack has the full path. */
static hd_place with_path(const hd_report_view *v, hd_place place, const hd_stack *stack)
{
    hd_place top = place_of_stack(v, stack);
    if (top.line == place.line && !strcmp(last_part(top.file), last_part(place.file)))
        place.file = top.file;
    return place;
}

/* The position of one of the two accesses of a race. */
static hd_place place_of_access(const hd_report_view *v, uint32_t entry)
{
    const hd_recorded_run *s = v->run;
    return entry < s->op_count ? with_path(v, s->ops[entry].place, &s->ops[entry].stack) : unknown;
}

hd_place hd_report_view_previous(const hd_report_view *v)
{
    return v->finding->kind == HD_FINDING_DATA_RACE ? place_of_access(v, v->finding->entries[0]) : unknown;
}

hd_place hd_report_view_place(const hd_report_view *v)
{
    const hd_recorded_run *s = v->run;
    const hd_finding *f = v->finding;
    if (f->kind == HD_FINDING_DATA_RACE)
        return place_of_access(v, f->entries[1]);
    if (f->thread < s->thread_count) {
        const hd_recorded_thread *t = &s->threads[f->thread];
        if (f->kind == HD_FINDING_DEADLOCK)
            return with_path(v, t->place, &t->stack);
        if (s->place.line)
            return with_path(v, s->place, &t->stack);
        hd_place top = place_of_stack(v, &t->stack);
        if (top.line)
            return top;
    }
    return f->entries[0] < s->op_count ? s->ops[f->entries[0]].place : unknown;
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

/* Reads the file under its name, else relative to the program's folder, where the build may have run. */
static char *read_source(hd_report_view *v, const char *file)
{
    char *text = read_file(v, file);
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

const char *hd_report_view_source(hd_report_view *v, const hd_place *place)
{
    const struct hd_report_source *s = source_of(v, place->file);
    if (!s->text || !place->line || place->line > s->lines.count)
        return "";
    const char *text = s->text + s->lines.items[place->line - 1];
    return text + strspn(text, " ");
}
