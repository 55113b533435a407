// A timed wait is woken or times out; both are seen, and the loop ends either way.
// EXPECT: complete
// TESTS: 4
// DFS: yes
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, timed_out;

static void *waits(void *unused)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_mutex_lock(&lock);
    if (!ready)
        timed_out = pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *sets(void *unused)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, waits, NULL);
    pthread_create(&q, NULL, sets, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
