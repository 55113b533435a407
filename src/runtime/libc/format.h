/* Reads a printf format together with its arguments, to find the memory that printf accesses: strings (%s) are read,
 * counts (%n) are written. Formats with numbered arguments (%1$d) are not examined. */
#ifndef HD_RUNTIME_LIBC_FORMAT_H
#define HD_RUNTIME_LIBC_FORMAT_H

#include "abi/site.h"

#include <stdarg.h>

/* The body of a variadic function of `format`: calls the function of the same name that takes `args`. */
#define HD_FORWARD(call) \
    va_list args; \
    va_start(args, format); \
    int result = call; \
    va_end(args); \
    return result

void hd_see_format(const char *format, va_list args, const hd_site *site);

/* The same; returns the number of bytes that printf would print. */
int hd_format_length(const char *format, va_list args, const hd_site *site);

#endif
