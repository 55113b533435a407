#include "runtime/kernel/socket_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/epoll.h"
#include "runtime/kernel/fate.h"
#include "runtime/kernel/rights.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/send.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>

/* What a message takes beside its bytes, and what fits into a queue that no socket finds full. */
enum { OVERHEAD = 768, MOST_QUEUED = 200000 };

hd_socket_state hd_socket_states[HD_SOCKETS];
static uint32_t socket_count;

hd_gate hd_socket_data[HD_SOCKETS], hd_socket_room[HD_SOCKETS];
uint64_t hd_socket_owns[HD_SOCKETS];
uint64_t hd_socket_note[HD_MAX_THREADS];

void hd_sockets_reset(void)
{
    if (!socket_count)
        return;
    memset(hd_socket_states, 0, socket_count * sizeof *hd_socket_states);
    memset(hd_socket_data, 0, socket_count * sizeof *hd_socket_data);
    memset(hd_socket_room, 0, socket_count * sizeof *hd_socket_room);
    socket_count = 0;
}

hd_socket_state *hd_socket_of(const hd_description *d)
{
    return &hd_socket_states[d->object];
}

uint32_t hd_socket_count(void)
{
    return socket_count;
}

void hd_socket_look(const hd_socket_state *s, const hd_site *site)
{
    hd_access_uses(&(hd_object_use) { &hd_socket_owns[hd_socket_number(s)], 0, NULL }, 1, site);
    hd_call_site = site;
}

void hd_socket_change(const hd_socket_state *s, const hd_site *site)
{
    hd_access_object(&hd_socket_owns[hd_socket_number(s)], site);
    hd_call_site = site;
}

static int flows(const hd_socket_state *s)
{
    return s->type == SOCK_STREAM;
}

static int is_connectionless(const hd_socket_state *s)
{
    return s->type == SOCK_DGRAM;
}

static int has_data(const hd_socket_state *s)
{
    if (!is_connectionless(s) && s->stage == HD_SOCKET_FRESH)
        return 1;
    return s->queue.count || s->pending || (s->shut & HD_RECEIVES_NO_MORE) || (hd_socket_is_udp(s) && s->error);
}

static int has_pending(const hd_socket_state *s)
{
    uint32_t count = 0;
    for (uint16_t i = s->first; i && count <= s->pending; i = hd_socket_states[i - 1].next)
        count++;
    return count == s->pending && !s->first == !s->pending;
}

int hd_socket_is_valid(uint32_t number)
{
    const hd_socket_state *s = &hd_socket_states[number];
    int is_full = s->stage == HD_SOCKET_LISTENS && !(s->shut & HD_RECEIVES_NO_MORE) && s->pending > s->backlog;
    return hd_queue_is_valid(&s->queue) && has_pending(s)
        && (s->closed
            || (hd_socket_data[number].count == (uint64_t)has_data(s)
                && hd_socket_room[number].count == (uint64_t)is_full))
        && (s->stage != HD_SOCKET_JOINED
            || (s->peer < socket_count && s->peer != number && hd_socket_peer(s)->peer == number));
}

void hd_socket_check(const hd_socket_state *s)
{
    hd_check_valid(hd_socket_is_valid(hd_socket_number(s)), 1, 0);
}

/* --- epoll ----------------------------------------------------------------------------------- */

static const hd_file_type socket_type;

void hd_socket_wake(const hd_socket_state *s, uint32_t events)
{
    hd_epoll_wake(&socket_type, hd_socket_number(s), events);
}

/* A message is gone: its sender has room. TCP and named datagram sockets tell senders only if they wait, which they
 * never do here. */
static void wake_sender(const hd_socket_state *s)
{
    if (!hd_socket_is_tcp(s) && (s->is_born_joined || !is_connectionless(s)))
        hd_socket_wake(hd_socket_peer(s), EPOLLOUT | EPOLLWRNORM | EPOLLWRBAND);
}

/* --- errors --------------------------------------------------------------------------------- */

void hd_socket_announce(const hd_socket_state *s)
{
    hd_data_comes(hd_socket_data_gate(s));
    hd_room_comes(hd_socket_room_gate(hd_socket_peer(s)));
}

static void settle(hd_socket_state *s)
{
    if (hd_socket_data_gate(s)->count && !has_data(s))
        hd_data_gone(hd_socket_data_gate(s));
}

/* Its error, which it loses. */
int hd_socket_take_error(hd_socket_state *s)
{
    int error = s->error;
    if (error)
        hd_socket_announce(s);
    s->error = 0;
    settle(s);
    return error;
}

/* TCP: the peer refuses what the socket has sent, or is closed with data that it has not received. */
static void reset(hd_socket_state *s)
{
    hd_socket_announce(s);
    s->error = s->is_ended ? EPIPE : ECONNRESET;
    s->shut = HD_SHUT;
    s->is_reset = 1;
    hd_socket_wake(s, 0);
}

int hd_socket_is_over(const hd_socket_state *s)
{
    return s->is_reset || (s->is_ended && (s->shut & HD_SENDS_NO_MORE));
}

/* --- receiving ------------------------------------------------------------------------------- */

static int waits(const hd_description *d, int flags)
{
    return hd_description_waits(d) && !(flags & MSG_DONTWAIT);
}

static int is_unconnected(const hd_socket_state *s)
{
    return !is_connectionless(s) && s->stage != HD_SOCKET_JOINED;
}

/* Descriptors of the message are in the hand of the current thread then. */
static ssize_t take_message(hd_socket_state *s, void *to, size_t size, int peeks)
{
    uint16_t rights;
    size_t got = peeks ? hd_queue_look(&s->queue, to, size, flows(s), &rights)
                       : hd_queue_take(&s->queue, to, size, flows(s), &rights);
    if (rights && peeks)
        hd_rights_copy(rights);
    else if (rights)
        hd_rights_take(rights);
    return (ssize_t)got;
}

/* The gate of data has been passed. A datagram socket that receives no more has an end only for calls that wait; a TCP
 * socket that has seen the end of its peer forgets errors. */
static ssize_t take(hd_socket_state *s, void *to, size_t size, int flags, int wait)
{
    if (hd_socket_is_udp(s) && s->error)
        return -hd_socket_take_error(s);
    hd_socket_note[hd_current->id] = s->queue.count ? (uint64_t)hd_queue_tag(hd_queue_next(&s->queue, 0)) : 0;
    if (is_unconnected(s) && !s->error && !(hd_socket_is_tcp(s) && s->shut))
        return hd_socket_is_tcp(s) ? -ENOTCONN : -EINVAL;
    s->is_seen = s->queue.count && (flags & MSG_PEEK);
    if (s->queue.count)
        return take_message(s, to, size, s->is_seen);
    if (s->error && !s->is_ended)
        return -hd_socket_take_error(s);
    return s->type == SOCK_DGRAM && !wait ? -EAGAIN : 0;
}

static ssize_t receive_part(hd_description *d, void *to, size_t size, int flags)
{
    hd_socket_state *s = hd_socket_of(d);
    hd_gate *data = hd_socket_data_gate(s);
    int peeks = (flags & MSG_PEEK) != 0, wait = waits(d, flags);
    uint32_t outer = hd_step_begin(0);
    size_t units = flows(s) ? size : 0;
    int passed = !peeks ? hd_data_fetch(data, wait, units) : wait ? hd_data_await(data, NULL) : hd_data_poll(data);
    uint32_t messages = s->queue.count;
    ssize_t got = passed ? take(s, to, size, flags, wait) : -EAGAIN;
    if (units && !peeks && got > 0)
        data->fetched += (uint32_t)got;
    if (passed)
        settle(s);
    if (s->queue.count < messages)
        wake_sender(s);
    hd_step_end(outer);
    hd_socket_check(s);
    return got;
}

static int listens(const hd_socket_state *s, const hd_site *site)
{
    if (s->is_born_joined || is_connectionless(s))
        return 0;
    hd_socket_look(s, site);
    return s->stage == HD_SOCKET_LISTENS;
}

static size_t count_bytes(const hd_description *d)
{
    return hd_socket_of(d)->queue.bytes;
}

/* How much a part may take (kernel/fate.h); 0: there is nothing. */
static size_t part_of(hd_description *d, size_t size, int flags, int all)
{
    if (!flows(hd_socket_of(d)) || all || (flags & MSG_PEEK) || !size)
        return size;
    return hd_fate_take(d, hd_socket_data_gate(hd_socket_of(d)), waits(d, flags), size, count_bytes);
}

/* MSG_WAITALL of a stream: further parts until all is there, or nothing will come any more. */
static ssize_t receive(hd_description *d, void *to, size_t size, int flags)
{
    const hd_site *site = hd_call_site;
    if (listens(hd_socket_of(d), site))
        return hd_socket_is_tcp(hd_socket_of(d)) ? -ENOTCONN : -EINVAL;
    int all = (flags & MSG_WAITALL) && !(flags & MSG_PEEK) && flows(hd_socket_of(d)) && waits(d, flags);
    size_t done = 0, part = part_of(d, size, flags, all);
    if (size && !part)
        return -EAGAIN;
    size = part;
    for (;;) {
        hd_call_site = site;
        ssize_t got = receive_part(d, (uint8_t *)to + done, size - done, flags);
        if (got <= 0)
            return done ? (ssize_t)done : got;
        done += (size_t)got;
        if (!all || done >= size || hd_rights_count())
            return (ssize_t)done;
    }
}

/* --- sending ----------------------------------------------------------------------------------- */

/* What the socket has not received is lost, with the descriptors in it. */
static void lose_messages(hd_socket_state *s)
{
    const hd_site *site = hd_call_site;
    hd_queue_check_unreceived(&s->queue);
    while (s->queue.count) {
        uint16_t rights = hd_queue_drop_first(&s->queue);
        if (rights)
            hd_rights_drop(rights, site);
        hd_call_site = site;
    }
    hd_socket_data_gate(s)->fetched = hd_socket_data_gate(s)->appended;
}

int hd_socket_lose_target(hd_socket_state *s)
{
    s->alone = 1;
    lose_messages(s);
    settle(s);
    return ECONNREFUSED;
}

/* What a call that sends finds: 0, or an error number. */
static int obstacle(hd_socket_state *s)
{
    const hd_socket_state *peer = hd_socket_peer(s);
    int error = hd_socket_is_tcp(s) || s->type == SOCK_SEQPACKET ? hd_socket_take_error(s) : 0;
    if (error)
        return error;
    if (is_unconnected(s))
        return hd_socket_is_tcp(s) ? EPIPE : ENOTCONN;
    if (s->shut & HD_SENDS_NO_MORE)
        return EPIPE;
    if (hd_socket_is_tcp(s))
        return 0;
    if (s->alone)
        return ENOTCONN;
    if (peer->closed)
        return hd_socket_lose_target(s);
    return peer->shut & HD_RECEIVES_NO_MORE ? EPIPE : 0;
}

static void check_room(const hd_socket_state *peer, size_t size)
{
    if (peer->queue.bytes + size + (peer->queue.count + 1) * OVERHEAD > MOST_QUEUED)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than a socket's buffer may hold is on its way: not modelled yet");
}

/* TCP: nothing receives what is sent to a socket that is closed, or shut down in both directions. */
static int is_refused(const hd_socket_state *s)
{
    const hd_socket_state *peer = hd_socket_peer(s);
    return hd_socket_is_tcp(s) && (peer->closed || peer->shut == HD_SHUT);
}

static void be_refused(hd_socket_state *s)
{
    if (!hd_socket_peer(s)->closed)
        reset(hd_socket_peer(s));
    reset(s);
}

void hd_socket_deliver(hd_socket_state *to, const void *from, size_t size, uint64_t note)
{
    check_room(to, size);
    hd_data_append(hd_socket_data_gate(to), flows(to) ? size : 0);
    hd_queue_put(&to->queue, from, size, (long)note, 0);
    hd_queue_attach(&to->queue, hd_rights_give());
    hd_socket_wake(to, EPOLLIN | EPOLLPRI | EPOLLRDNORM | EPOLLRDBAND);
}

static ssize_t send_all(hd_description *d, const void *from, size_t size, int flags)
{
    hd_socket_state *s = hd_socket_of(d), *peer = hd_socket_peer(s);
    const hd_site *site = hd_call_site;
    if (flows(s) && !size)
        return 0;
    if (is_connectionless(s) && !s->is_born_joined)
        return hd_socket_send_to(d, from, size, NULL);
    if (flows(s) && !waits(d, flags) && hd_fate_divides(size, site))
        size = 1;
    hd_call_site = site;
    uint32_t outer = hd_step_begin(0);
    hd_room_take(hd_socket_room_gate(peer), 1);
    int error = obstacle(s);
    if (!error && is_refused(s))
        be_refused(s);
    else if (!error)
        hd_socket_deliver(peer, from, size, hd_socket_number(s) + 1);
    hd_step_end(outer);
    hd_socket_check(s);
    if (error == EPIPE && flows(s) && !(flags & MSG_NOSIGNAL))
        hd_send_signal(hd_current, SIGPIPE);
    return error ? -error : (ssize_t)size;
}

/* --- ends ----------------------------------------------------------------------------------------- */

/* One direction ends: `to` gets nothing more. */
static void end_direction(hd_socket_state *from, hd_socket_state *to)
{
    hd_room_comes(hd_socket_room_gate(to));
    hd_data_comes(hd_socket_data_gate(to));
    from->shut |= HD_SENDS_NO_MORE;
    to->shut |= HD_RECEIVES_NO_MORE;
    from->ended_first |= !from->is_ended;
    to->is_ended = hd_socket_is_tcp(to);
}

/* Without a connection that could end, only the socket's own side is shut. */
static void end_own_side(hd_socket_state *s, int sides)
{
    if (sides & HD_RECEIVES_NO_MORE) {
        hd_room_comes(hd_socket_room_gate(s));
        hd_data_comes(hd_socket_data_gate(s));
    }
    if (sides & HD_SENDS_NO_MORE)
        hd_room_comes(hd_socket_room_gate(hd_socket_peer(s)));
    s->shut |= (uint8_t)sides;
}

/* TCP tells its peer nothing about data that it does not want. */
static void end_tcp(hd_socket_state *s, int sides)
{
    if (sides & HD_SENDS_NO_MORE && !(s->shut & HD_SENDS_NO_MORE))
        end_direction(s, hd_socket_peer(s));
    if (sides & HD_RECEIVES_NO_MORE)
        end_own_side(s, HD_RECEIVES_NO_MORE);
}

static void end_sides(hd_socket_state *s, int sides)
{
    hd_socket_state *peer = hd_socket_peer(s);
    if (is_connectionless(s) || s->stage == HD_SOCKET_FRESH) {
        end_own_side(s, sides);
    } else if (hd_socket_is_tcp(s)) {
        end_tcp(s, sides);
    } else {
        if (sides & HD_SENDS_NO_MORE)
            end_direction(s, peer);
        if (sides & HD_RECEIVES_NO_MORE)
            end_direction(peer, s);
    }
}

int hd_socket_shut(hd_description *d, int how)
{
    hd_socket_state *s = hd_socket_of(d);
    const hd_site *site = hd_call_site;
    int error = 0;
    if (how < SHUT_RD || how > SHUT_RDWR)
        return -EINVAL;
    int sides = how == SHUT_RD ? HD_RECEIVES_NO_MORE : how == SHUT_WR ? HD_SENDS_NO_MORE : HD_SHUT;
    if (listens(s, site))
        return hd_listener_shut(s, sides, site);
    if (hd_socket_is_udp(s))
        hd_end(HD_MODEL_LIMIT, site, "shutdown of a UDP socket is not modelled yet");
    uint32_t outer = hd_step_begin(0);
    if (hd_socket_is_tcp(s)) {
        hd_data_look(hd_socket_data_gate(s));
        hd_room_comes(hd_socket_room_gate(hd_socket_peer(s)));
        error = hd_socket_is_over(s) || s->stage == HD_SOCKET_FRESH ? -ENOTCONN : 0;
    }
    if (!error || s->stage == HD_SOCKET_FRESH) {
        end_sides(s, sides);
        hd_socket_wake(s, 0);
        if (s->stage == HD_SOCKET_JOINED && !is_connectionless(s)
            && (!hd_socket_is_tcp(s) || (sides & HD_SENDS_NO_MORE)))
            hd_socket_wake(hd_socket_peer(s), 0);
    }
    hd_step_end(outer);
    hd_socket_check(s);
    return error;
}

/* What it has not received is lost, and the peer finds out. */
static void close_tcp(hd_socket_state *s)
{
    hd_socket_state *peer = hd_socket_peer(s);
    hd_data_look(hd_socket_data_gate(s));
    hd_room_comes(hd_socket_room_gate(s));
    if (hd_socket_is_over(s))
        return;
    if (s->queue.count) {
        reset(peer);
        s->is_reset = 1;
    } else if (!(s->shut & HD_SENDS_NO_MORE)) {
        end_direction(s, peer);
        hd_socket_wake(peer, 0);
    }
}

static void close_connected(hd_socket_state *s)
{
    hd_socket_state *peer = hd_socket_peer(s);
    end_direction(s, peer);
    end_direction(peer, s);
    peer->error = s->queue.count ? ECONNRESET : peer->error;
    hd_socket_wake(peer, 0);
}

void hd_socket_abandon(uint32_t number)
{
    hd_socket_state *s = &hd_socket_states[number], *peer = hd_socket_peer(s);
    if (hd_socket_is_tcp(s)) {
        hd_socket_announce(s);
        if (!peer->closed && !hd_socket_is_over(s))
            reset(peer);
    } else {
        close_connected(s);
        peer->error = ECONNRESET;
    }
    s->closed = 1;
    lose_messages(s);
}

static void close_socket(hd_description *d)
{
    hd_socket_state *s = hd_socket_of(d);
    const hd_site *site = hd_call_site;
    if (s->is_bound || s->stage == HD_SOCKET_LISTENS)
        hd_listener_close(s, site);
    if (is_connectionless(s))
        hd_room_comes(hd_socket_room_gate(s));
    else if (s->stage == HD_SOCKET_JOINED && hd_socket_is_tcp(s))
        close_tcp(s);
    else if (s->stage == HD_SOCKET_JOINED)
        close_connected(s);
    s->closed = 1;
    if (s->queue.count)
        wake_sender(s);
    lose_messages(s);
}

/* --- questions --------------------------------------------------------------------------------------- */

static long available(hd_description *d)
{
    hd_socket_state *s = hd_socket_of(d);
    hd_data_look(hd_socket_data_gate(s));
    if (s->stage == HD_SOCKET_LISTENS)
        return -EINVAL;
    s->is_seen = s->queue.count != 0;
    return (long)(s->type == SOCK_DGRAM ? hd_queue_first(&s->queue) : s->queue.bytes);
}

static hd_gate *data_of(hd_description *d)
{
    return hd_socket_data_gate(hd_socket_of(d));
}

static hd_gate *room_of(hd_description *d)
{
    return hd_socket_room_gate(hd_socket_peer(hd_socket_of(d)));
}

static short events_of_listener(const hd_socket_state *s)
{
    int ends = s->shut & HD_RECEIVES_NO_MORE;
    return (short)((s->pending || ends ? POLLIN | POLLRDNORM : 0) | (ends ? POLLRDHUP : 0)
        | (s->shut == HD_SHUT ? POLLHUP : 0));
}

static short events_of(hd_description *d)
{
    const hd_socket_state *s = hd_socket_of(d);
    int ends = s->shut & HD_RECEIVES_NO_MORE;
    if (s->stage == HD_SOCKET_LISTENS)
        return events_of_listener(s);
    return (short)(POLLOUT | POLLWRNORM | (hd_socket_is_tcp(s) ? 0 : POLLWRBAND)
        | (s->queue.count || ends ? POLLIN | POLLRDNORM : 0) | (ends ? POLLRDHUP : 0) | (s->error ? POLLERR : 0)
        | (s->shut == HD_SHUT || is_unconnected(s) ? POLLHUP : 0));
}

int hd_socket_ignores_address(hd_description *d, const hd_site *site)
{
    const hd_socket_state *s = hd_socket_of(d);
    if (s->type != SOCK_STREAM || hd_socket_is_tcp(s))
        return !is_connectionless(s);
    hd_socket_look(s, site);
    return s->stage == HD_SOCKET_JOINED ? -EISCONN : -EOPNOTSUPP;
}

int hd_socket_type(const hd_description *d)
{
    return hd_socket_of(d)->type;
}

int hd_socket_domain(const hd_description *d)
{
    return hd_socket_of(d)->domain;
}

static const hd_file_type socket_type = { "socket", S_IFSOCK | 0777, receive, send_all, available, close_socket,
    data_of, room_of, events_of, 1 };

hd_description *hd_socket_describe(uint32_t number, int flags)
{
    return hd_description_make(&socket_type, number, O_RDWR | flags);
}

/* Two numbers: for the socket and for the other end of its connection. */
static hd_socket_state *make(int domain, int type)
{
    if (socket_count == HD_SOCKETS)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "making more than %d sockets is not modelled yet", HD_SOCKETS / 2);
    hd_socket_state *s = &hd_socket_states[socket_count];
    for (int i = 0; i < 2; i++)
        s[i] = (hd_socket_state) {
            .domain = (uint8_t)domain, .type = (uint8_t)type, .peer = (uint16_t)(socket_count + !i)
        };
    socket_count += 2;
    return s;
}

void hd_socket_make_pair(int type, int flags, hd_description *ends[2])
{
    hd_socket_state *s = make(AF_UNIX, type);
    s[0].stage = s[1].stage = HD_SOCKET_JOINED;
    s[0].is_born_joined = s[1].is_born_joined = 1;
    s[0].target = s[0].peer;
    s[1].target = s[1].peer;
    ends[0] = hd_socket_describe(hd_socket_number(s), flags);
    ends[1] = hd_socket_describe(hd_socket_number(s + 1), flags);
    hd_socket_check(s);
}

hd_description *hd_socket_make(int domain, int type, int flags)
{
    hd_socket_state *s = make(domain, type);
    if (!is_connectionless(s))
        hd_data_comes(hd_socket_data_gate(s));
    hd_socket_check(s);
    return hd_socket_describe(hd_socket_number(s), flags);
}
