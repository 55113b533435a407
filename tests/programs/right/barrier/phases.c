// Three threads, two phases: arrivals commute, every order is the same trace.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>

enum { THREADS = 3 };
static pthread_barrier_t barrier;
static int first[THREADS], second[THREADS];

static void *work(void *number)
{
    int me = (int)(long)number;
    first[me] = me + 1;
    pthread_barrier_wait(&barrier);
    second[me] = first[(me + 1) % THREADS];
    pthread_barrier_wait(&barrier);
    assert(second[(me + 1) % THREADS] == (me + 2) % THREADS + 1);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    pthread_barrier_destroy(&barrier);
}
