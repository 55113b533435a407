// A wait with a time limit, for a timer that is not armed: the first one may time out at any time, the second only when no
// thread can run.
// EXPECT: complete
// DFS: yes
// TESTS: 3
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

static int timer;

static void *sets(void *unused)
{
    struct itimerspec off = { .it_value.tv_sec = 0 };
    timerfd_settime(timer, 0, &off, NULL);
    return unused;
}

int main(void)
{
    pthread_t t;
    struct epoll_event event = { .events = EPOLLIN };
    int loop = epoll_create1(0);
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    epoll_ctl(loop, EPOLL_CTL_ADD, timer, &event);
    pthread_create(&t, NULL, sets, NULL);
    for (int i = 0; i < 2; i++)
        assert(epoll_wait(loop, &event, 1, 5) == 0);
    pthread_join(t, NULL);
}
