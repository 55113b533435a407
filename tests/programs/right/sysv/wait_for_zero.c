// The lock is free at zero: one call waits for that and takes it. What the other thread did before is ordered.
// EXPECT: complete
// DFS: yes
// TESTS: 4
#include <assert.h>
#include <pthread.h>
#include <sys/sem.h>

static int set, count;

static void *adds(void *unused)
{
    struct sembuf take[] = { { 0, 0, 0 }, { 0, 1, 0 } }, give = { 0, -1, 0 };
    semop(set, take, 2);
    count++;
    semop(set, &give, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    set = semget(IPC_PRIVATE, 1, 0600);
    pthread_create(&t, NULL, adds, NULL);
    adds(NULL);
    pthread_join(t, NULL);
    assert(count == 2);
}
