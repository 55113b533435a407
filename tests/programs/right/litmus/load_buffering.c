// Two loads, each before a store to the other: 3 of 4.
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
    a = atomic_load(&x);
    atomic_store(&y, 1);
    return unused;
}

static void *two(void *unused)
{
    b = atomic_load(&y);
    atomic_store(&x, 1);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, one, NULL);
    pthread_create(&q, NULL, two, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(!a || !b);
}
