#include "report/symbols.h"

#include "base/subprocess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ADDRESSES = 2000 /* in one run of addr2line */ };

void hd_report_symbols_open(hd_report_symbols *s, const char *program, const hd_recorded_run *run, hd_arena *arena)
{
    *s = (hd_report_symbols) { .arena = arena, .program = program, .run = run };
}

void hd_report_symbols_close(hd_report_symbols *s)
{
    hd_vec_fini(&s->known);
}

void hd_report_symbols_want(hd_report_symbols *s, const hd_stack *stack)
{
    for (uint32_t i = 0; i < HD_STACK_DEPTH && stack->pc[i]; i++)
        hd_vec_push(&s->known, ((struct hd_report_symbol) { .pc = stack->pc[i] }));
}

static int by_pc(const void *a, const void *b)
{
    uint64_t x = ((const struct hd_report_symbol *)a)->pc, y = ((const struct hd_report_symbol *)b)->pc;
    return x < y ? -1 : x > y;
}

/* Sorted by address, the frames of one module are adjacent. */
static void sort_and_drop_doubles(hd_report_symbols *s)
{
    size_t kept = 0;
    if (!s->known.count)
        return;
    qsort(s->known.items, s->known.count, sizeof *s->known.items, by_pc);
    for (size_t i = 1; i < s->known.count; i++)
        if (s->known.items[i].pc != s->known.items[kept].pc)
            s->known.items[++kept] = s->known.items[i];
    s->known.count = kept + 1;
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

/* Removes the number after the last colon from `place` and returns it. */
static uint32_t take_number(char *place)
{
    char *colon = strrchr(place, ':');
    if (!colon)
        return 0;
    *colon = '\0';
    return (uint32_t)strtoul(colon + 1, NULL, 10);
}

/* "file:line:column", or from addr2line "file:line (discriminator 3)". */
static hd_report_frame frame_of(char *function, char *place, bool columns)
{
    char *twin = strstr(function, ".hd_twin");
    if (twin)
        *twin = '\0'; /* a twin is the same function to the user */
    hd_report_frame f = { .function = strcmp(function, "??") ? function : "?", .file = "?" };
    char *suffix = strstr(function, ".hd_");
    if (suffix)
        *suffix = '\0'; /* a variant that heddle cc has made */
    if (!strcmp(function, "hd_user_main"))
        f.function = "main"; /* the user's main, renamed by heddle cc */
    char *note = strstr(place, " (discriminator");
    if (note)
        *note = '\0';
    if (!strncmp(place, "??", 2))
        return f;
    f.column = columns ? take_number(place) : 0;
    f.line = take_number(place);
    f.file = place;
    return f;
}

static void read_frames(hd_report_symbols *s, struct hd_report_symbol *symbol, char **text, bool columns)
{
    hd_vec(hd_report_frame) frames = { 0 };
    /* The output for an address ends where the next address begins. */
    while (**text && strncmp(*text, "0x", 2)) {
        if (**text == '\n') {
            take_line(text);
            continue;
        }
        char *function = take_line(text), *place = function ? take_line(text) : NULL;
        if (!place)
            break;
        hd_vec_push(&frames, frame_of(function, place, columns));
    }
    symbol->count = (uint32_t)frames.count;
    symbol->frames = hd_arena_alloc(s->arena, (frames.count + 1) * sizeof *symbol->frames);
    for (size_t i = 0; i < frames.count; i++)
        symbol->frames[i] = frames.items[i];
    hd_vec_fini(&frames);
}

/* Runs `tool` for the addresses of one module, known.items[first .. end-1]. */
static bool ask(hd_report_symbols *s, const char *tool, const hd_module *module, size_t first, size_t end)
{
    const char *file = *module->path ? module->path : s->program;
    char *start[] = { (char *)tool, "--functions", "--inlines", "--demangle", "--addresses", "--exe", (char *)file };
    enum { WORDS = sizeof start / sizeof *start };
    char **words = hd_arena_alloc(s->arena, (WORDS + end - first + 1) * sizeof *words), *text;
    memcpy(words, start, sizeof start);
    for (size_t i = first; i < end; i++)
        words[WORDS + i - first] =
            hd_arena_print(s->arena, "0x%llx", (unsigned long long)(s->known.items[i].pc - module->base));
    if (!hd_subprocess_read(words, s->arena, &text, NULL))
        return false;
    for (size_t i = first; i < end && take_line(&text); i++)
        read_frames(s, &s->known.items[i], &text, strcmp(tool, "addr2line") != 0);
    return true;
}

/* addr2line comes last: that of binutils 2.40 does not see inlined calls in clang's debug information. */
static void ask_someone(hd_report_symbols *s, const hd_module *module, size_t first, size_t end)
{
    static const char *const tools[] = { ("llvm-symbolizer-" HD_LLVM), "llvm-symbolizer", "addr2line" };
    bool answered = false;
    for (size_t i = 0; !answered && i < sizeof tools / sizeof *tools; i++)
        answered = ask(s, tools[i], module, first, end);
}

static const hd_module *module_of(const hd_report_symbols *s, uint64_t pc)
{
    for (uint32_t i = 0; i < s->run->module_count; i++)
        if (pc >= s->run->modules[i].start && pc < s->run->modules[i].end)
            return &s->run->modules[i];
    return NULL;
}

bool hd_report_symbols_is_system(const hd_report_symbols *s, uint64_t pc)
{
    const hd_module *module = module_of(s, pc);
    return module && (!strncmp(module->path, "/lib", 4) || !strncmp(module->path, "/usr/lib", 8));
}

void hd_report_symbols_resolve(hd_report_symbols *s)
{
    sort_and_drop_doubles(s);
    for (size_t i = 0; i < s->known.count;) {
        const hd_module *module = module_of(s, s->known.items[i].pc);
        size_t end = i + 1;
        while (end < s->known.count && end - i < MOST_ADDRESSES && module_of(s, s->known.items[end].pc) == module)
            end++;
        if (module)
            ask_someone(s, module, i, end);
        i = end;
    }
}

const hd_report_frame *hd_report_symbols_at(const hd_report_symbols *s, uint64_t pc, uint32_t *count)
{
    struct hd_report_symbol key = { .pc = pc };
    const struct hd_report_symbol *found =
        s->known.count ? bsearch(&key, s->known.items, s->known.count, sizeof key, by_pc) : NULL;
    *count = found ? found->count : 0;
    return found ? found->frames : NULL;
}

hd_place hd_report_symbols_place(const char *program, uint64_t base, uint64_t pc, hd_arena *arena)
{
    /* A recorded run with the program as its only module. */
    hd_module whole = { .path = "", .base = base, .start = 0, .end = UINT64_MAX };
    hd_recorded_run run = { .modules = &whole, .module_count = 1 };
    hd_stack stack = { .pc = { pc } };
    hd_report_symbols s;
    uint32_t count;
    hd_report_symbols_open(&s, program, &run, arena);
    hd_report_symbols_want(&s, &stack);
    hd_report_symbols_resolve(&s);
    const hd_report_frame *frame = hd_report_symbols_at(&s, pc, &count);
    hd_place place = { "?", "?", 0, 0 };
    if (count)
        place = (hd_place) { frame->file, frame->function, frame->line, frame->column };
    hd_report_symbols_close(&s);
    return place;
}
