// eventfds: counters, errors, duplicates, flags, full counters, in one thread.
#include "transcript.h"

#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

static void take(int fd)
{
    uint64_t value = 77;
    TRY(read(fd, &value, sizeof value));
    say("value %llu\n", (unsigned long long)value);
}

static void add(int fd, uint64_t value)
{
    TRY(write(fd, &value, sizeof value));
}

static void ask(int fd, short events)
{
    struct pollfd p = { fd, events, -1 };
    TRY(poll(&p, 1, 0));
    say("revents %x\n", (unsigned short)p.revents);
}

static void sums(void)
{
    int e = TRY(eventfd(3, EFD_NONBLOCK));
    take(e);
    take(e);
    add(e, 0);
    take(e);
    add(e, 4);
    add(e, 5);
    add(e, 0);
    take(e);
    close(e);
}

static void semaphores(void)
{
    int e = TRY(eventfd(2, EFD_NONBLOCK | EFD_SEMAPHORE));
    add(e, 2);
    for (int i = 0; i < 5; i++)
        take(e);
    close(e);
}

static void sizes(void)
{
    int e = TRY(eventfd(1, EFD_NONBLOCK));
    uint64_t values[2] = { 9, 9 };
    TRY(read(e, values, 7));
    TRY(read(e, values, 0));
    TRY(write(e, values, 7));
    TRY(write(e, values, 0));
    TRY(read(e, values, 16));
    say("%d %d\n", (int)values[0], (int)values[1]);
    add(e, UINT64_MAX);
    take(e);
    add(e, 258);
    unsigned char halves[2][4];
    struct iovec parts[] = { { halves[0], 4 }, { halves[1], 4 } };
    TRY(readv(e, parts, 2));
    say_bytes("halves", halves, 8);
    add(e, 1);
    TRY(readv(e, parts, 1));
    close(e);
}

static void bad_calls(void)
{
    eventfd_t value = 5;
    TRY(eventfd(0, 0x4000000));
    TRY(eventfd(0, 2));
    TRY(eventfd_read(50, &value));
    TRY(eventfd_write(50, 1));
    int e = eventfd(0, EFD_NONBLOCK);
    TRY(eventfd_read(e, &value));
    TRY(eventfd_write(e, UINT64_MAX));
    TRY(eventfd_write(e, 6));
    TRY(eventfd_read(e, &value));
    say("%d\n", (int)value);
    int n;
    TRY(ioctl(e, FIONREAD, &n));
    TRY(fcntl(e, F_GETPIPE_SZ));
    TRY(ftruncate(e, 1));
    close(e);
    add(e, 1);
    take(e);
    TRY(close(e));
}

static void duplicates(void)
{
    int e = TRY(eventfd(0, EFD_NONBLOCK)), f = TRY(dup(e)), g = TRY(fcntl(e, F_DUPFD, 20));
    add(f, 2);
    add(g, 3);
    TRY(close(e));
    take(f);
    TRY(dup2(f, 30));
    TRY(dup3(f, 31, O_CLOEXEC));
    TRY(fcntl(31, F_GETFD));
    add(30, 1);
    ask(31, POLLIN);
    take(g);
    ask(31, POLLIN);
    TRY(dup2(30, 30));
    TRY(close(30));
    ask(30, POLLIN);
    close(f);
    close(g);
    take(31);
    close(31);
}

static void flags(void)
{
    int e = TRY(eventfd(0, EFD_CLOEXEC));
    TRY(fcntl(e, F_GETFD));
    TRY(fcntl(e, F_GETFL));
    TRY(fcntl(e, F_SETFL, O_NONBLOCK));
    TRY(fcntl(e, F_GETFL));
    take(e);
    int no = 0, yes = 1;
    TRY(ioctl(e, FIONBIO, &no));
    TRY(fcntl(e, F_GETFL));
    TRY(ioctl(e, FIONBIO, &yes));
    take(e);
    TRY(fcntl(e, F_SETFD, 0));
    TRY(fcntl(e, F_GETFD));
    close(e);
    e = TRY(syscall(SYS_eventfd, 7));
    take(e);
    close(e);
}

static void ready(void)
{
    int e = TRY(eventfd(0, 0));
    ask(e, POLLIN);
    ask(e, POLLOUT);
    ask(e, POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM);
    add(e, 1);
    ask(e, POLLIN);
    ask(e, POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM);
    ask(e, 0);
    close(e);
}

static void full(void)
{
    int e = TRY(eventfd(0, EFD_NONBLOCK));
    add(e, UINT64_MAX - 1);
    ask(e, POLLIN | POLLOUT);
    ask(e, POLLOUT);
    add(e, 1);
    add(e, 0);
    take(e);
    ask(e, POLLOUT);
    add(e, UINT64_MAX - 3);
    ask(e, POLLOUT);
    add(e, 3);
    add(e, 2);
    add(e, 1);
    take(e);
    add(e, 1);
    take(e);
    close(e);
}

int main(void)
{
    RUN(sums);
    RUN(semaphores);
    RUN(sizes);
    RUN(bad_calls);
    RUN(duplicates);
    RUN(flags);
    RUN(ready);
    RUN(full);
    return finish();
}
