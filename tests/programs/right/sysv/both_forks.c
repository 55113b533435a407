// Philosophers who take both forks in one call do not deadlock.
// EXPECT: complete
// DFS: yes
// TESTS: 48
#include <assert.h>
#include <pthread.h>
#include <sys/sem.h>

enum { N = 3 };
static int forks, meals;

static void *eats(void *argument)
{
    unsigned short left = (unsigned short)(long)argument, right = (unsigned short)((left + 1) % N);
    struct sembuf take[] = { { left, -1, 0 }, { right, -1, 0 } }, give[] = { { left, 1, 0 }, { right, 1, 0 } };
    semop(forks, take, 2);
    meals++;
    semop(forks, give, 2);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    unsigned short all[N] = { 1, 1, 1 };
    forks = semget(IPC_PRIVATE, N, 0600);
    semctl(forks, 0, SETALL, all);
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, eats, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(meals == N);
}
