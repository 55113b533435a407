// Connections of UNIX and TCP sockets, in one thread: names, listening, connecting, accepting, ends.
#include "transcript.h"

#include <arpa/inet.h>
#include <fcntl.h>
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
    struct sockaddr_in6 in6;
} address;

static socklen_t size; /* of the address that was made last */
static int domain; /* of the sockets of a case */
static int port; /* that the case listens at; it is another one in each native run */

static address named(const char *path)
{
    address a = { .un = { .sun_family = AF_UNIX } };
    strcpy(a.un.sun_path, path);
    size = offsetof(struct sockaddr_un, sun_path) + strlen(path) + 1;
    return a;
}

static address abstract(const char *name)
{
    address a = { .un = { .sun_family = AF_UNIX } };
    memcpy(a.un.sun_path + 1, name, strlen(name));
    size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
    return a;
}

static address at(const char *ip, int number)
{
    address a = { .in = { .sin_family = AF_INET, .sin_port = htons(number) } };
    inet_pton(AF_INET, ip, &a.in.sin_addr);
    size = sizeof a.in;
    return a;
}

static address at6(const char *ip, int number)
{
    address a = { .in6 = { .sin6_family = AF_INET6, .sin6_port = htons(number) } };
    inet_pton(AF_INET6, ip, &a.in6.sin6_addr);
    size = sizeof a.in6;
    return a;
}

/* Where the sockets of a case meet. */
static address meeting(void)
{
    return domain == AF_UNIX ? abstract("heddle-kernel-test") : domain == AF_INET6 ? at6("::1", port) : at("127.0.0.1", port);
}

/* An address, with ports by what they are. */
static void say_address(const char *what, address *a, socklen_t length)
{
    char text[64] = "";
    int number = ntohs(a->in.sin_port);
    if (a->any.sa_family == AF_UNIX) {
        say_bytes(what, a->un.sun_path, (long)length - 2);
        return;
    }
    inet_ntop(a->any.sa_family, a->any.sa_family == AF_INET ? (void *)&a->in.sin_addr : &a->in6.sin6_addr, text, 64);
    say("%s: %s %s, %d bytes\n", what, text, number ? number == port ? "port" : "other" : "none", (int)length);
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

static void ask(int fd)
{
    struct pollfd p = { fd, POLLIN | POLLOUT | POLLRDHUP, 0 };
    TRY(poll(&p, 1, 0));
    say("revents %x\n", (unsigned short)p.revents);
}

static void get(int fd)
{
    char to[64] = "";
    long n = TRY(recv(fd, to, sizeof to, MSG_DONTWAIT));
    if (n > 0)
        say_bytes("got", to, n);
}

static void put(int fd, const char *text)
{
    TRY(send(fd, text, strlen(text), MSG_NOSIGNAL));
}

static int listener(int backlog)
{
    int fd = socket(domain, SOCK_STREAM, 0);
    address a;
    port = 0;
    a = meeting();
    socklen_t n = sizeof a;
    TRY(bind(fd, &a.any, size));
    TRY(listen(fd, backlog));
    getsockname(fd, &a.any, &n);
    port = domain == AF_UNIX ? 0 : ntohs(a.in.sin_port);
    return fd;
}

static int client(void)
{
    int fd = socket(domain, SOCK_STREAM, 0);
    address a = meeting();
    TRY(connect(fd, &a.any, size));
    return fd;
}

static int connection[2]; /* the client, the accepted one */

static int meet(void)
{
    int l = listener(4);
    connection[0] = client();
    connection[1] = TRY(accept(l, NULL, NULL));
    return l;
}

static void shut(int l)
{
    close(connection[0]);
    close(connection[1]);
    close(l);
}

/* --- cases for all domains ------------------------------------------------------------------- */

static void makes_a_connection(void)
{
    address a;
    socklen_t n = sizeof a;
    int l = listener(4);
    say("%d\n", l);
    names_of(l);
    ask(l);
    TRY(fcntl(l, F_SETFL, O_NONBLOCK));
    TRY(accept(l, NULL, NULL));
    int c = client();
    names_of(c);
    ask(l);
    ask(c);
    put(c, "before");
    int s = TRY(accept4(l, &a.any, &n, SOCK_CLOEXEC | SOCK_NONBLOCK));
    say_address("from", &a, n);
    TRY(fcntl(s, F_GETFL));
    TRY(fcntl(s, F_GETFD));
    names_of(s);
    ask(l);
    get(s);
    put(s, "answer");
    get(c);
    get(c);
    TRY(accept(l, NULL, NULL));
    close(c);
    get(s);
    ask(s);
    close(s);
    close(l);
}

static void not_connected(void)
{
    address a = meeting();
    int s = socket(domain, SOCK_STREAM, 0), n = 7;
    ask(s);
    get(s);
    put(s, "x");
    put(s, "x");
    names_of(s);
    TRY(accept(s, NULL, NULL));
    TRY(ioctl(s, FIONREAD, &n));
    say("%d\n", n);
    close(s);
    s = socket(domain, SOCK_STREAM, 0);
    TRY(shutdown(s, SHUT_RDWR));
    TRY(shutdown(s, 7));
    close(s);
    s = socket(domain, SOCK_STREAM, 0);
    TRY(write(s, "x", 1));
    TRY(read(s, &n, 1));
    close(s);
}

static void calls_on_a_listener(void)
{
    int l = listener(4), n;
    address a = meeting();
    get(l);
    put(l, "x");
    TRY(bind(l, &a.any, size));
    TRY(connect(l, &a.any, size));
    TRY(listen(l, 5));
    TRY(ioctl(l, FIONREAD, &n));
    TRY(accept4(l, NULL, NULL, 1));
    close(l);
}

static void calls_on_a_connection(void)
{
    int l = meet();
    address a = meeting();
    TRY(connect(connection[0], &a.any, size));
    TRY(connect(connection[1], &a.any, size));
    TRY(listen(connection[0], 1));
    TRY(accept(connection[0], NULL, NULL));
    TRY(accept(connection[1], NULL, NULL));
    shut(l);
}

static void refused(void)
{
    int l = listener(1);
    close(l);
    int c = client();
    ask(c);
    get(c);
    address a = meeting();
    TRY(connect(c, &a.any, size));
    l = socket(domain, SOCK_STREAM, 0);
    int one = 1;
    setsockopt(l, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    TRY(bind(l, &a.any, size));
    TRY(connect(c, &a.any, size)); /* it is bound, and does not listen */
    TRY(listen(l, 1));
    TRY(connect(c, &a.any, size));
    close(c);
    close(l);
}

static void name_in_use(void)
{
    int l = listener(1), s = socket(domain, SOCK_STREAM, 0);
    address a = meeting();
    TRY(bind(s, &a.any, size));
    close(l);
    TRY(bind(s, &a.any, size));
    TRY(bind(s, &a.any, size));
    close(s);
}

static void ends_in_turn(void)
{
    int l = meet();
    put(connection[0], "ab");
    TRY(shutdown(connection[0], SHUT_WR));
    ask(connection[0]);
    ask(connection[1]);
    put(connection[0], "x");
    get(connection[1]);
    get(connection[1]);
    put(connection[1], "answer");
    get(connection[0]);
    TRY(shutdown(connection[1], SHUT_WR));
    ask(connection[0]);
    ask(connection[1]);
    get(connection[0]);
    names_of(connection[0]);
    TRY(shutdown(connection[0], SHUT_RD));
    shut(l);
}

static void receives_no_more(void)
{
    int l = meet();
    TRY(shutdown(connection[0], SHUT_RD));
    ask(connection[0]);
    ask(connection[1]);
    get(connection[0]);
    put(connection[1], "late");
    get(connection[0]);
    get(connection[0]);
    put(connection[0], "still");
    get(connection[1]);
    ask(connection[1]);
    shut(l);
}

static void both_sides_shut(void)
{
    int l = meet();
    TRY(shutdown(connection[0], SHUT_RDWR));
    ask(connection[0]);
    ask(connection[1]);
    put(connection[1], "one");
    ask(connection[0]);
    ask(connection[1]);
    get(connection[0]);
    get(connection[0]);
    put(connection[1], "two");
    get(connection[1]);
    put(connection[1], "three");
    shut(l);
}

static void closed_peer(void)
{
    int l = meet();
    put(connection[0], "last");
    close(connection[0]);
    ask(connection[1]);
    get(connection[1]);
    get(connection[1]);
    put(connection[1], "one");
    ask(connection[1]);
    put(connection[1], "two");
    ask(connection[1]);
    put(connection[1], "three");
    get(connection[1]);
    names_of(connection[1]);
    close(connection[1]);
    close(l);
}

static void closed_with_unread_data(void)
{
    int l = meet();
    put(connection[0], "unread");
    put(connection[1], "mine");
    close(connection[1]);
    ask(connection[0]);
    get(connection[0]);
    get(connection[0]);
    get(connection[0]);
    put(connection[0], "x");
    close(connection[0]);
    connection[0] = client();
    connection[1] = TRY(accept(l, NULL, NULL));
    put(connection[0], "unread");
    close(connection[1]);
    put(connection[0], "x");
    put(connection[0], "x");
    get(connection[0]);
    get(connection[0]);
    ask(connection[0]);
    close(connection[0]);
    close(l);
}

static void closed_after_shutdown_with_unread_data(void)
{
    int l = meet();
    put(connection[0], "unread");
    TRY(shutdown(connection[1], SHUT_WR));
    close(connection[1]);
    ask(connection[0]);
    get(connection[0]);
    get(connection[0]);
    put(connection[0], "x");
    put(connection[0], "x");
    close(connection[0]);
    close(l);
}

static void client_goes_before_accept(void)
{
    int l = listener(4), c = client();
    put(c, "data");
    close(c);
    ask(l);
    int s = TRY(accept(l, NULL, NULL));
    get(s);
    get(s);
    put(s, "x");
    put(s, "x");
    close(s);
    close(l);
}

static void listener_goes_before_accept(void)
{
    int l = listener(4), c = client(), e = client();
    put(e, "data");
    close(l);
    ask(c);
    get(c);
    get(c);
    put(c, "x");
    ask(e);
    put(e, "x");
    put(e, "x");
    get(e);
    get(e);
    close(c);
    close(e);
}

static void listener_is_shut_down(int how)
{
    int l = listener(4), c = client();
    TRY(shutdown(l, how));
    ask(l);
    ask(c);
    TRY(fcntl(l, F_SETFL, O_NONBLOCK));
    TRY(accept(l, NULL, NULL));
    TRY(accept(l, NULL, NULL));
    get(c);
    int d = socket(domain, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (how != SHUT_WR) {
        fcntl(d, F_SETFL, 0);
        address a = meeting();
        TRY(connect(d, &a.any, size));
    }
    close(c);
    close(d);
    close(l);
}

static void listener_is_shut_down_for_reading(void)
{
    listener_is_shut_down(SHUT_RD);
}

static void listener_is_shut_down_for_writing(void)
{
    listener_is_shut_down(SHUT_WR);
}

static void listener_is_shut_down_for_both(void)
{
    listener_is_shut_down(SHUT_RDWR);
}

static void bad_addresses(void)
{
    int s = socket(domain, SOCK_STREAM, 0), l = listener(1);
    address a = meeting(), other = domain == AF_UNIX ? at("127.0.0.1", 1) : abstract("x");
    socklen_t full = domain == AF_UNIX ? 10 : domain == AF_INET ? sizeof a.in : sizeof a.in6;
    TRY(bind(s, &a.any, 1));
    TRY(bind(s, &a.any, 200));
    TRY(connect(s, &a.any, 1));
    TRY(connect(s, &a.any, 200));
    TRY(bind(s, &other.any, full));
    TRY(connect(s, &other.any, full));
    if (domain != AF_UNIX) {
        TRY(bind(s, &a.any, 8));
        TRY(connect(s, &a.any, 8));
    }
    close(s);
    close(l);
}

static void short_room_for_names(void)
{
    int l = meet();
    address a;
    socklen_t n = 3;
    memset(&a, 1, sizeof a);
    TRY(getsockname(l, &a.any, &n));
    say("%d\n", (int)n);
    say_bytes("start", &a, 2);
    n = -1;
    TRY(getsockname(l, &a.any, &n));
    n = 0;
    TRY(getpeername(connection[0], &a.any, &n));
    say("%d\n", (int)n);
    shut(l);
}

static void without_waiting(void)
{
    int l = listener(4), c = socket(domain, SOCK_STREAM | SOCK_NONBLOCK, 0);
    address a = meeting();
    TRY(connect(c, &a.any, size));
    ask(c);
    TRY(connect(c, &a.any, size));
    TRY(connect(c, &a.any, size));
    close(c);
    close(l);
    c = socket(domain, SOCK_STREAM | SOCK_NONBLOCK, 0);
    TRY(connect(c, &a.any, size));
    ask(c);
    get(c);
    get(c);
    put(c, "x");
    TRY(connect(c, &a.any, size));
    TRY(connect(c, &a.any, size));
    TRY(connect(c, &a.any, size));
    close(c);
}

static void several_pending(void)
{
    int l = listener(4), c[3], s[3];
    for (int i = 0; i < 3; i++) {
        c[i] = client();
        put(c[i], (char[]) { 'a' + i, 0 });
    }
    for (int i = 0; i < 3; i++) {
        s[i] = TRY(accept(l, NULL, NULL));
        get(s[i]);
    }
    for (int i = 0; i < 3; i++) {
        close(c[i]);
        close(s[i]);
    }
    close(l);
}

static void duplicates(void)
{
    int l = meet(), d = dup(connection[0]), m = dup(l);
    close(connection[0]);
    close(l);
    put(d, "x");
    get(connection[1]);
    int c = client(), s = TRY(accept(m, NULL, NULL));
    close(c);
    close(s);
    connection[0] = d;
    shut(m);
}

static void run_all(int which)
{
    domain = which;
    say("domain %d\n", which);
    RUN(makes_a_connection);
    RUN(not_connected);
    RUN(calls_on_a_listener);
    RUN(calls_on_a_connection);
    RUN(refused);
    RUN(name_in_use);
    RUN(ends_in_turn);
    RUN(receives_no_more);
    RUN(both_sides_shut);
    RUN(closed_peer);
    RUN(closed_with_unread_data);
    RUN(closed_after_shutdown_with_unread_data);
    RUN(client_goes_before_accept);
    RUN(listener_goes_before_accept);
    RUN(listener_is_shut_down_for_reading);
    RUN(listener_is_shut_down_for_writing);
    RUN(listener_is_shut_down_for_both);
    RUN(bad_addresses);
    RUN(short_room_for_names);
    RUN(without_waiting);
    RUN(several_pending);
    RUN(duplicates);
}

/* --- single domains --------------------------------------------------------------------------- */

static void kinds(void)
{
    TRY(socket(999, SOCK_STREAM, 0));
    TRY(socket(AF_UNIX, 77, 0));
    TRY(socket(AF_UNIX, 12, 0));
    TRY(socket(AF_UNIX, SOCK_STREAM | 0x10000, 0));
    TRY(socket(AF_UNIX, SOCK_RDM, 0));
    TRY(socket(AF_UNIX, SOCK_STREAM, 5));
    TRY(socket(AF_INET, SOCK_STREAM, IPPROTO_UDP));
    int s = TRY(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
    TRY(fcntl(s, F_GETFD));
    TRY(fcntl(s, F_GETFL));
    TRY(listen(-1, 1));
    TRY(accept(-1, NULL, NULL));
    TRY(bind(-1, NULL, 0));
    TRY(connect(-1, NULL, 0));
    close(s);
    int p[2];
    pipe(p);
    TRY(listen(p[0], 1));
    TRY(accept(p[0], NULL, NULL));
    TRY(getsockname(p[0], NULL, NULL));
    close(p[0]);
    close(p[1]);
    s = socket(AF_UNIX, SOCK_DGRAM, 0);
    TRY(listen(s, 1));
    TRY(accept(s, NULL, NULL));
    close(s);
}

static void unix_without_a_name(void)
{
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    TRY(listen(s, 1));
    address a = named("/nowhere/heddle/socket");
    TRY(bind(s, &a.any, size));
    TRY(connect(s, &a.any, size));
    a = named("/dev/null");
    TRY(bind(s, &a.any, size));
    TRY(connect(s, &a.any, size));
    a = named("/dev/null/below");
    TRY(bind(s, &a.any, size));
    TRY(connect(s, &a.any, size));
    close(s);
}

static void unix_backlog(void)
{
    domain = AF_UNIX;
    int l = listener(1), c = client(), d = client(), e = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    address a = meeting();
    TRY(connect(e, &a.any, size));
    int s = TRY(accept(l, NULL, NULL));
    TRY(connect(e, &a.any, size));
    close(s);
    close(c);
    close(d);
    close(e);
    close(l);
}

static void unix_packets(void)
{
    int l = socket(AF_UNIX, SOCK_SEQPACKET, 0), c = socket(AF_UNIX, SOCK_SEQPACKET, 0), d;
    address a = abstract("heddle-packets");
    TRY(bind(l, &a.any, size));
    d = socket(AF_UNIX, SOCK_STREAM, 0);
    TRY(connect(d, &a.any, size));
    TRY(bind(d, &a.any, size)); /* another type: another name */
    close(d);
    TRY(connect(c, &a.any, size));
    TRY(listen(l, 2));
    TRY(connect(c, &a.any, size));
    int s = TRY(accept(l, NULL, NULL));
    put(c, "ab");
    put(c, "cd");
    get(s);
    get(s);
    get(s);
    close(c);
    get(s);
    put(s, "x");
    close(s);
    close(l);
}

static void unix_own_name(void)
{
    address a = { .un = { .sun_family = AF_UNIX } };
    socklen_t n = sizeof a;
    int s = socket(AF_UNIX, SOCK_STREAM, 0), c = socket(AF_UNIX, SOCK_STREAM, 0);
    TRY(bind(s, &a.any, sizeof(sa_family_t)));
    TRY(getsockname(s, &a.any, &n));
    say("%d %d\n", (int)n, a.un.sun_path[0]);
    TRY(listen(s, 1));
    TRY(connect(c, &a.any, n));
    close(c);
    close(s);
}

static void tcp_addresses(void)
{
    address a = at("0.0.0.0", 0), b;
    socklen_t n = sizeof a;
    int l = socket(AF_INET, SOCK_STREAM, 0), c = socket(AF_INET, SOCK_STREAM, 0), s;
    TRY(bind(l, &a.any, size));
    TRY(listen(l, 3));
    getsockname(l, &a.any, &n);
    port = ntohs(a.in.sin_port);
    names_of(l);
    b = at("127.0.0.5", port);
    TRY(connect(c, &b.any, size));
    s = TRY(accept(l, NULL, NULL));
    names_of(c);
    names_of(s);
    close(c);
    close(s);
    c = socket(AF_INET, SOCK_STREAM, 0);
    b = at("0.0.0.0", port);
    TRY(connect(c, &b.any, size));
    s = TRY(accept(l, NULL, NULL));
    names_of(c);
    names_of(s);
    close(c);
    close(s);
    close(l);
}

static void tcp_one_address(void)
{
    domain = AF_INET;
    int l = listener(2), c = socket(AF_INET, SOCK_STREAM, 0), m = socket(AF_INET, SOCK_STREAM, 0);
    address a = at("127.0.0.2", port);
    TRY(connect(c, &a.any, size));
    TRY(bind(m, &a.any, size));
    TRY(listen(m, 1));
    TRY(connect(c, &a.any, size));
    names_of(c);
    close(c);
    close(m);
    m = socket(AF_INET, SOCK_STREAM, 0);
    a = at("0.0.0.0", port);
    TRY(bind(m, &a.any, size));
    close(m);
    close(l);
}

static void tcp_listens_without_bind(void)
{
    address a;
    socklen_t n = sizeof a;
    int l = socket(AF_INET, SOCK_STREAM, 0);
    TRY(listen(l, 1));
    getsockname(l, &a.any, &n);
    port = ntohs(a.in.sin_port);
    names_of(l);
    domain = AF_INET;
    int c = client();
    close(c);
    close(l);
}

/* The side that ends a connection first keeps its port. */
static void tcp_port_after_a_connection(int client_first, int reuse)
{
    domain = AF_INET;
    int l = listener(1);
    setsockopt(l, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
    connection[0] = client();
    connection[1] = TRY(accept(l, NULL, NULL));
    close(l);
    l = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(l, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
    address a = meeting();
    TRY(bind(l, &a.any, size));
    close(connection[!client_first]);
    close(connection[client_first]);
    TRY(bind(l, &a.any, size));
    TRY(listen(l, 1));
    close(l);
}

static void tcp_server_ends_first(void)
{
    tcp_port_after_a_connection(0, 0);
}

static void tcp_server_ends_first_and_reuses(void)
{
    tcp_port_after_a_connection(0, 1);
}

static void tcp_client_ends_first(void)
{
    tcp_port_after_a_connection(1, 0);
}

static void both_versions(void)
{
    address a = at6("::", 0), b;
    socklen_t n = sizeof a;
    int l = socket(AF_INET6, SOCK_STREAM, 0), c = socket(AF_INET, SOCK_STREAM, 0), d = socket(AF_INET6, SOCK_STREAM, 0);
    TRY(bind(l, &a.any, size));
    TRY(listen(l, 3));
    getsockname(l, &a.any, &n);
    port = ntohs(a.in6.sin6_port);
    b = at("127.0.0.1", port);
    TRY(connect(c, &b.any, size));
    int s = TRY(accept(l, NULL, NULL));
    names_of(c);
    names_of(s);
    close(s);
    b = at6("::1", port);
    TRY(connect(d, &b.any, size));
    s = TRY(accept(l, NULL, NULL));
    names_of(d);
    names_of(s);
    close(s);
    close(c);
    close(d);
    close(l);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    run_all(AF_UNIX);
    run_all(AF_INET);
    RUN(kinds);
    RUN(unix_without_a_name);
    RUN(unix_backlog);
    RUN(unix_packets);
    RUN(unix_own_name);
    RUN(tcp_addresses);
    RUN(tcp_one_address);
    RUN(tcp_listens_without_bind);
    RUN(tcp_server_ends_first);
    RUN(tcp_server_ends_first_and_reuses);
    RUN(tcp_client_ends_first);
    run_all(AF_INET6);
    RUN(both_versions);
    return finish();
}
