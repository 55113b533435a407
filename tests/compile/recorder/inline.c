/* The inline hooks of the recording runtime: every one is told. With HD_APART they are functions, as in
 * runtime/inline.c. */
#include "abi/site.h"

#ifdef HD_APART
#define INLINE __attribute__((preserve_most))
#define NAME(hook) hook##_apart
#pragma clang diagnostic ignored "-Wmissing-prototypes"
#else
#define INLINE __attribute__((always_inline)) inline
#define NAME(hook) hook
#endif

void rec_access(const char *what, const void *address, uint64_t bytes, uint32_t info, const hd_site *site);

extern uint32_t rec_watched;

INLINE uint32_t NAME(hd_watched)(void)
{
    return rec_watched;
}

INLINE void NAME(hd_read)(void *address, uint32_t info, void *site)
{
    rec_access("read", address, info & HD_INFO_SIZE, info, site);
}

INLINE void NAME(hd_write)(void *address, uint32_t info, void *site)
{
    rec_access("write", address, info & HD_INFO_SIZE, info, site);
}

INLINE void NAME(hd_read_range)(void *address, uint64_t bytes, void *site)
{
    rec_access("read-range", address, bytes, 0, site);
}

INLINE void NAME(hd_write_range)(void *address, uint64_t bytes, void *site)
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
    INLINE result NAME(name)(__VA_ARGS__) \
    { \
        return (result)0; \
    }
#include "abi/shadow_hooks.def"
