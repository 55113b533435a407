// Two threads write to a table, one at an index that is an input.
// EXPECT: finding assertion
// INPUTS: i == 2
// TESTS: dpor=5 dfs=10 unfold=5 contextual=5 naive=5
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int table[4];
static unsigned i;

static void *first(void *unused)
{
    table[2] = 1;
    return unused;
}

static void *second(void *unused)
{
    table[i] = 7;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    i = heddle_uint("i");
    heddle_assume(i < 4);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (i == 2)
        assert(table[2] == 7);
    return 0;
}
