// Atomic updates that change their variable or only look at it, depending on
// what it holds: and, or, exchange, compare-and-swap, a signed minimum, of
// different sizes. What each does before the stores that it races with is known; if
// that were wrong, traces would be lost.
// EXPECT: complete
// TESTS: 70
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned char flags;
static atomic_int state;
static long lowest;

static void *sets(void *unused)
{
    atomic_store(&flags, 6);
    atomic_store(&state, 1);
    __atomic_store_n(&lowest, -3, __ATOMIC_SEQ_CST);
    return unused;
}

static void *updates(void *unused)
{
    int expected = 0;
    atomic_fetch_or(&flags, 2);
    atomic_compare_exchange_strong(&state, &expected, 2);
    atomic_fetch_and(&flags, 4);
    __atomic_fetch_min(&lowest, -2, __ATOMIC_SEQ_CST);
    return unused;
}

static void *looks(void *unused)
{
    atomic_exchange(&state, 1);
    atomic_load(&flags);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, sets, NULL);
    pthread_create(&t[1], NULL, updates, NULL);
    pthread_create(&t[2], NULL, looks, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
}
