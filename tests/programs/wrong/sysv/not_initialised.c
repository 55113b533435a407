// The set exists before its value is set: what a thread posts in between is lost, and so is what it posts before the set
// exists.
// EXPECT: finding deadlock
// DFS: yes
// TESTS: 3
#include <pthread.h>
#include <sys/sem.h>

static void *posts(void *unused)
{
    struct sembuf give = { 0, 1, 0 };
    semop(semget(9, 1, 0), &give, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    struct sembuf take = { 0, -1, 0 };
    pthread_create(&t, NULL, posts, NULL);
    int set = semget(9, 1, IPC_CREAT | 0600);
    semctl(set, 0, SETVAL, 0);
    semop(set, &take, 1);
    pthread_join(t, NULL);
}
