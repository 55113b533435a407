// A reader looks for the last zero of an array that writers fill from their neighbours.
// EXPECT: complete
// RUN: -DN=2 TESTS=5 DFS=yes
// RUN: -DN=6 TESTS=144
// RUN: -DN=10 TESTS=3328
// RUN: -DN=14 TESTS=69632
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x[N + 1];

static void *look(void *unused)
{
    int i = N;
    while (atomic_load(&x[i]) != 0)
        i--;
    return unused;
}

static void *fill(void *number)
{
    long i = (long)number;
    atomic_store(&x[i], atomic_load(&x[i - 1]) + 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[N + 1];
    pthread_create(&threads[0], NULL, look, NULL);
    for (long i = 1; i <= N; i++)
        pthread_create(&threads[i], NULL, fill, (void *)i);
    for (long i = 0; i <= N; i++)
        pthread_join(threads[i], NULL);
}
