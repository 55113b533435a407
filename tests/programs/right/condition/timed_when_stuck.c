// Two threads count how often their waits time out; main waits for the counts. When no thread can run, the wait with the
// earliest limit times out: the one of a second four times before the one of ten seconds.
// EXPECT: complete
// DFS: yes
// OPTIONS: --timeouts=0
// TESTS: 6
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t timer = PTHREAD_COND_INITIALIZER, counted = PTHREAD_COND_INITIALIZER;
static int often, seldom;

/* Waits `times` times, for `seconds` each. */
static void count(int *counter, int times, int seconds)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < times; i++) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += seconds;
        assert(pthread_cond_timedwait(&timer, &lock, &until) == ETIMEDOUT);
        ++*counter;
        pthread_cond_signal(&counted);
    }
    pthread_mutex_unlock(&lock);
}

static void *counts_often(void *unused)
{
    count(&often, 4, 1);
    return unused;
}

static void *counts_seldom(void *unused)
{
    count(&seldom, 1, 10);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, counts_often, NULL);
    pthread_create(&threads[1], NULL, counts_seldom, NULL);
    pthread_mutex_lock(&lock);
    while (!seldom)
        pthread_cond_wait(&counted, &lock);
    assert(often == 4);
    pthread_mutex_unlock(&lock);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
