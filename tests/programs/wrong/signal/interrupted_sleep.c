// A sleep may end early when a signal comes, with the time that is left.
// EXPECT: finding assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

static void nothing(int signal)
{
    (void)signal;
}

static void *sleeps(void *unused)
{
    struct timespec time = { 2, 0 }, left = { 0, 0 };
    if (nanosleep(&time, &left))
        assert(errno != EINTR || left.tv_sec != 2);
    return unused;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, nothing);
    pthread_create(&t, NULL, sleeps, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
}
