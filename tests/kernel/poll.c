// poll and select on pipes, eventfds and files, in one thread.
#include "transcript.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <time.h>

static char large[1 << 17];

static void shut(int p[2])
{
    close(p[0]);
    close(p[1]);
}

static void ask(int fd, short events)
{
    struct pollfd p = { fd, events, -1 };
    TRY(poll(&p, 1, 0));
    say("revents %x\n", (unsigned short)p.revents);
}

static void empty_pipe(void)
{
    int p[2];
    TRY(pipe(p));
    ask(p[0], POLLIN);
    ask(p[0], POLLIN | POLLOUT);
    ask(p[0], 0);
    ask(p[1], POLLOUT);
    ask(p[1], POLLIN);
    ask(p[1], POLLIN | POLLOUT);
    ask(p[1], 0);
    shut(p);
}

static void pipe_with_data(void)
{
    int p[2];
    char c;
    TRY(pipe(p));
    TRY(write(p[1], "ab", 2));
    ask(p[0], POLLIN);
    ask(p[0], POLLRDNORM);
    ask(p[0], POLLOUT);
    ask(p[1], POLLOUT);
    ask(p[1], POLLWRNORM);
    TRY(read(p[0], &c, 1));
    ask(p[0], POLLIN | POLLRDNORM);
    TRY(read(p[0], &c, 1));
    ask(p[0], POLLIN | POLLRDNORM);
    shut(p);
}

static void pipe_without_writer(void)
{
    int p[2];
    char c;
    TRY(pipe(p));
    TRY(write(p[1], "a", 1));
    TRY(close(p[1]));
    ask(p[0], POLLIN);
    ask(p[0], 0);
    TRY(read(p[0], &c, 1));
    ask(p[0], POLLIN);
    ask(p[0], 0);
    close(p[0]);
}

static void pipe_without_reader(void)
{
    int p[2];
    TRY(pipe(p));
    TRY(close(p[0]));
    ask(p[1], POLLOUT);
    ask(p[1], 0);
    close(p[1]);
}

static void full_pipe(void)
{
    int p[2];
    static char c[4096];
    TRY(pipe2(p, O_NONBLOCK));
    TRY(write(p[1], large, sizeof large));
    ask(p[1], POLLOUT);
    ask(p[0], POLLIN);
    TRY(read(p[0], c, 4095));
    ask(p[1], POLLOUT);
    TRY(read(p[0], c, 1));
    ask(p[1], POLLOUT);
    TRY(close(p[0]));
    ask(p[1], POLLOUT);
    close(p[1]);
}

static void almost_full_pipe(void)
{
    int p[2];
    TRY(pipe2(p, O_NONBLOCK));
    TRY(write(p[1], large, 65000));
    ask(p[1], POLLOUT);
    TRY(write(p[1], large, 1));
    shut(p);
}

static void no_descriptor(void)
{
    ask(-1, POLLIN);
    ask(50, POLLIN);
    ask(50, 0);
    TRY(poll(NULL, 0, 0));
    TRY(poll(NULL, 0, 1));
    int p[2];
    TRY(pipe(p));
    shut(p);
    ask(p[0], POLLIN);
    ask(p[1], POLLOUT);
}

static void several(void)
{
    int a[2], b[2], e = eventfd(0, 0), f = open("/dev/null", O_RDONLY);
    TRY(pipe(a));
    TRY(pipe(b));
    struct pollfd all[] = { { a[0], POLLIN, 0 }, { b[0], POLLIN, 0 }, { e, POLLIN, 0 }, { -5, POLLIN, 9 } };
    TRY(poll(all, 4, 0));
    TRY(write(b[1], "x", 1));
    TRY(poll(all, 4, -1));
    say("%x %x %x %x\n", all[0].revents, all[1].revents, all[2].revents, all[3].revents);
    TRY(eventfd_write(e, 3));
    TRY(close(a[1]));
    TRY(poll(all, 4, 1000));
    say("%x %x %x %x\n", all[0].revents, all[1].revents, all[2].revents, all[3].revents);
    struct pollfd more[] = { { b[1], POLLOUT, 0 }, { f, POLLIN | POLLOUT, 0 }, { e, POLLIN | POLLOUT, 0 } };
    TRY(poll(more, 3, -1));
    say("%x %x %x\n", more[0].revents, more[1].revents, more[2].revents);
    close(a[0]);
    shut(b);
    close(e);
    close(f);
}

static void time_limits(void)
{
    int a[2], b[2];
    struct timespec soon = { 0, 1000000 };
    TRY(pipe(a));
    TRY(pipe(b));
    struct pollfd one = { a[0], POLLIN, 9 }, two[] = { { a[0], POLLIN, 9 }, { b[0], POLLIN, 9 } };
    TRY(poll(&one, 1, 1));
    say("%x\n", one.revents);
    TRY(ppoll(&one, 1, &soon, NULL));
    TRY(poll(two, 2, 1));
    say("%x %x\n", two[0].revents, two[1].revents);
    TRY(ppoll(two, 2, &soon, NULL));
    shut(a);
    shut(b);
}

static void same_descriptor_twice(void)
{
    int p[2];
    TRY(pipe(p));
    struct pollfd two[] = { { p[0], POLLIN, 0 }, { p[0], POLLIN, 0 } };
    TRY(poll(two, 2, 0));
    TRY(write(p[1], "x", 1));
    TRY(poll(two, 2, -1));
    say("%x %x\n", two[0].revents, two[1].revents);
    shut(p);
}

static void choose(int r, int w, struct timeval *limit)
{
    fd_set reads, writes, others;
    int n = (r > w ? r : w) + 1;
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    FD_ZERO(&others);
    if (r >= 0)
        FD_SET(r, &reads);
    if (w >= 0)
        FD_SET(w, &writes);
    TRY(select(n, &reads, &writes, &others, limit));
    say("%d %d\n", r >= 0 && FD_ISSET(r, &reads), w >= 0 && FD_ISSET(w, &writes));
}

static void select_of_a_pipe(void)
{
    int p[2];
    struct timeval none = { 0, 0 }, soon = { 0, 1000 };
    TRY(pipe(p));
    choose(p[0], p[1], &none);
    choose(p[0], -1, &none);
    choose(p[0], -1, &soon);
    TRY(write(p[1], "x", 1));
    choose(p[0], p[1], NULL);
    choose(p[1], p[0], &none);
    TRY(close(p[1]));
    choose(p[0], -1, NULL);
    close(p[0]);
    TRY(pipe(p));
    TRY(close(p[0]));
    choose(-1, p[1], NULL);
    choose(p[1], p[1], &none);
    close(p[1]);
}

static void select_of_bad_descriptors(void)
{
    struct timeval none = { 0, 0 };
    struct timespec short_time = { 0, 0 };
    fd_set set;
    FD_ZERO(&set);
    FD_SET(50, &set);
    TRY(select(51, &set, NULL, NULL, &none));
    TRY(pselect(51, NULL, &set, NULL, &short_time, NULL));
    TRY(select(50, &set, NULL, NULL, &none));
    TRY(select(-1, NULL, NULL, NULL, &none));
    TRY(select(0, NULL, NULL, NULL, &none));
}

int main(void)
{
    RUN(empty_pipe);
    RUN(pipe_with_data);
    RUN(pipe_without_writer);
    RUN(pipe_without_reader);
    RUN(full_pipe);
    RUN(almost_full_pipe);
    RUN(no_descriptor);
    RUN(several);
    RUN(time_limits);
    RUN(same_descriptor_twice);
    RUN(select_of_a_pipe);
    RUN(select_of_bad_descriptors);
    return finish();
}
