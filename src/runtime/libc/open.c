/* Opening, closing and changing files. */
#include "runtime/face/face.h"
#include "runtime/kernel/addresses.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/fifo.h"
#include "runtime/libc/files.h"
#include "runtime/libc/see.h"
#include "runtime/reset/kernel.h"
#include "runtime/reset/overlay.h"
#include "runtime/symbolic/sources.h"
#include "runtime/sync/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void see_path(const char *path)
{
    const hd_site *site = hd_call_site;
    hd_see_string(path, site);
    hd_call_site = site;
}

static int writes(int flags)
{
    return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
}

/* The flags of open that correspond to a mode of fopen. */
static int flags_of(const char *mode)
{
    int made = mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0;
    int access = strchr(mode, '+') ? O_RDWR : made ? O_WRONLY : O_RDONLY;
    return made | access | (strchr(mode, 'x') ? O_EXCL : 0);
}

static FILE *stream_opened(FILE *stream)
{
    if (stream)
        hd_fs_opened(fileno(stream));
    return stream;
}

/* --- streams ------------------------------------------------------------------------ */

HD_FACE FILE *hd_fopen(const char *path, const char *mode)
{
    see_path(path);
    const hd_site *site = hd_call_site;
    int flags = flags_of(mode);
    hd_unix_name_refuse(path, "opening", site);
    if (writes(flags))
        hd_changes_files("a file is opened for writing");
    if (hd_fs_open(path, flags, site) && hd_exploring())
        hd_end(HD_MODEL_LIMIT, site, "a stream of a FIFO is not modelled yet");
    int inputs = hd_sources_open(path);
    return stream_opened(inputs < 0 ? fopen(path, mode) : fdopen(inputs, mode));
}

HD_FACE FILE *hd_fopen64(const char *path, const char *mode)
{
    return hd_fopen(path, mode);
}

HD_FACE FILE *hd_freopen(const char *path, const char *mode, FILE *stream)
{
    hd_outside_effect("freopen redirects a stream");
    hd_fs_create(hd_call_site);
    return stream_opened(freopen(path, mode, stream));
}

HD_FACE FILE *hd_fdopen(int fd, const char *mode)
{
    const hd_site *site = hd_call_site;
    int is_modelled = hd_modelled_mode(fd) != 0;
    if (!is_modelled && fd >= 0 && fd <= STDERR_FILENO)
        hd_outside_effect("fdopen of a standard stream");
    hd_call_site = site;
    return fdopen(fd, mode);
}

HD_FACE int hd_fclose(FILE *stream)
{
    if (fileno(stream) >= 0 && hd_descriptors_at(fileno(stream)))
        return fclose(hd_use_stream(stream, hd_call_site)); /* which closes the descriptor */
    if (stream == stdin || hd_is_console(stream)) {
        hd_outside_effect("a standard stream is closed");
        return fclose(stream);
    }
    hd_fs_close(fileno(stream), hd_call_site);
    return fclose(stream);
}

HD_FACE FILE *hd_tmpfile(void)
{
    hd_changes_files("tmpfile makes a file");
    hd_effect();
    hd_fs_create(hd_call_site);
    return stream_opened(tmpfile());
}

/* --- descriptors -------------------------------------------------------------------- */

/* Run by hand, it is a real one, and other threads run while the call would wait for its other end. A call for reading
 * does not wait: reads do, until a writer comes. */
static int open_fifo_by_hand(const char *path, int flags)
{
    int waits = hd_fast_state.waits && !(flags & O_NONBLOCK) && (flags & O_ACCMODE) != O_RDWR, fd;
    while ((fd = open(path, waits ? flags | O_NONBLOCK : flags)) < 0 && waits && errno == ENXIO)
        hd_yield_by_hand();
    if (fd >= 0 && waits)
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

/* The path has been found to lead to a FIFO. */
static int open_fifo(const char *path, int flags, const hd_site *site)
{
    static const int wanted[] = { R_OK, W_OK, R_OK | W_OK, R_OK | W_OK };
    struct stat at;
    long error = hd_overlay_stat(path, &at, 0);
    if (!error)
        error = hd_overlay_access(path, wanted[flags & O_ACCMODE]);
    if (!error && (flags & O_TRUNC) && (flags & O_ACCMODE) == O_RDONLY)
        error = hd_overlay_access(path, W_OK);
    int fd = error ? (int)error : hd_fifo_open(&at, flags, site);
    if (fd >= 0)
        return fd;
    errno = -fd;
    return -1;
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
    const hd_site *site = hd_call_site;
    hd_unix_name_refuse(path, "opening", site);
    if (writes(flags))
        hd_changes_files("a file is opened for writing");
    if (hd_fs_open(path, flags, site))
        return hd_exploring() ? open_fifo(path, flags, site) : open_fifo_by_hand(path, flags);
    int inputs = hd_sources_open(path);
    return hd_fs_opened(inputs < 0 ? (int)hd_kernel_make(SYS_open, (long)path, flags, mode, 0) : inputs);
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
    if (fd >= 0 && fd <= STDERR_FILENO && !hd_descriptors_at(fd)) {
        hd_outside_effect("a standard stream is closed");
        return close(fd);
    }
    return hd_fs_close(fd, hd_call_site) ? 0 : (int)hd_kernel_make(SYS_close, fd, 0, 0, 0);
}

HD_FACE int hd_mkstemp(char *path)
{
    SEE(hd_call_site, WRITES(path, strlen(path) + 1));
    hd_changes_files("mkstemp makes a file");
    hd_effect();
    hd_fs_create(hd_call_site);
    return hd_fs_opened(mkstemp(path));
}

/* --- the file system ----------------------------------------------------------------- */

/* A call whose only effect is on the file system; `announce` says what it uses. */
#define CHANGES(name, parameters, arguments, announce) \
    HD_FACE int hd_##name parameters \
    { \
        see_path(path); \
        const hd_site *site = hd_call_site; \
        hd_unix_name_refuse(path, #name, site); \
        hd_changes_files(#name " changes the file system"); \
        announce; \
        return name arguments; \
    }
#define ANY_CHANGE(other) (hd_effect(), hd_fs_change(path, other, site))
CHANGES(rmdir, (const char *path), (path), hd_fs_remove(path, site))
CHANGES(mkdir, (const char *path, mode_t mode), (path, mode), hd_fs_make(path, site))
CHANGES(rename, (const char *path, const char *to), (path, to), ANY_CHANGE(to))
CHANGES(truncate, (const char *path, off_t size), (path, size), ANY_CHANGE(NULL))
CHANGES(symlink, (const char *path, const char *to), (path, to), hd_fs_make(to, site))
CHANGES(link, (const char *path, const char *to), (path, to), hd_fs_make(to, site))
CHANGES(mkfifo, (const char *path, mode_t mode), (path, mode), hd_fs_make(path, site))
CHANGES(mknod, (const char *path, mode_t mode, dev_t device), (path, mode, device), hd_fs_make(path, site))
#undef CHANGES

/* In another folder than the working directory, the name is any name. */
static void make_name_in(int folder, const char *path, const hd_site *site)
{
    hd_changes_files("a FIFO or file is made");
    if (folder == AT_FDCWD || *path == '/') {
        hd_fs_make(path, site);
        return;
    }
    hd_effect();
    hd_fs_names(1, site);
}

HD_FACE int hd_mkfifoat(int folder, const char *path, mode_t mode)
{
    see_path(path);
    make_name_in(folder, path, hd_call_site);
    return mkfifoat(folder, path, mode);
}

HD_FACE int hd_mknodat(int folder, const char *path, mode_t mode, dev_t device)
{
    see_path(path);
    make_name_in(folder, path, hd_call_site);
    return mknodat(folder, path, mode, device);
}

/* `call` removes a file, or the file name of a socket. */
static int remove_file(const char *path, int (*call)(const char *), const char *effect)
{
    see_path(path);
    const hd_site *site = hd_call_site;
    if (hd_unix_name_remove(path, site))
        return 0;
    hd_changes_files(effect);
    hd_fs_remove(path, site);
    return call(path);
}

static int unlink_at_once(const char *path)
{
    return (int)hd_kernel_make(SYS_unlink, (long)path, 0, 0, 0);
}

HD_FACE int hd_unlink(const char *path)
{
    return remove_file(path, unlink_at_once, "unlink changes the file system");
}

HD_FACE int hd_remove(const char *path)
{
    return remove_file(path, remove, "remove changes the file system");
}

/* The mode of a socket's file has no effect: the program has the rights of its user anyway. */
HD_FACE int hd_chmod(const char *path, mode_t mode)
{
    see_path(path);
    const hd_site *site = hd_call_site;
    if (hd_unix_name_is(path, site))
        return 0;
    hd_changes_files("chmod changes the file system");
    hd_effect();
    hd_fs_change(path, NULL, site);
    return chmod(path, mode);
}

HD_FACE char *hd_mkdtemp(char *path)
{
    const hd_site *site = hd_call_site;
    SEE(site, WRITES(path, strlen(path) + 1));
    hd_changes_files("mkdtemp makes a directory");
    hd_effect();
    hd_fs_names(1, site);
    return mkdtemp(path);
}

HD_FACE int hd_file_access(const char *path, int mode)
{
    see_path(path);
    hd_unix_name_refuse(path, "access", hd_call_site);
    hd_fs_look(path, hd_call_site);
    return access(path, mode);
}

/* The working directory and the umask are restored, but threads share them. */
static void change_process(const char *what)
{
    const hd_site *site = hd_call_site;
    hd_effect();
    if (hd_fast_state.several)
        hd_changes_files(what);
    hd_fs_names(1, site);
}

HD_FACE mode_t hd_umask(mode_t mask)
{
    change_process("umask is set while several threads exist");
    return umask(mask);
}

HD_FACE int hd_chdir(const char *path)
{
    see_path(path);
    change_process("the working directory is changed while several threads exist");
    return chdir(path);
}

HD_FACE int hd_ftruncate(int fd, off_t size)
{
    if (hd_modelled_mode(fd))
        return hd_modelled_truncate(fd, size);
    hd_changes_files("ftruncate changes a file");
    hd_effect();
    const hd_site *site = hd_call_site;
    hd_use_fd(fd, site);
    hd_fs_use_mapped(fd, 1, site);
    return (int)hd_kernel_make(SYS_ftruncate, fd, size, 0, 0);
}

/* Whether changes are durable matters to crashes alone, which come after everything that the process does. */
static int make_durable(long call, int fd)
{
    const hd_site *site = hd_call_site;
    if (hd_modelled_refuses(fd, EINVAL))
        return -1;
    hd_use_fd(fd, site);
    hd_call_site = site;
    return (int)hd_kernel_make(call, fd, 0, 0, 0);
}

HD_FACE int hd_fsync(int fd)
{
    return make_durable(SYS_fsync, fd);
}

HD_FACE int hd_fdatasync(int fd)
{
    return make_durable(SYS_fdatasync, fd);
}

/* --- directories ---------------------------------------------------------------------- */

HD_FACE DIR *hd_opendir(const char *path)
{
    see_path(path);
    hd_fs_open(path, O_RDONLY, hd_call_site);
    DIR *directory = opendir(path);
    if (directory)
        hd_fs_opened(dirfd(directory));
    return directory;
}

/* An entry is in memory of the C library. */
static void use_directory(DIR *directory)
{
    const hd_site *site = hd_call_site;
    uint32_t outer = hd_step_begin(0);
    hd_fs_use(dirfd(directory), site);
    hd_fs_names(0, site);
    hd_step_end(outer);
}

HD_FACE struct dirent *hd_readdir(DIR *directory)
{
    use_directory(directory);
    return readdir(directory);
}

HD_FACE void hd_rewinddir(DIR *directory)
{
    use_directory(directory);
    rewinddir(directory);
}

HD_FACE int hd_closedir(DIR *directory)
{
    hd_fs_close(dirfd(directory), hd_call_site);
    return closedir(directory);
}
