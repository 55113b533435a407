// Calls on connections that wait for another thread: whatever the schedule is, their results are the same.
// THREADS: 1
#include "transcript.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>

static int domain, l, c;
static union {
    struct sockaddr any;
    struct sockaddr_un un;
    struct sockaddr_in in;
} at;
static socklen_t size;

static pthread_t begin(void *(*other)(void *))
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    return t;
}

static void begin_to_listen(int backlog)
{
    memset(&at, 0, sizeof at);
    if (domain == AF_UNIX) {
        at.un.sun_family = AF_UNIX;
        memcpy(at.un.sun_path + 1, "heddle-waits", 12);
        size = offsetof(struct sockaddr_un, sun_path) + 13;
    } else {
        at.in.sin_family = AF_INET;
        at.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        size = sizeof at.in;
    }
    l = socket(domain, SOCK_STREAM, 0);
    bind(l, &at.any, size);
    listen(l, backlog);
    getsockname(l, &at.any, &size);
    c = socket(domain, SOCK_STREAM, 0);
}

static void *connects(void *unused)
{
    connect(c, &at.any, size);
    return unused;
}

static void accept_waits_for_a_connection(void)
{
    begin_to_listen(1);
    pthread_t t = begin(connects);
    int s = TRY(accept(l, NULL, NULL));
    pthread_join(t, NULL);
    close(s);
    close(c);
    close(l);
}

static void poll_waits_for_a_connection(void)
{
    begin_to_listen(1);
    struct pollfd p = { l, POLLIN, 0 };
    pthread_t t = begin(connects);
    TRY(poll(&p, 1, -1));
    say("%x\n", p.revents);
    int s = TRY(accept(l, NULL, NULL));
    pthread_join(t, NULL);
    close(s);
    close(c);
    close(l);
}

static void select_waits_for_a_connection(void)
{
    begin_to_listen(1);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(l, &set);
    pthread_t t = begin(connects);
    TRY(select(l + 1, &set, NULL, NULL, NULL));
    say("%d\n", FD_ISSET(l, &set));
    pthread_join(t, NULL);
    close(c);
    close(l);
}

static void *accepts(void *unused)
{
    close(accept(l, NULL, NULL));
    return unused;
}

static void connect_waits_for_room(void)
{
    begin_to_listen(0);
    int d = socket(domain, SOCK_STREAM, 0);
    TRY(connect(c, &at.any, size));
    pthread_t t = begin(accepts);
    TRY(connect(d, &at.any, size));
    pthread_join(t, NULL);
    close(c);
    close(d);
    close(l);
}

static void *shuts_client(void *unused)
{
    shutdown(c, SHUT_WR);
    return unused;
}

static void *greets(void *unused)
{
    connect(c, &at.any, size);
    send(c, "hello", 5, 0);
    return unused;
}

static void data_comes_after_the_connection(void)
{
    char to[8];
    begin_to_listen(3);
    pthread_t t = begin(greets);
    int s = TRY(accept(l, NULL, NULL));
    TRY(recv(s, to, 8, 0));
    pthread_join(t, NULL);
    t = begin(shuts_client);
    TRY(recv(s, to, 8, 0));
    pthread_join(t, NULL);
    TRY(send(s, "x", 1, 0));
    TRY(recv(c, to, 8, 0));
    close(s);
    close(c);
    close(l);
}

static void run_all(int which)
{
    domain = which;
    RUN(accept_waits_for_a_connection);
    RUN(poll_waits_for_a_connection);
    RUN(select_waits_for_a_connection);
    RUN(data_comes_after_the_connection);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    run_all(AF_UNIX);
    RUN(connect_waits_for_room);
    run_all(AF_INET);
    return finish();
}
