// Two threads open a semaphore, and the first of them makes it: 2 orders. Then it is a lock: 2 orders of each.
// EXPECT: complete
// DFS: yes
// TESTS: 4
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int count;

static void *adds(void *unused)
{
    sem_t *s = sem_open("/lock", O_CREAT, 0600, 1);
    assert(s != SEM_FAILED);
    sem_wait(s);
    count++;
    sem_post(s);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, adds, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(count == 2);
    assert(sem_unlink("/lock") == 0);
}
