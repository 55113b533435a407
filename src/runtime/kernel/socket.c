#include "runtime/kernel/socket_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/epoll.h"
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

enum { RECEIVES_NO_MORE = 1, SENDS_NO_MORE = 2 };

hd_socket_state hd_socket_states[HD_SOCKETS];
static uint32_t socket_count;

hd_gate hd_socket_data[HD_SOCKETS], hd_socket_room[HD_SOCKETS];

void hd_sockets_reset(void)
{
    if (!socket_count)
        return;
    memset(hd_socket_states, 0, socket_count * sizeof *hd_socket_states);
    memset(hd_socket_data, 0, socket_count * sizeof *hd_socket_data);
    memset(hd_socket_room, 0, socket_count * sizeof *hd_socket_room);
    socket_count = 0;
}

static hd_socket_state *state_of(const hd_description *d)
{
    return &hd_socket_states[d->object];
}

static hd_socket_state *peer_of(const hd_socket_state *s)
{
    return &hd_socket_states[s->peer];
}

static hd_gate *data_gate(const hd_socket_state *s)
{
    return &hd_socket_data[s - hd_socket_states];
}

static hd_gate *room_gate(const hd_socket_state *s)
{
    return &hd_socket_room[s - hd_socket_states];
}

static int flows(const hd_socket_state *s)
{
    return s->type == SOCK_STREAM;
}

static int has_data(const hd_socket_state *s)
{
    return s->queue.count || (s->shut & RECEIVES_NO_MORE);
}

int hd_socket_is_valid(uint32_t number)
{
    const hd_socket_state *s = &hd_socket_states[number];
    return hd_queue_is_valid(&s->queue) && (s->closed || hd_socket_data[number].count == (uint64_t)has_data(s))
        && !hd_socket_room[number].count && s->peer < socket_count && s->peer != number && peer_of(s)->peer == number;
}

static void check_validity(const hd_socket_state *s)
{
    hd_check_valid(hd_socket_is_valid((uint32_t)(s - hd_socket_states)), 1, 0);
}

/* --- epoll ----------------------------------------------------------------------------------- */

static const hd_file_type socket_type;

static void wake(const hd_socket_state *s, uint32_t events)
{
    hd_epoll_wake(&socket_type, (uint32_t)(s - hd_socket_states), events);
}

/* A message is gone: its sender has room. */
static void wake_sender(const hd_socket_state *s)
{
    wake(peer_of(s), EPOLLOUT | EPOLLWRNORM | EPOLLWRBAND);
}

/* --- receiving ------------------------------------------------------------------------------- */

static int waits(const hd_description *d, int flags)
{
    return hd_description_waits(d) && !(flags & MSG_DONTWAIT);
}

/* Its error, which it loses; the step is one that changes it. */
static int take_error(hd_socket_state *s)
{
    int error = s->error;
    if (error)
        hd_data_comes(data_gate(s));
    s->error = 0;
    return error;
}

/* The gate of data has been passed. A datagram socket that receives no more has an end only for calls that wait. */
static ssize_t take(hd_socket_state *s, void *to, size_t size, int flags, int wait)
{
    if (s->queue.count && (flags & MSG_PEEK))
        return (ssize_t)hd_queue_look(&s->queue, to, size, flows(s));
    if (s->queue.count)
        return (ssize_t)hd_queue_take(&s->queue, to, size, flows(s));
    if (s->error)
        return -take_error(s);
    return s->type == SOCK_DGRAM && !wait ? -EAGAIN : 0;
}

static ssize_t receive_part(hd_description *d, void *to, size_t size, int flags)
{
    hd_socket_state *s = state_of(d);
    hd_gate *data = data_gate(s);
    int peeks = (flags & MSG_PEEK) != 0, wait = waits(d, flags);
    uint32_t outer = hd_step_begin(0);
    int passed = !peeks ? hd_data_take(data, wait) : wait ? hd_data_await(data, NULL) : hd_data_poll(data);
    uint32_t messages = s->queue.count;
    ssize_t got = passed ? take(s, to, size, flags, wait) : -EAGAIN;
    if (passed && !has_data(s))
        hd_data_gone(data);
    if (s->queue.count < messages)
        wake_sender(s);
    hd_step_end(outer);
    check_validity(s);
    return got;
}

/* MSG_WAITALL of a stream: further parts until all is there, or nothing will come any more. */
static ssize_t receive(hd_description *d, void *to, size_t size, int flags)
{
    const hd_site *site = hd_call_site;
    int all = (flags & MSG_WAITALL) && !(flags & MSG_PEEK) && flows(state_of(d)) && waits(d, flags);
    size_t done = 0;
    for (;;) {
        hd_call_site = site;
        ssize_t got = receive_part(d, (uint8_t *)to + done, size - done, flags);
        if (got <= 0)
            return done ? (ssize_t)done : got;
        done += (size_t)got;
        if (!all || done >= size)
            return (ssize_t)done;
    }
}

/* --- sending ----------------------------------------------------------------------------------- */

/* The peer of a datagram socket is closed: what the socket has not received is lost. */
static int lose_peer(hd_socket_state *s)
{
    s->alone = 1;
    hd_queue_clear(&s->queue);
    if (data_gate(s)->count && !has_data(s))
        hd_data_gone(data_gate(s));
    return ECONNREFUSED;
}

/* What a call that sends finds: 0, or an error number. */
static int obstacle(hd_socket_state *s)
{
    const hd_socket_state *peer = peer_of(s);
    int error = 0;
    if (s->type == SOCK_SEQPACKET) {
        hd_data_look(data_gate(s));
        error = take_error(s);
    }
    if (error)
        return error;
    if (s->shut & SENDS_NO_MORE)
        return EPIPE;
    if (s->alone)
        return ENOTCONN;
    if (peer->closed)
        return lose_peer(s);
    return peer->shut & RECEIVES_NO_MORE ? EPIPE : 0;
}

static void check_room(const hd_socket_state *peer, size_t size)
{
    if (peer->queue.bytes + size + (peer->queue.count + 1) * OVERHEAD > MOST_QUEUED)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than a socket's buffer may hold is on its way: not modelled yet");
}

static ssize_t send_all(hd_description *d, const void *from, size_t size, int flags)
{
    hd_socket_state *s = state_of(d), *peer = peer_of(s);
    if (flows(s) && !size)
        return 0;
    uint32_t outer = hd_step_begin(0);
    hd_room_take(room_gate(peer), 1);
    int error = obstacle(s);
    if (!error) {
        check_room(peer, size);
        hd_data_comes(data_gate(peer));
        hd_queue_put(&peer->queue, from, size);
        wake(peer, EPOLLIN | EPOLLPRI | EPOLLRDNORM | EPOLLRDBAND);
    }
    hd_step_end(outer);
    check_validity(s);
    if (error == EPIPE && flows(s) && !(flags & MSG_NOSIGNAL))
        hd_send_signal(hd_current, SIGPIPE);
    return error ? -error : (ssize_t)size;
}

/* --- ends ----------------------------------------------------------------------------------------- */

/* One direction ends: `to` gets nothing more. */
static void end_direction(hd_socket_state *from, hd_socket_state *to)
{
    hd_room_comes(room_gate(to));
    hd_data_comes(data_gate(to));
    from->shut |= SENDS_NO_MORE;
    to->shut |= RECEIVES_NO_MORE;
}

/* Datagrams have no connection that could end: only the socket's own side is shut. */
static void end_own_side(hd_socket_state *s, int sides)
{
    hd_socket_state *peer = peer_of(s);
    if (sides & RECEIVES_NO_MORE) {
        hd_room_comes(room_gate(s));
        hd_data_comes(data_gate(s));
    }
    if (sides & SENDS_NO_MORE)
        hd_room_comes(room_gate(peer));
    s->shut |= (uint8_t)sides;
}

int hd_socket_shut(hd_description *d, int how)
{
    hd_socket_state *s = state_of(d), *peer = peer_of(s);
    if (how < SHUT_RD || how > SHUT_RDWR)
        return -EINVAL;
    int sides = how == SHUT_RD ? RECEIVES_NO_MORE : how == SHUT_WR ? SENDS_NO_MORE : RECEIVES_NO_MORE | SENDS_NO_MORE;
    uint32_t outer = hd_step_begin(0);
    if (s->type == SOCK_DGRAM)
        end_own_side(s, sides);
    if (s->type != SOCK_DGRAM && (sides & SENDS_NO_MORE))
        end_direction(s, peer);
    if (s->type != SOCK_DGRAM && (sides & RECEIVES_NO_MORE))
        end_direction(peer, s);
    wake(s, 0);
    if (s->type != SOCK_DGRAM)
        wake(peer, 0);
    hd_step_end(outer);
    check_validity(s);
    return 0;
}

static void close_socket(hd_description *d)
{
    hd_socket_state *s = state_of(d), *peer = peer_of(s);
    if (s->type != SOCK_DGRAM) {
        end_direction(s, peer);
        end_direction(peer, s);
        peer->error = s->queue.count ? ECONNRESET : peer->error;
        wake(peer, 0);
    } else {
        hd_room_comes(room_gate(s));
    }
    s->closed = 1;
    if (s->queue.count)
        wake_sender(s);
    hd_queue_clear(&s->queue);
}

/* --- questions --------------------------------------------------------------------------------------- */

static long available(hd_description *d)
{
    const hd_socket_state *s = state_of(d);
    hd_data_look(data_gate(s));
    return (long)(s->type == SOCK_DGRAM ? hd_queue_first(&s->queue) : s->queue.bytes);
}

static hd_gate *data_of(hd_description *d)
{
    return data_gate(state_of(d));
}

static hd_gate *room_of(hd_description *d)
{
    return room_gate(peer_of(state_of(d)));
}

static short events_of(hd_description *d)
{
    const hd_socket_state *s = state_of(d);
    int both = RECEIVES_NO_MORE | SENDS_NO_MORE, ends = s->shut & RECEIVES_NO_MORE;
    return (short)(POLLOUT | POLLWRNORM | POLLWRBAND | (s->queue.count || ends ? POLLIN | POLLRDNORM : 0)
        | (ends ? POLLRDHUP : 0) | (s->error ? POLLERR : 0) | ((s->shut & both) == both ? POLLHUP : 0));
}

int hd_socket_type(const hd_description *d)
{
    return state_of(d)->type;
}

static const hd_file_type socket_type = { "socket", S_IFSOCK | 0777, receive, send_all, available, close_socket,
    data_of, room_of, events_of };

static uint32_t make(int type)
{
    if (socket_count == HD_SOCKETS)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "making more than %d sockets is not modelled yet", HD_SOCKETS);
    hd_socket_states[socket_count].type = (uint8_t)type;
    return socket_count++;
}

void hd_socket_make_pair(int type, int flags, hd_description *ends[2])
{
    uint32_t a = make(type), b = make(type);
    hd_socket_states[a].peer = (uint16_t)b;
    hd_socket_states[b].peer = (uint16_t)a;
    ends[0] = hd_description_make(&socket_type, a, O_RDWR | flags);
    ends[1] = hd_description_make(&socket_type, b, O_RDWR | flags);
    check_validity(&hd_socket_states[a]);
}
