/* Three threads with four writes each to one atomic variable: many orders, and nothing to find. */
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3, WRITES = 4 };

static atomic_int last;

static void *run(void *arg)
{
    for (int i = 0; i < WRITES; i++)
        atomic_store(&last, (int)(long)arg);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, run, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
