// Loops around a timed wait end, whatever wakes the thread; one that gives up when the
// time has run out is no deadlock.
// EXPECT: complete
// OPTIONS: --spurious
// RUN:
// RUN: -DGIVES_UP
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waits(void *u)
{
    struct timespec until = { 1, 0 };
    int error = 0;
    pthread_mutex_lock(&m);
#ifdef GIVES_UP
    while (!ready && !error)
#else
    while (!ready)
#endif
        error = pthread_cond_timedwait(&c, &m, &until);
    assert(ready || error == ETIMEDOUT);
    pthread_mutex_unlock(&m);
    return u;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
}
