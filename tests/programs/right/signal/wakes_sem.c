// The handler posts what the interrupted thread waits for.
// EXPECT: complete
// TESTS: 1
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t s;

static void handler(int signal)
{
    (void)signal;
    sem_post(&s);
}

static void *waits(void *unused)
{
    sem_wait(&s);
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    signal(SIGUSR1, handler);
    pthread_create(&t, NULL, waits, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
}
