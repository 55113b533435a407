#include "report/symbols.h"

#include "base/subprocess.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ADDRESSES = 2000 /* in one run of addr2line */ };

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

/* --- what addr2line says ------------------------------------------------------------------- */

static char *take_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *end = '\0';
    *text = end + 1;
    return line;
}

/* Removes the number after the last colon from `location` and returns it. */
static uint32_t take_number(char *location)
{
    char *colon = strrchr(location, ':');
    if (!colon)
        return 0;
    *colon = '\0';
    return (uint32_t)strtoul(colon + 1, NULL, 10);
}

/* "file:line:column", or from addr2line "file:line (discriminator 3)". */
static hd_report_frame frame_of(char *function, char *location, bool columns)
{
    char *twin = strstr(function, ".hd_twin");
    if (twin)
        *twin = '\0'; /* a twin is the same function to the user */
    hd_report_frame f = { .function = strcmp(function, "??") ? function : "?", .file = "?" };
    char *suffix = strstr(function, ".hd_");
    if (suffix)
        *suffix = '\0'; /* a variant that heddle cc has made */
    if (!strncmp(function, "hd_user_main", strlen("hd_user_main")))
        f.function = "main"; /* the user's main, renamed by heddle cc */
    char *note = strstr(location, " (discriminator");
    if (note)
        *note = '\0';
    if (!strncmp(location, "??", 2))
        return f;
    f.column = columns ? take_number(location) : 0;
    f.line = take_number(location);
    f.file = location;
    return f;
}

static void read_frames(resolver *r, hd_report_symbol *symbol, char **text, bool columns)
{
    hd_vec(hd_report_frame) frames = { 0 };
    /* The output for an address ends where the next address begins. */
    while (**text && strncmp(*text, "0x", 2)) {
        if (**text == '\n') {
            take_line(text);
            continue;
        }
        char *function = take_line(text), *location = function ? take_line(text) : NULL;
        if (!location)
            break;
        hd_vec_push(&frames, frame_of(function, location, columns));
    }
    hd_report_frame *kept = hd_arena_alloc(r->arena, (frames.count + 1) * sizeof *kept);
    for (size_t i = 0; i < frames.count; i++)
        kept[i] = frames.items[i];
    symbol->frames = kept;
    symbol->count = (uint32_t)frames.count;
    hd_vec_fini(&frames);
}

/* Runs `tool` for the addresses of one module, known[first .. end-1]. */
static bool ask(resolver *r, const char *tool, const hd_module *module, size_t first, size_t end)
{
    const char *file = *module->path ? module->path : r->program;
    char *start[] = { (char *)tool, "--functions", "--inlines", "--demangle", "--addresses", "--exe", (char *)file };
    enum { WORDS = sizeof start / sizeof *start };
    char **words = hd_arena_alloc(r->arena, (WORDS + end - first + 1) * sizeof *words), *text;
    memcpy(words, start, sizeof start);
    for (size_t i = first; i < end; i++)
        words[WORDS + i - first] =
            hd_arena_print(r->arena, "0x%llx", (unsigned long long)(r->known[i].pc - module->base));
    if (!hd_subprocess_read(words, r->arena, &text, NULL))
        return false;
    for (size_t i = first; i < end && take_line(&text); i++)
        read_frames(r, &r->known[i], &text, strcmp(tool, "addr2line") != 0);
    return true;
}

/* addr2line comes last: that of binutils 2.40 does not see inlined calls in clang's debug information. */
static void ask_someone(resolver *r, const hd_module *module, size_t first, size_t end)
{
    static const char *const tools[] = { ("llvm-symbolizer-" HD_LLVM), "llvm-symbolizer", "addr2line" };
    bool answered = false;
    for (size_t i = 0; !answered && i < sizeof tools / sizeof *tools; i++)
        answered = ask(r, tools[i], module, first, end);
}

static const hd_module *module_of(const resolver *r, uint64_t pc)
{
    for (uint32_t i = 0; i < r->module_count; i++)
        if (pc >= r->modules[i].start && pc < r->modules[i].end)
            return &r->modules[i];
    return NULL;
}

static bool is_system(const hd_module *module)
{
    return !strncmp(module->path, "/lib", 4) || !strncmp(module->path, "/usr/lib", 8);
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
        while (end < r.count && end - i < MOST_ADDRESSES && module_of(&r, r.known[end].pc) == module)
            end++;
        if (module)
            ask_someone(&r, module, i, end);
        for (; i < end; i++)
            r.known[i].is_system = module && is_system(module);
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
