// timerfd, alone and with poll and epoll, in one thread: errors, limits, intervals, setting again.
#include "transcript.h"

#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>

enum { MILLISECOND = 1000000 };

static void take(int fd)
{
    uint64_t value = 77;
    TRY(read(fd, &value, sizeof value));
    say("value %d\n", (int)value);
}

static void arm(int fd, long value, long interval)
{
    struct itimerspec to = { .it_value.tv_nsec = value * MILLISECOND, .it_interval.tv_nsec = interval * MILLISECOND };
    TRY(timerfd_settime(fd, 0, &to, NULL));
}

static void ask(int fd, int timeout)
{
    struct pollfd p = { fd, POLLIN | POLLOUT | POLLRDNORM, -1 };
    TRY(poll(&p, 1, timeout));
    say("revents %x\n", (unsigned short)p.revents);
}

static void bad_calls(void)
{
    struct itimerspec none = { 0 }, bad = { .it_value.tv_nsec = 1000000000 }, early = { .it_value.tv_sec = -1 };
    struct itimerspec uneven = { .it_interval.tv_nsec = -1 };
    char c[8];
    int p[2], n, file = open("/proc/self/exe", O_RDONLY);
    TRY(timerfd_create(99, 0));
    TRY(timerfd_create(CLOCK_PROCESS_CPUTIME_ID, 0));
    TRY(timerfd_create(CLOCK_MONOTONIC, 1));
    int t = TRY(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK));
    pipe(p);
    TRY(timerfd_settime(t, 8, &none, NULL));
    TRY(timerfd_settime(t, 0, &bad, NULL));
    TRY(timerfd_settime(t, 0, &early, NULL));
    TRY(timerfd_settime(t, 0, &uneven, NULL));
    TRY(timerfd_settime(t, 0, NULL, NULL));
    TRY(timerfd_settime(p[0], 0, &none, NULL));
    TRY(timerfd_settime(file, 0, &none, NULL));
    TRY(timerfd_settime(50, 0, &none, NULL));
    TRY(timerfd_settime(50, 0, &bad, NULL));
    TRY(timerfd_gettime(p[0], &none));
    TRY(timerfd_gettime(50, &none));
    TRY(read(t, c, 7));
    TRY(write(t, c, 8));
    TRY(read(t, c, 8));
    TRY(ioctl(t, FIONREAD, &n));
    TRY(fcntl(t, F_GETFL));
    TRY(fcntl(t, F_GETFD));
    close(t);
    TRY(read(t, c, 8));
    t = TRY(timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC));
    TRY(fcntl(t, F_GETFL));
    TRY(fcntl(t, F_GETFD));
    close(t);
    close(file);
    close(p[0]);
    close(p[1]);
}

static void waits(void)
{
    int t = TRY(timerfd_create(CLOCK_MONOTONIC, 0));
    arm(t, 1, 0);
    take(t);
    arm(t, 1, 0);
    take(t);
    close(t);
}

static void intervals(void)
{
    int t = TRY(timerfd_create(CLOCK_BOOTTIME, 0));
    arm(t, 1, 500);
    take(t);
    arm(t, 300, 300);
    usleep(750 * 1000);
    take(t);
    take(t);
    close(t);
}

static void expired_before(void)
{
    int t = TRY(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK));
    take(t);
    arm(t, 1, 0);
    usleep(20 * 1000);
    ask(t, 0);
    ask(t, -1);
    take(t);
    take(t);
    ask(t, 0);
    arm(t, 1, 0);
    usleep(20 * 1000);
    arm(t, 0, 0);
    take(t);
    arm(t, 1, 0);
    usleep(20 * 1000);
    ask(t, 0);
    arm(t, 0, 700);
    ask(t, 0);
    take(t);
    close(t);
}

static void absolute(int clock)
{
    struct itimerspec to = { .it_value.tv_sec = 1 }, is = { { 9, 9 }, { 9, 9 } };
    int t = TRY(timerfd_create(clock, 0));
    TRY(timerfd_settime(t, TFD_TIMER_ABSTIME, &to, &is));
    say("%d %d %d %d\n", (int)is.it_value.tv_sec, (int)is.it_value.tv_nsec, (int)is.it_interval.tv_sec,
        (int)is.it_interval.tv_nsec);
    take(t);
    TRY(timerfd_gettime(t, &is));
    say("%d %d %d %d\n", (int)is.it_value.tv_sec, (int)is.it_value.tv_nsec, (int)is.it_interval.tv_sec,
        (int)is.it_interval.tv_nsec);
    close(t);
}

static void times_in_the_past(void)
{
    absolute(CLOCK_REALTIME);
}

static void with_poll(void)
{
    int t = TRY(timerfd_create(CLOCK_MONOTONIC, 0)), p[2];
    TRY(pipe(p));
    struct pollfd both[] = { { p[0], POLLIN, 0 }, { t, POLLIN, 0 } };
    TRY(poll(both, 2, 1));
    arm(t, 1, 0);
    TRY(poll(both, 2, -1));
    say("%x %x\n", both[0].revents, both[1].revents);
    take(t);
    arm(t, 1, 0);
    ask(t, -1);
    ask(t, 1000);
    take(t);
    ask(t, 1);
    arm(t, 1, 0);
    TRY(poll(both, 2, 60000));
    say("%x %x\n", both[0].revents, both[1].revents);
    close(p[0]);
    close(p[1]);
    close(t);
}

static void events(int e)
{
    struct epoll_event got[4];
    long n = TRY(epoll_wait(e, got, 4, -1));
    for (long i = 0; i < n; i++)
        say("%d: %x\n", (int)got[i].data.u32, got[i].events);
}

static void add(int e, int fd, uint32_t mode, uint32_t data)
{
    struct epoll_event event = { .events = mode, .data.u32 = data };
    TRY(epoll_ctl(e, EPOLL_CTL_ADD, fd, &event));
}

static void with_epoll(void)
{
    int t = TRY(timerfd_create(CLOCK_MONOTONIC, 0)), u = TRY(timerfd_create(CLOCK_MONOTONIC, 0)), p[2];
    int e = TRY(epoll_create1(0));
    struct epoll_event event;
    TRY(pipe(p));
    add(e, t, EPOLLIN, 1);
    add(e, u, EPOLLIN | EPOLLET, 2);
    add(e, p[0], EPOLLIN, 3);
    TRY(epoll_wait(e, &event, 1, 1));
    arm(t, 1, 0);
    events(e);
    events(e);
    take(t);
    arm(u, 1, 0);
    events(e);
    take(u);
    arm(u, 60, 0);
    arm(t, 5, 0);
    events(e);
    take(t);
    events(e);
    TRY(epoll_wait(e, &event, 1, 1));
    take(u);
    arm(u, 1, 0);
    usleep(20 * 1000);
    TRY(write(p[1], "x", 1));
    arm(t, 1, 0);
    usleep(20 * 1000);
    events(e);
    close(t);
    events(e);
    close(u);
    close(e);
    close(p[0]);
    close(p[1]);
}

static void duplicates(void)
{
    int t = TRY(timerfd_create(CLOCK_MONOTONIC, 0)), u = TRY(dup(t));
    arm(t, 1, 0);
    close(t);
    take(u);
    close(u);
}

int main(void)
{
    RUN(bad_calls);
    RUN(waits);
    RUN(intervals);
    RUN(expired_before);
    RUN(times_in_the_past);
    RUN(with_poll);
    RUN(with_epoll);
    RUN(duplicates);
    return finish();
}
