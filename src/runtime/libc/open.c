/* Opening, closing and changing files. */
#include "runtime/face/face.h"
#include "runtime/libc/files.h"
#include "runtime/libc/see.h"
#include "runtime/symbolic/sources.h"
#include "runtime/sync/eventfd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void see_path(const char *path)
{
    const hd_site *site = hd_call_site;
    hd_see_string(path, site);
    hd_call_site = site;
}

/* --- streams ------------------------------------------------------------------------ */

HD_FACE FILE *hd_fopen(const char *path, const char *mode)
{
    see_path(path);
    if (mode[0] != 'r' || strchr(mode, '+'))
        hd_outside_effect("a file is opened for writing");
    hd_effect();
    int inputs = hd_sources_open(path);
    return inputs < 0 ? fopen(path, mode) : fdopen(inputs, mode);
}

HD_FACE FILE *hd_fopen64(const char *path, const char *mode)
{
    return hd_fopen(path, mode);
}

HD_FACE FILE *hd_freopen(const char *path, const char *mode, FILE *stream)
{
    hd_outside_effect("freopen redirects a stream");
    return freopen(path, mode, stream);
}

HD_FACE FILE *hd_fdopen(int fd, const char *mode)
{
    if (hd_is_console_fd(fd) || fd == STDIN_FILENO)
        hd_outside_effect("fdopen of a standard stream");
    return fdopen(fd, mode);
}

HD_FACE int hd_fclose(FILE *stream)
{
    if (stream == stdin || hd_is_console(stream)) {
        hd_outside_effect("a standard stream is closed");
        return fclose(stream);
    }
    hd_use_stream(stream, hd_call_site);
    return fclose(stream);
}

HD_FACE FILE *hd_tmpfile(void)
{
    hd_outside_effect("tmpfile makes a file");
    return tmpfile();
}

/* --- descriptors -------------------------------------------------------------------- */

static int writes(int flags)
{
    return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
}

HD_FACE int hd_open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list args;
        va_start(args, flags);
        mode = va_arg(args, mode_t);
        va_end(args);
    }
    see_path(path);
    if (writes(flags))
        hd_outside_effect("a file is opened for writing");
    hd_effect();
    int inputs = hd_sources_open(path);
    return inputs < 0 ? open(path, flags, mode) : inputs;
}

HD_FACE int hd_open64(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    return hd_open(path, flags, mode);
}

HD_FACE int hd_creat(const char *path, mode_t mode)
{
    return hd_open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

HD_FACE int hd_close(int fd)
{
    if (fd >= 0 && fd <= STDERR_FILENO) {
        hd_outside_effect("a standard stream is closed");
        return close(fd);
    }
    if (hd_eventfd_is(fd))
        hd_eventfd_close(fd);
    else
        hd_use_fd(fd, hd_call_site);
    return close(fd);
}

HD_FACE int hd_mkstemp(char *path)
{
    SEE(hd_call_site, WRITES(path, strlen(path) + 1));
    hd_outside_effect("mkstemp makes a file");
    return mkstemp(path);
}

/* --- the file system ----------------------------------------------------------------- */

/* A call whose only effect is on the file system. */
#define CHANGES(name, parameters, arguments) \
    HD_FACE int hd_##name parameters \
    { \
        see_path(path); \
        hd_outside_effect(#name " changes the file system"); \
        return name arguments; \
    }
CHANGES(unlink, (const char *path), (path))
CHANGES(rmdir, (const char *path), (path))
CHANGES(remove, (const char *path), (path))
CHANGES(mkdir, (const char *path, mode_t mode), (path, mode))
CHANGES(rename, (const char *path, const char *to), (path, to))
CHANGES(truncate, (const char *path, off_t size), (path, size))
CHANGES(chmod, (const char *path, mode_t mode), (path, mode))
CHANGES(symlink, (const char *path, const char *to), (path, to))
#undef CHANGES

HD_FACE int hd_chdir(const char *path)
{
    see_path(path);
    hd_effect();
    return chdir(path);
}

HD_FACE int hd_ftruncate(int fd, off_t size)
{
    hd_outside_effect("ftruncate changes a file");
    return ftruncate(fd, size);
}

static void check_single(int fd)
{
    if (hd_eventfd_is(fd) && hd_exploring())
        hd_end(HD_MODEL_LIMIT, hd_call_site, "a second descriptor of an eventfd is not modelled yet");
}

HD_FACE int hd_dup(int fd)
{
    check_single(fd);
    hd_effect();
    return dup(fd);
}

HD_FACE int hd_dup2(int fd, int to)
{
    check_single(fd);
    check_single(to);
    hd_effect();
    return dup2(fd, to);
}
