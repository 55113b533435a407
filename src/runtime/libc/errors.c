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

/* Does anything see what is written to standard error? */
static int shows(void)
{
    if (hd_is_console(stderr))
        return hd_shows_output();
    hd_use_stream(stderr, hd_call_site);
    return 1;
}

/* "program: text: error"; each part may be missing. */
static void complain(const char *format, va_list args, int error)
{
    int length = format ? hd_format_length(format, args, hd_call_site) : 0;
    if (length < 0 || !shows())
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
    int saved = errno;
    if (!shows())
        return;
    fprintf(stderr, "%s%s%s\n", text ? text : "", text && *text ? ": " : "", strerror(saved));
    errno = saved;
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
