// Each thread has an input of its own; they meet in the end.
// EXPECT: finding assertion
// INPUTS: a + b == 50 and a > b
// TESTS: dpor=6 dfs=18 unfold=6 contextual=6 naive=6
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int left, right, done;

static void *first(void *unused)
{
    left = heddle_int("a");
    __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
    return unused;
}

static void *second(void *unused)
{
    right = heddle_int("b");
    __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (left + right == 50)
        assert(left <= right);
    return 0;
}
