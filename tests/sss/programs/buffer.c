/* A bounded buffer with a mutex and condition variables: N producers and N consumers of one item each. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

enum { ROOM = 1 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int items[ROOM], count, sum;

static void *produce(void *item)
{
    pthread_mutex_lock(&lock);
    while (count == ROOM)
        pthread_cond_wait(&emptied, &lock);
    items[count++] = (int)(long)item;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *consume(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!count)
        pthread_cond_wait(&filled, &lock);
    sum += items[--count];
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[2 * N];
    for (long i = 0; i < N; i++) {
        pthread_create(&threads[2 * i], NULL, produce, (void *)(i + 1));
        pthread_create(&threads[2 * i + 1], NULL, consume, NULL);
    }
    for (int i = 0; i < 2 * N; i++)
        pthread_join(threads[i], NULL);
    assert(sum == N * (N + 1) / 2);
    return 0;
}
