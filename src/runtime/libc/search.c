/* Functions that only read strings. */
#include "runtime/face/face.h"
#include "runtime/libc/letters.h"
#include "runtime/libc/see.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

/* --- lengths ---------------------------------------------------------------------- */

size_t hd_follow_length(const char *s, size_t limit, size_t length)
{
    if (hd_is_plain(s, length < limit ? length + 1 : length))
        return length;
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

HD_FACE size_t hd_strlen(const char *s)
{
    return hd_follow_length(s, SIZE_MAX, hd_see_string(s, hd_call_site));
}

HD_FACE size_t hd_strnlen(const char *s, size_t limit)
{
    limit = hd_plain_size(limit);
    return hd_follow_length(s, limit, hd_see_string_up_to(s, limit, hd_call_site));
}

/* --- comparisons -------------------------------------------------------------------- */

/* Compares byte by byte up to the first difference or the end, so that each byte is a branch. */
static int follow_comparison(const char *a, const char *b, size_t limit, int fold)
{
    for (size_t i = 0; i < limit; i++) {
        unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (fold) {
            x = (unsigned char)hd_small_letter(x);
            y = (unsigned char)hd_small_letter(y);
        }
        if (x != y)
            return -(x < y) | 1;
        if (!x)
            return 0;
    }
    return 0;
}

static int compare(const char *a, const char *b, size_t limit, int fold)
{
    size_t looked = hd_see_comparison(a, b, limit, fold, hd_call_site);
    if (!hd_is_plain(a, looked) || !hd_is_plain(b, looked))
        return follow_comparison(a, b, limit, fold);
    return fold ? strncasecmp(a, b, limit) : strncmp(a, b, limit);
}

HD_FACE int hd_strcmp(const char *a, const char *b)
{
    return compare(a, b, SIZE_MAX, 0);
}

HD_FACE int hd_strncmp(const char *a, const char *b, size_t limit)
{
    return compare(a, b, hd_plain_size(limit), 0);
}

HD_FACE int hd_strcasecmp(const char *a, const char *b)
{
    return compare(a, b, SIZE_MAX, 1);
}

HD_FACE int hd_strncasecmp(const char *a, const char *b, size_t limit)
{
    return compare(a, b, hd_plain_size(limit), 1);
}

HD_FACE int hd_strcoll(const char *a, const char *b)
{
    const hd_site *site = hd_call_site;
    size_t n = hd_see_string(a, site), m = hd_see_string(b, site);
    if (!hd_is_plain(a, n + 1) || !hd_is_plain(b, m + 1))
        return follow_comparison(a, b, SIZE_MAX, 0);
    return strcoll(a, b);
}

/* --- one character -------------------------------------------------------------------- */

/* The address of the first byte that is `c` or the end of the string. */
static char *find(const char *s, int c, const hd_site *site)
{
    char *found;
    for (size_t seen = 0;;) {
        found = strchrnul(s, c);
        size_t looked = (size_t)(found - s) + 1;
        if (looked <= seen)
            break;
        SEE(site, READS(s, looked));
        seen = looked;
    }
    if (hd_is_plain(s, (size_t)(found - s) + 1) && hd_is_plain(&c, sizeof c))
        return found;
    while (*s != (char)c && *s)
        s++;
    return (char *)s;
}

HD_FACE char *hd_strchrnul(const char *s, int c)
{
    return find(s, c, hd_call_site);
}

HD_FACE char *hd_strchr(const char *s, int c)
{
    char *found = find(s, c, hd_call_site);
    return *found == (char)c ? found : NULL;
}

HD_FACE char *hd_strrchr(const char *s, int c)
{
    size_t n = hd_see_string(s, hd_call_site);
    const char *found = NULL;
    if (hd_is_plain(s, n + 1) && hd_is_plain(&c, sizeof c))
        return (char *)strrchr(s, c);
    for (;; s++) {
        if (*s == (char)c)
            found = s;
        if (!*s)
            return (char *)found;
    }
}

/* --- strings in strings ------------------------------------------------------------------ */

static const char *follow_search(const char *s, const char *part, size_t length, int fold)
{
    for (;; s++) {
        if (!follow_comparison(s, part, length, fold))
            return s;
        if (!*s)
            return NULL;
    }
}

/* A search for `part` reads `s` up to the end of the match. */
HD_FACE char *hd_strstr(const char *s, const char *part)
{
    const hd_site *site = hd_call_site;
    size_t length = hd_see_string(part, site), looked;
    const char *found = strstr(s, part);
    if (found) {
        looked = (size_t)(found - s) + length;
        SEE(site, READS(s, looked));
    } else {
        looked = hd_see_string(s, site) + 1;
    }
    if (!hd_is_plain(s, looked) || !hd_is_plain(part, length + 1))
        return (char *)follow_search(s, part, hd_follow_length(part, SIZE_MAX, length), 0);
    return (char *)strstr(s, part);
}

HD_FACE char *hd_strcasestr(const char *s, const char *part)
{
    const hd_site *site = hd_call_site;
    size_t length = hd_see_string(part, site), n = hd_see_string(s, site);
    if (!hd_is_plain(s, n + 1) || !hd_is_plain(part, length + 1))
        return (char *)follow_search(s, part, hd_follow_length(part, SIZE_MAX, length), 1);
    return (char *)strcasestr(s, part);
}

/* --- sets ----------------------------------------------------------------------------------- */

static int is_in(char c, const char *set)
{
    for (; *set; set++)
        if (*set == c)
            return 1;
    return 0;
}

/* Announces the bytes of `s` up to the one that ends the span: the first that is not in the set, or that is. */
static size_t span(const char *s, const char *set, int members)
{
    const hd_site *site = hd_call_site;
    size_t size = hd_see_string(set, site), seen = 0, n;
    while ((n = members ? strspn(s, set) : strcspn(s, set)) + 1 > seen) {
        SEE(site, READS(s, n + 1));
        seen = n + 1;
    }
    if (hd_is_plain(s, n + 1) && hd_is_plain(set, size + 1))
        return n;
    for (n = 0; s[n] && is_in(s[n], set) == members; n++)
        ;
    return n;
}

HD_FACE size_t hd_strspn(const char *s, const char *set)
{
    return span(s, set, 1);
}

HD_FACE size_t hd_strcspn(const char *s, const char *set)
{
    return span(s, set, 0);
}

HD_FACE char *hd_strpbrk(const char *s, const char *set)
{
    size_t n = span(s, set, 0);
    return s[n] ? (char *)s + n : NULL;
}
