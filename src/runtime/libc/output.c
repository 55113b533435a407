/* Output. While exploring, output to the console is discarded, and the calls return what they would have returned;
 * output to files happens. */
#include "runtime/face/face.h"
#include "runtime/libc/files.h"
#include "runtime/libc/format.h"
#include "runtime/libc/see.h"
#include "runtime/sync/eventfd.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* Is output to this stream discarded? If not, the stream is about to be used. */
static int is_dropped(FILE *stream, const hd_site *site)
{
    if (!hd_is_console(stream))
        hd_use_stream(stream, site);
    return hd_is_console(stream) && !hd_shows_output();
}

static int is_dropped_fd(int fd, const hd_site *site)
{
    if (!hd_is_console_fd(fd))
        hd_use_fd(fd, site);
    return hd_is_console_fd(fd) && !hd_shows_output();
}

/* --- formatted ------------------------------------------------------------------- */

HD_FACE int hd_vfprintf(FILE *stream, const char *format, va_list args)
{
    const hd_site *site = hd_call_site;
    int length = hd_format_length(format, args, site);
    return is_dropped(stream, site) ? length : vfprintf(stream, format, args);
}

HD_FACE int hd_vprintf(const char *format, va_list args)
{
    return hd_vfprintf(stdout, format, args);
}

HD_FACE int hd_fprintf(FILE *stream, const char *format, ...)
{
    HD_FORWARD(hd_vfprintf(stream, format, args));
}

HD_FACE int hd_printf(const char *format, ...)
{
    HD_FORWARD(hd_vfprintf(stdout, format, args));
}

HD_FACE int hd_vdprintf(int fd, const char *format, va_list args)
{
    const hd_site *site = hd_call_site;
    int length = hd_format_length(format, args, site);
    return is_dropped_fd(fd, site) ? length : vdprintf(fd, format, args);
}

HD_FACE int hd_dprintf(int fd, const char *format, ...)
{
    HD_FORWARD(hd_vdprintf(fd, format, args));
}

HD_FACE int hd___vfprintf_chk(FILE *stream, int flag, const char *format, va_list args)
{
    (void)flag;
    return hd_vfprintf(stream, format, args);
}

HD_FACE int hd___vprintf_chk(int flag, const char *format, va_list args)
{
    (void)flag;
    return hd_vfprintf(stdout, format, args);
}

HD_FACE int hd___fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
    (void)flag;
    HD_FORWARD(hd_vfprintf(stream, format, args));
}

HD_FACE int hd___printf_chk(int flag, const char *format, ...)
{
    (void)flag;
    HD_FORWARD(hd_vfprintf(stdout, format, args));
}

HD_FACE int hd___dprintf_chk(int fd, int flag, const char *format, ...)
{
    (void)flag;
    HD_FORWARD(hd_vdprintf(fd, format, args));
}

HD_FACE int hd___vdprintf_chk(int fd, int flag, const char *format, va_list args)
{
    (void)flag;
    return hd_vdprintf(fd, format, args);
}

/* --- plain ----------------------------------------------------------------------- */

HD_FACE int hd_fputs(const char *s, FILE *stream)
{
    const hd_site *site = hd_call_site;
    hd_see_string(s, site);
    return is_dropped(stream, site) ? 1 : fputs(s, stream);
}

HD_FACE int hd_puts(const char *s)
{
    const hd_site *site = hd_call_site;
    size_t length = hd_see_string(s, site);
    return is_dropped(stdout, site) ? (int)length + 1 : puts(s);
}

HD_FACE int hd_fputc(int c, FILE *stream)
{
    const hd_site *site = hd_call_site;
    return is_dropped(stream, site) ? (unsigned char)c : fputc(c, stream);
}

HD_FACE int hd_putchar(int c)
{
    return hd_fputc(c, stdout);
}

/* putc and similar functions, and the names that <stdio.h> gives them when it optimises. */
#define SAME_AS_FPUTC(name) \
    HD_FACE int hd_##name(int c, FILE *stream) \
    { \
        return hd_fputc(c, stream); \
    }
SAME_AS_FPUTC(putc)
SAME_AS_FPUTC(putc_unlocked)
SAME_AS_FPUTC(fputc_unlocked)
SAME_AS_FPUTC(_IO_putc)
#undef SAME_AS_FPUTC

HD_FACE int hd___overflow(FILE *stream, int c)
{
    return hd_fputc(c, stream);
}

HD_FACE int hd_putchar_unlocked(int c)
{
    return hd_fputc(c, stdout);
}

HD_FACE int hd_fputs_unlocked(const char *s, FILE *stream)
{
    return hd_fputs(s, stream);
}

HD_FACE size_t hd_fwrite(const void *data, size_t size, size_t count, FILE *stream)
{
    const hd_site *site = hd_call_site;
    size_t bytes;
    if (__builtin_mul_overflow(size, count, &bytes)) {
        errno = EOVERFLOW;
        return 0;
    }
    SEE(site, READS(data, bytes));
    return is_dropped(stream, site) ? (size ? count : 0) : fwrite(data, size, count, stream);
}

HD_FACE size_t hd_fwrite_unlocked(const void *data, size_t size, size_t count, FILE *stream)
{
    return hd_fwrite(data, size, count, stream);
}

HD_FACE ssize_t hd_file_write(int fd, const void *data, size_t n)
{
    if (hd_eventfd_is(fd))
        return hd_face_write_event(fd, data, n);
    const hd_site *site = hd_call_site;
    SEE(site, READS(data, n));
    return is_dropped_fd(fd, site) ? (ssize_t)n : write(fd, data, n);
}

HD_FACE int hd_fflush(FILE *stream)
{
    const hd_site *site = hd_call_site;
    if (!stream)
        return hd_exploring() && !hd_shows_output() ? 0 : fflush(NULL);
    return is_dropped(stream, site) ? 0 : fflush(stream);
}

HD_FACE int hd_fflush_unlocked(FILE *stream)
{
    return hd_fflush(stream);
}

/* The buffering of the console has no effect that a program can observe. */
HD_FACE int hd_setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
    (void)stream;
    (void)buffer;
    (void)mode;
    (void)size;
    return 0;
}

HD_FACE void hd_setbuf(FILE *stream, char *buffer)
{
    (void)stream;
    (void)buffer;
}

HD_FACE void hd_setbuffer(FILE *stream, char *buffer, size_t size)
{
    (void)stream;
    (void)buffer;
    (void)size;
}

HD_FACE void hd_setlinebuf(FILE *stream)
{
    (void)stream;
}
