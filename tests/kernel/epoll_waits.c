// Waits with epoll for another thread: whatever the schedule is, their results are the same.
// THREADS: 1
#include "transcript.h"

#include <pthread.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

static int e, p[2];

/* Runs `other` in a thread while the case goes on. */
static pthread_t begin(void *(*other)(void *))
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    return t;
}

static void watch(int fd, uint32_t events)
{
    struct epoll_event event = { .events = events, .data.u64 = 7 };
    e = epoll_create1(0);
    TRY(epoll_ctl(e, EPOLL_CTL_ADD, fd, &event));
}

static void take(void)
{
    struct epoll_event event = { 0 };
    TRY(epoll_wait(e, &event, 1, -1));
    say("%d: %x\n", (int)event.data.u64, event.events);
}

static void *write_one(void *unused)
{
    write(p[1], "a", 1);
    return unused;
}

static void a_wait_for_data(void)
{
    char c;
    pipe(p);
    watch(p[0], EPOLLIN);
    pthread_t t = begin(write_one);
    take();
    TRY(read(p[0], &c, 1));
    pthread_join(t, NULL);
}

static void *close_one(void *unused)
{
    close(p[1]);
    return unused;
}

static void a_wait_for_an_end(void)
{
    pipe(p);
    watch(p[0], EPOLLIN | EPOLLET);
    pthread_t t = begin(close_one);
    take();
    pthread_join(t, NULL);
}

static void *shut_one(void *unused)
{
    shutdown(p[1], SHUT_WR);
    return unused;
}

static void a_wait_for_a_shutdown(void)
{
    socketpair(AF_UNIX, SOCK_STREAM, 0, p);
    watch(p[0], EPOLLRDHUP | EPOLLONESHOT);
    pthread_t t = begin(shut_one);
    take();
    pthread_join(t, NULL);
}

static void *add_one(void *unused)
{
    struct epoll_event event = { .events = EPOLLIN, .data.u64 = 8 };
    epoll_ctl(e, EPOLL_CTL_ADD, p[0], &event);
    return unused;
}

static void a_wait_for_an_item(void)
{
    pipe(p);
    write(p[1], "a", 1);
    watch(eventfd(0, 0), EPOLLIN);
    pthread_t t = begin(add_one);
    take();
    pthread_join(t, NULL);
}

static void *change_one(void *unused)
{
    struct epoll_event event = { .events = EPOLLIN, .data.u64 = 9 };
    epoll_ctl(e, EPOLL_CTL_MOD, p[0], &event);
    return unused;
}

static void a_wait_for_a_change(void)
{
    pipe(p);
    write(p[1], "a", 1);
    watch(p[0], EPOLLPRI);
    pthread_t t = begin(change_one);
    take();
    pthread_join(t, NULL);
}

int main(void)
{
    RUN(a_wait_for_data);
    RUN(a_wait_for_an_end);
    RUN(a_wait_for_a_shutdown);
    RUN(a_wait_for_an_item);
    RUN(a_wait_for_a_change);
    return finish();
}
