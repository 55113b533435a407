// Threads that create threads; the leaves add to one counter: 3! orders of 3 updates in the tree.
// EXPECT: complete
// TESTS: 6
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *leaf(void *unused)
{
    atomic_fetch_add(&count, 1);
    return unused;
}

static void *inner(void *unused)
{
    pthread_t a, b;
    pthread_create(&a, NULL, leaf, NULL);
    pthread_create(&b, NULL, leaf, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, inner, NULL);
    pthread_create(&q, NULL, leaf, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(count == 3);
}
