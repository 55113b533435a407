/* Connections between sockets: names, listening, connecting, accepting (kernel/socket.h). */
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/socket_internal.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

enum { MOST_PENDING = 4096 };

/* --- names --------------------------------------------------------------------------------- */

static int is_unix(const hd_socket_state *s)
{
    return s->domain == AF_UNIX;
}

static int is_bad_unix(const hd_address *address)
{
    return address->length <= offsetof(struct sockaddr_un, sun_path) || address->length > sizeof address->un
        || address->any.sa_family != AF_UNIX;
}

/* The name that Linux would choose at random. */
static hd_address own_name(const hd_socket_state *s)
{
    hd_address a = { .length = offsetof(struct sockaddr_un, sun_path) + 6 };
    a.un.sun_family = AF_UNIX;
    a.un.sun_path[0] = 0;
    snprintf(a.un.sun_path + 1, 6, "%05x", (unsigned)hd_socket_number(s));
    return a;
}

static int bind_unix(hd_socket_state *s, const hd_address *address, const hd_site *site)
{
    hd_unix_name name;
    int error = hd_unix_name_of(address, s->type, &name);
    if (error)
        return error;
    hd_unix_name_use(&name, 1, site);
    hd_socket_change(s, site);
    error = hd_unix_name_find(&name) ? EADDRINUSE : hd_unix_name_obstacle(address, site);
    if (s->address.length || error)
        return s->address.length ? -EINVAL : -error;
    hd_unix_name_bind(&name, hd_socket_number(s));
    s->name = name;
    s->address = *address;
    if (!address->un.sun_path[0])
        return 0;
    /* The address of a file name ends with a zero, and has nothing behind it. */
    size_t length = strnlen(address->un.sun_path, address->length - offsetof(struct sockaddr_un, sun_path));
    s->address.length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
    ((char *)&s->address.storage)[s->address.length - 1] = 0;
    return 0;
}

static int bind_endpoint(hd_socket_state *s, const hd_address *address, const hd_site *site)
{
    hd_endpoint to;
    int error = hd_endpoint_of(s, address, &to);
    hd_socket_change(s, site);
    if (error)
        return error;
    if (s->stage != HD_SOCKET_FRESH || s->own.port)
        return -EINVAL;
    return hd_endpoint_bind(s, &to, site);
}

static int is_nameless(const hd_address *address)
{
    return address->length == sizeof(sa_family_t) && address->any.sa_family == AF_UNIX;
}

int hd_socket_bind(hd_description *d, const hd_address *address, const hd_site *site)
{
    hd_socket_state *s = hd_socket_of(d);
    hd_address own = own_name(s);
    if (is_unix(s) && is_nameless(address))
        address = &own;
    if (is_unix(s) && is_bad_unix(address))
        return -EINVAL;
    uint32_t outer = hd_step_begin(0);
    int error = is_unix(s) ? bind_unix(s, address, site) : bind_endpoint(s, address, site);
    s->is_bound |= !error;
    hd_step_end(outer);
    hd_socket_check(s);
    return error;
}

static hd_address no_name(void)
{
    hd_address a = { .length = sizeof(sa_family_t) };
    a.any.sa_family = AF_UNIX;
    return a;
}

hd_address hd_socket_name_of(const hd_socket_state *s)
{
    if (!is_unix(s))
        return hd_endpoint_address(&s->own, s->domain);
    return s->address.length ? s->address : no_name();
}

/* TCP: the name of the peer is known as long as the connection exists. */
static int name_of_peer(hd_socket_state *s, hd_address *name, const hd_site *site)
{
    if (s->stage != HD_SOCKET_JOINED || (is_unix(s) && s->type == SOCK_DGRAM && s->alone))
        return -ENOTCONN;
    if (is_unix(s)) {
        hd_socket_state *peer = s->type == SOCK_DGRAM ? &hd_socket_states[s->target] : hd_socket_peer(s);
        hd_socket_look(peer, site);
        *name = hd_socket_name_of(peer);
        return 0;
    }
    hd_data_look(hd_socket_data_gate(s));
    if (hd_socket_is_tcp(s) && hd_socket_is_over(s))
        return -ENOTCONN;
    *name = hd_endpoint_address(&s->other, s->domain);
    return 0;
}

int hd_socket_name(hd_description *d, int is_peer, hd_address *name, const hd_site *site)
{
    hd_socket_state *s = hd_socket_of(d);
    uint32_t outer = hd_step_begin(0);
    hd_socket_look(s, site);
    int error = is_peer ? name_of_peer(s, name, site) : 0;
    if (!is_peer)
        *name = hd_socket_name_of(s);
    hd_step_end(outer);
    return error;
}

/* --- listening -------------------------------------------------------------------------------- */

static int is_full(const hd_socket_state *s)
{
    return s->pending > s->backlog;
}

static void set_room(hd_socket_state *s)
{
    if (is_full(s) && !hd_socket_room_gate(s)->count)
        hd_room_gone(hd_socket_room_gate(s));
    else if (!is_full(s))
        hd_room_comes(hd_socket_room_gate(s));
}

/* Why a socket cannot listen: an error number, or 0. */
static int cannot_listen(hd_socket_state *s, const hd_site *site)
{
    hd_endpoint any = { .ip = in6addr_any };
    if (s->stage == HD_SOCKET_JOINED || (is_unix(s) && !s->address.length))
        return EINVAL;
    if (s->shut || s->is_connecting)
        hd_end(HD_MODEL_LIMIT, site, "listening at a socket that was shut down or refused is not modelled yet");
    if (is_unix(s))
        return 0;
    if (!s->own.port) {
        any.ip.s6_addr16[5] = s->domain == AF_INET ? 0xffff : 0;
        s->is_bound = 1;
        return -hd_endpoint_bind(s, &any, site);
    }
    hd_port_use(0, s->own.port, 1, site);
    hd_socket_state *other = hd_endpoint_listener(&s->own);
    return other && other != s ? EADDRINUSE : 0;
}

static void begin_to_listen(hd_socket_state *s)
{
    hd_data_gone(hd_socket_data_gate(s));
    hd_room_comes(hd_socket_room_gate(hd_socket_peer(s)));
    s->stage = HD_SOCKET_LISTENS;
}

int hd_socket_listen(hd_description *d, int backlog, const hd_site *site)
{
    hd_socket_state *s = hd_socket_of(d);
    if (s->type == SOCK_DGRAM)
        return -EOPNOTSUPP;
    uint32_t outer = hd_step_begin(0);
    hd_data_look(hd_socket_data_gate(s));
    hd_socket_change(s, site);
    int error = s->stage == HD_SOCKET_LISTENS ? 0 : cannot_listen(s, site);
    if (!error) {
        s->backlog = backlog < 0 || backlog > MOST_PENDING ? MOST_PENDING : (uint32_t)backlog;
        if (s->stage != HD_SOCKET_LISTENS)
            begin_to_listen(s);
        set_room(s);
    }
    hd_step_end(outer);
    hd_socket_check(s);
    return -error;
}

static void add_pending(hd_socket_state *s, hd_socket_state *connection)
{
    uint16_t number = (uint16_t)(hd_socket_number(connection) + 1);
    hd_data_comes(hd_socket_data_gate(s));
    if (s->last)
        hd_socket_states[s->last - 1].next = number;
    else
        s->first = number;
    s->last = number;
    s->pending++;
    hd_socket_wake(s, EPOLLIN | EPOLLRDNORM);
    if (is_full(s))
        hd_room_gone(hd_socket_room_gate(s));
}

static hd_socket_state *take_pending(hd_socket_state *s)
{
    hd_socket_state *connection = &hd_socket_states[s->first - 1];
    s->first = connection->next;
    s->last = s->first ? s->last : 0;
    s->pending--;
    connection->next = 0;
    return connection;
}

static void abandon_pending(hd_socket_state *s)
{
    while (s->pending)
        hd_socket_abandon(hd_socket_number(take_pending(s)));
}

static void use_name(hd_socket_state *s, const hd_site *site)
{
    if (is_unix(s))
        hd_unix_name_use(&s->name, 1, site);
    else
        hd_port_use(hd_socket_is_udp(s), s->own.port, 1, site);
    hd_call_site = site;
}

/* A TCP socket that no longer accepts is as it was before it listened. */
static void stop_listening(hd_socket_state *s, const hd_site *site)
{
    use_name(s, site);
    hd_data_comes(hd_socket_data_gate(s));
    hd_room_comes(hd_socket_room_gate(s));
    hd_room_comes(hd_socket_room_gate(hd_socket_peer(s)));
    hd_socket_change(s, site);
    abandon_pending(s);
    s->stage = HD_SOCKET_FRESH;
    hd_socket_wake(s, 0);
}

int hd_listener_shut(hd_socket_state *s, int sides, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    if (is_unix(s)) {
        hd_socket_announce(s);
        hd_room_comes(hd_socket_room_gate(s));
        s->shut |= (uint8_t)sides;
        hd_socket_wake(s, 0);
    } else if (sides & HD_RECEIVES_NO_MORE) {
        stop_listening(s, site);
    }
    hd_step_end(outer);
    hd_socket_check(s);
    return 0;
}

void hd_listener_close(hd_socket_state *s, const hd_site *site)
{
    if (s->is_bound)
        use_name(s, site);
    if (s->is_bound && is_unix(s))
        hd_unix_name_leave(&s->name, hd_socket_number(s));
    s->is_bound = 0;
    hd_room_comes(hd_socket_room_gate(s));
    abandon_pending(s);
}

/* --- connecting -------------------------------------------------------------------------------- */

static void name_ends(hd_socket_state *s, hd_socket_state *other, const hd_socket_state *listener)
{
    other->domain = listener->domain;
    other->reuses = listener->reuses;
    other->own = s->other;
    other->other = s->own;
    other->address = listener->address;
}

/* The step has passed the gate of the listener's room. */
static void establish(hd_socket_state *s, hd_socket_state *listener)
{
    hd_socket_state *other = hd_socket_peer(s);
    hd_data_gone(hd_socket_data_gate(s));
    hd_room_comes(hd_socket_room_gate(other));
    name_ends(s, other, listener);
    s->stage = other->stage = HD_SOCKET_JOINED;
    other->is_born_joined = 1;
    hd_socket_wake(s, 0);
    add_pending(listener, other);
}

static void check_fresh(const hd_socket_state *s, const hd_site *site)
{
    if (s->shut)
        hd_end(HD_MODEL_LIMIT, site, "connecting a socket that was shut down is not modelled yet");
}

/* One attempt, with a listener that the name has led to: an error number or 0; EINTR: it is closed. */
static int connect_unix_to(hd_description *d, hd_socket_state *l, const hd_site *site)
{
    hd_socket_state *s = hd_socket_of(d);
    if (!hd_room_take(hd_socket_room_gate(l), hd_description_waits(d)))
        return EAGAIN;
    hd_socket_change(s, site);
    if (l->closed)
        return EINTR;
    if (l->stage != HD_SOCKET_LISTENS || (l->shut & HD_RECEIVES_NO_MORE))
        return ECONNREFUSED;
    if (s->stage != HD_SOCKET_FRESH)
        return s->stage == HD_SOCKET_JOINED ? EISCONN : EINVAL;
    check_fresh(s, site);
    establish(s, l);
    return 0;
}

/* The socket that the name leads to: an error number or 0. */
int hd_unix_find(const hd_socket_state *s, const hd_address *to, hd_socket_state **found, const hd_site *site)
{
    hd_unix_name name;
    int error = is_bad_unix(to) ? EINVAL : -hd_unix_name_of(to, s->type, &name);
    if (error)
        return error;
    uint32_t outer = hd_step_begin(0);
    hd_unix_name_use(&name, 0, site);
    hd_unix_name *entry = hd_unix_name_find(&name);
    error = entry ? 0 : hd_unix_name_absence(to, site);
    hd_step_end(outer);
    hd_call_site = site;
    if (error || !entry->socket)
        return error ? error : ECONNREFUSED;
    *found = &hd_socket_states[entry->socket - 1];
    return (*found)->type == s->type ? 0 : EPROTOTYPE;
}

static int connect_unix(hd_description *d, const hd_address *to, const hd_site *site)
{
    int error;
    do {
        hd_socket_state *l;
        error = hd_unix_find(hd_socket_of(d), to, &l, site);
        if (error)
            return error;
        uint32_t outer = hd_step_begin(0);
        error = connect_unix_to(d, l, site);
        hd_step_end(outer);
    } while (error == EINTR);
    return error;
}

/* What a connect of TCP finds that is not the first: an error number; 0: it may go on. *is_done: it has succeeded. */
static int connect_again(hd_socket_state *s, int *is_done)
{
    int is_connecting = s->is_connecting, error = 0;
    s->is_connecting = 0;
    *is_done = is_connecting && s->stage == HD_SOCKET_JOINED;
    if (s->stage != HD_SOCKET_FRESH)
        return *is_done ? 0 : EISCONN;
    if (!is_connecting)
        return 0;
    error = hd_socket_take_error(s);
    s->shut = 0;
    return error ? error : ECONNABORTED;
}

/* The result of a call that does not wait comes later, though it is known. */
static int told_later(hd_description *d, int error)
{
    hd_socket_state *s = hd_socket_of(d);
    if (hd_description_waits(d))
        return error;
    s->is_connecting = 1;
    if (error) {
        hd_socket_announce(s);
        s->error = error;
        s->shut = HD_SHUT;
        hd_socket_wake(s, 0);
    }
    return EINPROGRESS;
}

static int connect_tcp_to(hd_description *d, hd_socket_state *l, const hd_endpoint *to, const hd_site *site)
{
    hd_socket_state *s = hd_socket_of(d);
    hd_endpoint own = hd_endpoint_source(s, to);
    if (!hd_room_take(hd_socket_room_gate(l), hd_description_waits(d)))
        hd_end(HD_MODEL_LIMIT, site, "connecting without waiting, when the backlog is full, is not modelled yet");
    hd_socket_change(s, site);
    if (l->closed || l->stage != HD_SOCKET_LISTENS)
        return EINTR;
    if (!s->own.port) {
        int error = -hd_endpoint_bind(s, &own, site);
        if (error)
            return error == EADDRINUSE ? EADDRNOTAVAIL : error;
    }
    if (s->stage != HD_SOCKET_FRESH)
        return EISCONN;
    check_fresh(s, site);
    s->other = *to;
    s->own.ip = own.ip;
    establish(s, l);
    return told_later(d, 0);
}

/* Looks the port up; NULL: nothing listens there, and *error says so. That changes nothing if the call waits, so a loop
 * that tries again waits for the port (sched/spin.h). */
static hd_socket_state *find_port(hd_description *d, const hd_endpoint *to, int *error, const hd_site *site)
{
    hd_socket_state *s = hd_socket_of(d);
    uint32_t outer = hd_step_begin(0);
    int is_done;
    hd_socket_look(s, site);
    if (s->is_connecting || s->stage != HD_SOCKET_FRESH || !hd_description_waits(d))
        hd_socket_change(s, site);
    *error = connect_again(s, &is_done);
    hd_socket_state *l = NULL;
    if (!*error && !is_done) {
        hd_port_use(0, to->port, 0, site);
        hd_call_site = site;
        l = hd_endpoint_listener(to);
        *error = l ? 0 : told_later(d, ECONNREFUSED);
    }
    hd_step_end(outer);
    return l;
}

static int connect_tcp(hd_description *d, const hd_address *address, const hd_site *site)
{
    hd_endpoint to;
    int error = -hd_endpoint_of(hd_socket_of(d), address, &to);
    if (error)
        return error;
    hd_endpoint_complete(&to);
    do {
        hd_socket_state *l = find_port(d, &to, &error, site);
        if (!l)
            return error;
        uint32_t outer = hd_step_begin(0);
        error = connect_tcp_to(d, l, &to, site);
        hd_step_end(outer);
    } while (error == EINTR);
    return error;
}

int hd_socket_connect(hd_description *d, const hd_address *to, const hd_site *site)
{
    hd_socket_state *s = hd_socket_of(d);
    if (to->length < sizeof(sa_family_t))
        return -EINVAL;
    if (to->any.sa_family == AF_UNSPEC)
        hd_end(HD_MODEL_LIMIT, site, "disconnecting a socket (AF_UNSPEC) is not modelled yet");
    if (s->type == SOCK_DGRAM)
        return hd_datagram_connect(d, to, site);
    int error = is_unix(s) ? connect_unix(d, to, site) : connect_tcp(d, to, site);
    hd_socket_check(s);
    return -error;
}

/* --- accepting --------------------------------------------------------------------------------- */

/* The step has passed the gate of data, and found a connection. */
static int take_connection(hd_socket_state *s, int flags, hd_address *from, const hd_site *site)
{
    hd_fs_number(0, site);
    hd_call_site = site;
    hd_socket_state *connection = &hd_socket_states[s->first - 1];
    hd_description *made = hd_socket_describe(hd_socket_number(connection), flags & SOCK_NONBLOCK);
    int fd = hd_descriptors_add(made, 0, flags & SOCK_CLOEXEC, site);
    if (fd < 0)
        return fd;
    take_pending(s);
    if (!s->pending && !(s->shut & HD_RECEIVES_NO_MORE))
        hd_data_gone(hd_socket_data_gate(s));
    if (hd_socket_room_gate(s)->count && !is_full(s))
        hd_room_comes(hd_socket_room_gate(s));
    if (is_unix(s))
        hd_socket_look(hd_socket_peer(connection), site);
    *from =
        is_unix(s) ? hd_socket_name_of(hd_socket_peer(connection)) : hd_endpoint_address(&connection->other, s->domain);
    return fd;
}

/* A UNIX socket that was shut down has an end only for calls that wait. */
int hd_socket_accept(hd_description *d, int flags, hd_address *from, const hd_site *site)
{
    hd_socket_state *s = hd_socket_of(d);
    int fd = -EAGAIN, waits = hd_description_waits(d);
    if (s->type == SOCK_DGRAM)
        return -EOPNOTSUPP;
    hd_socket_look(s, site);
    if (s->stage != HD_SOCKET_LISTENS)
        return -EINVAL;
    uint32_t outer = hd_step_begin(0);
    if (hd_data_take(hd_socket_data_gate(s), waits) && s->pending)
        fd = take_connection(s, flags, from, site);
    else if (waits || s->stage != HD_SOCKET_LISTENS)
        fd = -EINVAL;
    hd_step_end(outer);
    hd_socket_check(s);
    return fd;
}
