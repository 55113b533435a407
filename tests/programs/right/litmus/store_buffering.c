// Two stores, each before a load of the other: not both loads come before the stores. 3 of 4.
// EXPECT: complete
// TESTS: 3
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *one(void *unused)
{
    atomic_store(&x, 1);
    a = atomic_load(&y);
    return unused;
}

static void *two(void *unused)
{
    atomic_store(&y, 1);
    b = atomic_load(&x);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, one, NULL);
    pthread_create(&q, NULL, two, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(a || b);
}
