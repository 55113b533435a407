// A handler with SA_RESTART does not end a wait: the thread gets its semaphore.
// EXPECT: complete
// DFS: yes
// TESTS: 2
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
    struct sigaction action = { .sa_handler = nothing, .sa_flags = SA_RESTART };
    sem_init(&ready, 0, 0);
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&t, NULL, waits, NULL);
    pthread_kill(t, SIGUSR1);
    written = 1;
    sem_post(&ready);
    pthread_join(t, NULL);
}
