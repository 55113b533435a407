// Main exits for one input. For the other it joins a thread that waits forever with an input of its own. An exit
// beside the waiting thread is not the deadlock.
// EXPECT: finding deadlock
// INPUTS: n == 1 and mine == 1
// TESTS: dpor=4 unfold=4 contextual=4 naive=4 default=4
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t never;

static void *wait_for_ever(void *unused)
{
    if (heddle_range(0, 1, "mine") == 1)
        sem_wait(&never);
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, NULL, wait_for_ever, NULL);
    if (heddle_range(0, 1, "n") == 0)
        exit(0);
    pthread_join(t, NULL);
    return 0;
}
