#include "worker/foreign.h"

#include "abi/site.h"
#include "abi/trust.h"
#include "abi/wire.h"
#include "base/elf.h"
#include "base/map.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

typedef hd_vec(hd_elf_symbol) symbols;

/* Marks of code bytes: a symbol without size begins here (LABEL), a symbol with a size covers it (COVERED). */
enum { LABEL = 1, COVERED = 2 };

typedef struct search {
    hd_program_functions *into;
    bool whole;
    const char *trusted;
    /* of one file */
    bool is_trusted;
    symbols functions, all;
    hd_map twins, firsts, compiled; /* what the name of a twin is made of → 1; its like → address; address → 1 */
} search;

static bool starts_with(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

/* Functions from crt1.o and the like, libc_nonshared.a, libgcc.a or compiler-rt, and the runtime of
 * -fsanitize=undefined. */
static bool is_compilers(const hd_elf_symbol *f)
{
    static const char *const names[] = { "_start", "_init", "_fini", "_dl_relocate_static_pie", "deregister_tm_clones",
        "register_tm_clones", "frame_dummy", "__do_global_dtors_aux", "atexit", "at_quick_exit", "pthread_atfork",
        "stat", "fstat", "lstat", "fstatat", "mknod", "mknodat", "stat64", "fstat64", "lstat64", "fstatat64" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(f->name, names[i]))
            return true;
    return (f->hidden && starts_with(f->name, "__")) || strstr(f->name, "__sanitizer") || strstr(f->name, "__ubsan");
}

/* Functions of one source file alone may have the names of others. */
static uint64_t key_of(const hd_elf_symbol *f, size_t length)
{
    return hd_hash_bytes(f->name, length, f->unit);
}

/* Not the linker's, nor the runtime's. */
static bool is_programs(const char *section)
{
    static const char *const others[] = { ".plt", ".init", ".fini", "hd_" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (starts_with(section, others[i]))
            return false;
    return true;
}

/* Names with a dot are parts of functions, but for those that gcc's link-time optimisation makes. */
static bool is_part(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot && !starts_with(dot, ".lto_priv");
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && !strcmp(text + length - tail, end);
}

static void visit(void *context, const hd_elf_symbol *f, const char *section)
{
    search *s = context;
    if (is_programs(section))
        hd_vec_push(&s->all, *f);
    if (ends_with(f->name, HD_PLAIN_SUFFIX))
        *hd_map_put(&s->compiled, f->address) = 1;
    else if (ends_with(f->name, HD_TWIN_SUFFIX))
        *hd_map_put(&s->twins, key_of(f, strlen(f->name) - strlen(HD_TWIN_SUFFIX))) = 1;
    else if (is_programs(section) && !is_part(f->name) && !starts_with(f->name, "hd_") && !is_compilers(f))
        hd_vec_push(&s->functions, *f);
}

/* --- code without a name ------------------------------------------------------------------- */

/* The length of a padding instruction at `code`, 0 if it is none. Code between functions that is
 * not padding has no name. */
static size_t padding(const uint8_t *code, size_t room)
{
    enum { NARROW = 0x66, SEGMENT = 0x2e, NOP = 0x90, BREAKPOINT = 0xcc, SHORT_JUMP = 0xeb };
    size_t n = 0;
    if (!*code || *code == BREAKPOINT)
        return 1;
    if (*code == SHORT_JUMP)
        return room < 2 ? 1 : 2;
    while (n < room && (code[n] == NARROW || code[n] == SEGMENT))
        n++;
    if (n < room && code[n] == NOP)
        return n + 1;
    if (n + 2 >= room || code[n] != 0x0f || code[n + 1] != 0x1f)
        return 0;
    unsigned mode = code[n + 2] >> 6, base = code[n + 2] & 7;
    return n + 3 + (base == 4) + (mode == 1 ? 1 : mode == 2 ? 4 : 0);
}

static void mark(uint8_t *marks, const hd_elf_code *code, const symbols *all)
{
    for (size_t i = 0; i < all->count; i++) {
        uint64_t at = all->items[i].address - code->address, size = all->items[i].size;
        if (at >= code->size)
            continue;
        if (size)
            memset(marks + at, COVERED, size < code->size - at ? size : code->size - at);
        else
            marks[at] |= LABEL;
    }
}

/* Is there code that no symbol covers? A label without a size extends to the next symbol. */
static bool has_nameless(const uint8_t *marks, const hd_elf_code *code)
{
    bool inside = false;
    for (uint64_t i = 0, skip; i < code->size; i += skip) {
        skip = 1;
        inside = marks[i] ? marks[i] == LABEL : inside;
        if (!marks[i] && !inside && !(skip = padding(code->bytes + i, code->size - i)))
            return true;
    }
    return false;
}

static bool is_inside(const hd_elf_symbol *f, const uint8_t *marks, const hd_elf_code *code)
{
    return !f->size && f->address - code->address < code->size && marks[f->address - code->address] & COVERED;
}

/* Drops labels inside of functions, and notes code without a name. */
static void look_at_code(void *context, const hd_elf_code *code)
{
    search *s = context;
    if (!is_programs(code->name) || !code->size)
        return;
    hd_memory *memory = s->into->memory;
    uint8_t *marks = memset(hd_alloc(memory, code->size), 0, code->size);
    mark(marks, code, &s->all);
    s->whole &= s->is_trusted || !has_nameless(marks, code);
    size_t kept = 0;
    for (size_t i = 0; i < s->functions.count; i++)
        if (!is_inside(&s->functions.items[i], marks, code))
            s->functions.items[kept++] = s->functions.items[i];
    s->functions.count = kept;
    hd_release(memory, marks, code->size);
}

/* --- whose it is ------------------------------------------------------------------------- */

static char *copy(hd_memory *memory, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(hd_alloc(memory, size), text, size);
}

/* A function may have several names, of which one has the twin. Assembly may have no name of its source file; then it
 * stands behind another's, and a name that both have is first the other's. */
static void find_compiled(search *s)
{
    for (size_t i = 0; i < s->functions.count; i++) {
        const hd_elf_symbol *f = &s->functions.items[i];
        uint64_t key = key_of(f, strlen(f->name)), *first = hd_map_put(&s->firsts, key);
        *first = *first ? *first : f->address;
        if (*first == f->address && hd_map_get(&s->twins, key))
            *hd_map_put(&s->compiled, f->address) = 1;
    }
}

static void look(search *s, const hd_elf *e, uint64_t base)
{
    hd_memory *memory = s->into->memory;
    hd_vec_clear(&s->functions);
    hd_vec_clear(&s->all);
    hd_map *maps[] = { &s->twins, &s->firsts, &s->compiled };
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        hd_map_init(maps[i], memory);
    s->whole &= hd_elf_functions(e, visit, s) || s->is_trusted;
    hd_elf_code_sections(e, look_at_code, s);
    find_compiled(s);
    for (size_t i = 0; i < s->functions.count; i++) {
        const hd_elf_symbol *f = &s->functions.items[i];
        hd_vec_push(s->into,
            ((hd_program_function) { .name = copy(memory, f->name),
                .address = base + f->address,
                .compiled = hd_map_get(&s->compiled, f->address) != NULL,
                .trusted = s->is_trusted || hd_trust_has(s->trusted, f->name) }));
    }
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        hd_map_fini(maps[i]);
}

/* The program itself is visited first, with an empty name. */
static int look_at_file(struct dl_phdr_info *info, size_t size, void *context)
{
    search *s = context;
    hd_elf e;
    hd_error error;
    (void)size;
    const char *path = *info->dlpi_name ? info->dlpi_name : program_invocation_name, *slash = strrchr(path, '/');
    if (!hd_elf_open(&e, *info->dlpi_name ? path : "/proc/self/exe", &error))
        return 0;
    s->is_trusted = hd_trust_has(s->trusted, slash ? slash + 1 : path);
    if (hd_elf_has_section(&e, ".note.heddle"))
        look(s, &e, info->dlpi_addr);
    hd_elf_close(&e);
    return 0;
}

bool hd_foreign_find(hd_program_functions *functions)
{
    search s = { .into = functions,
        .whole = true,
        .trusted = getenv(HD_ENV_TRUST),
        .functions = { .memory = functions->memory },
        .all = { .memory = functions->memory } };
    dl_iterate_phdr(look_at_file, &s);
    hd_vec_fini(&s.functions);
    hd_vec_fini(&s.all);
    return s.whole;
}
