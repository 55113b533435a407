/* Options of sockets: those that change what is modelled, and those that have no effect there but are kept. */
#include "runtime/kernel/socket_internal.h"
#include "runtime/sched/sched.h"

#include <errno.h>
#include <netinet/tcp.h>

/* Options without an effect: their values are kept for getsockopt. */
static const struct {
    int level, option, is_switch, first;
} others[HD_SOCKET_OPTIONS] = {
    { SOL_SOCKET, SO_KEEPALIVE, 1, 0 },
    { SOL_SOCKET, SO_BROADCAST, 1, 0 },
    { SOL_SOCKET, SO_OOBINLINE, 1, 0 },
    { SOL_SOCKET, SO_PRIORITY, 0, 0 },
    { IPPROTO_TCP, TCP_NODELAY, 1, 0 },
    { IPPROTO_TCP, TCP_KEEPIDLE, 0, 7200 },
    { IPPROTO_TCP, TCP_KEEPINTVL, 0, 75 },
    { IPPROTO_TCP, TCP_KEEPCNT, 0, 9 },
    { IPPROTO_TCP, TCP_USER_TIMEOUT, 0, 0 },
    { IPPROTO_IP, IP_TOS, 0, 0 },
};

/* Its place among the options without an effect. */
static uint32_t find(const hd_socket_state *s, int level, int option)
{
    int fits = level == SOL_SOCKET || (level == IPPROTO_TCP && hd_socket_is_tcp(s))
        || (level == IPPROTO_IP && s->domain == AF_INET);
    for (uint32_t i = 0; i < HD_SOCKET_OPTIONS && fits; i++)
        if (others[i].level == level && others[i].option == option)
            return i;
    hd_end(HD_MODEL_LIMIT, hd_call_site, "option %d of level %d of a socket is not modelled yet", option, level);
}

/* A buffer is never full, so a larger one makes no difference. */
static int check_buffer(int value)
{
    if (value < 1 << 18)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "a socket with a small buffer (SO_SNDBUF, SO_RCVBUF) is not modelled yet");
    return 0;
}

static int is_about_itself(int option)
{
    return option == SO_TYPE || option == SO_DOMAIN || option == SO_PROTOCOL || option == SO_ERROR
        || option == SO_ACCEPTCONN;
}

static int set_other(hd_socket_state *s, int level, int option, int value)
{
    uint32_t i = find(s, level, option);
    if (level == IPPROTO_TCP && !others[i].is_switch && value < (option != TCP_USER_TIMEOUT))
        return -EINVAL;
    s->others[i].is_set = 1;
    s->others[i].value = others[i].is_switch ? value != 0 : value;
    return 0;
}

int hd_socket_set(struct hd_description *d, int level, int option, int value, const hd_site *site)
{
    hd_socket_state *s = hd_socket_of(d);
    int error = 0, is_version = level == IPPROTO_IPV6 && option == IPV6_V6ONLY && s->domain == AF_INET6;
    if (level == SOL_SOCKET && is_about_itself(option))
        return -ENOPROTOOPT;
    uint32_t outer = hd_step_begin(0);
    hd_socket_change(s, site);
    if (s->own.port)
        hd_port_use(s->type == SOCK_DGRAM, s->own.port, 1, site);
    hd_call_site = site;
    if (level == SOL_SOCKET && option == SO_REUSEADDR)
        s->reuses = value != 0;
    else if (level == SOL_SOCKET && (option == SO_SNDBUF || option == SO_RCVBUF))
        check_buffer(value);
    else if (is_version && s->own.port)
        error = -EINVAL;
    else if (is_version)
        s->only_6 = value != 0;
    else
        error = set_other(s, level, option, value);
    hd_step_end(outer);
    return error;
}

static int get_error(hd_socket_state *s)
{
    hd_data_look(hd_socket_data_gate(s));
    hd_room_poll(hd_socket_room_gate(hd_socket_peer(s)));
    return hd_socket_take_error(s);
}

static int get_protocol(const hd_socket_state *s)
{
    return s->domain == AF_UNIX ? 0 : s->type == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
}

static int get_own(hd_socket_state *s, int option)
{
    switch (option) {
    case SO_ERROR:
        return get_error(s);
    case SO_TYPE:
        return s->type;
    case SO_DOMAIN:
        return s->domain;
    case SO_PROTOCOL:
        return get_protocol(s);
    default:
        return s->stage == HD_SOCKET_LISTENS;
    }
}

int hd_socket_get(struct hd_description *d, int level, int option, int *value, const hd_site *site)
{
    hd_socket_state *s = hd_socket_of(d);
    uint32_t outer = hd_step_begin(0);
    hd_socket_look(s, site);
    if (level == SOL_SOCKET && is_about_itself(option))
        *value = get_own(s, option);
    else if (level == SOL_SOCKET && option == SO_REUSEADDR)
        *value = s->reuses;
    else if (level == IPPROTO_IPV6 && option == IPV6_V6ONLY && s->domain == AF_INET6)
        *value = s->only_6;
    else {
        uint32_t i = find(s, level, option);
        *value = s->others[i].is_set ? s->others[i].value : others[i].first;
    }
    hd_step_end(outer);
    hd_socket_check(s);
    return 0;
}
