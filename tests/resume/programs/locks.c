// Threads that take two locks each, ROUNDS times: as many traces as wanted. With ODD, the one that comes last
// overlooks something.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif

static pthread_mutex_t locks[THREADS];
static int order, raced;

static void *run(void *which)
{
    long i = (long)which;
    for (int round = 0; round < ROUNDS; round++) {
        long first = i, second = (i + 1) % THREADS;
        if (first > second) {
            first = second;
            second = i;
        }
        pthread_mutex_lock(&locks[first]);
        pthread_mutex_lock(&locks[second]);
        order = (order * 3 + (int)i) & 0xff;
        pthread_mutex_unlock(&locks[second]);
        pthread_mutex_unlock(&locks[first]);
    }
#ifdef ODD
    raced = (int)i;
    assert(order % 7 != 3);
#endif
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_mutex_init(&locks[i], NULL);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return raced & 0x100;
}
