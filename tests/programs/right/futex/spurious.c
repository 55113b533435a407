// A sleep may end for no reason.
// EXPECT: complete
// OPTIONS: --spurious
// DFS: yes
// RUN: TESTS=3
// RUN: -DLOOP TESTS=10
// RUN: -DTIMED TESTS=4
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int ready;

static void *waits(void *unused)
{
    static const struct timespec second = { 1, 0 };
    const struct timespec *limit = NULL;
#ifdef TIMED
    limit = &second;
#endif
    (void)second;
#ifdef LOOP
    while (!atomic_load(&ready))
#endif
        syscall(SYS_futex, &ready, FUTEX_WAIT, 0, limit);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    atomic_store(&ready, 1);
    syscall(SYS_futex, &ready, FUTEX_WAKE, 1);
    pthread_join(t, NULL);
}
