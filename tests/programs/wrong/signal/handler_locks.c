// The handler locks what the interrupted thread holds, if the signal comes
// between lock and unlock; before and after it does no harm.
// EXPECT: finding deadlock
// TESTS: 3
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void handler(int signal)
{
    (void)signal;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

static void *works(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
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
