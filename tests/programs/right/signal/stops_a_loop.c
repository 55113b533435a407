// A thread goes round a loop until a signal handler says stop: before its
// first round or during a wait for it.
// EXPECT: complete
// TESTS: 2
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int stop;

static void handler(int signal)
{
    (void)signal;
    stop = 1;
}

static void *works(void *unused)
{
    while (!stop)
        ;
    return unused;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    pthread_create(&t, NULL, works, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
}
