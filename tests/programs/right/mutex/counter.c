// N threads, one critical section each: N! orders.
// EXPECT: complete
// RUN: -DN=2 TESTS=2 DFS=yes
// RUN: -DN=3 TESTS=6 DFS=yes
// RUN: -DN=4 TESTS=24 DFS=yes
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, add, (void *)i);
    for (long i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(count == N);
}
