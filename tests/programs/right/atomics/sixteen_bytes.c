// Sixteen bytes are written and read as one.
// EXPECT: complete
// TESTS: 2
// DFS: yes
// CFLAGS: -mcx16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct pair {
    long a, b;
} pair;

static _Atomic pair x;
static pair seen;

static void *write_both(void *unused)
{
    pair both = { 1, 1 };
    atomic_store(&x, both);
    return unused;
}

static void *read_both(void *unused)
{
    seen = atomic_load(&x);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, write_both, NULL);
    pthread_create(&q, NULL, read_both, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(seen.a == seen.b);
}
