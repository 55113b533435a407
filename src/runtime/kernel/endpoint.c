/* Names of sockets of the Internet: addresses of the loopback interface with ports (kernel/names.h). A socket that
 * needs a port and has none gets one that belongs to its number, so that it does not depend on other sockets; the next
 * ones are tried only if the program itself has bound that port. */
#include "runtime/core/system.h"
#include "runtime/kernel/socket_internal.h"
#include "runtime/sched/sched.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_OWN_PORT = 40000, FIRST_FREE_PORT = 1024 };

/* --- addresses ------------------------------------------------------------------------------- */

static struct in6_addr mapped(uint32_t ip)
{
    struct in6_addr to = { .s6_addr = { [10] = 0xff, [11] = 0xff } };
    to.s6_addr32[3] = ip;
    return to;
}

static int is_any(const struct in6_addr *ip)
{
    return IN6_IS_ADDR_UNSPECIFIED(ip) || (IN6_IS_ADDR_V4MAPPED(ip) && !ip->s6_addr32[3]);
}

static int is_loopback(const struct in6_addr *ip)
{
    return IN6_IS_ADDR_LOOPBACK(ip) || (IN6_IS_ADDR_V4MAPPED(ip) && ip->s6_addr[12] == 127);
}

int hd_endpoint_of(const hd_socket_state *s, const hd_address *address, hd_endpoint *to)
{
    int is_4 = s->domain == AF_INET;
    if (address->length < (is_4 ? sizeof address->in : offsetof(struct sockaddr_in6, sin6_scope_id)))
        return -EINVAL;
    if (address->any.sa_family != s->domain)
        return -EAFNOSUPPORT;
    to->ip = is_4 ? mapped(address->in.sin_addr.s_addr) : address->in6.sin6_addr;
    to->port = ntohs(is_4 ? address->in.sin_port : address->in6.sin6_port);
    if (!is_any(&to->ip) && !is_loopback(&to->ip))
        hd_end(HD_MODEL_LIMIT, hd_call_site, "an address outside of the loopback interface is not modelled yet");
    return 0;
}

hd_address hd_endpoint_address(const hd_endpoint *e, int domain)
{
    hd_address to = { .length = domain == AF_INET ? sizeof to.in : sizeof to.in6 };
    memset(&to.storage, 0, sizeof to.storage);
    to.any.sa_family = (sa_family_t)domain;
    if (domain == AF_INET) {
        to.in.sin_addr.s_addr = e->ip.s6_addr32[3];
        to.in.sin_port = htons(e->port);
    } else {
        to.in6.sin6_addr = e->ip;
        to.in6.sin6_port = htons(e->port);
    }
    return to;
}

/* --- ports ------------------------------------------------------------------------------------- */

static int is_udp(const hd_socket_state *s)
{
    return s->type == SOCK_DGRAM;
}

/* Does a socket that is bound to `at` get what is sent to the address? */
static int reaches(const hd_socket_state *at, const struct in6_addr *ip)
{
    if (IN6_IS_ADDR_UNSPECIFIED(&at->own.ip))
        return !(at->only_6 && IN6_IS_ADDR_V4MAPPED(ip));
    if (is_any(&at->own.ip))
        return IN6_IS_ADDR_V4MAPPED(ip);
    return IN6_ARE_ADDR_EQUAL(&at->own.ip, ip);
}

static int overlap(const hd_socket_state *s, const hd_endpoint *e, const hd_socket_state *o)
{
    hd_socket_state wanted = { .own = *e, .only_6 = s->only_6 };
    return o->domain != AF_UNIX && is_udp(o) == is_udp(s) && o->own.port == e->port
        && (reaches(o, &e->ip) || reaches(&wanted, &o->own.ip));
}

static int tolerate(const hd_socket_state *s, const hd_socket_state *o)
{
    return s->reuses && o->reuses && o->stage != HD_SOCKET_LISTENS;
}

/* A connection uses its port until it is closed; then the side that ended it first keeps the port for a while, which
 * lasts to the end of the execution here. */
static int is_used_by_connection(const hd_socket_state *o)
{
    hd_data_look(hd_socket_data_gate(o));
    hd_room_poll(hd_socket_room_gate(o));
    return !o->closed || (o->stage == HD_SOCKET_JOINED && o->ended_first && !o->is_reset);
}

/* Sockets that the program has bound come first: only if none is in the way, it matters which connections there are. */
static int is_in_use(const hd_socket_state *s, const hd_endpoint *e)
{
    for (uint32_t i = 0; i < hd_socket_count(); i++) {
        const hd_socket_state *o = &hd_socket_states[i];
        if (o != s && o->is_bound && overlap(s, e, o) && !tolerate(s, o))
            return 1;
    }
    for (uint32_t i = 0; i < hd_socket_count(); i++) {
        const hd_socket_state *o = &hd_socket_states[i];
        if (o != s && !o->is_bound && overlap(s, e, o) && !tolerate(s, o) && is_used_by_connection(o))
            return 1;
    }
    return 0;
}

static int is_forbidden(uint16_t port)
{
    return port < FIRST_FREE_PORT && geteuid() != 0;
}

static int take_port(hd_socket_state *s, const hd_endpoint *e, const hd_site *site)
{
    hd_port_use(is_udp(s), e->port, 1, site);
    hd_call_site = site;
    if (is_in_use(s, e))
        return -EADDRINUSE;
    s->own = *e;
    return 0;
}

int hd_endpoint_bind(hd_socket_state *s, hd_endpoint *to, const hd_site *site)
{
    if (to->port)
        return is_forbidden(to->port) ? -EACCES : take_port(s, to, site);
    for (uint32_t port = FIRST_OWN_PORT + hd_socket_number(s) / 2; port < HD_PORTS; port += HD_SOCKETS / 2) {
        to->port = (uint16_t)port;
        if (!take_port(s, to, site))
            return 0;
    }
    return -EADDRINUSE;
}

/* A socket that is bound to the address itself comes before one for all addresses. */
hd_socket_state *hd_endpoint_listener(const hd_endpoint *to)
{
    hd_socket_state *found = NULL;
    for (uint32_t i = 0; i < hd_socket_count(); i++) {
        hd_socket_state *s = &hd_socket_states[i];
        if (hd_socket_is_tcp(s) && s->stage == HD_SOCKET_LISTENS && !s->closed && s->own.port == to->port
            && reaches(s, &to->ip) && (!found || is_any(&found->own.ip)))
            found = s;
    }
    return found;
}

void hd_endpoint_complete(hd_endpoint *to)
{
    if (IN6_IS_ADDR_UNSPECIFIED(&to->ip))
        to->ip = in6addr_loopback;
    else if (is_any(&to->ip))
        to->ip = mapped(htonl(INADDR_LOOPBACK));
}

hd_endpoint hd_endpoint_source(const hd_socket_state *s, const hd_endpoint *to)
{
    hd_endpoint from = s->own;
    if (s->own.port && !is_any(&s->own.ip))
        return from;
    from.ip = IN6_IS_ADDR_V4MAPPED(&to->ip) ? mapped(htonl(INADDR_LOOPBACK)) : in6addr_loopback;
    return from;
}

int hd_endpoints_equal(const hd_endpoint *a, const hd_endpoint *b)
{
    return a->port == b->port && IN6_ARE_ADDR_EQUAL(&a->ip, &b->ip);
}

/* How well the socket fits: one that is connected to the sender, one with the address, one for all addresses. */
int hd_endpoint_fits(const hd_socket_state *s, const hd_endpoint *to, const hd_endpoint *from)
{
    if (!hd_socket_is_udp(s) || s->closed || s->own.port != to->port || !reaches(s, &to->ip))
        return 0;
    if (s->stage == HD_SOCKET_JOINED)
        return hd_endpoints_equal(&s->other, from) ? 3 : 0;
    return is_any(&s->own.ip) ? 1 : 2;
}

hd_socket_state *hd_endpoint_receiver(const hd_endpoint *to, const hd_endpoint *from)
{
    hd_socket_state *best = NULL;
    int rank = 0;
    for (uint32_t i = 0; i < hd_socket_count(); i++) {
        int own = hd_endpoint_fits(&hd_socket_states[i], to, from);
        if (own && own == rank)
            hd_end(HD_MODEL_LIMIT, hd_call_site, "two UDP sockets for the same address and port are not modelled yet");
        best = own > rank ? &hd_socket_states[i] : best;
        rank = own > rank ? own : rank;
    }
    return best;
}
