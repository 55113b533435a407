// A reader that tries again while a writer is at work sees whole values only.
// EXPECT: complete
// TESTS: 37
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int version, a, b;

static void *write_both(void *unused)
{
    atomic_fetch_add(&version, 1);
    atomic_store(&a, 1);
    atomic_store(&b, 1);
    atomic_fetch_add(&version, 1);
    return unused;
}

static void *read_both(void *unused)
{
    int before, x, y;
    do {
        before = atomic_load(&version);
        x = atomic_load(&a);
        y = atomic_load(&b);
    } while (before % 2 || before != atomic_load(&version));
    assert(x == y);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, write_both, NULL);
    pthread_create(&q, NULL, read_both, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
