// N threads with K critical sections each: (N K)! / K!^N orders.
// EXPECT: complete
// RUN: -DN=2 -DK=2 TESTS=6 DFS=yes
// RUN: -DN=4 -DK=2 TESTS=2520
// RUN: -DN=4 -DK=3 TESTS=369600
#include <assert.h>
#include <pthread.h>

static int count, last[N];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *enter(void *number)
{
    for (int k = 0; k < K; k++) {
        pthread_mutex_lock(&lock);
        last[(long)number] = ++count;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, enter, (void *)i);
    for (long i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(count == N * K);
}
