// Three mutexes made of a futex, as in Drepper's "Futexes Are Tricky": a counter of lockers; three states with a
// compare-and-swap before every sleep; three states with an exchange.
// EXPECT: complete
// DFS: yes
// RUN: -DMUTEX=1 -DTHREADS=2 TESTS=6
// RUN: -DMUTEX=2 -DTHREADS=2 TESTS=16
// RUN: -DMUTEX=3 -DTHREADS=2 TESTS=14
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int state;
static int count;

static void sleep_at(int value)
{
    syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake_one(void)
{
    syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static int swap_if(int old, int new)
{
    atomic_compare_exchange_strong(&state, &old, new);
    return old;
}

#if MUTEX == 1
static void lock(void)
{
    int before;
    while ((before = atomic_fetch_add(&state, 1)) != 0)
        sleep_at(before + 1);
}

static void unlock(void)
{
    atomic_store(&state, 0);
    wake_one();
}
#elif MUTEX == 2
static void lock(void)
{
    int before = swap_if(0, 1);
    if (before == 0)
        return;
    do {
        if (before == 2 || swap_if(1, 2) != 0)
            sleep_at(2);
    } while ((before = swap_if(0, 2)) != 0);
}
#else
static void lock(void)
{
    int before = swap_if(0, 1);
    if (before == 0)
        return;
    if (before != 2)
        before = atomic_exchange(&state, 2);
    while (before != 0) {
        sleep_at(2);
        before = atomic_exchange(&state, 2);
    }
}
#endif

#if MUTEX != 1
static void unlock(void)
{
    if (atomic_fetch_sub(&state, 1) != 1) {
        atomic_store(&state, 0);
        wake_one();
    }
}
#endif

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
