// Either of two threads gets the semaphore; one of them waits for it inside an atomic block. The other then waits forever.
// EXPECT: finding deadlock
// EXPECT: finding deadlock
// TESTS: 2
// OPTIONS: --stop=never
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *poster(void *unused)
{
    sem_post(&s);
    return unused;
}

static void *waiter(void *unused)
{
    sem_wait(&s);
    return unused;
}

static void *waiter_in_block(void *unused)
{
    heddle_atomic_begin();
    sem_wait(&s);
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    void *(*const bodies[])(void *) = { poster, waiter, waiter_in_block };
    pthread_t t[3];
    sem_init(&s, 0, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
