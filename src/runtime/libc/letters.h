/* Classes of characters in the C locale, computed without branches and tables: the result for an expression is an
 * expression. */
#ifndef HD_RUNTIME_LIBC_LETTERS_H
#define HD_RUNTIME_LIBC_LETTERS_H

#include <stddef.h>

static inline int hd_between(int c, int first, int last)
{
    return (unsigned)c - (unsigned)first <= (unsigned)(last - first);
}

static inline int hd_small_letter(int c)
{
    return c + 32 * hd_between(c, 'A', 'Z');
}

static inline int hd_capital_letter(int c)
{
    return c - 32 * hd_between(c, 'a', 'z');
}

static inline int hd_is_letter(int c)
{
    return hd_between(c, 'A', 'Z') | hd_between(c, 'a', 'z');
}

static inline int hd_is_digit(int c)
{
    return hd_between(c, '0', '9');
}

static inline int hd_is_space(int c)
{
    return (c == ' ') | hd_between(c, '\t', '\r');
}

/* The length of a string, at most `limit`, as an expression. For the current bytes it is `length`. */
size_t hd_follow_length(const char *s, size_t limit, size_t length);

#endif
