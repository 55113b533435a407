// The bug needs one order and one input.
// EXPECT: finding assertion
// INPUTS: n == 77
// TESTS: dpor=3 dfs=4 unfold=3 contextual=3 naive=3
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int x, n;

static void *first(void *unused)
{
    x = n;
    return unused;
}

static void *second(void *unused)
{
    int seen = x;
    if (seen == 77)
        assert(0);
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
