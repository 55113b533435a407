/* Looks up functions of the C library in its own symbol table: the same result as dlsym, but without calling any
 * function that the program may have replaced. */
#ifndef HD_RUNTIME_IMAGE_LIBC_SYMBOLS_H
#define HD_RUNTIME_IMAGE_LIBC_SYMBOLS_H

#include <elf.h>
#include <stdint.h>

typedef struct hd_libc_symbols {
    uint64_t base;
    const Elf64_Sym *symbols;
    const char *names;
    const uint16_t *versions;
    const uint32_t *buckets, *chains;
    uint32_t bucket_count, first;
} hd_libc_symbols;

int hd_libc_symbols_open(hd_libc_symbols *s);

/* NULL: the C library has no such function. */
void *hd_libc_symbols_find(const hd_libc_symbols *s, const char *name);

#endif
