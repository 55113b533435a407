/* THREADS threads that each increment LENGTH atomic variables in turn, the same ones in all threads: long executions
 * with many contended objects. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counters[LENGTH];

static void *increment(void *argument)
{
    for (int i = 0; i < LENGTH; i++)
        atomic_fetch_add(&counters[i], 1);
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, increment, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
