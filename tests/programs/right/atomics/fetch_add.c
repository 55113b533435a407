// Updates conflict: N! orders, and none is lost.
// EXPECT: complete
// RUN: -DN=2 TESTS=2 DFS=yes
// RUN: -DN=4 TESTS=24 DFS=yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *add(void *unused)
{
    atomic_fetch_add(&x, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, add, (void *)i);
    for (long i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(x == N);
}
