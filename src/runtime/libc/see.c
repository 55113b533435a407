#include "runtime/libc/see.h"

#include "runtime/symbolic/lines.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

/* Repeated until the announced bytes contain the whole string: another thread may have made it longer before the read
 * was performed. With one thread the first round suffices. */
size_t hd_see_string_up_to(const char *s, size_t limit, const hd_site *site)
{
    size_t seen = 0, length, looked;
    for (;;) {
        length = limit == SIZE_MAX ? strlen(s) : strnlen(s, limit);
        looked = length < limit ? length + 1 : limit;
        if (looked <= seen)
            return length;
        hd_access_range(s, looked, site, 0);
        seen = looked;
        if (!hd_fast_state.several)
            return length;
    }
}

size_t hd_see_string(const char *s, const hd_site *site)
{
    return hd_see_string_up_to(s, SIZE_MAX, site);
}

/* The number of bytes that a comparison reads: up to the first difference or the end, inclusive. */
static size_t compared(const char *a, const char *b, size_t limit, int fold)
{
    size_t i = 0;
    while (i < limit && a[i] && (fold ? tolower((unsigned char)a[i]) == tolower((unsigned char)b[i]) : a[i] == b[i]))
        i++;
    return i < limit ? i + 1 : limit;
}

size_t hd_see_comparison(const char *a, const char *b, size_t limit, int fold, const hd_site *site)
{
    size_t looked, seen = 0;
    while ((looked = compared(a, b, limit, fold)) > seen) {
        SEE(site, READS(a, looked), READS(b, looked));
        seen = looked;
        if (!hd_fast_state.several)
            break;
    }
    return looked;
}

int hd_is_plain(const void *address, size_t bytes)
{
    return !hd_fast_state.expressions || !hd_lines_hold(address, bytes);
}

void hd_follow_plainly(const void *address, size_t bytes, const hd_site *site)
{
    if (hd_fast_state.expressions)
        hd_lines_follow(address, bytes, site);
}

/* In twins the compiler pins the argument of this call. */
size_t hd_plain_size(size_t n)
{
    return n;
}

void hd_check_room(size_t needed, size_t room)
{
    if (needed > room)
        hd_end(HD_CRASH, hd_call_site, "buffer overflow: %zu bytes into an object of %zu", needed, room);
}
