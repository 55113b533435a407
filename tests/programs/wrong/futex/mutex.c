// Mutexes made of a futex, with a mistake each: a thread that was woken does not say that others may still sleep, so
// the third one is never woken; the sleep expects the wrong value, so the check and the sleep are not one step; the
// one that unlocks looks for sleepers before it unlocks.
// RUN: -DMISTAKE=1 -DTHREADS=3 FINDING=deadlock TESTS=3342
// RUN: -DMISTAKE=2 -DTHREADS=2 FINDING=deadlock TESTS=14 DFS=yes
// RUN: -DMISTAKE=3 -DTHREADS=2 FINDING=deadlock TESTS=14 DFS=yes
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int state;
static int count;

static int swap_if(int old, int new)
{
    atomic_compare_exchange_strong(&state, &old, new);
    return old;
}

static void lock(void)
{
    int taken = MISTAKE == 1 ? 1 : 2;
    if (swap_if(0, 1) == 0)
        return;
    while (swap_if(0, taken) != 0) {
        swap_if(1, 2);
        syscall(SYS_futex, &state, FUTEX_WAIT, MISTAKE == 2 ? atomic_load(&state) : 2, NULL);
    }
}

static void unlock(void)
{
#if MISTAKE == 3
    int others = atomic_load(&state) == 2;
    atomic_store(&state, 0);
#else
    int others = atomic_exchange(&state, 0) == 2;
#endif
    if (others)
        syscall(SYS_futex, &state, FUTEX_WAKE, 1);
}

static void *add(void *unused)
{
    lock();
    count++;
    unlock();
    return unused;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(count == THREADS);
}
