// Two threads, and a bug that one input shows under every schedule.
// EXPECT: finding assertion
// INPUTS: n == 1000
// TESTS: dpor=3 dfs=7 unfold=2 contextual=2 naive=2
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int x, y, n;

static void *first(void *unused)
{
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    return unused;
}

static void *second(void *unused)
{
    __atomic_store_n(&y, 1, __ATOMIC_SEQ_CST);
    assert(n != 1000);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    n = heddle_int("n");
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
