// A semaphore that starts at 0 orders the two threads: one trace.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int data;

static void *producer(void *unused)
{
    data = 42;
    sem_post(&ready);
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&ready, 0, 0);
    pthread_create(&t, NULL, producer, NULL);
    sem_wait(&ready);
    assert(data == 42);
    pthread_join(t, NULL);
    sem_destroy(&ready);
}
