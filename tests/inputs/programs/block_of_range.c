// An input with a range is drawn and looked at inside an atomic block, which changes something only for one value.
// EXPECT: finding assertion
// INPUTS: n == 6
// TESTS: dpor=4 dfs=4 unfold=4 contextual=4 naive=4
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static _Atomic int x;

static void *writer(void *unused)
{
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    heddle_atomic_begin();
    int seen = x;
    long n = heddle_range(5, 7, "n");
    if (n == 6)
        x = 2;
    heddle_atomic_end();
    pthread_join(t, NULL);
    assert(!(seen && x == 2));
    return 0;
}
