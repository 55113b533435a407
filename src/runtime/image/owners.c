#include "runtime/image/owners.h"

#include "runtime/image/libc_symbols.h"
#include "runtime/image/modules.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>

typedef struct owner {
    const char *name;
    void *function, *face; /* NAME and hd_NAME; NULL: the program has none */
    void *libc; /* NULL: the C library has none */
} owner;

extern owner hd_owners[], hd_owners_end[];

void hd_owners_find_libc(void)
{
    hd_libc_symbols symbols;
    if (!hd_libc_symbols_open(&symbols))
        return;
    for (owner *o = hd_owners; o < hd_owners_end; o++) {
        void *found = o->libc ? hd_libc_symbols_find(&symbols, o->name) : NULL;
        if (found)
            o->libc = found;
        else if (o->libc)
            o->function =
                NULL; /* from the part of glibc that is linked into programs (atexit): not the program's own */
    }
}

int hd_owners_is_own(const void *function)
{
    static const unsigned char landing[] = { 0xf3, 0x0f, 0x1e, 0xfa };
    enum { JUMP = 0xff, BOUND = 0xf2 };
    const hd_loaded_module *m = function ? hd_module_of(function) : NULL;
    if (!m || m->maker == HD_MADE_BY_SYSTEM)
        return 0;
    const unsigned char *code = function;
    if (!memcmp(code, landing, sizeof landing))
        code += sizeof landing;
    return *code != JUMP && *code != BOUND;
}

/* Writes `jmp *(%rip)` and the target: 14 bytes. Functions are aligned to 16 bytes, so there is room. */
static void make_jump(void *from, const void *to)
{
    enum { PAGE = 4096 };
    unsigned char jump[14] = { 0xff, 0x25 };
    memcpy(jump + 6, &to, sizeof to);
    char *page = (char *)((uintptr_t)from & ~(uintptr_t)(PAGE - 1));
    size_t size = (size_t)((char *)from + sizeof jump - page);
    if (mprotect(page, size, PROT_READ | PROT_WRITE | PROT_EXEC)) {
        perror("heddle: a function of the program's own cannot take the place of heddle's");
        exit(2);
    }
    memcpy(from, jump, sizeof jump);
    mprotect(page, size, PROT_READ | PROT_EXEC);
}

/* The runtime's own definitions, for code that heddle did not compile (image/foreign.c). */
static int is_the_runtimes(const void *function)
{
    return function == (void *)pthread_create || function == (void *)thrd_create;
}

static const char *const judged[] = {
#define JUDGED(name) #name,
#include "abi/judged.def"
#undef JUDGED
};

static const char *const indifferent[] = {
#define INDIFFERENT(name, written, result) #name,
#include "abi/indifferent.def"
#undef INDIFFERENT
};

static int has_own_judged, has_own_indifferent;

static int is_among(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(name, names[i]))
            return 1;
    return 0;
}

int hd_owners_judged_are_libcs(void)
{
    return !has_own_judged;
}

int hd_owners_indifferent_are_libcs(void)
{
    return !has_own_indifferent;
}

void hd_owners_settle(void)
{
    for (owner *o = hd_owners; o < hd_owners_end; o++) {
        if (!o->face || is_the_runtimes(o->function) || !hd_owners_is_own(o->function))
            continue;
        has_own_judged |= is_among(o->name, judged, sizeof judged / sizeof *judged);
        has_own_indifferent |= is_among(o->name, indifferent, sizeof indifferent / sizeof *indifferent);
        if (o->face != o->function)
            make_jump(o->face, o->function);
    }
}
