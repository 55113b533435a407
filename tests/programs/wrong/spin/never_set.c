// Nobody ever raises the flag: the loop waits forever.
// EXPECT: finding deadlock
// TESTS: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, other;

static void *sends_elsewhere(void *unused)
{
    atomic_store(&other, 1);
    return unused;
}

static void *waits(void *unused)
{
    while (!atomic_load(&ready)) {
    }
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, sends_elsewhere, NULL);
    pthread_create(&q, NULL, waits, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
