// The bug needs one order, whatever the input.
// EXPECT: finding assertion
// INPUTS: n == 0 or n != 0
// TESTS: dpor=4 dfs=6 unfold=4 contextual=4 naive=4
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int ready, n, extra;

static void *first(void *unused)
{
    ready = 1;
    return unused;
}

static void *second(void *unused)
{
    if (n == 5)
        extra = 1;
    assert(ready == 0);
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
