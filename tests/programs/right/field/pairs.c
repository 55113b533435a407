// N pairs of a reader and a writer, each on its own variable: 2 to the N.
// EXPECT: complete
// RUN: -DN=2 TESTS=4 DFS=yes
// RUN: -DN=6 TESTS=64
// RUN: -DN=10 TESTS=1024
// RUN: -DN=14 TESTS=16384
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x[N];
static long seen[N];

static void *read_or_write(void *number)
{
    long i = (long)number / 2;
    if ((long)number % 2)
        atomic_store(&x[i], 1);
    else
        seen[i] = atomic_load(&x[i]);
    return NULL;
}

int main(void)
{
    pthread_t threads[2 * N];
    for (long i = 0; i < 2 * N; i++)
        pthread_create(&threads[i], NULL, read_or_write, (void *)i);
    for (long i = 0; i < 2 * N; i++)
        pthread_join(threads[i], NULL);
}
