// A semaphore as in musl: a count and a number of sleepers; one that posts wakes only if somebody may sleep.
// EXPECT: complete
// RUN: -DWAITS=1 TESTS=5 DFS=yes
// RUN: -DWAITS=2 TESTS=5170
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int value, sleepers;

static int try_wait(void)
{
    int now = atomic_load(&value);
    while (now > 0)
        if (atomic_compare_exchange_strong(&value, &now, now - 1))
            return 1;
    return 0;
}

static void *wait_once(void *unused)
{
    while (!try_wait()) {
        atomic_fetch_add(&sleepers, 1);
        syscall(SYS_futex, &value, FUTEX_WAIT, 0, NULL);
        atomic_fetch_sub(&sleepers, 1);
    }
    return unused;
}

static void post(void)
{
    atomic_fetch_add(&value, 1);
    if (atomic_load(&sleepers))
        syscall(SYS_futex, &value, FUTEX_WAKE, 1);
}

int main(void)
{
    pthread_t t[WAITS];
    for (int i = 0; i < WAITS; i++)
        pthread_create(&t[i], NULL, wait_once, NULL);
    for (int i = 0; i < WAITS; i++)
        post();
    for (int i = 0; i < WAITS; i++)
        pthread_join(t[i], NULL);
}
