#include "worker/foreign.h"

#include "abi/trust.h"
#include "abi/wire.h"
#include "base/elf.h"
#include "base/map.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#define TWIN ".hd_twin"

typedef struct search {
    hd_foreign_functions *into;
    bool whole;
    const char *trusted;
    hd_foreign_functions functions; /* of one file */
    hd_map twins, compiled; /* hash of the name → 1; address → 1 */
} search;

static bool starts_with(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

/* From crt1.o and its kin, libc_nonshared.a, libgcc.a or its like, and the
 * runtime of -fsanitize=undefined. */
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

static uint64_t key_of(const char *name, size_t length)
{
    return hd_hash_bytes(name, length, 0);
}

/* Names with a dot are parts of functions. */
static void visit(void *context, const hd_elf_symbol *f, const char *section)
{
    search *s = context;
    size_t length = strlen(f->name), suffix = strlen(TWIN);
    if (length > suffix && !strcmp(f->name + length - suffix, TWIN))
        *hd_map_put(&s->twins, key_of(f->name, length - suffix)) = 1;
    else if (starts_with(section, ".text") && !strchr(f->name, '.') && !starts_with(f->name, "hd_") && !is_compilers(f))
        hd_vec_push(&s->functions, ((hd_foreign_function) { f->name, f->address }));
}

static char *copy(hd_memory *memory, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(hd_alloc(memory, size), text, size);
}

/* A function may have several names, of which one has the twin. */
static void look(search *s, const hd_elf *e, uint64_t base)
{
    hd_memory *memory = s->into->memory;
    hd_vec_clear(&s->functions);
    hd_map_init(&s->twins, memory);
    hd_map_init(&s->compiled, memory);
    s->whole &= hd_elf_functions(e, visit, s);
    for (size_t i = 0; i < s->functions.count; i++) {
        const hd_foreign_function *f = &s->functions.items[i];
        if (hd_map_get(&s->twins, key_of(f->name, strlen(f->name))))
            *hd_map_put(&s->compiled, f->address) = 1;
    }
    for (size_t i = 0; i < s->functions.count; i++) {
        const hd_foreign_function *f = &s->functions.items[i];
        if (!hd_map_get(&s->compiled, f->address) && !hd_trust_has(s->trusted, f->name))
            hd_vec_push(s->into, ((hd_foreign_function) { copy(memory, f->name), base + f->address }));
    }
    hd_map_fini(&s->twins);
    hd_map_fini(&s->compiled);
}

/* The program itself comes first, without a name. */
static int look_at_file(struct dl_phdr_info *info, size_t size, void *context)
{
    search *s = context;
    hd_elf e;
    hd_error error;
    (void)size;
    const char *path = *info->dlpi_name ? info->dlpi_name : program_invocation_name, *slash = strrchr(path, '/');
    if (hd_trust_has(s->trusted, slash ? slash + 1 : path)
        || !hd_elf_open(&e, *info->dlpi_name ? path : "/proc/self/exe", &error))
        return 0;
    if (hd_elf_has_section(&e, ".note.heddle"))
        look(s, &e, info->dlpi_addr);
    hd_elf_close(&e);
    return 0;
}

bool hd_foreign_find(hd_foreign_functions *functions)
{
    search s = {
        .into = functions, .whole = true, .trusted = getenv(HD_ENV_TRUST), .functions = { .memory = functions->memory }
    };
    dl_iterate_phdr(look_at_file, &s);
    hd_vec_fini(&s.functions);
    return s.whole;
}
