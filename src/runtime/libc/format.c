#include "runtime/libc/format.h"

#include "runtime/libc/see.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

/* The arguments, in a struct so that functions can share them and advance them together. */
typedef struct cursor {
    va_list args;
    const hd_site *site;
} cursor;

typedef struct conversion {
    int precision; /* -1: none */
    char length[3], kind;
} conversion;

static const char *read_number(const char *f, cursor *c, int *number)
{
    if (*f == '*') {
        *number = va_arg(c->args, int);
        return f + 1;
    }
    for (*number = 0; *f >= '0' && *f <= '9'; f++)
        *number = *number * 10 + (*f - '0');
    return f;
}

/* Reads the conversion after a '%'; takes the arguments of width and precision. */
static const char *read_conversion(const char *f, cursor *c, conversion *to)
{
    int width;
    *to = (conversion) { .precision = -1 };
    f += strspn(f, "-+ #0'I");
    f = read_number(f, c, &width);
    if (*f == '.')
        f = read_number(f + 1, c, &to->precision);
    for (unsigned i = 0; *f && strchr("hlLqjzt", *f) && i < 2; i++)
        to->length[i] = *f++;
    to->kind = *f;
    return *f ? f + 1 : f;
}

static void skip_integer(cursor *c, const char *length)
{
    if (length[0] == 'l' || length[0] == 'q' || length[0] == 'L' || length[0] == 'j' || length[0] == 'z'
        || length[0] == 't')
        (void)va_arg(c->args, long);
    else
        (void)va_arg(c->args, int);
}

static size_t size_of_count(const char *length)
{
    if (length[0] == 'h')
        return length[1] == 'h' ? 1 : 2;
    return length[0] ? 8 : 4;
}

static void see_argument(cursor *c, const conversion *v)
{
    const void *p;
    switch (v->kind) {
    case 's':
        p = va_arg(c->args, const void *);
        if (p && !v->length[0])
            hd_see_string_up_to(p, v->precision < 0 ? SIZE_MAX : (size_t)v->precision, c->site);
        break;
    case 'n':
        p = va_arg(c->args, const void *);
        hd_access_range(p, size_of_count(v->length), c->site, 1);
        break;
    case 'p':
    case 'S':
        (void)va_arg(c->args, void *);
        break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        if (v->length[0] == 'L')
            (void)va_arg(c->args, long double);
        else
            (void)va_arg(c->args, double);
        break;
    case '%':
    case 'm':
    case '\0':
        break;
    default:
        skip_integer(c, v->length);
    }
}

static int numbers_its_arguments(const char *format)
{
    for (const char *f = strchr(format, '%'); f; f = strchr(f + 1, '%'))
        if (f[1 + strspn(f + 1, "0123456789")] == '$')
            return 1;
    return 0;
}

void hd_see_format(const char *format, va_list args, const hd_site *site)
{
    cursor c = { .site = site };
    hd_see_string(format, site);
    if (numbers_its_arguments(format))
        return;
    va_copy(c.args, args);
    for (const char *f = strchr(format, '%'); f; f = strchr(f, '%')) {
        conversion v;
        f = read_conversion(f + 1, &c, &v);
        see_argument(&c, &v);
    }
    va_end(c.args);
}

int hd_format_length(const char *format, va_list args, const hd_site *site)
{
    va_list copy;
    hd_see_format(format, args, site);
    va_copy(copy, args);
    int length = vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    return length;
}
