// A semaphore of 1 as a lock: three threads, one critical section each: 3! orders.
// EXPECT: complete
// TESTS: 6
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t lock;
static int count;

static void *add(void *unused)
{
    sem_wait(&lock);
    count++;
    sem_post(&lock);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    sem_init(&lock, 0, 1);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(count == 3);
}
