/* Functions on blocks of memory. */
#include "runtime/face/face.h"
#include "runtime/libc/see.h"

#include <string.h>
#include <strings.h>

HD_FACE void *hd_memcpy(void *to, const void *from, size_t n)
{
    SEE(hd_call_site, READS(from, n), WRITES(to, n));
    return memmove(to, from, n);
}

HD_FACE void *hd_memmove(void *to, const void *from, size_t n)
{
    return hd_memcpy(to, from, n);
}

HD_FACE void *hd_mempcpy(void *to, const void *from, size_t n)
{
    return (char *)hd_memcpy(to, from, n) + n;
}

HD_FACE void *hd_memset(void *to, int byte, size_t n)
{
    SEE(hd_call_site, WRITES(to, n));
    return memset(to, byte, n);
}

HD_FACE void hd_bzero(void *to, size_t n)
{
    hd_memset(to, 0, n);
}

HD_FACE void hd_explicit_bzero(void *to, size_t n)
{
    hd_memset(to, 0, n);
}

/* memcmp may look at all of both, and does. */
HD_FACE int hd_memcmp(const void *a, const void *b, size_t n)
{
    SEE(hd_call_site, READS(a, n), READS(b, n));
    return memcmp(a, b, n);
}

HD_FACE int hd_bcmp(const void *a, const void *b, size_t n)
{
    return hd_memcmp(a, b, n);
}

static size_t looked_at(const void *block, const char *found, size_t n)
{
    return found ? (size_t)(found - (const char *)block) + 1 : n;
}

HD_FACE void *hd_memchr(const void *block, int byte, size_t n)
{
    const hd_site *site = hd_call_site;
    char *found = memchr(block, byte, n);
    for (size_t seen = 0, looked; (looked = looked_at(block, found, n)) > seen; seen = looked) {
        SEE(site, READS(block, looked));
        found = memchr(block, byte, n);
    }
    return found;
}

HD_FACE void *hd_rawmemchr(const void *block, int byte)
{
    return hd_memchr(block, byte, (size_t)-1 >> 1);
}

HD_FACE void *hd_memrchr(const void *block, int byte, size_t n)
{
    SEE(hd_call_site, READS(block, n));
    return (void *)memrchr(block, byte, n);
}

HD_FACE void *hd_memmem(const void *block, size_t n, const void *part, size_t part_size)
{
    SEE(hd_call_site, READS(block, n), READS(part, part_size));
    return memmem(block, n, part, part_size);
}

HD_FACE void *hd_memccpy(void *to, const void *from, int byte, size_t n)
{
    const hd_site *site = hd_call_site;
    for (size_t seen = 0, looked; (looked = looked_at(from, memchr(from, byte, n), n)) > seen; seen = looked)
        SEE(site, READS(from, looked), WRITES(to, looked));
    return memccpy(to, from, byte, n);
}

/* --- what _FORTIFY_SOURCE calls: the room is known --------------------------------- */

HD_FACE void *hd___memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
    hd_check_room(n, room);
    return hd_memcpy(to, from, n);
}

HD_FACE void *hd___memmove_chk(void *to, const void *from, size_t n, size_t room)
{
    hd_check_room(n, room);
    return hd_memcpy(to, from, n);
}

HD_FACE void *hd___mempcpy_chk(void *to, const void *from, size_t n, size_t room)
{
    hd_check_room(n, room);
    return hd_mempcpy(to, from, n);
}

HD_FACE void *hd___memset_chk(void *to, int byte, size_t n, size_t room)
{
    hd_check_room(n, room);
    return hd_memset(to, byte, n);
}

HD_FACE void hd___explicit_bzero_chk(void *to, size_t n, size_t room)
{
    hd_check_room(n, room);
    hd_memset(to, 0, n);
}
