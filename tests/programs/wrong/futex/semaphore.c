// The one that posts looks for sleepers before it posts: the wake-up is lost.
// EXPECT: finding deadlock
// TESTS: 5
// DFS: yes
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int value, sleepers;

static void *wait_once(void *unused)
{
    int one = 1;
    while (!atomic_compare_exchange_strong(&value, &one, 0)) {
        one = 1;
        atomic_fetch_add(&sleepers, 1);
        syscall(SYS_futex, &value, FUTEX_WAIT, 0, NULL);
        atomic_fetch_sub(&sleepers, 1);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait_once, NULL);
    int some = atomic_load(&sleepers);
    atomic_fetch_add(&value, 1);
    if (some)
        syscall(SYS_futex, &value, FUTEX_WAKE, 1);
    pthread_join(t, NULL);
}
