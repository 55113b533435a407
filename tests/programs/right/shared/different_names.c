// Making, finding and removing different names commute.
// EXPECT: complete
// DFS: yes
// TESTS: 1
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/msg.h>
#include <sys/sem.h>

static void *uses(void *name)
{
    sem_t *s = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
    int key = ((char *)name)[1], set = semget(key, 1, IPC_CREAT | IPC_EXCL | 0600);
    int queue = msgget(key, IPC_CREAT | IPC_EXCL | 0600);
    assert(s != SEM_FAILED && set >= 0 && queue >= 0);
    assert(sem_open(name, 0) == s && semget(key, 1, 0) == set && msgget(key, 0) == queue);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, uses, "/a");
    uses("/b");
    pthread_join(t, NULL);
}
