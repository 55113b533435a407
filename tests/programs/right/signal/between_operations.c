// A signal arrives before the lock, before the unlock, or too late.
// EXPECT: complete
// TESTS: 3
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int handled;
static int seen[8];

static void handler(int signal)
{
    (void)signal;
    handled++;
}

static void *works(void *unused)
{
    pthread_mutex_lock(&lock);
    seen[0] = handled;
    pthread_mutex_unlock(&lock);
    seen[1] = handled;
    assert(seen[0] <= seen[1] && handled <= 1);
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
