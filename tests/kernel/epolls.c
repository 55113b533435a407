// epoll on pipes, sockets and eventfds, in one thread: errors, levels, edges, one-shots, the order of events, closing.
#include "transcript.h"

#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

static char large[1 << 17];

static int control(int e, int command, int fd, uint32_t events, uint64_t data)
{
    struct epoll_event event = { .events = events, .data.u64 = data };
    return TRY(epoll_ctl(e, command, fd, &event));
}

static int add(int e, int fd, uint32_t events, uint64_t data)
{
    return control(e, EPOLL_CTL_ADD, fd, events, data);
}

static void take(int e, int most)
{
    struct epoll_event events[8];
    long n = TRY(epoll_wait(e, events, most, 0));
    for (long i = 0; i < n; i++)
        say("%llx: %x\n", (unsigned long long)events[i].data.u64, events[i].events);
}

static void put(int fd, int n)
{
    TRY(write(fd, "abcdefgh", n));
}

static void get(int fd, int n)
{
    char to[8];
    TRY(read(fd, to, n));
}

static void shut(int p[2])
{
    close(p[0]);
    close(p[1]);
}

static void bad_calls(void)
{
    struct epoll_event event = { .events = EPOLLIN };
    struct timespec bad = { 0, 1000000000 };
    int p[2], file = open("/proc/self/exe", O_RDONLY);
    TRY(epoll_create(0));
    TRY(epoll_create(-1));
    TRY(epoll_create1(1));
    int e = TRY(epoll_create1(0));
    TRY(pipe(p));
    add(e, 50, EPOLLIN, 0);
    add(50, p[0], EPOLLIN, 0);
    add(50, 51, EPOLLIN, 0);
    add(p[0], p[1], EPOLLOUT, 0);
    add(p[0], 50, EPOLLOUT, 0);
    add(p[0], p[0], EPOLLIN, 0);
    add(e, e, EPOLLIN, 0);
    add(e, file, EPOLLIN, 0);
    add(file, p[0], EPOLLIN, 0);
    add(file, file, EPOLLIN, 0);
    control(e, EPOLL_CTL_DEL, p[0], 0, 0);
    control(e, EPOLL_CTL_MOD, p[0], EPOLLIN, 0);
    control(e, EPOLL_CTL_DEL, file, 0, 0);
    control(e, 7, p[0], 0, 0);
    TRY(epoll_ctl(e, EPOLL_CTL_ADD, p[0], NULL));
    TRY(epoll_ctl(50, EPOLL_CTL_ADD, 51, NULL));
    TRY(epoll_ctl(e, EPOLL_CTL_DEL, p[0], NULL));
    add(e, p[0], EPOLLIN, 0);
    add(e, p[0], EPOLLIN, 0);
    control(e, EPOLL_CTL_MOD, p[0], EPOLLIN | EPOLLEXCLUSIVE, 0);
    add(e, p[1], EPOLLOUT | EPOLLONESHOT | EPOLLEXCLUSIVE, 0);
    TRY(epoll_ctl(e, EPOLL_CTL_DEL, p[0], NULL));
    TRY(epoll_ctl(e, EPOLL_CTL_DEL, p[0], NULL));
    TRY(epoll_wait(e, &event, 0, 0));
    TRY(epoll_wait(e, &event, -1, 0));
    TRY(epoll_wait(50, &event, 1, 0));
    TRY(epoll_wait(50, &event, 0, 0));
    TRY(epoll_wait(p[0], &event, 1, 0));
    TRY(epoll_wait(file, &event, 1, 0));
    TRY(epoll_pwait2(e, &event, 1, &bad, NULL));
    get(e, 1);
    put(e, 1);
    int n;
    TRY(ioctl(e, FIONREAD, &n));
    TRY(fcntl(e, F_GETFL));
    TRY(fcntl(e, F_GETFD));
    close(e);
    e = TRY(epoll_create1(EPOLL_CLOEXEC));
    TRY(fcntl(e, F_GETFD));
    TRY(close(e));
    TRY(epoll_wait(e, &event, 1, 0));
    e = TRY(epoll_create(1));
    close(e);
    shut(p);
    close(file);
}

static void levels(void)
{
    int e = TRY(epoll_create1(0)), p[2];
    TRY(pipe(p));
    add(e, p[0], EPOLLIN, 0x1234567890abcdef);
    take(e, 8);
    put(p[1], 3);
    take(e, 8);
    take(e, 8);
    get(p[0], 2);
    take(e, 8);
    get(p[0], 1);
    take(e, 8);
    put(p[1], 1);
    take(e, 8);
    TRY(close(p[1]));
    take(e, 8);
    get(p[0], 1);
    take(e, 8);
    TRY(close(p[0]));
    take(e, 8);
    close(e);
}

static void edges(void)
{
    int e = TRY(epoll_create1(0)), p[2];
    TRY(pipe(p));
    add(e, p[0], EPOLLIN | EPOLLET, 1);
    add(e, p[1], EPOLLOUT | EPOLLET, 2);
    take(e, 8);
    take(e, 8);
    put(p[1], 3);
    take(e, 8);
    take(e, 8);
    put(p[1], 1);
    take(e, 8);
    get(p[0], 2);
    take(e, 8);
    put(p[1], 1);
    get(p[0], 8);
    take(e, 8);
    put(p[1], 1);
    control(e, EPOLL_CTL_MOD, p[0], EPOLLIN | EPOLLET, 3);
    take(e, 8);
    control(e, EPOLL_CTL_MOD, p[0], EPOLLIN | EPOLLET, 4);
    take(e, 8);
    take(e, 8);
    TRY(close(p[1]));
    take(e, 8);
    take(e, 8);
    close(p[0]);
    close(e);
}

static void room(void)
{
    int e = TRY(epoll_create1(0)), p[2];
    static char to[8192];
    TRY(pipe2(p, O_NONBLOCK));
    add(e, p[1], EPOLLOUT | EPOLLET, 1);
    take(e, 8);
    TRY(write(p[1], large, sizeof large));
    take(e, 8);
    TRY(read(p[0], to, 100));
    take(e, 8);
    TRY(read(p[0], to, 4096));
    take(e, 8);
    TRY(read(p[0], to, 8192));
    take(e, 8);
    TRY(write(p[1], large, sizeof large));
    control(e, EPOLL_CTL_MOD, p[1], EPOLLOUT, 2);
    take(e, 8);
    TRY(read(p[0], to, 8192));
    take(e, 8);
    take(e, 8);
    TRY(close(p[0]));
    take(e, 8);
    close(p[1]);
    close(e);
}

static void one_shots(void)
{
    int e = TRY(epoll_create1(0)), p[2];
    TRY(pipe(p));
    add(e, p[0], EPOLLIN | EPOLLONESHOT, 1);
    put(p[1], 1);
    take(e, 8);
    take(e, 8);
    put(p[1], 1);
    take(e, 8);
    control(e, EPOLL_CTL_MOD, p[0], EPOLLIN | EPOLLONESHOT, 2);
    take(e, 8);
    get(p[0], 2);
    control(e, EPOLL_CTL_MOD, p[0], EPOLLIN | EPOLLONESHOT | EPOLLET, 3);
    take(e, 8);
    put(p[1], 1);
    take(e, 8);
    take(e, 8);
    TRY(close(p[1]));
    take(e, 8);
    control(e, EPOLL_CTL_MOD, p[0], 0, 4);
    take(e, 8);
    close(p[0]);
    close(e);
}

/* The ready list: first come first served, and back to the end after it was served. */
static void order(void)
{
    int e = TRY(epoll_create1(0)), p[3][2];
    for (int i = 0; i < 3; i++) {
        pipe(p[i]);
        add(e, p[i][0], EPOLLIN, i);
    }
    put(p[2][1], 1);
    put(p[0][1], 1);
    put(p[1][1], 1);
    take(e, 1);
    take(e, 1);
    take(e, 2);
    take(e, 2);
    take(e, 8);
    get(p[2][0], 1);
    put(p[1][1], 1);
    put(p[2][1], 1);
    take(e, 8);
    for (int i = 0; i < 3; i++)
        get(p[i][0], 8);
    put(p[1][1], 1);
    put(p[0][1], 1);
    take(e, 8);
    get(p[1][0], 8);
    get(p[0][0], 8);
    take(e, 8);
    put(p[1][1], 1);
    put(p[0][1], 1);
    take(e, 8);
    control(e, EPOLL_CTL_MOD, p[1][0], EPOLLIN, 11);
    take(e, 8);
    control(e, EPOLL_CTL_DEL, p[1][0], 0, 0);
    add(e, p[1][0], EPOLLIN, 12);
    take(e, 8);
    close(e);
    for (int i = 0; i < 3; i++)
        shut(p[i]);
}

static void order_of_edges(void)
{
    int e = TRY(epoll_create1(0)), p[3][2];
    for (int i = 0; i < 3; i++) {
        pipe(p[i]);
        add(e, p[i][0], EPOLLIN | (i ? EPOLLET : 0), i);
    }
    put(p[1][1], 1);
    put(p[0][1], 1);
    put(p[2][1], 1);
    take(e, 2);
    take(e, 2);
    put(p[2][1], 1);
    put(p[1][1], 1);
    take(e, 1);
    take(e, 1);
    take(e, 8);
    take(e, 8);
    close(e);
    for (int i = 0; i < 3; i++)
        shut(p[i]);
}

static void events_of_eventfds(void)
{
    int e = TRY(epoll_create1(0)), f = eventfd(0, EFD_NONBLOCK);
    eventfd_t value;
    add(e, f, EPOLLIN | EPOLLOUT | EPOLLET, 1);
    take(e, 8);
    take(e, 8);
    TRY(eventfd_write(f, 1));
    take(e, 8);
    take(e, 8);
    TRY(eventfd_write(f, 0));
    take(e, 8);
    TRY(eventfd_write(f, 2));
    take(e, 8);
    TRY(eventfd_read(f, &value));
    take(e, 8);
    TRY(eventfd_read(f, &value));
    take(e, 8);
    control(e, EPOLL_CTL_MOD, f, EPOLLIN, 2);
    take(e, 8);
    TRY(eventfd_write(f, 2));
    take(e, 8);
    take(e, 8);
    TRY(eventfd_read(f, &value));
    take(e, 8);
    TRY(eventfd_write(f, UINT64_MAX - 1));
    control(e, EPOLL_CTL_MOD, f, EPOLLOUT | EPOLLET, 3);
    take(e, 8);
    TRY(eventfd_read(f, &value));
    take(e, 8);
    close(f);
    take(e, 8);
    close(e);
}

static void sockets(int type)
{
    int e = TRY(epoll_create1(0)), s[2];
    TRY(socketpair(AF_UNIX, type, 0, s));
    add(e, s[0], EPOLLIN | EPOLLRDHUP, 1);
    add(e, s[1], EPOLLIN | EPOLLOUT | EPOLLET | EPOLLRDHUP, 2);
    take(e, 8);
    take(e, 8);
    put(s[0], 3);
    put(s[1], 3);
    take(e, 8);
    take(e, 8);
    get(s[0], 8);
    take(e, 8);
    put(s[0], 2);
    take(e, 8);
    get(s[1], 1);
    take(e, 8);
    get(s[1], 8);
    take(e, 8);
    TRY(shutdown(s[1], SHUT_WR));
    take(e, 8);
    take(e, 8);
    TRY(shutdown(s[0], SHUT_WR));
    take(e, 8);
    take(e, 8);
    TRY(close(s[0]));
    take(e, 8);
    take(e, 8);
    close(s[1]);
    close(e);
}

static void streams(void)
{
    sockets(SOCK_STREAM);
}

static void packets(void)
{
    sockets(SOCK_SEQPACKET);
}

static void datagrams(void)
{
    int e = TRY(epoll_create1(0)), s[2];
    TRY(socketpair(AF_UNIX, SOCK_DGRAM, 0, s));
    add(e, s[0], EPOLLIN | EPOLLRDHUP, 1);
    add(e, s[1], EPOLLIN | EPOLLOUT | EPOLLET | EPOLLRDHUP, 2);
    take(e, 8);
    put(s[1], 3);
    take(e, 8);
    take(e, 8);
    get(s[0], 8);
    take(e, 8);
    put(s[1], 2);
    TRY(close(s[0]));
    take(e, 8);
    take(e, 8);
    close(s[1]);
    close(e);
}

static void unread_data(void)
{
    int e = TRY(epoll_create1(0)), s[2];
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, s));
    add(e, s[0], EPOLLIN | EPOLLRDHUP | EPOLLET, 1);
    put(s[0], 2);
    take(e, 8);
    TRY(close(s[1]));
    take(e, 8);
    get(s[0], 1);
    take(e, 8);
    control(e, EPOLL_CTL_MOD, s[0], EPOLLIN, 2);
    take(e, 8);
    close(s[0]);
    close(e);
}

/* An item lives as long as its description, and a number is not enough to find it. */
static void duplicates(void)
{
    int e = TRY(epoll_create1(0)), p[2];
    TRY(pipe(p));
    add(e, p[0], EPOLLIN, 1);
    int copy = TRY(dup(p[0]));
    add(e, copy, EPOLLIN, 2);
    put(p[1], 1);
    take(e, 8);
    take(e, 1);
    TRY(close(p[0]));
    take(e, 8);
    control(e, EPOLL_CTL_DEL, p[0], 0, 0);
    control(e, EPOLL_CTL_MOD, copy, EPOLLIN | EPOLLET, 3);
    take(e, 8);
    take(e, 8);
    TRY(dup2(copy, p[0]));
    control(e, EPOLL_CTL_MOD, p[0], EPOLLIN | EPOLLET, 4);
    take(e, 8);
    TRY(close(p[0]));
    TRY(close(copy));
    take(e, 8);
    int other = TRY(dup(e));
    add(other, p[1], EPOLLOUT, 5);
    TRY(close(e));
    take(other, 8);
    close(p[1]);
    close(other);
}

static void two_epolls(void)
{
    int e = TRY(epoll_create1(0)), f = TRY(epoll_create1(0)), p[2];
    TRY(pipe(p));
    add(e, p[0], EPOLLIN | EPOLLET, 1);
    add(f, p[0], EPOLLIN, 2);
    put(p[1], 1);
    take(e, 8);
    take(f, 8);
    take(e, 8);
    take(f, 8);
    TRY(close(e));
    put(p[1], 1);
    take(f, 8);
    shut(p);
    take(f, 8);
    close(f);
}

static void ask(int fd, short events)
{
    struct pollfd p = { fd, events, -1 };
    TRY(poll(&p, 1, 0));
    say("revents %x\n", (unsigned short)p.revents);
}

static void poll_of_an_epoll(void)
{
    int e = TRY(epoll_create1(0)), p[2], q[2];
    TRY(pipe(p));
    TRY(pipe(q));
    ask(e, POLLIN | POLLOUT);
    add(e, p[0], EPOLLIN, 1);
    add(e, q[0], EPOLLIN | EPOLLET, 2);
    ask(e, POLLIN);
    put(p[1], 1);
    ask(e, POLLIN | POLLOUT | POLLRDNORM);
    ask(e, POLLOUT);
    ask(e, 0);
    take(e, 8);
    ask(e, POLLIN);
    get(p[0], 1);
    ask(e, POLLIN);
    put(q[1], 1);
    ask(e, POLLIN);
    put(p[1], 1);
    take(e, 8);
    get(p[0], 1);
    struct pollfd both[] = { { e, POLLIN, 0 }, { q[0], POLLIN, 0 } };
    TRY(poll(both, 2, -1));
    say("%x %x\n", both[0].revents, both[1].revents);
    get(q[0], 1);
    TRY(poll(both, 2, 1));
    say("%x %x\n", both[0].revents, both[1].revents);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(e, &set);
    put(p[1], 1);
    TRY(select(e + 1, &set, NULL, NULL, NULL));
    shut(p);
    shut(q);
    ask(e, POLLIN);
    close(e);
}

static void time_limits(void)
{
    int e = TRY(epoll_create1(0)), p[2];
    struct epoll_event event = { 0 };
    struct timespec soon = { 0, 1000000 }, now = { 0, 0 };
    TRY(pipe(p));
    TRY(epoll_wait(e, &event, 1, 1));
    add(e, p[0], EPOLLIN, 1);
    TRY(epoll_wait(e, &event, 1, 1));
    TRY(epoll_pwait(e, &event, 1, 1, NULL));
    TRY(epoll_pwait2(e, &event, 1, &soon, NULL));
    put(p[1], 1);
    TRY(epoll_wait(e, &event, 1, -1));
    TRY(epoll_wait(e, &event, 1, 1000));
    TRY(epoll_pwait2(e, &event, 1, NULL, NULL));
    TRY(syscall(SYS_epoll_wait, e, &event, 1, 0));
    get(p[0], 1);
    TRY(epoll_wait(e, &event, 1, 1));
    TRY(epoll_pwait2(e, &event, 1, &now, NULL));
    shut(p);
    close(e);
}

int main(void)
{
    RUN(bad_calls);
    RUN(levels);
    RUN(edges);
    RUN(room);
    RUN(one_shots);
    RUN(order);
    RUN(order_of_edges);
    RUN(events_of_eventfds);
    RUN(streams);
    RUN(packets);
    RUN(datagrams);
    RUN(unread_data);
    RUN(duplicates);
    RUN(two_epolls);
    RUN(poll_of_an_epoll);
    RUN(time_limits);
    return finish();
}
