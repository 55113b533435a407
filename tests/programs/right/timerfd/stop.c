// A thread works whenever its timer expires, until it is told to stop: it waits for the timer and an eventfd with epoll.
// EXPECT: complete
// DFS: yes
// TESTS: 6
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int timer, stop, loop;

static void *works(void *unused)
{
    for (;;) {
        struct epoll_event event;
        uint64_t count;
        assert(epoll_wait(loop, &event, 1, -1) == 1);
        assert(read(event.data.fd, &count, sizeof count) == sizeof count && count == 1);
        if (event.data.fd == stop)
            return unused;
    }
}

static void watch(int fd)
{
    struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };
    assert(epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event) == 0);
}

int main(void)
{
    pthread_t t;
    struct itimerspec every = { .it_value.tv_sec = 1, .it_interval.tv_sec = 1 };
    loop = epoll_create1(0);
    watch(timer = timerfd_create(CLOCK_MONOTONIC, 0));
    watch(stop = eventfd(0, 0));
    timerfd_settime(timer, 0, &every, NULL);
    pthread_create(&t, NULL, works, NULL);
    eventfd_write(stop, 1);
    pthread_join(t, NULL);
}
