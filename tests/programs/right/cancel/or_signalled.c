// A waiter that one thread signals and another cancels. The main thread is
// first and nobody waits (1); the waiter looks before the cancellation and is
// signalled (1), or is signalled before it looks (1); it is cancelled, and takes
// the mutex before or after the main thread (2).
// EXPECT: complete
// TESTS: 5
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, cleaned;

static void unlock(void *unused)
{
    (void)unused;
    cleaned++;
    pthread_mutex_unlock(&lock);
}

static void *waits(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, NULL);
    while (!ready)
        pthread_cond_wait(&cond, &lock);
    pthread_cleanup_pop(1);
    return unused;
}

static void *cancels(void *thread)
{
    pthread_cancel(*(pthread_t *)thread);
    return NULL;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, waits, NULL);
    pthread_create(&u, NULL, cancels, &t);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    pthread_join(u, NULL);
    pthread_join(t, NULL);
    assert(cleaned == 1);
}
