/* perror, <err.h> and <error.h>: messages to standard error, some of which end
 * the process. */
#include "runtime/face/face.h"
#include "runtime/libc/files.h"
#include "runtime/libc/format.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/process.h"

#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <string.h>

/* "program: text: error"; each part may be missing. */
static void complain(const char *format, va_list args, int error)
{
    int length = format ? hd_format_length(format, args, hd_call_site) : 0;
    if (!hd_shows_output() || length < 0)
        return;
    fprintf(stderr, "%s: ", program_invocation_short_name);
    if (format)
        vfprintf(stderr, format, args);
    if (error)
        fprintf(stderr, "%s%s", format ? ": " : "", strerror(error));
    fputc('\n', stderr);
}

HD_FACE void hd_perror(const char *text)
{
    if (hd_shows_output())
        perror(text);
}

#define COMPLAIN(error) \
    int saved = errno; \
    va_list args; \
    va_start(args, format); \
    complain(format, args, error); \
    va_end(args); \
    errno = saved

HD_FACE void hd_warn(const char *format, ...)
{
    COMPLAIN(saved);
}

HD_FACE void hd_warnx(const char *format, ...)
{
    COMPLAIN(0);
}

HD_FACE void hd_vwarn(const char *format, va_list args)
{
    complain(format, args, errno);
}

HD_FACE void hd_vwarnx(const char *format, va_list args)
{
    complain(format, args, 0);
}

HD_FACE _Noreturn void hd_err(int status, const char *format, ...)
{
    COMPLAIN(saved);
    hd_process_exit(status, 0);
}

HD_FACE _Noreturn void hd_errx(int status, const char *format, ...)
{
    COMPLAIN(0);
    hd_process_exit(status, 0);
}

HD_FACE _Noreturn void hd_verr(int status, const char *format, va_list args)
{
    complain(format, args, errno);
    hd_process_exit(status, 0);
}

HD_FACE _Noreturn void hd_verrx(int status, const char *format, va_list args)
{
    complain(format, args, 0);
    hd_process_exit(status, 0);
}

HD_FACE void hd_error(int status, int number, const char *format, ...)
{
    COMPLAIN(number);
    if (status)
        hd_process_exit(status, 0);
}
