// A semaphore of 1 as a lock: three threads, one critical section each: 3! orders.
// EXPECT: complete
// TESTS: 6
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <sys/sem.h>

static int set, count;

static void *adds(void *unused)
{
    struct sembuf take = { 0, -1, SEM_UNDO }, give = { 0, 1, SEM_UNDO };
    semop(set, &take, 1);
    count++;
    semop(set, &give, 1);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    set = semget(IPC_PRIVATE, 1, 0600);
    semctl(set, 0, SETVAL, 1);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, adds, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(count == 3);
    semctl(set, 0, IPC_RMID);
}
