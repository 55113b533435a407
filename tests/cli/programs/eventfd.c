/* T1 and the main thread set the action of a signal. Then T1 reads from an eventfd that no thread writes to. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int number;

static void *reads(void *unused)
{
    uint64_t value;
    signal(SIGUSR1, SIG_IGN);
    return read(number, &value, sizeof value) < 0 ? NULL : unused;
}

int main(void)
{
    pthread_t t;
    number = eventfd(0, 0);
    pthread_create(&t, NULL, reads, NULL);
    signal(SIGUSR1, SIG_DFL);
    pthread_join(t, NULL);
    return 0;
}
