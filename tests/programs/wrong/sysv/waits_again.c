// A call that waits for two semaphores looks again when one of them has changed, and goes on waiting for the other.
// EXPECT: finding deadlock
// DFS: yes
// TESTS: 2
#include <pthread.h>
#include <sys/sem.h>

static int set;

static void *posts(void *unused)
{
    struct sembuf give = { 1, 1, 0 };
    semop(set, &give, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    struct sembuf both[] = { { 0, -1, 0 }, { 1, -1, 0 } };
    set = semget(IPC_PRIVATE, 2, 0600);
    pthread_create(&t, NULL, posts, NULL);
    semop(set, both, 2);
    pthread_join(t, NULL);
}
