// T1 waits for a semaphore whose value is 0 when the main thread frees it: a use after free, whether T1 waits already or
// comes later. These are one trace: the wait cannot come before the free.
// EXPECT: finding use-after-free
// DFS: yes
// TESTS: 1
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t *semaphore;

static void *waits(void *unused)
{
    sem_wait(semaphore);
    return unused;
}

int main(void)
{
    pthread_t t;
    semaphore = malloc(sizeof *semaphore);
    sem_init(semaphore, 0, 0);
    pthread_create(&t, NULL, waits, NULL);
    free(semaphore);
    pthread_join(t, NULL);
    return 0;
}
