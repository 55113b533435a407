// An atomic write does not order a plain read.
// EXPECT: finding data-race
// TESTS: 2
// DFS: yes
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int x;
static int seen;

static void *one(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

static void *two(void *unused)
{
    seen = *(int *)&x;
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, one, NULL);
    pthread_create(&q, NULL, two, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
