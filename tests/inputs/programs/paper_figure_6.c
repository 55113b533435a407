// Figure 6 of the paper on unfoldings and dynamic symbolic execution: three tests with
// unfoldings. dpor needs three as well, one for each order with each way; dfs runs one more.
// EXPECT: finding assertion
// INPUTS: input > 0
// TESTS: dpor=3 dfs=4 unfold=3 contextual=3 naive=4
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int x;

static void *first(void *unused)
{
    int a = x;
    if (a > 0)
        assert(0);
    return unused;
}

static void *second(void *unused)
{
    int b = x;
    if (b == 0)
        x = heddle_int("input");
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
