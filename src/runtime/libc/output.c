/* Output. While exploring, output to the console is discarded, and the calls return what they would have returned;
 * output to files happens. */
#include "runtime/face/face.h"
#include "runtime/libc/files.h"
#include "runtime/libc/format.h"
#include "runtime/libc/see.h"
#include "runtime/reset/kernel.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_console_hidden(size_t bytes, const hd_site *site)
{
    hd_call_site = site;
    hd_kernel_writes(bytes);
    return !hd_shows_output();
}

/* Are so many bytes of output to this stream discarded? If not, the stream is about to be used. */
static int is_dropped(FILE *stream, size_t bytes, const hd_site *site)
{
    if (hd_is_console(stream))
        return is_console_hidden(bytes, site);
    hd_use_stream(stream, site);
    return 0;
}

static int is_dropped_fd(int fd, size_t bytes, const hd_site *site)
{
    if (hd_is_console_fd(fd))
        return is_console_hidden(bytes, site);
    hd_use_fd(fd, site);
    return 0;
}

static size_t size_of(int length)
{
    return length > 0 ? (size_t)length : 0;
}

/* --- formatted ------------------------------------------------------------------- */

HD_FACE int hd_vfprintf(FILE *stream, const char *format, va_list args)
{
    const hd_site *site = hd_call_site;
    int length = hd_format_length(format, args, site);
    return is_dropped(stream, size_of(length), site) ? length : vfprintf(stream, format, args);
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

/* The text is one write. */
static int print_to_modelled(int fd, const char *format, va_list args, int length)
{
    const hd_site *site = hd_call_site;
    ssize_t result;
    char *text = hd_face_malloc(size_of(length) + 1);
    vsnprintf(text, size_of(length) + 1, format, args);
    hd_call_site = site;
    hd_modelled_write(fd, &(struct iovec) { text, size_of(length) }, 1, &result);
    hd_face_free(text);
    return (int)result;
}

HD_FACE int hd_vdprintf(int fd, const char *format, va_list args)
{
    const hd_site *site = hd_call_site;
    int length = hd_format_length(format, args, site);
    hd_call_site = site;
    if (hd_modelled_mode(fd))
        return print_to_modelled(fd, format, args, length);
    return is_dropped_fd(fd, size_of(length), site) ? length : vdprintf(fd, format, args);
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
    size_t length = hd_see_string(s, site);
    return is_dropped(stream, length, site) ? 1 : fputs(s, stream);
}

HD_FACE int hd_puts(const char *s)
{
    const hd_site *site = hd_call_site;
    size_t length = hd_see_string(s, site);
    return is_dropped(stdout, length + 1, site) ? (int)length + 1 : puts(s);
}

HD_FACE int hd_fputc(int c, FILE *stream)
{
    const hd_site *site = hd_call_site;
    return is_dropped(stream, 1, site) ? (unsigned char)c : fputc(c, stream);
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
    return is_dropped(stream, bytes, site) ? (size ? count : 0) : fwrite(data, size, count, stream);
}

HD_FACE size_t hd_fwrite_unlocked(const void *data, size_t size, size_t count, FILE *stream)
{
    return hd_fwrite(data, size, count, stream);
}

HD_FACE ssize_t hd_file_write(int fd, const void *data, size_t n)
{
    const hd_site *site = hd_call_site;
    ssize_t result;
    if (hd_modelled_write(fd, &(struct iovec) { (void *)data, n }, 1, &result))
        return result;
    hd_call_site = site;
    SEE(site, READS(data, n));
    hd_await_by_hand(fd, POLLOUT);
    int is_dropped = is_dropped_fd(fd, n, site);
    hd_fs_use_mapped(fd, 1, site);
    hd_call_site = site;
    return is_dropped ? (ssize_t)n : hd_kernel_make(SYS_write, fd, (long)data, (long)n, 0);
}

HD_FACE ssize_t hd_pwrite(int fd, const void *data, size_t n, off_t to)
{
    const hd_site *site = hd_call_site;
    if (hd_modelled_refuses(fd, ESPIPE))
        return -1;
    SEE(site, READS(data, n));
    hd_use_fd(fd, site);
    hd_fs_use_mapped(fd, 1, site);
    hd_call_site = site;
    return hd_kernel_make(SYS_pwrite64, fd, (long)data, (long)n, to);
}

HD_FACE ssize_t hd_pwrite64(int fd, const void *data, size_t n, off_t to)
{
    return hd_pwrite(fd, data, n, to);
}

HD_FACE int hd_fflush(FILE *stream)
{
    const hd_site *site = hd_call_site;
    if (!stream && hd_exploring() && !hd_shows_output()) {
        hd_library_flush();
        return 0;
    }
    if (!stream)
        return fflush(NULL);
    return is_dropped(stream, 0, site) ? 0 : fflush(stream);
}

HD_FACE int hd_fflush_unlocked(FILE *stream)
{
    return hd_fflush(stream);
}

/* The library keeps a buffer of its own: one that the program gives would be used behind heddle's back. */
HD_FACE int hd_setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
    (void)buffer;
    return setvbuf(stream, NULL, mode, size);
}

HD_FACE void hd_setbuffer(FILE *stream, char *buffer, size_t size)
{
    hd_setvbuf(stream, NULL, buffer ? _IOFBF : _IONBF, size);
}

HD_FACE void hd_setbuf(FILE *stream, char *buffer)
{
    hd_setbuffer(stream, buffer, BUFSIZ);
}

HD_FACE void hd_setlinebuf(FILE *stream)
{
    hd_setvbuf(stream, NULL, _IOLBF, 0);
}
