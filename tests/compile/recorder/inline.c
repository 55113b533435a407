/* The inline hooks of the recording runtime: every one is told. */
#include "abi/site.h"

#define INLINE __attribute__((always_inline)) inline

void rec_access(const char *what, const void *address, uint64_t bytes, uint32_t info, const hd_site *site);

extern uint32_t rec_watched;

INLINE uint32_t hd_watched(void)
{
    return rec_watched;
}

INLINE void hd_read(void *address, uint32_t info, void *site)
{
    rec_access("read", address, info & HD_INFO_SIZE, info, site);
}

INLINE void hd_write(void *address, uint32_t info, void *site)
{
    rec_access("write", address, info & HD_INFO_SIZE, info, site);
}

INLINE void hd_read_range(void *address, uint64_t bytes, void *site)
{
    rec_access("read-range", address, bytes, 0, site);
}

INLINE void hd_write_range(void *address, uint64_t bytes, void *site)
{
    rec_access("write-range", address, bytes, 0, site);
}

/* Functions never run as their twins here. */
#pragma clang diagnostic ignored "-Wc2x-extensions" /* parameters without names */
typedef void VOID;
typedef void *PTR;
typedef uint32_t I32;
typedef uint64_t I64;
#define INLINE_HOOK(name, result, ...) \
    INLINE result name(__VA_ARGS__) \
    { \
        return (result)0; \
    }
#include "abi/shadow_hooks.def"
