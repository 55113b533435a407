// A signal ends a wait whose result nobody looks at: the program goes on
// without the semaphore.
// EXPECT: finding assertion
// DFS: yes
// TESTS: 10
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t ready;
static _Atomic int written;

static void nothing(int signal)
{
    (void)signal;
}

static void *waits(void *unused)
{
    sem_wait(&ready);
    assert(written);
    return unused;
}

int main(void)
{
    pthread_t t;
    struct sigaction action = { .sa_handler = nothing, .sa_flags = 0 };
    sem_init(&ready, 0, 0);
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&t, NULL, waits, NULL);
    pthread_kill(t, SIGUSR1);
    written = 1;
    sem_post(&ready);
    pthread_join(t, NULL);
}
