// A thread that does not wait for its timer may find it expired, or not.
// EXPECT: finding assertion
// DFS: yes
// TESTS: 2
#include <assert.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(void)
{
    uint64_t count;
    struct itimerspec later = { .it_value.tv_sec = 5 };
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    timerfd_settime(timer, 0, &later, NULL);
    assert(read(timer, &count, sizeof count) < 0);
}
