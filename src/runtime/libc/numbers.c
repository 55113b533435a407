/* Numbers from strings: what is read is what was understood and the byte that
 * ended it. */
#include "runtime/face/face.h"
#include "runtime/libc/see.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void see_number(const char *s, const char *end, char **to, const hd_site *site)
{
    if (to)
        SEE(site, READS(s, (size_t)(end - s) + 1), WRITES(to, sizeof *to));
    else
        SEE(site, READS(s, (size_t)(end - s) + 1));
}

#define INTEGER(type, name, real) \
    HD_FACE type hd_##name(const char *s, char **to, int base) \
    { \
        const hd_site *site = hd_call_site; \
        char *end = (char *)s; \
        (void)real(s, &end, base); \
        see_number(s, end, to, site); \
        return real(s, to, base); \
    }
INTEGER(long, strtol, strtol)
INTEGER(unsigned long, strtoul, strtoul)
INTEGER(long long, strtoll, strtoll)
INTEGER(unsigned long long, strtoull, strtoull)
INTEGER(intmax_t, strtoimax, strtoimax)
INTEGER(uintmax_t, strtoumax, strtoumax)
INTEGER(long, __isoc23_strtol, strtol)
INTEGER(unsigned long, __isoc23_strtoul, strtoul)
INTEGER(long long, __isoc23_strtoll, strtoll)
INTEGER(unsigned long long, __isoc23_strtoull, strtoull)
#undef INTEGER

#define REAL(type, name) \
    HD_FACE type hd_##name(const char *s, char **to) \
    { \
        const hd_site *site = hd_call_site; \
        char *end = (char *)s; \
        (void)name(s, &end); \
        see_number(s, end, to, site); \
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
