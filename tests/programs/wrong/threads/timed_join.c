// A join with a time limit may give up; the failure then comes before or after the end of the thread.
// EXPECT: finding assertion
// TESTS: 3
// DFS: yes
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

static void *work(void *argument)
{
    return argument;
}

int main(void)
{
    pthread_t t;
    struct timespec until;
    pthread_create(&t, NULL, work, NULL);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    assert(pthread_timedjoin_np(t, NULL, &until) == 0);
}
