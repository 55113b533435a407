// Without a loop, the sleep may end for no reason before the value has changed.
// EXPECT: finding assertion
// OPTIONS: --spurious
// DFS: yes
// TESTS: 6
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int ready;

static void *sets(void *unused)
{
    atomic_store(&ready, 1);
    syscall(SYS_futex, &ready, FUTEX_WAKE, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sets, NULL);
    syscall(SYS_futex, &ready, FUTEX_WAIT, 0, NULL);
    assert(atomic_load(&ready));
    pthread_join(t, NULL);
}
