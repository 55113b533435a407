/* Reads a printf format beside its arguments, to see what it makes printf
 * access: strings (%s) are read, counts (%n) are written. Formats that number
 * their arguments (%1$d) are not looked into. */
#ifndef HD_RUNTIME_LIBC_FORMAT_H
#define HD_RUNTIME_LIBC_FORMAT_H

#include "abi/site.h"

#include <stdarg.h>

void hd_see_format(const char *format, va_list args, const hd_site *site);

/* The same, then how many bytes printf would print. */
int hd_format_length(const char *format, va_list args, const hd_site *site);

#endif
