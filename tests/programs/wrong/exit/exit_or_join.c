// Main exits for two outcomes of a choice and joins for the third; the thread waits forever for one outcome of its own.
// That the process exits beside the waiting thread is no deadlock, and must not be taken for the one that is.
// EXPECT: finding deadlock
// TESTS: 11
// OPTIONS: --seed=2
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t never;

static void *wait_for_ever(void *unused)
{
    if (heddle_choose(3) == 2)
        sem_wait(&never);
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, NULL, wait_for_ever, NULL);
    if (heddle_choose(3) < 2)
        exit(0);
    pthread_join(t, NULL);
    return 0;
}
