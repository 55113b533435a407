/* The fast paths of the access hooks, linked into every instrumented module as
 * bitcode. While one thread exists an access costs a look at its shadow; with
 * several, also one at the cell's owner. */
#include "abi/fast.h"

#define INLINE __attribute__((always_inline))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

void hd_access(const void *address, uint32_t info, const hd_site *site, uint32_t is_write)
    __attribute__((preserve_most, cold));
void hd_access_range(const void *address, uint64_t bytes, const hd_site *site, uint32_t is_write) __attribute__((cold));
void hd_bad_access(const void *address, uint64_t bytes, const hd_site *site, uint32_t is_write)
    __attribute__((cold, noreturn));

INLINE uint32_t hd_watched(void)
{
    return hd_fast_state.watched;
}

static INLINE inline int are_several(uint32_t info)
{
    return !(info & HD_INFO_ALONE) && (info & HD_INFO_SEVERAL || UNLIKELY(hd_fast_state.several));
}

INLINE void hd_read(void *address, uint32_t info, void *site)
{
    if (UNLIKELY(hd_is_forbidden(address, info & HD_INFO_SIZE)))
        hd_bad_access(address, info & HD_INFO_SIZE, site, 0);
    if (are_several(info) && hd_fast_state.owners[hd_owner_index(address)] != hd_fast_state.mark)
        hd_access(address, info, site, 0);
}

INLINE void hd_write(void *address, uint32_t info, void *site)
{
    if (UNLIKELY(hd_is_forbidden(address, info & HD_INFO_SIZE)))
        hd_bad_access(address, info & HD_INFO_SIZE, site, 1);
    if (are_several(info)) {
        hd_fast_state.wrote = 1;
        if (hd_fast_state.owners[hd_owner_index(address)] != hd_fast_state.mark)
            hd_access(address, info, site, 1);
    }
}

/* Two cells that may be accessed with one between them that may not are
 * further apart than this. */
enum { SMALL_RANGE = 64 };

static INLINE inline int is_plain_range(const char *address, uint64_t bytes)
{
    return bytes - 1 < SMALL_RANGE && !*hd_shadow_of(address) && !*hd_shadow_of(address + bytes - 1);
}

INLINE void hd_read_range(void *address, uint64_t bytes, void *site)
{
    if (UNLIKELY(hd_fast_state.several) || !is_plain_range(address, bytes))
        hd_access_range(address, bytes, site, 0);
}

INLINE void hd_write_range(void *address, uint64_t bytes, void *site)
{
    if (UNLIKELY(hd_fast_state.several) || !is_plain_range(address, bytes))
        hd_access_range(address, bytes, site, 1);
}
