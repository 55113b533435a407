/* The state of sockets, for the files of sockets and for the test that breaks it. */
#ifndef HD_RUNTIME_KERNEL_SOCKET_INTERNAL_H
#define HD_RUNTIME_KERNEL_SOCKET_INTERNAL_H

#include "abi/wire.h"
#include "runtime/kernel/gate.h"
#include "runtime/kernel/addresses.h"
#include "runtime/kernel/queue.h"
#include "runtime/kernel/socket.h"

enum { HD_RECEIVES_NO_MORE = 1, HD_SENDS_NO_MORE = 2, HD_SHUT = HD_RECEIVES_NO_MORE | HD_SENDS_NO_MORE };

typedef enum hd_socket_stage { HD_SOCKET_FRESH, HD_SOCKET_LISTENS, HD_SOCKET_JOINED } hd_socket_stage;

/* Options that have no effect here; socket_options.c lists them. */
enum { HD_SOCKET_OPTIONS = 10 };

/* An address of the Internet; those of version 4 are mapped to version 6. */
typedef struct hd_endpoint {
    struct in6_addr ip;
    uint16_t port; /* 0: none */
} hd_endpoint;

typedef struct hd_socket_state {
    hd_queue queue;
    uint16_t peer; /* the other number of its pair */
    uint16_t target; /* of a UNIX datagram socket that is joined: where it sends to */
    uint8_t domain, type;
    uint8_t stage; /* hd_socket_stage */
    uint8_t shut; /* HD_RECEIVES_NO_MORE, HD_SENDS_NO_MORE */
    uint8_t closed;
    uint8_t is_born_joined; /* a pair, or the other end of a connection: its stage never changes */
    uint8_t is_seen; /* a call has seen its first message without taking it */
    uint8_t alone; /* of a datagram socket: it knows that its peer is closed */
    int error; /* for the next call that asks */
    /* TCP: the peer has ended its direction; this socket has ended its own first; the connection was reset; a call that
     * does not wait has connected it, and another connect will say so. */
    uint8_t is_ended, ended_first, is_reset, is_connecting;
    /* Of a socket that listens: connections that wait to be accepted. */
    uint16_t first, last, pending, next; /* numbers + 1; `next` is that of a connection */
    uint32_t backlog;
    /* Names. A socket of the Internet has an endpoint if its port is not 0, a UNIX socket an address if it has a
     * length. */
    uint8_t is_bound;
    uint8_t reuses, only_6; /* options */
    struct {
        uint8_t is_set;
        int value;
    } others[HD_SOCKET_OPTIONS]; /* options without an effect */
    hd_endpoint own, other;
    hd_address address;
    hd_unix_name name;
} hd_socket_state;

extern hd_socket_state hd_socket_states[HD_SOCKETS];

/* Objects of operations (abi/shown.def). */
extern hd_gate hd_socket_data[HD_SOCKETS], hd_socket_room[HD_SOCKETS];
extern uint64_t hd_socket_owns[HD_SOCKETS]; /* stage, names and options */

/* Per thread: the note of the message that it has received last. */
extern uint64_t hd_socket_note[HD_MAX_THREADS];

/* socket.c */
struct hd_description;
hd_socket_state *hd_socket_of(const struct hd_description *d);
struct hd_description *hd_socket_describe(uint32_t number, int flags);
void hd_socket_check(const hd_socket_state *s);
uint32_t hd_socket_count(void); /* numbers below have been given */
void hd_socket_look(const hd_socket_state *s, const hd_site *site);
void hd_socket_change(const hd_socket_state *s, const hd_site *site);

/* A connection that no call has accepted is ended, because its listener is. */
void hd_socket_abandon(uint32_t number);

int hd_socket_take_error(hd_socket_state *s);
int hd_socket_is_over(const hd_socket_state *s); /* TCP: both directions have ended */
/* Part of a step that changes what a poll of the socket finds: wakes the epolls that ask for the events (0: any). */
void hd_socket_wake(const hd_socket_state *s, uint32_t events);
void hd_socket_announce(const hd_socket_state *s); /* calls that send, receive or poll find it changed */

void hd_socket_deliver(hd_socket_state *to, const void *from, size_t size, uint64_t note);
int hd_socket_lose_target(hd_socket_state *s); /* of a datagram socket: it is closed; returns the error */

/* datagram.c. `to` NULL: where the socket is connected to. */
int hd_datagram_connect(struct hd_description *d, const hd_address *to, const hd_site *site);

/* listener.c: a socket that listens is shut down; one that listens or has a name is closed. */
int hd_listener_shut(hd_socket_state *s, int sides, const hd_site *site);
void hd_listener_close(hd_socket_state *s, const hd_site *site);

hd_address hd_socket_name_of(const hd_socket_state *s);
int hd_unix_find(const hd_socket_state *s, const hd_address *to, hd_socket_state **found, const hd_site *site);

/* endpoint.c: names of the Internet. `port` 0: any. */
int hd_endpoint_of(const hd_socket_state *s, const hd_address *address, hd_endpoint *to);
hd_address hd_endpoint_address(const hd_endpoint *e, int domain);
int hd_endpoint_bind(hd_socket_state *s, hd_endpoint *to, const hd_site *site);
hd_socket_state *hd_endpoint_listener(const hd_endpoint *to);
hd_socket_state *hd_endpoint_receiver(const hd_endpoint *to, const hd_endpoint *from); /* UDP */
int hd_endpoint_fits(const hd_socket_state *s, const hd_endpoint *to, const hd_endpoint *from);
hd_endpoint hd_endpoint_source(const hd_socket_state *s, const hd_endpoint *to); /* its own, for what goes to `to` */
void hd_endpoint_complete(hd_endpoint *to); /* any address as a destination is the loopback address */
int hd_endpoints_equal(const hd_endpoint *a, const hd_endpoint *b);

static inline uint32_t hd_socket_number(const hd_socket_state *s)
{
    return (uint32_t)(s - hd_socket_states);
}

static inline hd_socket_state *hd_socket_peer(const hd_socket_state *s)
{
    return &hd_socket_states[s->peer];
}

static inline hd_gate *hd_socket_data_gate(const hd_socket_state *s)
{
    return &hd_socket_data[hd_socket_number(s)];
}

/* The room in its queue: its peer's calls wait for it. */
static inline hd_gate *hd_socket_room_gate(const hd_socket_state *s)
{
    return &hd_socket_room[hd_socket_number(s)];
}

static inline int hd_socket_is_udp(const hd_socket_state *s)
{
    return s->domain != AF_UNIX && s->type == SOCK_DGRAM;
}

static inline int hd_socket_is_tcp(const hd_socket_state *s)
{
    return s->domain != AF_UNIX && s->type == SOCK_STREAM;
}

#endif
