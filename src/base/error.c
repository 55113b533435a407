#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

bool hd_fail(hd_error *e, const char *format, ...)
{
    if (e) {
        va_list args;
        va_start(args, format);
        vsnprintf(e->text, sizeof e->text, format, args);
        va_end(args);
    }
    return false;
}

void hd_panic_at(const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "heddle: internal error at %s:%d: ", file, line);
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    /* Not exit: atexit handlers would run code of a process whose state is broken. */
    _exit(HD_EXIT_INTERNAL);
}
