// The usual compare-and-swap loop never loses an update.
// EXPECT: complete
// DFS: yes
// TESTS: 4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *add(void *unused)
{
    int old = atomic_load(&x);
    while (!atomic_compare_exchange_weak(&x, &old, old + 1)) {
    }
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, add, NULL);
    pthread_create(&q, NULL, add, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(x == 2);
}
