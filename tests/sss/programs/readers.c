/* Readers and writers of a read-write lock. Composed, sections of readers commute. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int first, second;

static void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    assert(first == second);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    first++;
    second++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[READERS + WRITERS];
    for (int i = 0; i < READERS + WRITERS; i++)
        pthread_create(&threads[i], NULL, i < READERS ? reader : writer, NULL);
    for (int i = 0; i < READERS + WRITERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
