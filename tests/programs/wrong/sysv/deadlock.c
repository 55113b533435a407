// Philosophers who take one fork after the other: 2 executions in which both eat, and a deadlock.
// EXPECT: finding deadlock
// DFS: yes
// TESTS: 3
#include <pthread.h>
#include <sys/sem.h>

static int forks;

static void *eats(void *argument)
{
    unsigned short first = (unsigned short)(long)argument, second = !first;
    struct sembuf take = { first, -1, 0 }, more = { second, -1, 0 }, give[] = { { 0, 1, 0 }, { 1, 1, 0 } };
    semop(forks, &take, 1);
    semop(forks, &more, 1);
    semop(forks, &give[0], 1);
    semop(forks, &give[1], 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    unsigned short all[2] = { 1, 1 };
    forks = semget(IPC_PRIVATE, 2, 0600);
    semctl(forks, 0, SETALL, all);
    pthread_create(&t, NULL, eats, (void *)1);
    eats(NULL);
    pthread_join(t, NULL);
}
