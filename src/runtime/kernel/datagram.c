/* Datagrams that are sent to names: UDP and UNIX (kernel/socket.h). */
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/fate.h"
#include "runtime/kernel/socket_internal.h"
#include "runtime/sched/sched.h"

#include <errno.h>
#include <string.h>

/* What an Internet datagram holds at most; the queue of a UNIX socket that many may send to. */
enum { MOST_BYTES = 65507, MOST_UNIX = 10 };

/* --- notes ------------------------------------------------------------------------------------ */

/* UNIX: the number of the sender + 1. Internet: its address; those of version 6 are the loopback address. */
static uint64_t note_of(const hd_endpoint *from)
{
    uint64_t is_6 = !IN6_IS_ADDR_V4MAPPED(&from->ip);
    return is_6 << 48 | (uint64_t)from->port << 32 | (is_6 ? 0 : from->ip.s6_addr32[3]);
}

static hd_endpoint endpoint_of(uint64_t note)
{
    hd_endpoint from = { .ip = in6addr_loopback, .port = (uint16_t)(note >> 32) };
    if (note >> 48)
        return from;
    from.ip = (struct in6_addr) { .s6_addr = { [10] = 0xff, [11] = 0xff } };
    from.ip.s6_addr32[3] = (uint32_t)note;
    return from;
}

void hd_socket_source(hd_description *d, hd_address *source, const hd_site *site)
{
    const hd_socket_state *s = hd_socket_of(d);
    uint64_t note = hd_socket_note[hd_current->id];
    source->length = 0;
    if (!note || hd_socket_is_tcp(s))
        return;
    if (s->domain != AF_UNIX) {
        hd_endpoint from = endpoint_of(note);
        *source = hd_endpoint_address(&from, s->domain);
        return;
    }
    const hd_socket_state *sender = &hd_socket_states[note - 1];
    hd_socket_look(sender, site);
    if (sender->address.length)
        *source = sender->address;
}

/* --- UNIX --------------------------------------------------------------------------------------- */

/* Is the socket connected, and to another one than `s`? */
static int is_taken(const hd_socket_state *t, const hd_socket_state *s)
{
    return t->stage == HD_SOCKET_JOINED && (t->is_born_joined || !t->alone) && t->target != hd_socket_number(s);
}

static int is_own(const hd_socket_state *t, const hd_socket_state *s)
{
    return t->stage == HD_SOCKET_JOINED && t->target == hd_socket_number(s);
}

static int lose_target(hd_socket_state *s, const hd_site *site)
{
    hd_room_comes(hd_socket_room_gate(s));
    hd_socket_change(s, site);
    return hd_socket_lose_target(s);
}

/* One attempt: an error number or 0; EINTR: the name may lead to another socket now. */
static int send_to_unix(hd_socket_state *s, hd_socket_state *t, int is_named, const void *from, size_t size)
{
    hd_room_take(hd_socket_room_gate(t), 1);
    hd_room_poll(hd_socket_room_gate(hd_socket_peer(s)));
    if (s->shut & HD_SENDS_NO_MORE)
        return EPIPE;
    if (t->closed)
        return is_named ? EINTR : lose_target(s, hd_call_site);
    if (is_taken(t, s))
        return EPERM;
    if (t->shut & HD_RECEIVES_NO_MORE)
        return EPIPE;
    if (t->queue.count >= MOST_UNIX && !is_own(t, s))
        hd_end(
            HD_MODEL_LIMIT, hd_call_site, "more than %d datagrams for one UNIX socket are not modelled yet", MOST_UNIX);
    hd_socket_deliver(t, from, size, hd_socket_number(s) + 1);
    return 0;
}

/* Where a UNIX socket sends to: an error number or 0. */
static int find_target(hd_socket_state *s, const hd_address *to, hd_socket_state **found, const hd_site *site)
{
    if (to)
        return hd_unix_find(s, to, found, site);
    hd_socket_look(s, site);
    *found = &hd_socket_states[s->target];
    return s->stage == HD_SOCKET_JOINED && !s->alone ? 0 : ENOTCONN;
}

static int send_unix(hd_socket_state *s, const hd_address *to, const void *from, size_t size, const hd_site *site)
{
    int error;
    do {
        hd_socket_state *t;
        error = find_target(s, to, &t, site);
        if (error)
            return error;
        uint32_t outer = hd_step_begin(0);
        hd_call_site = site;
        error = send_to_unix(s, t, to != NULL, from, size);
        hd_step_end(outer);
    } while (error == EINTR);
    return error;
}

/* --- UDP ---------------------------------------------------------------------------------------- */

/* A socket that sends has a port. */
static int bind_to_send(hd_socket_state *s, const hd_site *site)
{
    hd_endpoint any = { .ip = in6addr_any };
    any.ip.s6_addr16[5] = s->domain == AF_INET ? 0xffff : 0;
    if (s->own.port)
        return 0;
    s->is_bound = 1;
    return hd_endpoint_bind(s, &any, site) ? EAGAIN : 0;
}

/* What the call sends to: an error number or 0. */
static int find_endpoint(const hd_socket_state *s, const hd_address *to, size_t size, hd_endpoint *end)
{
    *end = s->other;
    if (size > MOST_BYTES)
        return EMSGSIZE;
    int error = to ? -hd_endpoint_of(s, to, end) : s->stage == HD_SOCKET_JOINED ? 0 : EDESTADDRREQ;
    hd_endpoint_complete(end);
    return error ? error : end->port ? 0 : EINVAL;
}

/* The receiver, NULL: nothing receives at that port. A socket that is connected learns that. */
static hd_socket_state *look_up(hd_socket_state *s, const hd_endpoint *to, const hd_endpoint *from, const hd_site *site)
{
    hd_port_use(1, to->port, 0, site);
    hd_call_site = site;
    hd_socket_state *t = hd_endpoint_receiver(to, from);
    if (!t && s->stage == HD_SOCKET_JOINED && hd_endpoints_equal(to, &s->other)) {
        hd_socket_announce(s);
        s->error = ECONNREFUSED;
        hd_socket_wake(s, 0);
    }
    return t;
}

/* The first step of a call: an error number or 0. */
static int begin_to_send(hd_socket_state *s, const hd_address *to, size_t size, hd_endpoint *end, hd_endpoint *source,
    hd_socket_state **t, const hd_site *site)
{
    hd_call_site = site;
    hd_room_take(hd_socket_room_gate(hd_socket_peer(s)), 1);
    hd_socket_change(s, site);
    int error = bind_to_send(s, site);
    error = error ? error : find_endpoint(s, to, size, end);
    error = error ? error : hd_socket_take_error(s);
    if (error)
        return error;
    *source = hd_endpoint_source(s, end);
    *t = look_up(s, end, source, site);
    return 0;
}

/* A datagram on its way. */
typedef struct hd_datagram {
    hd_endpoint to, source;
    const void *bytes;
    size_t size;
} hd_datagram;

/* What its arrival has found: its identity in the queue, and how many others it may overtake. */
typedef struct hd_arrival {
    uint32_t identity, ahead;
} hd_arrival;

/* The second step: whether the receiver is still the one. */
static int arrive(hd_socket_state *t, const hd_datagram *g, hd_arrival *a, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    hd_call_site = site;
    hd_room_take(hd_socket_room_gate(t), 1);
    int fits = hd_endpoint_fits(t, &g->to, &g->source);
    if (fits) {
        *a = (hd_arrival) { .ahead = t->queue.count - t->is_seen };
        hd_socket_deliver(t, g->bytes, g->size, note_of(&g->source));
        a->identity = hd_queue_last(&t->queue);
    }
    hd_step_end(outer);
    return fits;
}

static void overtake(hd_socket_state *t, const hd_arrival *a, const hd_site *site)
{
    uint32_t places = hd_fate_overtakes(a->ahead, site);
    hd_call_site = site;
    if (!places)
        return;
    hd_data_change(hd_socket_data_gate(t));
    hd_queue_advance(&t->queue, a->identity, places, t->is_seen);
    hd_socket_check(t);
}

/* `t` was the receiver when the name was looked up; NULL: it is looked up here, as it is again if another socket has
 * taken its place. */
static void deliver(hd_socket_state *s, hd_socket_state *t, const hd_datagram *g, const hd_site *site)
{
    hd_arrival a;
    while (!t || !arrive(t, g, &a, site)) {
        uint32_t outer = hd_step_begin(0);
        t = look_up(s, &g->to, &g->source, site);
        hd_step_end(outer);
        if (!t)
            return;
    }
    overtake(t, &a, site);
}

static int send_udp(hd_socket_state *s, const hd_address *to, const void *from, size_t size, const hd_site *site)
{
    hd_datagram g = { .bytes = from, .size = size };
    hd_socket_state *t = NULL;
    uint32_t outer = hd_step_begin(0);
    int error = begin_to_send(s, to, size, &g.to, &g.source, &t, site);
    hd_step_end(outer);
    if (error || !t)
        return error;
    for (uint32_t copies = hd_fate_copies(site); copies; copies--, t = NULL)
        deliver(s, t, &g, site);
    return 0;
}

ssize_t hd_socket_send_to(hd_description *d, const void *from, size_t size, const hd_address *to)
{
    hd_socket_state *s = hd_socket_of(d);
    const hd_site *site = hd_call_site;
    int error = s->domain == AF_UNIX ? send_unix(s, to, from, size, site) : send_udp(s, to, from, size, site);
    hd_socket_check(s);
    return error ? -error : (ssize_t)size;
}

/* --- connecting ----------------------------------------------------------------------------------- */

/* Calls on the socket, and those that send to it, find it changed. */
static void join(hd_socket_state *s, const hd_site *site)
{
    hd_room_comes(hd_socket_room_gate(hd_socket_peer(s)));
    hd_room_comes(hd_socket_room_gate(s));
    hd_socket_change(s, site);
    if (s->is_born_joined)
        hd_end(HD_MODEL_LIMIT, site, "connecting a socket of a pair is not modelled yet");
}

static int connect_unix_to(hd_socket_state *s, hd_socket_state *t, const hd_site *site)
{
    hd_room_take(hd_socket_room_gate(t), 1);
    if (t->closed)
        return EINTR;
    if (is_taken(t, s))
        return EPERM;
    join(s, site);
    s->target = (uint16_t)hd_socket_number(t);
    s->stage = HD_SOCKET_JOINED;
    s->alone = 0;
    return 0;
}

static int connect_unix(hd_socket_state *s, const hd_address *to, const hd_site *site)
{
    int error;
    do {
        hd_socket_state *t;
        error = hd_unix_find(s, to, &t, site);
        if (error)
            return error;
        uint32_t outer = hd_step_begin(0);
        error = connect_unix_to(s, t, site);
        hd_step_end(outer);
    } while (error == EINTR);
    return error;
}

static int connect_udp(hd_socket_state *s, const hd_address *address, const hd_site *site)
{
    hd_endpoint to;
    int error = -hd_endpoint_of(s, address, &to);
    if (error)
        return error;
    hd_endpoint_complete(&to);
    uint32_t outer = hd_step_begin(0);
    join(s, site);
    error = bind_to_send(s, site);
    if (!error) {
        hd_port_use(1, s->own.port, 1, site);
        s->own = hd_endpoint_source(s, &to);
        s->other = to;
        s->stage = HD_SOCKET_JOINED;
    }
    hd_step_end(outer);
    return error;
}

int hd_datagram_connect(hd_description *d, const hd_address *to, const hd_site *site)
{
    hd_socket_state *s = hd_socket_of(d);
    return s->domain == AF_UNIX ? -connect_unix(s, to, site) : -connect_udp(s, to, site);
}
