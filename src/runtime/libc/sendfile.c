/* sendfile: what pread and write, or send, do one after the other. Run by hand, it is the real one. */
#include "runtime/face/face.h"
#include "runtime/libc/files.h"
#include "runtime/reset/overlay.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

HD_FACE ssize_t hd_pread(int fd, void *to, size_t size, off_t from);
HD_FACE ssize_t hd_file_write(int fd, const void *from, size_t size);
HD_FACE off_t hd_lseek(int fd, off_t offset, int from);
HD_FACE int hd_fcntl(int fd, int command, ...);

static int fail(int error)
{
    errno = error;
    return -1;
}

/* Can it be read from an offset, and can `to` be written to? 0 or an error, in the order of Linux. */
static int check(int to, int from, int has_offset, const hd_site *site)
{
    struct stat at;
    int flags = hd_fcntl(from, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_WRONLY)
        return EBADF;
    uint32_t modelled = hd_modelled_mode(from);
    if (modelled && has_offset)
        return ESPIPE;
    if (modelled)
        hd_end(HD_MODEL_LIMIT, site, "sendfile from something other than a file is not modelled yet");
    flags = hd_fcntl(to, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
        return EBADF;
    return hd_overlay_fstat(from, &at) || !S_ISREG(at.st_mode) || (flags & O_APPEND) ? EINVAL : 0;
}

/* Sends up to `size` bytes that are at the offset. */
static ssize_t pass(int to, int from, off_t at, size_t size, const hd_site *site)
{
    struct stat status;
    hd_overlay_fstat(from, &status);
    size_t there = at < status.st_size ? (size_t)(status.st_size - at) : 0;
    size = size < there ? size : there;
    char *bytes = hd_face_malloc(size + 1);
    hd_call_site = site;
    ssize_t done = hd_pread(from, bytes, size, at);
    hd_call_site = site;
    if (done > 0)
        done = hd_file_write(to, bytes, (size_t)done);
    int error = errno;
    hd_face_free(bytes);
    errno = error;
    return done;
}

HD_FACE ssize_t hd_sendfile(int to, int from, off_t *offset, size_t size)
{
    const hd_site *site = hd_call_site;
    off_t at = 0;
    if (!hd_exploring())
        return sendfile(to, from, offset, size);
    if (offset) {
        hd_access_range(offset, sizeof *offset, site, 0);
        at = *offset;
    }
    hd_call_site = site;
    int error = at < 0 || size > SSIZE_MAX ? EINVAL : check(to, from, offset != NULL, site);
    if (error)
        return fail(error);
    hd_call_site = site;
    at = offset ? at : hd_lseek(from, 0, SEEK_CUR);
    hd_call_site = site;
    ssize_t done = pass(to, from, at, size, site);
    if (done <= 0)
        return done;
    hd_call_site = site;
    if (!offset)
        return hd_lseek(from, at + done, SEEK_SET) < 0 ? -1 : done;
    hd_access_range(offset, sizeof *offset, site, 1);
    *offset = at + done;
    return done;
}

HD_FACE ssize_t hd_sendfile64(int to, int from, off_t *offset, size_t size)
{
    return hd_sendfile(to, from, offset, size);
}
