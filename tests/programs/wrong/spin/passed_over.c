// The waiter looks for a value that may be overwritten before it looks.
// EXPECT: finding deadlock
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *counts(void *unused)
{
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return unused;
}

static void *waits(void *unused)
{
    while (atomic_load(&x) != 1) {
    }
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, counts, NULL);
    pthread_create(&q, NULL, waits, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
