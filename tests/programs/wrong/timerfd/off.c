// A thread disarms the timer that another thread waits for: if the timer has not expired by then, it never does.
// EXPECT: finding deadlock
// DFS: yes
// TESTS: 2
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

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
    uint64_t count;
    struct itimerspec soon = { .it_value.tv_sec = 1 };
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(timer, 0, &soon, NULL);
    pthread_create(&t, NULL, sets, NULL);
    read(timer, &count, sizeof count);
    pthread_join(t, NULL);
}
