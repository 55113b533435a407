// A read waits for the timer. That another thread sets it again, or disarms and arms it, does not lose the wait.
// EXPECT: complete
// DFS: yes
// TESTS: 3
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int timer;

static void *sets(void *unused)
{
    struct itimerspec off = { .it_value.tv_sec = 0 }, later = { .it_value.tv_sec = 3 };
    timerfd_settime(timer, 0, &off, NULL);
    timerfd_settime(timer, 0, &later, NULL);
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
    assert(read(timer, &count, sizeof count) == sizeof count && count == 1);
    pthread_join(t, NULL);
}
