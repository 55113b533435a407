#include "report/symbols.h"

#include "dwarf/frames.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_INLINED = 64 /* calls at one address; the outermost ones are left out */ };

typedef struct resolver {
    hd_arena *arena;
    const char *program;
    const hd_module *modules;
    uint32_t module_count;
    hd_report_symbol *known;
    size_t count;
} resolver;

static int by_pc(const void *a, const void *b)
{
    uint64_t x = ((const hd_report_symbol *)a)->pc, y = ((const hd_report_symbol *)b)->pc;
    return x < y ? -1 : x > y;
}

/* Sorted by address, the frames of one module are adjacent. */
static void sort_and_drop_doubles(resolver *r)
{
    size_t kept = 0;
    if (r->count)
        qsort(r->known, r->count, sizeof *r->known, by_pc);
    for (size_t i = 1; i < r->count; i++)
        if (r->known[i].pc != r->known[kept].pc)
            r->known[++kept] = r->known[i];
    r->count = r->count ? kept + 1 : 0;
}

static bool is_system(const hd_module *module)
{
    return !strncmp(module->path, "/lib", 4) || !strncmp(module->path, "/usr/lib", 8);
}

/* --- frames -------------------------------------------------------------------------------- */

/* The name that the user gave the function. */
static const char *name_of(const char *function, hd_arena *arena)
{
    if (!function)
        return "?";
    if (!strncmp(function, "hd_user_main", strlen("hd_user_main")))
        return "main"; /* renamed by heddle cc */
    char *name = hd_arena_copy(arena, function), *suffix = strstr(name, ".hd_");
    if (suffix)
        *suffix = '\0'; /* a twin, or another variant that heddle cc has made */
    return name;
}

static hd_report_frame frame_of(const hd_dwarf_frame *f, hd_arena *arena)
{
    const char *file = f->folder ? hd_arena_print(arena, "%s/%s", f->folder, f->file)
        : f->file                ? hd_arena_copy(arena, f->file)
                                 : "?";
    return (hd_report_frame) { name_of(f->function, arena), file, f->line, f->column };
}

static void read_frames(resolver *r, hd_frames *code, uint64_t base, hd_report_symbol *symbol)
{
    hd_dwarf_frame found[MOST_INLINED];
    symbol->count = hd_frames_at(code, symbol->pc - base, found, MOST_INLINED);
    hd_report_frame *kept = hd_arena_alloc(r->arena, (symbol->count + 1) * sizeof *kept);
    for (uint32_t i = 0; i < symbol->count; i++)
        kept[i] = frame_of(&found[i], r->arena);
    symbol->frames = kept;
}

/* The addresses of one module, known[first .. end-1]. */
static void read_module(resolver *r, const hd_module *module, size_t first, size_t end)
{
    hd_frames *code = hd_frames_open(*module->path ? module->path : r->program);
    for (size_t i = first; i < end; i++) {
        if (code)
            read_frames(r, code, module->base, &r->known[i]);
        r->known[i].is_system = is_system(module);
    }
    hd_frames_close(code);
}

static const hd_module *module_of(const resolver *r, uint64_t pc)
{
    for (uint32_t i = 0; i < r->module_count; i++)
        if (pc >= r->modules[i].start && pc < r->modules[i].end)
            return &r->modules[i];
    return NULL;
}

hd_report_symbols hd_report_symbols_resolve(const char *program, const hd_module *modules, uint32_t module_count,
    const uint64_t *pcs, size_t count, hd_arena *arena)
{
    resolver r = { arena, program, modules, module_count, NULL, count };
    r.known = hd_arena_alloc(arena, (count + 1) * sizeof *r.known);
    for (size_t i = 0; i < count; i++)
        r.known[i].pc = pcs[i];
    sort_and_drop_doubles(&r);
    for (size_t i = 0; i < r.count;) {
        const hd_module *module = module_of(&r, r.known[i].pc);
        size_t end = i + 1;
        while (end < r.count && module_of(&r, r.known[end].pc) == module)
            end++;
        if (module)
            read_module(&r, module, i, end);
        i = end;
    }
    return (hd_report_symbols) { r.known, r.count };
}

const hd_report_symbol *hd_report_symbols_at(const hd_report_symbols *s, uint64_t pc)
{
    hd_report_symbol key = { .pc = pc };
    return s->count ? bsearch(&key, s->items, s->count, sizeof key, by_pc) : NULL;
}

hd_location hd_report_symbols_location(const hd_report_symbols *s, uint64_t pc)
{
    const hd_report_symbol *found = hd_report_symbols_at(s, pc);
    if (!found || !found->count)
        return (hd_location) { "?", "?", 0, 0 };
    const hd_report_frame *f = &found->frames[0];
    return (hd_location) { f->file, f->function, f->line, f->column };
}
