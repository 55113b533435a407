// N pairs of threads that write one variable each: 2 to the N, though the reads never differ.
// EXPECT: complete
// RUN: -DN=2 TESTS=4 DFS=yes
// RUN: -DN=4 TESTS=16
// RUN: -DN=8 TESTS=256
// RUN: -DN=9 TESTS=512
// RUN: -DN=14 TESTS=16384
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x[N];

static void *write_it(void *number)
{
    atomic_store(&x[(long)number / 2], (long)number % 2 + 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[2 * N];
    for (long i = 0; i < 2 * N; i++)
        pthread_create(&threads[i], NULL, write_it, (void *)i);
    for (long i = 0; i < 2 * N; i++)
        pthread_join(threads[i], NULL);
}
