/* Calls on sockets (runtime/kernel/socket.h). Run by hand, the program has real ones. */
#include "runtime/face/descriptors_internal.h"
#include "runtime/face/face.h"
#include "runtime/face/interrupts.h"
#include "runtime/kernel/addresses.h"
#include "runtime/kernel/rights.h"
#include "runtime/kernel/socket.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

/* --- making ---------------------------------------------------------------------------------- */

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
        return (int)hd_answer(-EINVAL);
    if (protocol && protocol != PF_UNIX)
        return (int)hd_answer(-EPROTONOSUPPORT);
    if (kind != SOCK_STREAM && kind != SOCK_DGRAM && kind != SOCK_SEQPACKET && kind != SOCK_RAW)
        return (int)hd_answer(-ESOCKTNOSUPPORT);
    return hd_tell_both(to, hd_socket_make_pair, kind == SOCK_RAW ? SOCK_DGRAM : kind, flags, site);
}

static int check_unix(int kind, int protocol)
{
    if (protocol && protocol != PF_UNIX)
        return -EPROTONOSUPPORT;
    return kind == SOCK_STREAM || kind == SOCK_DGRAM || kind == SOCK_SEQPACKET || kind == SOCK_RAW ? 0
                                                                                                   : -ESOCKTNOSUPPORT;
}

static int check_internet(int kind, int protocol, const hd_site *site)
{
    int own = kind == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
    if (kind != SOCK_STREAM && kind != SOCK_DGRAM)
        hd_end(HD_MODEL_LIMIT, site, "a socket that is neither TCP nor UDP is not modelled yet");
    return protocol && protocol != own ? -EPROTONOSUPPORT : 0;
}

/* Is there a socket of this kind? 0 or minus an error number. */
static int check_kind(int domain, int kind, int protocol, const hd_site *site)
{
    if (domain < 0 || domain >= AF_MAX)
        return -EAFNOSUPPORT;
    if (kind & ~15 || kind > SOCK_PACKET)
        return -EINVAL;
    if (domain == AF_UNIX)
        return check_unix(kind, protocol);
    if (domain == AF_INET || domain == AF_INET6)
        return check_internet(kind, protocol, site);
    hd_end(HD_MODEL_LIMIT, site, "a socket of domain %d is not modelled yet", domain);
}

static int make_one(int domain, int kind, int flags, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    hd_fs_number(0, site);
    hd_call_site = site;
    hd_description *made = hd_socket_make(domain, kind, flags & SOCK_NONBLOCK);
    int fd = hd_descriptors_add(made, 0, flags & SOCK_CLOEXEC, site);
    hd_step_end(outer);
    return fd;
}

HD_FACE int hd_socket(int domain, int type, int protocol)
{
    const hd_site *site = hd_call_site;
    int flags = type & (SOCK_CLOEXEC | SOCK_NONBLOCK), kind = type & ~flags;
    if (!hd_exploring())
        return socket(domain, type, protocol);
    int error = check_kind(domain, kind, protocol, site);
    return (int)hd_answer(
        error ? error : make_one(domain, domain == AF_UNIX && kind == SOCK_RAW ? SOCK_DGRAM : kind, flags, site));
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

/* Reads an address of the program: 0 or minus an error number. */
static int read_address(const struct sockaddr *from, socklen_t length, hd_address *to, const hd_site *site)
{
    if (length > sizeof to->storage)
        return -EINVAL;
    memset(to, 0, sizeof *to);
    hd_access_range(from, length, site, 0);
    memcpy(&to->storage, from, length);
    to->length = length;
    hd_call_site = site;
    return 0;
}

/* Stores as much of the address as there is room for, and its whole length. */
static int tell_address(const hd_address *from, struct sockaddr *to, socklen_t *length, const hd_site *site)
{
    hd_access_range(length, sizeof *length, site, 1);
    if ((int)*length < 0)
        return -EINVAL;
    socklen_t n = *length < from->length ? *length : from->length;
    hd_access_range(to, n, site, 1);
    memcpy(to, &from->storage, n);
    *length = from->length;
    return 0;
}

static ssize_t receive_from(int fd, const struct iovec *parts, int count, int flags, hd_received *more)
{
    check_flags(flags, RECEIVING);
    int handled = hd_call_begins();
    hd_description *d = hold_socket(fd);
    if (d && hd_ends_receiving(handled, d, flags))
        return hd_end_call(fd, d);
    return d ? hd_receive(fd, d, parts, count, flags, more) : -1;
}

HD_FACE ssize_t hd_recvfrom(int fd, void *to, size_t size, int flags, struct sockaddr *from, socklen_t *length)
{
    const hd_site *site = hd_call_site;
    hd_address name;
    hd_received more = { .from = from ? &name : NULL };
    if (!hd_exploring())
        return recvfrom(fd, to, size, flags, from, length);
    ssize_t got = receive_from(fd, &(struct iovec) { to, size }, 1, flags, &more);
    if (got >= 0 && from && tell_address(&name, from, length, site))
        return hd_answer(-EINVAL);
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
    return hd_is_bad_vector(m->msg_iov, (int)m->msg_iovlen, site);
}

HD_FACE ssize_t hd_recvmsg(int fd, struct msghdr *m, int flags)
{
    const hd_site *site = hd_call_site;
    hd_address name;
    if (!hd_exploring())
        return recvmsg(fd, m, flags);
    if (is_bad_message(m, site))
        return -1;
    hd_received more = { .from = m->msg_name ? &name : NULL, .keeps = m->msg_control && m->msg_controllen };
    ssize_t got = receive_from(fd, m->msg_iov, (int)m->msg_iovlen, flags, &more);
    if (got < 0)
        return got;
    hd_access_range(m, sizeof *m, site, 1);
    if (m->msg_name && tell_address(&name, m->msg_name, &m->msg_namelen, site))
        return hd_answer(-EINVAL);
    if (more.keeps)
        more.dropped = hd_tell_rights(m, flags & MSG_CMSG_CLOEXEC, site);
    else
        m->msg_controllen = 0;
    m->msg_flags = (more.truncated ? MSG_TRUNC : 0) | (more.dropped ? MSG_CTRUNC : 0) | (flags & MSG_CMSG_CLOEXEC);
    return got;
}

/* Where the message goes: 0 (*name is empty: where the socket leads to) or minus an error number. */
static int find_receiver(hd_description *d, const struct msghdr *m, hd_address *name, const hd_site *site)
{
    name->length = 0;
    if (!m->msg_name || !m->msg_namelen)
        return 0;
    int error = read_address(m->msg_name, m->msg_namelen, name, site);
    int ignores = error ? 0 : hd_socket_ignores_address(d, site);
    if (ignores)
        name->length = 0;
    return error ? error : ignores < 0 ? ignores : 0;
}

static ssize_t send_message(int fd, const struct msghdr *m, int flags)
{
    const hd_site *site = hd_call_site;
    hd_address name;
    check_flags(flags, SENDING);
    int handled = hd_call_begins();
    hd_rights_begin();
    hd_description *d = hold_socket(fd);
    if (!d)
        return -1;
    if (hd_ends_sending(handled, d, flags))
        return hd_end_call(fd, d);
    int error = hd_collect_rights(d, m->msg_control, m->msg_controllen, site);
    error = error ? error : find_receiver(d, m, &name, site);
    ssize_t sent = -1;
    hd_call_site = site;
    if (error)
        hd_descriptors_release(fd, d, site);
    else
        sent = hd_send_from(fd, d, m->msg_iov, (int)m->msg_iovlen, flags, name.length ? &name : NULL);
    int reason = error ? -error : errno;
    hd_rights_end(site);
    errno = reason;
    return sent;
}

HD_FACE ssize_t hd_sendto(int fd, const void *from, size_t size, int flags, const struct sockaddr *to, socklen_t length)
{
    if (!hd_exploring())
        return sendto(fd, from, size, flags, to, length);
    struct msghdr m = { .msg_name = (void *)to,
        .msg_namelen = length,
        .msg_iov = &(struct iovec) { (void *)from, size },
        .msg_iovlen = 1 };
    return send_message(fd, &m, flags);
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
    return is_bad_message(m, site) ? -1 : send_message(fd, m, flags);
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
    return (int)hd_answer(error);
}

/* --- names --------------------------------------------------------------------------------- */

typedef int with_address(hd_description *d, const hd_address *address, const hd_site *site);

static int call_with(with_address *call, int fd, const struct sockaddr *address, socklen_t length)
{
    const hd_site *site = hd_call_site;
    hd_address to;
    hd_description *d = hold_socket(fd);
    if (!d)
        return -1;
    int error = read_address(address, length, &to, site);
    error = error ? error : call(d, &to, site);
    hd_descriptors_release(fd, d, site);
    return (int)hd_answer(error);
}

HD_FACE int hd_bind(int fd, const struct sockaddr *address, socklen_t length)
{
    return hd_exploring() ? call_with(hd_socket_bind, fd, address, length) : bind(fd, address, length);
}

HD_FACE int hd_connect(int fd, const struct sockaddr *address, socklen_t length)
{
    return hd_exploring() ? call_with(hd_socket_connect, fd, address, length) : connect(fd, address, length);
}

HD_FACE int hd_listen(int fd, int backlog)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return listen(fd, backlog);
    hd_description *d = hold_socket(fd);
    if (!d)
        return -1;
    int error = hd_socket_listen(d, backlog, site);
    hd_descriptors_release(fd, d, site);
    return (int)hd_answer(error);
}

static int tell_name(int fd, int is_peer, struct sockaddr *to, socklen_t *length)
{
    const hd_site *site = hd_call_site;
    hd_address name;
    hd_description *d = hold_socket(fd);
    if (!d)
        return -1;
    int error = hd_socket_name(d, is_peer, &name, site);
    error = error ? error : tell_address(&name, to, length, site);
    hd_descriptors_release(fd, d, site);
    return (int)hd_answer(error);
}

HD_FACE int hd_getsockname(int fd, struct sockaddr *to, socklen_t *length)
{
    return hd_exploring() ? tell_name(fd, 0, to, length) : getsockname(fd, to, length);
}

HD_FACE int hd_getpeername(int fd, struct sockaddr *to, socklen_t *length)
{
    return hd_exploring() ? tell_name(fd, 1, to, length) : getpeername(fd, to, length);
}

HD_FACE int hd_accept4(int fd, struct sockaddr *from, socklen_t *length, int flags)
{
    const hd_site *site = hd_call_site;
    hd_address name;
    if (!hd_exploring())
        return accept4(fd, from, length, flags);
    if (flags & ~(SOCK_CLOEXEC | SOCK_NONBLOCK))
        return (int)hd_answer(-EINVAL);
    int handled = hd_call_begins();
    hd_description *d = hold_socket(fd);
    if (!d)
        return -1;
    if (hd_ends_receiving(handled, d, 0))
        return (int)hd_end_call(fd, d);
    int made = hd_socket_accept(d, flags, &name, site);
    if (made >= 0 && from && tell_address(&name, from, length, site))
        hd_end(HD_MODEL_LIMIT, site, "accept with a negative length is not modelled yet");
    hd_descriptors_release(fd, d, site);
    return (int)hd_answer(made);
}

HD_FACE int hd_accept(int fd, struct sockaddr *from, socklen_t *length)
{
    return hd_accept4(fd, from, length, 0);
}

/* --- options ------------------------------------------------------------------------------- */

/* Options that are no numbers: only what has no effect. */
static int is_nothing(int level, int option, const void *value, socklen_t length, const hd_site *site)
{
    static const struct timeval none;
    int is_time = option == SO_RCVTIMEO || option == SO_SNDTIMEO;
    if (level != SOL_SOCKET || (option != SO_LINGER && !is_time))
        return 0;
    hd_access_range(value, length, site, 0);
    if (is_time ? length != sizeof none || memcmp(value, &none, sizeof none) : length < 4 || *(const int *)value)
        hd_end(HD_MODEL_LIMIT, site, "SO_LINGER, SO_RCVTIMEO and SO_SNDTIMEO of a socket are not modelled yet");
    return 1;
}

HD_FACE int hd_setsockopt(int fd, int level, int option, const void *value, socklen_t length)
{
    const hd_site *site = hd_call_site;
    int number, error = -EINVAL;
    if (!hd_exploring())
        return setsockopt(fd, level, option, value, length);
    hd_description *d = hold_socket(fd);
    if (!d)
        return -1;
    if (is_nothing(level, option, value, length, site)) {
        error = 0;
    } else if (length >= sizeof number && length <= INT_MAX) {
        hd_access_range(value, sizeof number, site, 0);
        memcpy(&number, value, sizeof number);
        hd_call_site = site;
        error = hd_socket_set(d, level, option, number, site);
    }
    hd_descriptors_release(fd, d, site);
    return (int)hd_answer(error);
}

static void tell_number(int number, void *to, socklen_t *length, const hd_site *site)
{
    socklen_t n = *length < sizeof number ? *length : sizeof number;
    hd_access_range(to, n, site, 1);
    memcpy(to, &number, n);
    *length = n;
}

HD_FACE int hd_getsockopt(int fd, int level, int option, void *value, socklen_t *length)
{
    const hd_site *site = hd_call_site;
    int number, error = -EINVAL;
    if (!hd_exploring())
        return getsockopt(fd, level, option, value, length);
    hd_description *d = hold_socket(fd);
    if (!d)
        return -1;
    hd_access_range(length, sizeof *length, site, 1);
    hd_call_site = site;
    if ((int)*length >= 0)
        error = hd_socket_get(d, level, option, &number, site);
    if (!error)
        tell_number(number, value, length, site);
    hd_descriptors_release(fd, d, site);
    return (int)hd_answer(error);
}
