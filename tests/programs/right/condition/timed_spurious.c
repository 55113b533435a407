// A timed wait is woken, times out or wakes up for no reason; in a loop, once for no reason is
// enough.
// EXPECT: complete
// OPTIONS: --spurious
// RUN: TESTS=6 DFS=yes
// RUN: -DLOOP TESTS=8 DFS=yes
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waits(void *unused)
{
    struct timespec until = { 1, 0 };
    pthread_mutex_lock(&lock);
#ifdef LOOP
    while (!ready && pthread_cond_timedwait(&changed, &lock, &until) == 0) { }
#else
    if (!ready)
        pthread_cond_timedwait(&changed, &lock, &until);
#endif
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
