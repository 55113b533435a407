/* Calls on descriptors: those of the modelled kernel (runtime/kernel/descriptors.h), or the real ones. Run by hand, the
 * program has real pipes. */
#include "runtime/kernel/descriptors.h"

#include "runtime/face/face.h"
#include "runtime/kernel/pages.h"
#include "runtime/kernel/pipe.h"
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
#include <sys/uio.h>
#include <unistd.h>

/* The result of a call that returns minus an error number. */
static ssize_t answer(ssize_t result)
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
    if (!hd_descriptors_at(fd))
        return 0;
    errno = error;
    return 1;
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

/* Makes two descriptors in one step; `make` makes what they stand for. */
typedef void make_ends(int type, int flags, hd_description *ends[2]);

static int make_both(make_ends *make, int type, int flags, int fds[2], const hd_site *site)
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

static int tell_both(int *to, make_ends *make, int type, int flags, const hd_site *site)
{
    int fds[2], error = make_both(make, type, flags, fds, site);
    if (!error) {
        hd_access_range(to, sizeof fds, site, 1);
        memcpy(to, fds, sizeof fds);
    }
    return (int)answer(error);
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
        return (int)answer(-EINVAL);
    if (flags & O_DIRECT)
        hd_end(HD_MODEL_LIMIT, site, "a pipe of packets (O_DIRECT) is not modelled yet");
    return tell_both(to, make_pipe, 0, flags, site);
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

/* The accesses to the parts, up to `size` bytes, are one step. */
static void announce(const struct iovec *parts, int count, size_t size, int is_write, const hd_site *site)
{
    hd_range ranges[IOV_MAX];
    uint32_t used = 0;
    for (int i = 0; i < count && size; i++) {
        size_t n = parts[i].iov_len < size ? parts[i].iov_len : size;
        ranges[used++] = (hd_range) { parts[i].iov_base, n, (uint32_t)is_write };
        size -= n;
    }
    hd_access_ranges(ranges, used, site);
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

/* `d` is held, and given back. *truncated: a message was longer than there was room for. */
static ssize_t receive(int fd, hd_description *d, const struct iovec *parts, int count, int flags, int *truncated)
{
    const hd_site *site = hd_call_site;
    passage p;
    open_passage(&p, parts, count);
    ssize_t got = d->type->read(d, p.bytes, p.size, flags);
    *truncated = got > 0 && (size_t)got > p.size;
    if (got > 0)
        scatter(&p, parts, count, *truncated ? p.size : (size_t)got, site);
    ssize_t result = *truncated && !(flags & MSG_TRUNC) ? (ssize_t)p.size : got;
    close_passage(&p);
    hd_descriptors_release(fd, d, site);
    return answer(result);
}

static ssize_t send_from(int fd, hd_description *d, const struct iovec *parts, int count, int flags)
{
    const hd_site *site = hd_call_site;
    passage p;
    open_passage(&p, parts, count);
    gather(&p, parts, count, site);
    hd_call_site = site;
    ssize_t done = d->type->write(d, p.bytes, p.size, flags);
    close_passage(&p);
    hd_descriptors_release(fd, d, site);
    return answer(done);
}

/* As in Linux, a read of nothing does not wait, whatever it reads from. */
int hd_modelled_read(int fd, const struct iovec *parts, int count, ssize_t *result)
{
    hd_description *d = hd_descriptors_hold(fd, hd_call_site);
    int truncated, empty = 1;
    if (!d)
        return 0;
    for (int i = 0; i < count; i++)
        empty &= !parts[i].iov_len;
    if (empty && (d->type->mode & S_IFMT) == S_IFSOCK) {
        hd_descriptors_release(fd, d, hd_call_site);
        *result = 0;
    } else {
        *result = receive(fd, d, parts, count, 0, &truncated);
    }
    return 1;
}

int hd_modelled_write(int fd, const struct iovec *parts, int count, ssize_t *result)
{
    hd_description *d = hd_descriptors_hold(fd, hd_call_site);
    if (d)
        *result = send_from(fd, d, parts, count, 0);
    return d != NULL;
}

/* The vector is read before the call begins. */
static int is_bad_vector(const struct iovec *parts, int count, const hd_site *site)
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
    if (is_bad_vector(parts, count, hd_call_site))
        return -1;
    return hd_modelled_read(fd, parts, count, &result) ? result : readv(fd, parts, count);
}

HD_FACE ssize_t hd_writev(int fd, const struct iovec *parts, int count)
{
    ssize_t result;
    if (is_bad_vector(parts, count, hd_call_site))
        return -1;
    return hd_modelled_write(fd, parts, count, &result) ? result : writev(fd, parts, count);
}

/* --- duplicates --------------------------------------------------------------------------------- */

/* A duplicate with a number from `from` on. */
static int duplicate(int fd, hd_description *d, int from, int closes_on_exec, const hd_site *site)
{
    int made = from < 0 || from >= sysconf(_SC_OPEN_MAX) ? -EINVAL : hd_descriptors_add(d, from, closes_on_exec, site);
    hd_descriptors_release(fd, d, site);
    return (int)answer(made);
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

/* `fd` is a real descriptor; `to` may be one of the modelled kernel. */
static int replace_by_real(int fd, int to, int flags, const hd_site *site)
{
    if (fd == to || fcntl(fd, F_GETFD) < 0 || to < 0)
        return flags ? dup3(fd, to, flags) : dup2(fd, to);
    hd_fs_duplicate(fd, to, site);
    return hd_fs_duplicated(fd, dup3(fd, to, flags));
}

HD_FACE int hd_dup2(int fd, int to)
{
    const hd_site *site = hd_call_site;
    if (hd_modelled_mode(fd))
        return (int)answer(hd_descriptors_replace(fd, to, 0, site));
    return replace_by_real(fd, to, 0, site);
}

HD_FACE int hd_dup3(int fd, int to, int flags)
{
    const hd_site *site = hd_call_site;
    if ((flags & ~O_CLOEXEC) || fd == to)
        return (int)answer(-EINVAL);
    if (hd_modelled_mode(fd))
        return (int)answer(hd_descriptors_replace(fd, to, flags & O_CLOEXEC, site));
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
        return (d->type->mode & S_IFMT) == S_IFIFO ? HD_PIPE_PAGES * HD_PAGE : (int)answer(-EBADF);
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
        return fcntl(fd, command, argument);
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
    return (int)answer(result);
}

/* --- sockets ------------------------------------------------------------------------------------------ */

_Static_assert(SOCK_CLOEXEC == O_CLOEXEC && SOCK_NONBLOCK == O_NONBLOCK, "flags of sockets are those of files");

HD_FACE int hd_socketpair(int domain, int type, int protocol, int *to)
{
    const hd_site *site = hd_call_site;
    int flags = type & (SOCK_CLOEXEC | SOCK_NONBLOCK), kind = type & ~flags;
    if (!hd_exploring())
        return socketpair(domain, type, protocol, to);
    if (domain != AF_UNIX)
        hd_end(HD_MODEL_LIMIT, site, "socketpair of another domain than AF_UNIX is not modelled yet");
    if (kind & ~15)
        return (int)answer(-EINVAL);
    if (protocol && protocol != PF_UNIX)
        return (int)answer(-EPROTONOSUPPORT);
    if (kind != SOCK_STREAM && kind != SOCK_DGRAM && kind != SOCK_SEQPACKET && kind != SOCK_RAW)
        return (int)answer(-ESOCKTNOSUPPORT);
    return tell_both(to, hd_socket_make_pair, kind == SOCK_RAW ? SOCK_DGRAM : kind, flags, site);
}

/* What a call on a socket finds; NULL: errno is set. Run by hand, there are only real ones. */
static hd_description *hold_socket(int fd)
{
    const hd_site *site = hd_call_site;
    hd_description *d = hd_descriptors_hold(fd, site);
    if (d && (d->type->mode & S_IFMT) == S_IFSOCK)
        return d;
    int is_open = d || fcntl(fd, F_GETFD) >= 0;
    if (d)
        hd_descriptors_release(fd, d, site);
    errno = is_open ? ENOTSOCK : EBADF;
    return NULL;
}

static void check_flags(int flags, int known)
{
    if (flags & ~known)
        hd_end(
            HD_MODEL_LIMIT, hd_call_site, "flags 0x%x of a message are not modelled yet", (unsigned)(flags & ~known));
}

enum {
    RECEIVING = MSG_DONTWAIT | MSG_PEEK | MSG_TRUNC | MSG_WAITALL | MSG_CMSG_CLOEXEC | MSG_NOSIGNAL,
    SENDING = MSG_DONTWAIT | MSG_NOSIGNAL | MSG_EOR | MSG_MORE
};

static ssize_t receive_from(int fd, const struct iovec *parts, int count, int flags, int *truncated)
{
    check_flags(flags, RECEIVING);
    hd_description *d = hold_socket(fd);
    return d ? receive(fd, d, parts, count, flags, truncated) : -1;
}

/* The other socket of a pair has no name. */
HD_FACE ssize_t hd_recvfrom(int fd, void *to, size_t size, int flags, struct sockaddr *from, socklen_t *length)
{
    const hd_site *site = hd_call_site;
    int truncated;
    if (!hd_exploring())
        return recvfrom(fd, to, size, flags, from, length);
    ssize_t got = receive_from(fd, &(struct iovec) { to, size }, 1, flags, &truncated);
    if (got >= 0 && from) {
        hd_access_range(length, sizeof *length, site, 1);
        *length = 0;
    }
    return got;
}

HD_FACE ssize_t hd_recv(int fd, void *to, size_t size, int flags)
{
    return hd_recvfrom(fd, to, size, flags, NULL, NULL);
}

static int is_bad_message(const struct msghdr *m, const hd_site *site)
{
    hd_access_range(m, sizeof *m, site, 0);
    if (m->msg_iovlen > IOV_MAX) {
        errno = EMSGSIZE;
        return 1;
    }
    return is_bad_vector(m->msg_iov, (int)m->msg_iovlen, site);
}

HD_FACE ssize_t hd_recvmsg(int fd, struct msghdr *m, int flags)
{
    const hd_site *site = hd_call_site;
    int truncated = 0;
    if (!hd_exploring())
        return recvmsg(fd, m, flags);
    if (is_bad_message(m, site))
        return -1;
    ssize_t got = receive_from(fd, m->msg_iov, (int)m->msg_iovlen, flags, &truncated);
    if (got < 0)
        return got;
    hd_access_range(m, sizeof *m, site, 1);
    m->msg_namelen = 0;
    m->msg_controllen = 0;
    m->msg_flags = (truncated ? MSG_TRUNC : 0) | (flags & MSG_CMSG_CLOEXEC);
    return got;
}

static ssize_t send_to(int fd, const struct iovec *parts, int count, int flags, int has_name)
{
    const hd_site *site = hd_call_site;
    check_flags(flags, SENDING);
    hd_description *d = hold_socket(fd);
    if (!d)
        return -1;
    if (has_name && hd_socket_type(d) == SOCK_STREAM) {
        hd_descriptors_release(fd, d, site);
        return answer(-EISCONN);
    }
    if (has_name)
        hd_end(HD_MODEL_LIMIT, site, "sending to a named socket is not modelled yet");
    return send_from(fd, d, parts, count, flags);
}

HD_FACE ssize_t hd_sendto(int fd, const void *from, size_t size, int flags, const struct sockaddr *to, socklen_t length)
{
    if (!hd_exploring())
        return sendto(fd, from, size, flags, to, length);
    return send_to(fd, &(struct iovec) { (void *)from, size }, 1, flags, to && length);
}

HD_FACE ssize_t hd_send(int fd, const void *from, size_t size, int flags)
{
    return hd_sendto(fd, from, size, flags, NULL, 0);
}

HD_FACE ssize_t hd_sendmsg(int fd, const struct msghdr *m, int flags)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return sendmsg(fd, m, flags);
    if (is_bad_message(m, site))
        return -1;
    if (m->msg_controllen)
        hd_end(HD_MODEL_LIMIT, site, "a message with control data (descriptors) is not modelled yet");
    return send_to(fd, m->msg_iov, (int)m->msg_iovlen, flags, m->msg_name && m->msg_namelen);
}

HD_FACE int hd_shutdown(int fd, int how)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return shutdown(fd, how);
    hd_description *d = hold_socket(fd);
    if (!d)
        return -1;
    int error = hd_socket_shut(d, how);
    hd_descriptors_release(fd, d, site);
    return (int)answer(error);
}
