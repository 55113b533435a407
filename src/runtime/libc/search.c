/* Functions on strings that only look. */
#include "runtime/face/face.h"
#include "runtime/libc/see.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

HD_FACE size_t hd_strlen(const char *s)
{
    return hd_see_string(s, hd_call_site);
}

HD_FACE size_t hd_strnlen(const char *s, size_t limit)
{
    return hd_see_string_up_to(s, limit, hd_call_site);
}

HD_FACE int hd_strcmp(const char *a, const char *b)
{
    hd_see_comparison(a, b, SIZE_MAX, 0, hd_call_site);
    return strcmp(a, b);
}

HD_FACE int hd_strncmp(const char *a, const char *b, size_t limit)
{
    hd_see_comparison(a, b, limit, 0, hd_call_site);
    return strncmp(a, b, limit);
}

HD_FACE int hd_strcasecmp(const char *a, const char *b)
{
    hd_see_comparison(a, b, SIZE_MAX, 1, hd_call_site);
    return strcasecmp(a, b);
}

HD_FACE int hd_strncasecmp(const char *a, const char *b, size_t limit)
{
    hd_see_comparison(a, b, limit, 1, hd_call_site);
    return strncasecmp(a, b, limit);
}

HD_FACE int hd_strcoll(const char *a, const char *b)
{
    const hd_site *site = hd_call_site;
    hd_see_string(a, site);
    hd_see_string(b, site);
    return strcoll(a, b);
}

/* The place of the first byte that is `c` or the end. */
static char *find(const char *s, int c, const hd_site *site)
{
    char *found;
    for (size_t seen = 0;;) {
        found = strchrnul(s, c);
        size_t looked = (size_t)(found - s) + 1;
        if (looked <= seen)
            return found;
        SEE(site, READS(s, looked));
        seen = looked;
    }
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
    hd_see_string(s, hd_call_site);
    return (char *)strrchr(s, c);
}

static void see_both(const char *a, const char *b)
{
    const hd_site *site = hd_call_site;
    hd_see_string(b, site);
    hd_see_string(a, site);
}

/* How far a search for `part` has to look into `s` is up to where it is found. */
HD_FACE char *hd_strstr(const char *s, const char *part)
{
    const hd_site *site = hd_call_site;
    size_t length = hd_see_string(part, site);
    const char *found = strstr(s, part);
    if (found)
        SEE(site, READS(s, (size_t)(found - s) + length));
    else
        hd_see_string(s, site);
    return (char *)strstr(s, part);
}

HD_FACE char *hd_strcasestr(const char *s, const char *part)
{
    see_both(s, part);
    return (char *)strcasestr(s, part);
}

/* Sees the bytes of `s` up to the one where a span ends. */
static size_t span(size_t length_of(const char *, const char *), const char *s, const char *set)
{
    const hd_site *site = hd_call_site;
    hd_see_string(set, site);
    size_t seen = 0, n;
    while ((n = length_of(s, set)) + 1 > seen) {
        SEE(site, READS(s, n + 1));
        seen = n + 1;
    }
    return n;
}

HD_FACE size_t hd_strspn(const char *s, const char *set)
{
    return span(strspn, s, set);
}

HD_FACE size_t hd_strcspn(const char *s, const char *set)
{
    return span(strcspn, s, set);
}

HD_FACE char *hd_strpbrk(const char *s, const char *set)
{
    size_t n = span(strcspn, s, set);
    return s[n] ? (char *)s + n : NULL;
}
