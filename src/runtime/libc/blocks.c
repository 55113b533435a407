/* Functions on blocks of memory. */
#include "runtime/face/face.h"
#include "runtime/libc/see.h"

#include <string.h>
#include <strings.h>

HD_FACE void *hd_memcpy(void *to, const void *from, size_t n)
{
    n = hd_plain_size(n);
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
    n = hd_plain_size(n);
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

/* memcmp may read both blocks completely, so all of it is announced. */
HD_FACE int hd_memcmp(const void *a, const void *b, size_t n)
{
    n = hd_plain_size(n);
    SEE(hd_call_site, READS(a, n), READS(b, n));
    if (hd_is_plain(a, n) && hd_is_plain(b, n))
        return memcmp(a, b, n);
    for (size_t i = 0; i < n; i++) {
        unsigned char x = ((const unsigned char *)a)[i], y = ((const unsigned char *)b)[i];
        if (x != y)
            return -(x < y) | 1;
    }
    return 0;
}

HD_FACE int hd_bcmp(const void *a, const void *b, size_t n)
{
    return hd_memcmp(a, b, n);
}

static size_t looked_at(const void *block, const char *found, size_t n)
{
    return found ? (size_t)(found - (const char *)block) + 1 : n;
}

static int is_byte(char c, int byte)
{
    return c == (char)byte;
}

HD_FACE void *hd_memchr(const void *block, int byte, size_t n)
{
    const hd_site *site = hd_call_site;
    n = hd_plain_size(n);
    char *found = memchr(block, byte, n);
    for (size_t seen = 0, looked; (looked = looked_at(block, found, n)) > seen; seen = looked) {
        SEE(site, READS(block, looked));
        found = memchr(block, byte, n);
    }
    if (hd_is_plain(block, looked_at(block, found, n)) && hd_is_plain(&byte, sizeof byte))
        return found;
    const char *at = block, *end = at + n;
    while (at < end && !is_byte(*at, byte))
        at++;
    return at < end ? (void *)at : NULL;
}

HD_FACE void *hd_rawmemchr(const void *block, int byte)
{
    return hd_memchr(block, byte, (size_t)-1 >> 1);
}

HD_FACE void *hd_memrchr(const void *block, int byte, size_t n)
{
    n = hd_plain_size(n);
    SEE(hd_call_site, READS(block, n));
    if (hd_is_plain(block, n) && hd_is_plain(&byte, sizeof byte))
        return (void *)memrchr(block, byte, n);
    while (n && !is_byte(((const char *)block)[n - 1], byte))
        n--;
    return n ? (char *)block + n - 1 : NULL;
}

HD_FACE void *hd_memmem(const void *block, size_t n, const void *part, size_t part_size)
{
    const hd_site *site = hd_call_site;
    n = hd_plain_size(n);
    part_size = hd_plain_size(part_size);
    SEE(site, READS(block, n), READS(part, part_size));
    if (hd_is_plain(block, n) && hd_is_plain(part, part_size))
        return memmem(block, n, part, part_size);
    for (const char *at = block; (size_t)(at - (const char *)block) + part_size <= n; at++)
        if (!hd_memcmp(at, part, part_size))
            return (void *)at;
    return NULL;
}

HD_FACE void *hd_memccpy(void *to, const void *from, int byte, size_t n)
{
    const hd_site *site = hd_call_site;
    n = hd_plain_size(n);
    for (size_t seen = 0, looked; (looked = looked_at(from, memchr(from, byte, n), n)) > seen; seen = looked)
        SEE(site, READS(from, looked), WRITES(to, looked));
    for (size_t i = 0; i < n; i++) {
        ((char *)to)[i] = ((const char *)from)[i];
        if (is_byte(((const char *)from)[i], byte))
            return (char *)to + i + 1;
    }
    return NULL;
}

/* --- variants of _FORTIFY_SOURCE, which know the room -------------------------------- */

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
