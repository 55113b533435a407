// Datagram sockets with names, in one thread: UNIX and UDP.
#include "transcript.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

typedef union address {
    struct sockaddr any;
    struct sockaddr_un un;
    struct sockaddr_in in;
} address;

static int domain;
static int ports[2];
static socklen_t size;

/* The name of the first or second socket of a case. */
static address name(int i)
{
    address a;
    memset(&a, 0, sizeof a);
    if (domain == AF_UNIX) {
        a.un.sun_family = AF_UNIX;
        memcpy(a.un.sun_path + 1, i ? "heddle-dgram-b" : "heddle-dgram-a", 14);
        size = offsetof(struct sockaddr_un, sun_path) + 15;
    } else {
        a.in.sin_family = AF_INET;
        a.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        a.in.sin_port = htons(ports[i]);
        size = sizeof a.in;
    }
    return a;
}

static void say_address(const char *what, address *a, socklen_t length)
{
    char text[64] = "";
    int number = ntohs(a->in.sin_port);
    if (!length) {
        say("%s: nobody\n", what);
    } else if (a->any.sa_family == AF_UNIX) {
        say_bytes(what, a->un.sun_path, (long)length - 2);
    } else {
        inet_ntop(AF_INET, &a->in.sin_addr, text, 64);
        say("%s: %s %s, %d bytes\n", what, text,
            !number ? "none" : number == ports[0] ? "first" : number == ports[1] ? "second" : "other", (int)length);
    }
}

static void names_of(int fd)
{
    address a;
    socklen_t n = sizeof a;
    memset(&a, 0, sizeof a);
    if (TRY(getsockname(fd, &a.any, &n)) == 0)
        say_address("own", &a, n);
    n = sizeof a;
    if (TRY(getpeername(fd, &a.any, &n)) == 0)
        say_address("peer", &a, n);
}

static void get(int fd)
{
    char to[64] = "";
    address a;
    socklen_t n = sizeof a;
    memset(&a, 0, sizeof a);
    long got = TRY(recvfrom(fd, to, 8, MSG_DONTWAIT, &a.any, &n));
    if (got >= 0) {
        say_bytes("got", to, got);
        say_address("from", &a, n);
    }
}

static void ask(int fd)
{
    struct pollfd p = { fd, POLLIN | POLLOUT, 0 };
    TRY(poll(&p, 1, 0));
    say("revents %x\n", (unsigned short)p.revents);
}

static int bound(int i)
{
    int fd = socket(domain, SOCK_DGRAM, 0);
    address a;
    ports[i] = 0;
    a = name(i);
    socklen_t n = sizeof a;
    TRY(bind(fd, &a.any, size));
    getsockname(fd, &a.any, &n);
    ports[i] = ntohs(a.in.sin_port);
    return fd;
}

static void put_to(int fd, const char *text, int i)
{
    address a = name(i);
    TRY(sendto(fd, text, strlen(text), 0, &a.any, size));
}

static void put(int fd, const char *text)
{
    TRY(send(fd, text, strlen(text), 0));
}

static void join(int fd, int i)
{
    address a = name(i);
    TRY(connect(fd, &a.any, size));
}

static void named_both(void)
{
    int a = bound(0), b = bound(1), n;
    names_of(a);
    put_to(a, "one", 1);
    put_to(a, "", 1);
    put_to(b, "back", 0);
    ask(b);
    TRY(ioctl(b, FIONREAD, &n));
    say("%d\n", n);
    get(b);
    get(b);
    get(b);
    get(a);
    put_to(a, "to itself", 0);
    get(a);
    close(a);
    close(b);
}

static void without_a_name(void)
{
    int a = bound(0), b = socket(domain, SOCK_DGRAM, 0);
    put(b, "nowhere");
    ask(b);
    put_to(b, "from nobody", 0);
    if (domain == AF_INET) {
        address own;
        socklen_t n = sizeof own;
        getsockname(b, &own.any, &n);
        ports[1] = ntohs(own.in.sin_port);
    }
    get(a);
    names_of(b);
    get(b);
    close(b);
    close(a);
}

static void connected(void)
{
    int a = bound(0), b = bound(1), c = socket(domain, SOCK_DGRAM, 0);
    join(b, 0);
    names_of(b);
    put(b, "joined");
    get(a);
    put_to(a, "answer", 1);
    get(b);
    put_to(b, "named", 0);
    get(a);
    put_to(c, "stranger", 1);
    get(b);
    join(b, 0);
    join(c, 1);
    close(a);
    close(b);
    close(c);
}

static void gone(void)
{
    int a = bound(0), b = bound(1);
    join(b, 0);
    put(b, "before");
    close(a);
    put(b, "after");
    ask(b);
    put(b, "again");
    ask(b);
    put(b, "again");
    get(b);
    get(b);
    put_to(b, "named", 0);
    names_of(b);
    close(b);
}

static void refused_when_receiving(void)
{
    int a = bound(0), b = bound(1);
    join(b, 0);
    close(a);
    put(b, "x");
    get(b);
    get(b);
    put(b, "x");
    int error = -1;
    socklen_t n = sizeof error;
    TRY(getsockopt(b, SOL_SOCKET, SO_ERROR, &error, &n));
    say("%s\n", strerrorname_np(error));
    get(b);
    close(b);
}

static void bad_calls(void)
{
    int a = bound(0), b = socket(domain, SOCK_DGRAM, 0);
    static char large[70000];
    address n = name(0);
    TRY(bind(b, &n.any, size));
    TRY(sendto(b, "x", 1, 0, &n.any, 1));
    TRY(listen(b, 1));
    TRY(accept(b, NULL, NULL));
    if (domain == AF_INET) {
        TRY(sendto(b, large, sizeof large, 0, &n.any, size));
        TRY(send(b, "x", 1, 0));
    }
    TRY(connect(b, &n.any, 1));
    close(a);
    TRY(bind(b, &n.any, size));
    close(b);
}

static void run_all(int which)
{
    domain = which;
    RUN(named_both);
    RUN(without_a_name);
    RUN(connected);
    RUN(gone);
    RUN(refused_when_receiving);
    RUN(bad_calls);
}

static void unix_ends(void)
{
    domain = AF_UNIX;
    int a = bound(0), b = bound(1);
    join(b, 0);
    TRY(shutdown(b, SHUT_WR));
    put(b, "x");
    put_to(b, "x", 0);
    put_to(a, "to b", 1);
    get(b);
    TRY(shutdown(a, SHUT_RD));
    close(b);
    b = bound(1);
    put_to(b, "x", 0);
    close(a);
    close(b);
}

static void names_of_streams(void)
{
    int l = socket(AF_UNIX, SOCK_STREAM, 0), c = socket(AF_UNIX, SOCK_STREAM, 0);
    domain = AF_UNIX;
    address a = name(0);
    TRY(sendto(c, "x", 1, 0, &a.any, size));
    TRY(bind(l, &a.any, size));
    TRY(listen(l, 1));
    TRY(connect(c, &a.any, size));
    TRY(sendto(c, "x", 1, 0, &a.any, size));
    int s = accept(l, NULL, NULL);
    put(s, "from a name");
    get(c);
    put(c, "from none");
    get(s);
    close(s);
    close(c);
    close(l);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    run_all(AF_UNIX);
    run_all(AF_INET);
    RUN(unix_ends);
    RUN(names_of_streams);
    return finish();
}
