// The range of an input depends on an input, also inside an atomic block.
// EXPECT: finding assertion
// INPUTS: n == 3 and m == 3
// EXPECT: finding assertion
// INPUTS: n == 2 and k == 4
// TESTS: dpor=11 dfs=11 unfold=11 contextual=11 naive=11 dpor-sleep=11
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
    long n = heddle_range(1, 3, "n");
    long m = heddle_range(0, n, "m");
    assert(m != 3);
    pthread_create(&t, NULL, writer, NULL);
    heddle_atomic_begin();
    int seen = x;
    long k = heddle_range(n, n + n, "k");
    if (k == 4)
        x = 2;
    heddle_atomic_end();
    pthread_join(t, NULL);
    assert(!(seen && x == 2 && n == 2));
    return 0;
}
