/* Numbers from strings. The bytes that are read are those of the number and the one after it. */
#include "runtime/face/face.h"
#include "runtime/libc/letters.h"
#include "runtime/libc/see.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void see_number(const char *s, const char *end, char **to, const hd_site *site)
{
    if (to)
        SEE(site, READS(s, (size_t)(end - s) + 1), WRITES(to, sizeof *to));
    else
        SEE(site, READS(s, (size_t)(end - s) + 1));
}

/* --- byte by byte ------------------------------------------------------------------- */

typedef struct number {
    uint64_t magnitude;
    int negative, too_large;
    const char *end; /* NULL: there is none */
} number;

/* The value of a character as a digit; 36 or more: it is none. */
static unsigned digit_value(int c)
{
    if (hd_is_digit(c))
        return (unsigned)c - '0';
    if (hd_is_letter(c))
        return (unsigned)hd_small_letter(c) - 'a' + 10;
    return 36;
}

static int begins_hexadecimal(const char *s)
{
    return s[0] == '0' && hd_small_letter(s[1]) == 'x' && digit_value((unsigned char)s[2]) < 16;
}

/* `reach` is the largest number with this many digits. While it fits, no digits can overflow, so there is no branch on
 * their values. */
static void read_digits(number *n, const char *s, unsigned base)
{
    uint64_t reach = 0;
    int reaches = 1;
    for (unsigned d; (d = digit_value((unsigned char)*s)) < base; n->end = ++s) {
        reaches =
            reaches && !__builtin_mul_overflow(reach, base, &reach) && !__builtin_add_overflow(reach, base - 1, &reach);
        if (!reaches
            && (__builtin_mul_overflow(n->magnitude, base, &n->magnitude)
                || __builtin_add_overflow(n->magnitude, d, &n->magnitude)))
            n->too_large = 1;
        if (reaches)
            n->magnitude = n->magnitude * base + d;
    }
}

static number follow_number(const char *s, unsigned base)
{
    number n = { 0 };
    while (hd_is_space((unsigned char)*s))
        s++;
    if (*s == '-' || *s == '+')
        n.negative = *s++ == '-';
    if ((base == 0 || base == 16) && begins_hexadecimal(s)) {
        s += 2;
        base = 16;
    }
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    read_digits(&n, s, base);
    return n;
}

static long to_signed(const number *n)
{
    uint64_t most = (uint64_t)LONG_MAX + (uint64_t)n->negative;
    if (n->too_large || n->magnitude > most) {
        errno = ERANGE;
        return n->negative ? LONG_MIN : LONG_MAX;
    }
    return (long)(n->negative ? -n->magnitude : n->magnitude);
}

static long to_unsigned(const number *n)
{
    if (n->too_large) {
        errno = ERANGE;
        return -1;
    }
    return (long)(n->negative ? -n->magnitude : n->magnitude);
}

static long follow(const char *s, char **to, int base, long (*value)(const number *))
{
    number n = follow_number(s, (unsigned)base);
    if (to)
        *to = (char *)(n.end ? n.end : s);
    return value(&n);
}

/* --- the functions -------------------------------------------------------------------- */

#define INTEGER(type, name, real, value) \
    HD_FACE type hd_##name(const char *s, char **to, int base) \
    { \
        const hd_site *site = hd_call_site; \
        char *end = (char *)s; \
        base = (int)hd_plain_size((size_t)base); \
        (void)real(s, &end, base); \
        see_number(s, end, to, site); \
        if (hd_is_plain(s, (size_t)(end - s) + 1 + strnlen(end, 2))) /* digits may follow "0x" */ \
            return real(s, to, base); \
        return (type)follow(s, to, base, value); \
    }
INTEGER(long, strtol, strtol, to_signed)
INTEGER(unsigned long, strtoul, strtoul, to_unsigned)
INTEGER(long long, strtoll, strtoll, to_signed)
INTEGER(unsigned long long, strtoull, strtoull, to_unsigned)
INTEGER(intmax_t, strtoimax, strtoimax, to_signed)
INTEGER(uintmax_t, strtoumax, strtoumax, to_unsigned)
INTEGER(long, __isoc23_strtol, strtol, to_signed)
INTEGER(unsigned long, __isoc23_strtoul, strtoul, to_unsigned)
INTEGER(long long, __isoc23_strtoll, strtoll, to_signed)
INTEGER(unsigned long long, __isoc23_strtoull, strtoull, to_unsigned)
#undef INTEGER

/* Floating point is computed concretely. */
#define REAL(type, name) \
    HD_FACE type hd_##name(const char *s, char **to) \
    { \
        const hd_site *site = hd_call_site; \
        char *end = (char *)s; \
        (void)name(s, &end); \
        see_number(s, end, to, site); \
        hd_follow_plainly(s, (size_t)(end - s) + 1, site); \
        return name(s, to); \
    }
REAL(float, strtof)
REAL(double, strtod)
REAL(long double, strtold)
#undef REAL

HD_FACE int hd_atoi(const char *s)
{
    return (int)hd_strtol(s, NULL, 10);
}

HD_FACE long hd_atol(const char *s)
{
    return hd_strtol(s, NULL, 10);
}

HD_FACE long long hd_atoll(const char *s)
{
    return hd_strtoll(s, NULL, 10);
}

HD_FACE double hd_atof(const char *s)
{
    return hd_strtod(s, NULL);
}
