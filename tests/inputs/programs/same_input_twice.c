// Both threads look at one input: they always agree.
// EXPECT: complete
// TESTS: dpor=2 dfs=90 unfold=2 contextual=2 naive=4
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int n, a_says, b_says, count, other;

static void *first(void *unused)
{
    if (n > 10)
        a_says = 1;
    __atomic_fetch_add(&count, a_says, __ATOMIC_SEQ_CST);
    return unused;
}

static void *second(void *unused)
{
    if (n > 10)
        b_says = 1;
    __atomic_fetch_or(&other, b_says, __ATOMIC_SEQ_CST);
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
    assert(a_says == b_says);
    return 0;
}
