// getaddrinfo and getnameinfo of addresses as numbers and of this host; options of sockets.
#include "transcript.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

static void ask(const char *node, const char *service, int flags, int family, int type, int protocol)
{
    struct addrinfo hints = { .ai_flags = flags, .ai_family = family, .ai_socktype = type, .ai_protocol = protocol };
    struct addrinfo *found = NULL;
    int error = getaddrinfo(node, service, &hints, &found);
    say("%s %s %x %d %d %d: %d %s\n", node ? node : "-", service ? service : "-", flags, family, type, protocol, error,
        error ? gai_strerror(error) : "");
    for (struct addrinfo *a = found; a && !error; a = a->ai_next) {
        char host[64], port[16];
        getnameinfo(a->ai_addr, a->ai_addrlen, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
        say("  %x %d %d %d %d %s %s %s\n", a->ai_flags, a->ai_family, a->ai_socktype, a->ai_protocol,
            (int)a->ai_addrlen, host, port, a->ai_canonname ? a->ai_canonname : "-");
    }
    if (!error)
        freeaddrinfo(found);
}

static void addresses(void)
{
    ask(NULL, "80", AI_PASSIVE, AF_UNSPEC, SOCK_STREAM, 0);
    ask(NULL, "80", 0, AF_UNSPEC, SOCK_STREAM, 0);
    ask(NULL, "80", 0, AF_INET, 0, 0);
    ask(NULL, "80", AI_PASSIVE, AF_INET6, SOCK_DGRAM, 0);
    ask("localhost", "80", 0, AF_INET, SOCK_STREAM, 0);
    ask("localhost", "80", AI_CANONNAME, AF_INET, SOCK_STREAM, 0);
    ask("127.0.0.1", "80", 0, AF_UNSPEC, SOCK_STREAM, 0);
    ask("127.0.0.1", NULL, 0, AF_UNSPEC, 0, 0);
    ask("::1", "80", AI_NUMERICHOST, AF_UNSPEC, SOCK_STREAM, 0);
    ask("127.1", "", 0, AF_UNSPEC, SOCK_STREAM, 0);
    ask("127.0.0.1", "99999", 0, AF_UNSPEC, SOCK_STREAM, 0);
    ask("127.0.0.1", "80", AI_CANONNAME, AF_UNSPEC, SOCK_STREAM, 0);
    ask("127.0.0.1", "80", 0, AF_UNSPEC, 0, IPPROTO_UDP);
    ask("127.0.0.1", NULL, 0, AF_UNSPEC, SOCK_RAW, 0);
}

static void wrong_questions(void)
{
    ask(NULL, NULL, 0, AF_UNSPEC, 0, 0);
    ask("::1", "80", 0, AF_INET, SOCK_STREAM, 0);
    ask("127.0.0.1", "80", 0, AF_INET6, SOCK_STREAM, 0);
    ask("127.0.0.1", "abc", AI_NUMERICSERV, AF_UNSPEC, SOCK_STREAM, 0);
    ask("nohost", "80", AI_NUMERICHOST, AF_UNSPEC, SOCK_STREAM, 0);
    ask(NULL, "80", AI_CANONNAME, AF_UNSPEC, SOCK_STREAM, 0);
    ask("127.0.0.1", "80", 0, 77, SOCK_STREAM, 0);
    ask("127.0.0.1", "80", 0, AF_UNSPEC, SOCK_STREAM, IPPROTO_UDP);
    ask("127.0.0.1", "80", 0, AF_UNSPEC, SOCK_RAW, 0);
    ask("127.0.0.1", "80", 0, AF_UNSPEC, 77, 0);
    ask("127.0.0.1", "80", 1 << 20, AF_UNSPEC, SOCK_STREAM, 0);
}

static void names(void)
{
    struct sockaddr_in a = { AF_INET, htons(80), { htonl(INADDR_LOOPBACK) } };
    struct sockaddr *any = (struct sockaddr *)&a;
    char host[64] = "", port[16] = "";
    TRY(getnameinfo(any, sizeof a, host, sizeof host, port, sizeof port, NI_NUMERICSERV));
    say("%s %s\n", host, port);
    TRY(getnameinfo(any, sizeof a, host, 4, port, sizeof port, NI_NUMERICSERV | NI_NUMERICHOST) == EAI_OVERFLOW);
    TRY(getnameinfo(any, sizeof a, host, sizeof host, port, 2, NI_NUMERICSERV | NI_NUMERICHOST) == EAI_OVERFLOW);
    TRY(getnameinfo(any, 4, host, sizeof host, port, 2, NI_NUMERICSERV | NI_NUMERICHOST) == EAI_FAMILY);
    a.sin_family = 77;
    TRY(getnameinfo(any, sizeof a, host, sizeof host, port, 2, NI_NUMERICSERV | NI_NUMERICHOST) == EAI_FAMILY);
}

static void get(int fd, int level, int option)
{
    int value = -7;
    socklen_t n = sizeof value;
    if (TRY(getsockopt(fd, level, option, &value, &n)) == 0)
        say("%d %d\n", value, (int)n);
}

static void set(int fd, int level, int option, int value)
{
    TRY(setsockopt(fd, level, option, &value, sizeof value));
    get(fd, level, option);
}

static void options(void)
{
    int s = socket(AF_INET, SOCK_STREAM, 0), u = socket(AF_UNIX, SOCK_DGRAM, 0), x = socket(AF_INET6, SOCK_DGRAM, 0);
    int one = 1;
    char c = -1;
    socklen_t n = 1;
    for (int i = 0; i < 3; i++) {
        int fd = i == 0 ? s : i == 1 ? u : x;
        get(fd, SOL_SOCKET, SO_TYPE);
        get(fd, SOL_SOCKET, SO_DOMAIN);
        get(fd, SOL_SOCKET, SO_PROTOCOL);
        get(fd, SOL_SOCKET, SO_ERROR);
        get(fd, SOL_SOCKET, SO_ACCEPTCONN);
        set(fd, SOL_SOCKET, SO_REUSEADDR, 5);
        set(fd, SOL_SOCKET, SO_KEEPALIVE, 5);
        set(fd, SOL_SOCKET, SO_BROADCAST, 1);
    }
    TRY(setsockopt(s, SOL_SOCKET, SO_TYPE, &one, sizeof one));
    TRY(setsockopt(s, SOL_SOCKET, SO_ERROR, &one, sizeof one));
    TRY(setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, 2));
    TRY(setsockopt(-1, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one));
    TRY(getsockopt(s, SOL_SOCKET, SO_REUSEADDR, &c, &n));
    say("%d %d\n", c, (int)n);
    n = -1;
    TRY(getsockopt(s, SOL_SOCKET, SO_REUSEADDR, &c, &n));
    get(s, IPPROTO_TCP, TCP_NODELAY);
    set(s, IPPROTO_TCP, TCP_NODELAY, 3);
    set(s, IPPROTO_TCP, TCP_KEEPIDLE, 30);
    set(s, IPPROTO_TCP, TCP_KEEPIDLE, 0);
    get(s, IPPROTO_TCP, TCP_KEEPINTVL);
    get(s, IPPROTO_TCP, TCP_KEEPCNT);
    set(s, IPPROTO_TCP, TCP_USER_TIMEOUT, -1);
    set(x, IPPROTO_IPV6, IPV6_V6ONLY, 1);
    TRY(listen(s, 1));
    get(s, SOL_SOCKET, SO_ACCEPTCONN);
    close(s);
    close(u);
    close(x);
}

int main(void)
{
    RUN(addresses);
    RUN(wrong_questions);
    RUN(names);
    RUN(options);
    return finish();
}
