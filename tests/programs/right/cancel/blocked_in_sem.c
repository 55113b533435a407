// A thread that waits forever is cancelled; its cleanup handlers run, the
// innermost first, and its result says so.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;
static int order;

static void cleanup(void *digit)
{
    order = order * 10 + (int)(long)digit;
}

static void *waits(void *unused)
{
    pthread_cleanup_push(cleanup, (void *)1L);
    pthread_cleanup_push(cleanup, (void *)2L);
    sem_wait(&never);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    pthread_t t;
    void *result;
    sem_init(&never, 0, 0);
    pthread_create(&t, NULL, waits, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    assert(order == 21);
}
