/* getaddrinfo and getnameinfo for addresses as numbers and for localhost: they use neither the network nor files.
 * localhost has both loopback addresses, version 6 first. Any other name, and any service that is no number, is a model
 * limit. */
#include "runtime/face/face.h"
#include "runtime/libc/libc.h"
#include "runtime/libc/see.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 2, /* addresses of a name */
    KNOWN = AI_PASSIVE | AI_CANONNAME | AI_NUMERICHOST | AI_NUMERICSERV | AI_ADDRCONFIG | AI_V4MAPPED | AI_ALL,
    UNUSUAL = AI_IDN | AI_CANONIDN
};

/* What a call asks for: its hints, and its answer. */
typedef struct question {
    const char *node, *service;
    struct addrinfo hints;
    struct in6_addr found[MOST]; /* those of version 4 are mapped */
    uint32_t count;
    uint16_t port;
    const hd_site *site;
} question;

static void add(question *q, int is_4, const void *ip)
{
    struct in6_addr *to = &q->found[q->count++];
    *to = (struct in6_addr) { .s6_addr = { [10] = 0xff, [11] = 0xff } };
    memcpy(is_4 ? to->s6_addr + 12 : to->s6_addr, ip, is_4 ? 4 : 16);
}

static int wants(const question *q, int family)
{
    return q->hints.ai_family == AF_UNSPEC || q->hints.ai_family == family;
}

/* The addresses of this host: any for servers, in this order. */
static int find_own(question *q)
{
    struct in_addr any = { htonl(INADDR_ANY) }, own = { htonl(INADDR_LOOPBACK) };
    int passive = !q->node && (q->hints.ai_flags & AI_PASSIVE);
    if (passive && wants(q, AF_INET))
        add(q, 1, &any);
    if (wants(q, AF_INET6))
        add(q, 0, passive ? &in6addr_any : &in6addr_loopback);
    if (!passive && wants(q, AF_INET))
        add(q, 1, &own);
    return 0;
}

static int find_node(question *q)
{
    struct in_addr four;
    struct in6_addr six;
    if (!q->node)
        return find_own(q);
    int is_4 = inet_aton(q->node, &four), is_6 = !is_4 && inet_pton(AF_INET6, q->node, &six) == 1;
    if (is_4 && q->hints.ai_family == AF_INET6 && (q->hints.ai_flags & AI_V4MAPPED))
        hd_end(HD_MODEL_LIMIT, q->site, "getaddrinfo with AI_V4MAPPED is not modelled yet");
    if (is_4 || is_6) {
        add(q, is_4, is_4 ? (void *)&four : (void *)&six);
        return wants(q, is_4 ? AF_INET : AF_INET6) ? 0 : EAI_ADDRFAMILY;
    }
    if (q->hints.ai_flags & AI_NUMERICHOST)
        return EAI_NONAME;
    if (strcmp(q->node, "localhost"))
        hd_end(HD_MODEL_LIMIT, q->site, "getaddrinfo of another host than localhost is not modelled yet");
    return find_own(q);
}

static int find_service(question *q)
{
    char *end;
    if (!q->service)
        return 0;
    q->port = (uint16_t)strtoul(q->service, &end, 10);
    if (!*end)
        return q->hints.ai_socktype == SOCK_RAW ? EAI_SERVICE : 0;
    if (q->hints.ai_flags & AI_NUMERICSERV)
        return EAI_NONAME;
    hd_end(HD_MODEL_LIMIT, q->site, "getaddrinfo of a service that is not a number is not modelled yet");
}

/* Types of sockets with their protocols. */
static const struct {
    int type, protocol;
} kinds[] = { { SOCK_STREAM, IPPROTO_TCP }, { SOCK_DGRAM, IPPROTO_UDP }, { SOCK_RAW, 0 } };

enum { KINDS = sizeof kinds / sizeof *kinds };

static int is_wanted(const question *q, uint32_t kind)
{
    int type = q->hints.ai_socktype, protocol = q->hints.ai_protocol;
    return (!type || type == kinds[kind].type)
        && (!protocol || !kinds[kind].protocol || protocol == kinds[kind].protocol)
        && !(protocol && !kinds[kind].protocol && !type);
}

static int check(const question *q)
{
    int flags = q->hints.ai_flags, some = 0;
    if ((!q->node && !q->service))
        return EAI_NONAME;
    if ((flags & ~(KNOWN | UNUSUAL)) || ((flags & AI_CANONNAME) && !q->node))
        return EAI_BADFLAGS;
    if (flags & UNUSUAL)
        hd_end(HD_MODEL_LIMIT, q->site, "getaddrinfo with international names is not modelled yet");
    if (q->hints.ai_family != AF_UNSPEC && q->hints.ai_family != AF_INET && q->hints.ai_family != AF_INET6)
        return EAI_FAMILY;
    for (uint32_t i = 0; i < KINDS; i++)
        some |= is_wanted(q, i);
    return some ? 0 : EAI_SOCKTYPE;
}

/* An entry and its address are one block. */
static struct addrinfo *make(const question *q, const struct in6_addr *ip, uint32_t kind)
{
    struct entry {
        struct addrinfo info;
        union {
            struct sockaddr any;
            struct sockaddr_in in;
            struct sockaddr_in6 in6;
        };
    } *e = hd_face_malloc(sizeof *e);
    int is_4 = IN6_IS_ADDR_V4MAPPED(ip);
    if (!e)
        return NULL;
    SEE(q->site, WRITES(e, sizeof *e));
    *e = (struct entry) { .info = { .ai_flags = q->hints.ai_flags, .ai_socktype = kinds[kind].type } };
    e->info.ai_protocol = kinds[kind].protocol ? kinds[kind].protocol : q->hints.ai_protocol;
    e->info.ai_family = is_4 ? AF_INET : AF_INET6;
    e->info.ai_addrlen = is_4 ? sizeof e->in : sizeof e->in6;
    e->info.ai_addr = &e->any;
    e->any.sa_family = (sa_family_t)e->info.ai_family;
    e->in.sin_port = htons(q->port);
    if (is_4)
        memcpy(&e->in.sin_addr, ip->s6_addr + 12, 4);
    else
        e->in6.sin6_addr = *ip;
    return &e->info;
}

static struct addrinfo *make_all(const question *q)
{
    struct addrinfo *first = NULL, **link = &first;
    for (uint32_t i = 0; i < q->count; i++)
        for (uint32_t kind = 0; kind < KINDS; kind++)
            if (is_wanted(q, kind) && (*link = make(q, &q->found[i], kind)))
                link = &(*link)->ai_next;
    return first;
}

static char *copy_name(const char *name, const hd_site *site)
{
    size_t size = strlen(name) + 1;
    char *to = hd_face_malloc(size);
    if (!to)
        return NULL;
    SEE(site, WRITES(to, size));
    return memcpy(to, name, size);
}

static void read_question(question *q, const struct addrinfo *hints)
{
    if (q->node)
        hd_see_string(q->node, q->site);
    if (q->service)
        hd_see_string(q->service, q->site);
    q->hints.ai_flags = AI_V4MAPPED | AI_ADDRCONFIG;
    if (!hints)
        return;
    SEE(q->site, READS(hints, sizeof *hints));
    q->hints = *hints;
}

HD_FACE int hd_getaddrinfo(
    const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result)
{
    question q = { .node = node, .service = service, .site = hd_call_site };
    if (!hd_exploring())
        return getaddrinfo(node, service, hints, result);
    read_question(&q, hints);
    int error = check(&q);
    error = error ? error : find_service(&q);
    error = error ? error : find_node(&q);
    struct addrinfo *first = error ? NULL : make_all(&q);
    if (error || !first)
        return error ? error : EAI_MEMORY;
    if (q.hints.ai_flags & AI_CANONNAME)
        first->ai_canonname = copy_name(node, q.site);
    SEE(q.site, WRITES(result, sizeof *result));
    *result = first;
    return 0;
}

HD_FACE void hd_freeaddrinfo(struct addrinfo *first)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring()) {
        freeaddrinfo(first);
        return;
    }
    for (struct addrinfo *next; first; first = next) {
        SEE(site, READS(first, sizeof *first));
        next = first->ai_next;
        hd_call_site = site;
        hd_face_free(first->ai_canonname);
        hd_call_site = site;
        hd_face_free(first);
    }
}

/* --- back to names ------------------------------------------------------------------------- */

/* Stores the text if it is wanted and fits. */
static int tell(const char *text, char *to, socklen_t size, const hd_site *site)
{
    size_t length = strlen(text) + 1;
    if (!to || !size)
        return 0;
    if (length > size)
        return EAI_OVERFLOW;
    SEE(site, WRITES(to, length));
    memcpy(to, text, length);
    return 0;
}

static int is_loopback(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET)
        return ((const struct sockaddr_in *)a)->sin_addr.s_addr == htonl(INADDR_LOOPBACK);
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)a)->sin6_addr);
}

static int tell_host(const struct sockaddr *a, char *to, socklen_t size, int flags, const hd_site *site)
{
    char text[INET6_ADDRSTRLEN] = "localhost";
    int is_4 = a->sa_family == AF_INET;
    if (!(flags & NI_NUMERICHOST) && to && size && !is_loopback(a))
        hd_end(HD_MODEL_LIMIT, site, "getnameinfo of another host than localhost is not modelled yet");
    if (flags & NI_NUMERICHOST)
        inet_ntop(a->sa_family,
            is_4 ? (const void *)&((const struct sockaddr_in *)a)->sin_addr
                 : (const void *)&((const struct sockaddr_in6 *)a)->sin6_addr,
            text, sizeof text);
    return tell(text, to, size, site);
}

static int tell_service(const struct sockaddr *a, char *to, socklen_t size, int flags, const hd_site *site)
{
    char text[8];
    if (!(flags & NI_NUMERICSERV) && to && size)
        hd_end(HD_MODEL_LIMIT, site, "getnameinfo of a service without NI_NUMERICSERV is not modelled yet");
    snprintf(text, sizeof text, "%u", ntohs(((const struct sockaddr_in *)a)->sin_port));
    return tell(text, to, size, site);
}

HD_FACE int hd_getnameinfo(const struct sockaddr *a, socklen_t length, char *host, socklen_t host_size, char *service,
    socklen_t service_size, int flags)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return getnameinfo(a, length, host, host_size, service, service_size, flags);
    if (length < sizeof(sa_family_t))
        return EAI_FAMILY;
    SEE(site, READS(a, length));
    if ((a->sa_family != AF_INET || length < sizeof(struct sockaddr_in))
        && (a->sa_family != AF_INET6 || length < sizeof(struct sockaddr_in6)))
        return EAI_FAMILY;
    int error = tell_host(a, host, host_size, flags, site);
    return error ? error : tell_service(a, service, service_size, flags, site);
}
