/* Functions that copy strings or split them. */
#include "abi/system.h"
#include "runtime/face/face.h"
#include "runtime/libc/letters.h"
#include "runtime/libc/libc.h"
#include "runtime/libc/see.h"
#include "runtime/reset/heap.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

size_t hd_strspn(const char *s, const char *set);
size_t hd_strcspn(const char *s, const char *set);

static int leaves_block(const char *to, size_t bytes)
{
    hd_block_view block;
    return hd_heap_holds(to) && hd_heap_describe((uint64_t)to, &block) && !block.freed
        && (uint64_t)to - block.address + bytes > block.size;
}

/* Copies the string, at most `limit` bytes of it, and terminates the copy if `end`. Returns the length of the copy. */
static size_t copy(char *to, const char *from, size_t limit, int end, const hd_site *site)
{
    size_t seen = 0, n;
    limit = hd_plain_size(limit);
    while ((n = strnlen(from, limit)) + 1 > seen) {
        if (leaves_block(to, n + (size_t)end))
            hd_follow_length(from, limit, n); /* the write may end the run: branches on the length come first */
        SEE(site, READS(from, n < limit ? n + 1 : limit), WRITES(to, n + (size_t)end));
        seen = n + 1;
    }
    n = hd_follow_length(from, limit, n);
    memmove(to, from, n);
    if (end)
        to[n] = '\0';
    return n;
}

HD_FACE char *hd_strcpy(char *to, const char *from)
{
    copy(to, from, SIZE_MAX / 2, 1, hd_call_site);
    return to;
}

HD_FACE char *hd_stpcpy(char *to, const char *from)
{
    return to + copy(to, from, SIZE_MAX / 2, 1, hd_call_site);
}

HD_FACE char *hd_stpncpy(char *to, const char *from, size_t limit)
{
    const hd_site *site = hd_call_site;
    limit = hd_plain_size(limit);
    size_t n = copy(to, from, limit, 0, site);
    SEE(site, WRITES(to + n, limit - n));
    memset(to + n, 0, limit - n);
    return to + n;
}

HD_FACE char *hd_strncpy(char *to, const char *from, size_t limit)
{
    hd_stpncpy(to, from, limit);
    return to;
}

HD_FACE char *hd_strncat(char *to, const char *from, size_t limit)
{
    const hd_site *site = hd_call_site;
    size_t n = hd_see_string(to, site);
    copy(to + hd_follow_length(to, SIZE_MAX, n), from, limit, 1, site);
    return to;
}

HD_FACE char *hd_strcat(char *to, const char *from)
{
    return hd_strncat(to, from, SIZE_MAX / 2);
}

HD_FACE char *hd_strndup(const char *s, size_t limit)
{
    const hd_site *site = hd_call_site;
    limit = hd_plain_size(limit);
    size_t n = hd_follow_length(s, limit, hd_see_string_up_to(s, limit, site));
    hd_call_site = site;
    hd_effect();
    char *new = hd_face_malloc(n + 1);
    if (new) {
        memcpy(new, s, n);
        new[n] = '\0';
    }
    return new;
}

HD_FACE char *hd_strdup(const char *s)
{
    return hd_strndup(s, SIZE_MAX);
}

HD_FACE char *hd___strdup(const char *s)
{
    return hd_strndup(s, SIZE_MAX);
}

HD_FACE char *hd___strndup(const char *s, size_t limit)
{
    return hd_strndup(s, limit);
}

/* --- splitting ----------------------------------------------------------------------- */

/* The next token at or after `s`; the delimiter that ends it is overwritten with 0. */
static char *cut_token(char *s, const char *delimiters, char **rest)
{
    s += hd_strspn(s, delimiters);
    if (!*s) {
        *rest = s;
        return NULL;
    }
    char *end = s + hd_strcspn(s, delimiters);
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return s;
}

static char *next_token(char *s, const char *delimiters, char **rest, const hd_site *site)
{
    hd_see_string(delimiters, site);
    if (!s) {
        SEE(site, READS(rest, sizeof *rest));
        s = *rest;
    }
    if (!s)
        return NULL;
    SEE(site, WRITES(s, hd_see_string(s, site) + 1), WRITES(rest, sizeof *rest));
    return cut_token(s, delimiters, rest);
}

HD_FACE char *hd_strtok_r(char *s, const char *delimiters, char **rest)
{
    return next_token(s, delimiters, rest, hd_call_site);
}

HD_FACE char *hd___strtok_r(char *s, const char *delimiters, char **rest)
{
    return next_token(s, delimiters, rest, hd_call_site);
}

/* Shared by all threads, as in the C library: so races of strtok are found. */
static char *strtok_rest[HD_MOST_PROCESSES];

HD_FACE char *hd_strtok(char *s, const char *delimiters)
{
    return next_token(s, delimiters, &strtok_rest[hd_current->process], hd_call_site);
}

void hd_strings_reset(void)
{
    memset(strtok_rest, 0, sizeof strtok_rest);
}

HD_FACE char *hd_strsep(char **s, const char *delimiters)
{
    const hd_site *site = hd_call_site;
    hd_see_string(delimiters, site);
    SEE(site, WRITES(s, sizeof *s));
    char *token = *s;
    if (!token)
        return NULL;
    char *end = token + hd_strcspn(token, delimiters);
    *s = *end ? end + 1 : NULL;
    if (*end) {
        SEE(site, WRITES(end, 1));
        *end = '\0';
    }
    return token;
}

/* --- variants of _FORTIFY_SOURCE, which know the room -------------------------------- */

HD_FACE char *hd___strcpy_chk(char *to, const char *from, size_t room)
{
    hd_check_room(strlen(from) + 1, room);
    return hd_strcpy(to, from);
}

HD_FACE char *hd___stpcpy_chk(char *to, const char *from, size_t room)
{
    hd_check_room(strlen(from) + 1, room);
    return hd_stpcpy(to, from);
}

HD_FACE char *hd___strncpy_chk(char *to, const char *from, size_t limit, size_t room)
{
    hd_check_room(limit, room);
    return hd_strncpy(to, from, limit);
}

HD_FACE char *hd___stpncpy_chk(char *to, const char *from, size_t limit, size_t room)
{
    hd_check_room(limit, room);
    return hd_stpncpy(to, from, limit);
}

HD_FACE char *hd___strcat_chk(char *to, const char *from, size_t room)
{
    hd_check_room(strlen(to) + strlen(from) + 1, room);
    return hd_strcat(to, from);
}

HD_FACE char *hd___strncat_chk(char *to, const char *from, size_t limit, size_t room)
{
    hd_check_room(strlen(to) + strnlen(from, limit) + 1, room);
    return hd_strncat(to, from, limit);
}
