// One writer and N readers of one variable: each reader before or after the write, 2 to the N.
// EXPECT: complete
// RUN: -DN=3 TESTS=8 DFS=yes
// RUN: -DN=8 TESTS=256
// RUN: -DN=12 TESTS=4096
// RUN: -DN=16 TESTS=65536
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int seen[N];

static void *read_it(void *number)
{
    seen[(long)number] = atomic_load(&x);
    return NULL;
}

static void *write_it(void *unused)
{
    atomic_store(&x, 42);
    return unused;
}

int main(void)
{
    pthread_t threads[N + 1];
    pthread_create(&threads[N], NULL, write_it, NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, read_it, (void *)i);
    for (long i = 0; i <= N; i++)
        pthread_join(threads[i], NULL);
}
