// Two variables written in opposite orders: 3 of 4.
// EXPECT: complete
// TESTS: 3
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *one(void *unused)
{
    atomic_store(&x, 1);
    atomic_store(&y, 2);
    return unused;
}

static void *two(void *unused)
{
    atomic_store(&y, 1);
    atomic_store(&x, 2);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, one, NULL);
    pthread_create(&q, NULL, two, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(x != 1 || y != 1);
}
