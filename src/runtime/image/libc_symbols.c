#include "runtime/image/libc_symbols.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <stddef.h>

/* The layout of DT_GNU_HASH: a header, a Bloom filter, which is not used here, buckets and chains. */
static void read_hash(hd_libc_symbols *s, const uint32_t *table)
{
    enum { BUCKETS, FIRST, FILTER_WORDS, HEADER = 4 };
    s->bucket_count = table[BUCKETS];
    s->first = table[FIRST];
    s->buckets = table + HEADER + 2 * table[FILTER_WORDS];
    s->chains = s->buckets + s->bucket_count;
}

int hd_libc_symbols_open(hd_libc_symbols *s)
{
    struct link_map *libc;
    Dl_info info;
    *s = (hd_libc_symbols) { 0 };
    if (!dladdr1((void *)gnu_get_libc_version, &info, (void **)&libc, RTLD_DL_LINKMAP))
        return 0;
    s->base = libc->l_addr;
    for (const ElfW(Dyn) *d = libc->l_ld; d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_SYMTAB)
            s->symbols = (const void *)d->d_un.d_ptr;
        else if (d->d_tag == DT_STRTAB)
            s->names = (const void *)d->d_un.d_ptr;
        else if (d->d_tag == DT_VERSYM)
            s->versions = (const void *)d->d_un.d_ptr;
        else if (d->d_tag == DT_GNU_HASH)
            read_hash(s, (const void *)d->d_un.d_ptr);
    }
    return s->symbols && s->names && s->versions && s->buckets;
}

/* strcmp may be a function of the program. */
static int is_equal(const char *a, const char *b)
{
    for (; *a && *a == *b; a++)
        b++;
    return *a == *b;
}

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

/* An ifunc is resolved here, as the dynamic linker does it. */
static void *function_of(const hd_libc_symbols *s, const Elf64_Sym *symbol)
{
    typedef void *resolver(void);
    void *address = (void *)(s->base + symbol->st_value);
    return ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC ? ((resolver *)address)() : address;
}

/* Chains contain hashes whose lowest bit marks the last entry. Old versions of a function are skipped. */
void *hd_libc_symbols_find(const hd_libc_symbols *s, const char *name)
{
    enum { OLD_VERSION = 0x8000, LAST = 1 };
    uint32_t hash = hash_of(name), at = s->buckets[hash % s->bucket_count];
    while (at >= s->first) {
        uint32_t known = s->chains[at - s->first];
        if ((known | LAST) == (hash | LAST) && !(s->versions[at] & OLD_VERSION)
            && is_equal(s->names + s->symbols[at].st_name, name))
            return function_of(s, &s->symbols[at]);
        at = known & LAST ? 0 : at + 1;
    }
    return NULL;
}
