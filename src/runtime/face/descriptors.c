/* Calls on descriptors: those of the modelled kernel (runtime/kernel/descriptors.h), or the real ones. Run by hand, the
 * program has real pipes. */
#include "runtime/core/system.h"
#include "runtime/face/descriptors_internal.h"
#include "runtime/face/face.h"
#include "runtime/face/interrupts.h"
#include "runtime/kernel/addresses.h"
#include "runtime/kernel/pages.h"
#include "runtime/kernel/pipe.h"
#include "runtime/kernel/rights.h"
#include "runtime/kernel/socket.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/symbolic/lines.h"
#include "runtime/sync/fs.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

ssize_t hd_answer(ssize_t result)
{
    if (result >= 0)
        return result;
    errno = (int)-result;
    return -1;
}

int hd_modelled_refuses(int fd, int error)
{
    const hd_site *site = hd_call_site;
    hd_fs_look_up(fd, site);
    hd_call_site = site;
    const hd_description *d = hd_descriptors_at(fd);
    if (d && S_ISREG(d->type->mode))
        hd_end(HD_MODEL_LIMIT, site, "this call on a %s is not modelled yet", d->type->name);
    if (d)
        errno = error;
    return d != NULL;
}

uint32_t hd_modelled_mode(int fd)
{
    const hd_site *site = hd_call_site;
    hd_fs_look_up(fd, site);
    hd_call_site = site;
    const hd_description *d = hd_descriptors_at(fd);
    return d ? d->type->mode : 0;
}

/* --- pipes ------------------------------------------------------------------------------- */

static int make_both(hd_make_ends *make, int type, int flags, int fds[2], const hd_site *site)
{
    hd_description *ends[2];
    uint32_t outer = hd_step_begin(0);
    hd_fs_number(0, site);
    hd_call_site = site;
    make(type, flags & O_NONBLOCK, ends);
    fds[0] = hd_descriptors_add(ends[0], 0, flags & O_CLOEXEC, site);
    fds[1] = fds[0] < 0 ? fds[0] : hd_descriptors_add(ends[1], 0, flags & O_CLOEXEC, site);
    if (fds[0] >= 0 && fds[1] < 0)
        hd_fs_close(fds[0], site);
    hd_step_end(outer);
    return fds[1] < 0 ? fds[1] : 0;
}

int hd_tell_both(int *to, hd_make_ends *make, int type, int flags, const hd_site *site)
{
    int fds[2], error = make_both(make, type, flags, fds, site);
    if (!error) {
        hd_access_range(to, sizeof fds, site, 1);
        memcpy(to, fds, sizeof fds);
    }
    return (int)hd_answer(error);
}

static void make_pipe(int type, int flags, hd_description *ends[2])
{
    (void)type;
    hd_pipe_make(flags, ends);
}

HD_FACE int hd_pipe2(int *to, int flags)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return pipe2(to, flags);
    if (flags & ~(O_CLOEXEC | O_NONBLOCK | O_DIRECT))
        return (int)hd_answer(-EINVAL);
    if (flags & O_DIRECT)
        hd_end(HD_MODEL_LIMIT, site, "a pipe of packets (O_DIRECT) is not modelled yet");
    return hd_tell_both(to, make_pipe, 0, flags, site);
}

HD_FACE int hd_pipe(int *to)
{
    return hd_pipe2(to, 0);
}

/* --- reading and writing -------------------------------------------------------------------- */

/* Bytes on their way between the program and an object: in the frame of the call if they are few. */
typedef struct passage {
    uint8_t *bytes;
    size_t size;
    uint8_t few[512];
} passage;

static void open_passage(passage *p, const struct iovec *parts, int count)
{
    p->size = 0;
    for (int i = 0; i < count; i++)
        p->size += parts[i].iov_len;
    p->bytes = p->size <= sizeof p->few ? p->few : malloc(p->size);
    if (!p->bytes)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "no memory to pass %zu bytes", p->size);
}

static void close_passage(passage *p)
{
    if (p->bytes != p->few)
        free(p->bytes);
}

static void announce_by(
    hd_range *ranges, const struct iovec *parts, int count, size_t size, int is_write, const hd_site *site)
{
    uint32_t used = 0;
    for (int i = 0; i < count && size; i++) {
        size_t n = parts[i].iov_len < size ? parts[i].iov_len : size;
        ranges[used++] = (hd_range) { parts[i].iov_base, n, (uint32_t)is_write };
        size -= n;
    }
    hd_access_ranges(ranges, used, site);
}

/* A frame of its own: what a thread has used of its stack is cleared after the execution, and exchanged between a
 * process and its child. */
static __attribute__((noinline)) void announce_many(
    const struct iovec *parts, int count, size_t size, int is_write, const hd_site *site)
{
    hd_range ranges[IOV_MAX];
    announce_by(ranges, parts, count, size, is_write, site);
}

/* The accesses to the parts, up to `size` bytes, are one step. */
static void announce(const struct iovec *parts, int count, size_t size, int is_write, const hd_site *site)
{
    enum { FEW = 4 };
    hd_range ranges[FEW];
    if (count > FEW)
        announce_many(parts, count, size, is_write, site);
    else
        announce_by(ranges, parts, count, size, is_write, site);
}

static void scatter(const passage *p, const struct iovec *parts, int count, size_t size, const hd_site *site)
{
    size_t done = 0;
    announce(parts, count, size, 1, site);
    for (int i = 0; i < count && done < size; i++) {
        size_t n = parts[i].iov_len < size - done ? parts[i].iov_len : size - done;
        memcpy(parts[i].iov_base, p->bytes + done, n);
        if (hd_fast_state.expressions)
            hd_lines_clear(parts[i].iov_base, n);
        done += n;
    }
}

static void gather(passage *p, const struct iovec *parts, int count, const hd_site *site)
{
    size_t done = 0;
    announce(parts, count, p->size, 0, site);
    for (int i = 0; i < count; i++) {
        if (hd_fast_state.expressions)
            hd_lines_follow(parts[i].iov_base, parts[i].iov_len, site);
        memcpy(p->bytes + done, parts[i].iov_base, parts[i].iov_len);
        done += parts[i].iov_len;
    }
}

ssize_t hd_end_call(int fd, hd_description *d)
{
    hd_descriptors_release(fd, d, hd_call_site);
    return hd_answer(-EINTR);
}

ssize_t hd_receive(int fd, hd_description *d, const struct iovec *parts, int count, int flags, hd_received *more)
{
    const hd_site *site = hd_call_site;
    passage p;
    open_passage(&p, parts, count);
    hd_rights_begin();
    ssize_t got = d->type->read(d, p.bytes, p.size, flags);
    more->dropped = !more->keeps && hd_rights_count();
    if (more->dropped)
        hd_rights_end(site);
    if (got >= 0 && more->from)
        hd_socket_source(d, more->from, site);
    more->truncated = got > 0 && (size_t)got > p.size;
    if (got > 0)
        scatter(&p, parts, count, more->truncated ? p.size : (size_t)got, site);
    ssize_t result = more->truncated && !(flags & MSG_TRUNC) ? (ssize_t)p.size : got;
    close_passage(&p);
    hd_descriptors_release(fd, d, site);
    return hd_answer(result);
}

ssize_t hd_send_from(int fd, hd_description *d, const struct iovec *parts, int count, int flags, const hd_address *to)
{
    const hd_site *site = hd_call_site;
    passage p;
    open_passage(&p, parts, count);
    gather(&p, parts, count, site);
    hd_call_site = site;
    ssize_t done = to ? hd_socket_send_to(d, p.bytes, p.size, to) : d->type->write(d, p.bytes, p.size, flags);
    close_passage(&p);
    hd_descriptors_release(fd, d, site);
    return hd_answer(done);
}

/* As in Linux, a read of nothing does not wait, whatever it reads from. */
int hd_modelled_read(int fd, const struct iovec *parts, int count, ssize_t *result)
{
    int handled = hd_call_begins();
    hd_description *d = hd_descriptors_hold(fd, hd_call_site);
    hd_received more = { 0 };
    int empty = 1;
    if (!d)
        return 0;
    if (hd_ends_receiving(handled, d, 0)) {
        *result = hd_end_call(fd, d);
        return 1;
    }
    for (int i = 0; i < count; i++)
        empty &= !parts[i].iov_len;
    if (empty && (d->type->mode & S_IFMT) == S_IFSOCK) {
        hd_descriptors_release(fd, d, hd_call_site);
        *result = 0;
    } else {
        *result = hd_receive(fd, d, parts, count, 0, &more);
    }
    return 1;
}

int hd_modelled_write(int fd, const struct iovec *parts, int count, ssize_t *result)
{
    int handled = hd_call_begins();
    hd_description *d = hd_descriptors_hold(fd, hd_call_site);
    if (d) {
        hd_rights_begin();
        *result = hd_ends_sending(handled, d, 0) ? hd_end_call(fd, d) : hd_send_from(fd, d, parts, count, 0, NULL);
    }
    return d != NULL;
}

int hd_is_bad_vector(const struct iovec *parts, int count, const hd_site *site)
{
    size_t size = 0;
    errno = EINVAL;
    if (count < 0 || count > IOV_MAX)
        return 1;
    hd_access_range(parts, (size_t)count * sizeof *parts, site, 0);
    for (int i = 0; i < count; i++)
        if (__builtin_add_overflow(size, parts[i].iov_len, &size) || size > SSIZE_MAX)
            return 1;
    hd_call_site = site;
    return 0;
}

HD_FACE ssize_t hd_readv(int fd, const struct iovec *parts, int count)
{
    ssize_t result;
    if (hd_is_bad_vector(parts, count, hd_call_site))
        return -1;
    return hd_modelled_read(fd, parts, count, &result) ? result : readv(fd, parts, count);
}

HD_FACE ssize_t hd_writev(int fd, const struct iovec *parts, int count)
{
    ssize_t result;
    if (hd_is_bad_vector(parts, count, hd_call_site))
        return -1;
    return hd_modelled_write(fd, parts, count, &result) ? result : writev(fd, parts, count);
}

/* --- duplicates --------------------------------------------------------------------------------- */

/* A duplicate with a number from `from` on. */
static int duplicate(int fd, hd_description *d, int from, int closes_on_exec, const hd_site *site)
{
    int made = from < 0 || from >= sysconf(_SC_OPEN_MAX) ? -EINVAL : hd_descriptors_add(d, from, closes_on_exec, site);
    hd_descriptors_release(fd, d, site);
    return (int)hd_answer(made);
}

HD_FACE int hd_dup(int fd)
{
    const hd_site *site = hd_call_site;
    hd_description *d = hd_descriptors_hold(fd, site);
    if (d)
        return duplicate(fd, d, 0, 0, site);
    hd_fs_duplicate(fd, -1, site);
    return hd_fs_duplicated(fd, dup(fd));
}

static int leads_to_same(int fd, int other)
{
    struct stat a, b;
    return !hd_system(SYS_fstat, (long)fd, &a) && !hd_system(SYS_fstat, (long)other, &b) && a.st_dev == b.st_dev
        && a.st_ino == b.st_ino;
}

/* A standard stream that had been replaced by a modelled object is itself again. */
static int restores_stream(int fd, int to, const hd_site *site)
{
    if (to > STDERR_FILENO || !hd_descriptors_at(to))
        return 0;
    hd_fs_close(to, site);
    return leads_to_same(fd, to);
}

/* `fd` is a real descriptor; `to` may be one of the modelled kernel. */
static int replace_by_real(int fd, int to, int flags, const hd_site *site)
{
    if (fcntl(fd, F_GETFD) < 0 || to < 0)
        return (int)hd_answer(-EBADF);
    if (fd == to || restores_stream(fd, to, site))
        return to;
    hd_fs_duplicate(fd, to, site);
    return hd_fs_duplicated(fd, dup3(fd, to, flags));
}

HD_FACE int hd_dup2(int fd, int to)
{
    const hd_site *site = hd_call_site;
    if (hd_modelled_mode(fd))
        return (int)hd_answer(hd_descriptors_replace(fd, to, 0, site));
    return replace_by_real(fd, to, 0, site);
}

HD_FACE int hd_dup3(int fd, int to, int flags)
{
    const hd_site *site = hd_call_site;
    if ((flags & ~O_CLOEXEC) || fd == to)
        return (int)hd_answer(-EINVAL);
    if (hd_modelled_mode(fd))
        return (int)hd_answer(hd_descriptors_replace(fd, to, flags & O_CLOEXEC, site));
    return replace_by_real(fd, to, flags, site);
}

/* --- flags and sizes ------------------------------------------------------------------------------- */

enum { CHANGEABLE = O_APPEND | O_NONBLOCK };

static int set_flags(hd_description *d, int flags, const hd_site *site)
{
    if (flags & O_DIRECT)
        hd_end(HD_MODEL_LIMIT, site, "a %s with O_DIRECT is not modelled yet", d->type->name);
    hd_description_set_flags(d, (d->flags & ~CHANGEABLE) | (flags & CHANGEABLE), site);
    return 0;
}

static int control(hd_description *d, int fd, int command, long argument, const hd_site *site)
{
    switch (command) {
    case F_GETFD:
        return hd_descriptors_closes_on_exec(fd) ? FD_CLOEXEC : 0;
    case F_SETFD:
        hd_descriptors_set_close_on_exec(fd, argument & FD_CLOEXEC, site);
        return 0;
    case F_GETFL:
        return d->flags;
    case F_SETFL:
        return set_flags(d, (int)argument, site);
    case F_GETPIPE_SZ:
        return (d->type->mode & S_IFMT) == S_IFIFO ? HD_PIPE_PAGES * HD_PAGE : (int)hd_answer(-EBADF);
    default:
        hd_end(HD_MODEL_LIMIT, site, "fcntl %d of a %s is not modelled yet", command, d->type->name);
    }
}

HD_FACE int hd_fcntl(int fd, int command, ...)
{
    const hd_site *site = hd_call_site;
    va_list args;
    va_start(args, command);
    long argument = va_arg(args, long);
    va_end(args);
    hd_description *d = hd_descriptors_hold(fd, site);
    if (!d)
        return hd_is_lock_command(command) ? hd_lock_control(fd, command, (void *)argument)
                                           : fcntl(fd, command, argument);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        return duplicate(fd, d, (int)argument, command == F_DUPFD_CLOEXEC, site);
    int result = control(d, fd, command, argument, site);
    hd_descriptors_release(fd, d, site);
    return result;
}

HD_FACE int hd_fcntl64(int fd, int command, ...)
{
    va_list args;
    va_start(args, command);
    long argument = va_arg(args, long);
    va_end(args);
    return hd_fcntl(fd, command, argument);
}

static int tell_size(hd_description *d, int *to, const hd_site *site)
{
    int size = (int)d->type->available(d);
    if (size < 0)
        return size;
    hd_access_range(to, sizeof size, site, 1);
    *to = size;
    return 0;
}

static int set_waiting(hd_description *d, const int *without, const hd_site *site)
{
    hd_access_range(without, sizeof *without, site, 0);
    return set_flags(d, (d->flags & ~O_NONBLOCK) | (*without ? O_NONBLOCK : 0), site);
}

HD_FACE int hd_ioctl(int fd, unsigned long request, ...)
{
    const hd_site *site = hd_call_site;
    int result = 0;
    va_list args;
    va_start(args, request);
    void *argument = va_arg(args, void *);
    va_end(args);
    hd_description *d = hd_descriptors_hold(fd, site);
    if (!d)
        return ioctl(fd, request, argument);
    if (request == FIONREAD)
        result = tell_size(d, argument, site);
    else if (request == FIONBIO)
        result = set_waiting(d, argument, site);
    else if (request == FIOCLEX || request == FIONCLEX)
        hd_descriptors_set_close_on_exec(fd, request == FIOCLEX, site);
    else if (request == TCGETS || request == TIOCGWINSZ)
        result = -ENOTTY;
    else
        hd_end(HD_MODEL_LIMIT, site, "ioctl 0x%lx of a %s is not modelled yet", request, d->type->name);
    hd_descriptors_release(fd, d, site);
    return (int)hd_answer(result);
}
