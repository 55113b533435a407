// The second input of the block has another range on each side of a branch on the first: a value that is
// given to it is meant for one of the two.
// EXPECT: finding assertion
// INPUTS: a and n == 11
// TESTS: dpor=8 dfs=8 unfold=8 contextual=8 naive=8
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdbool.h>

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
    bool a = heddle_bool("a");
    long n = a ? heddle_range(10, 12, "n") : heddle_range(3, 4, "n");
    if (n == 4 || n == 11)
        x = 2;
    heddle_atomic_end();
    pthread_join(t, NULL);
    assert(!(seen && n == 11 && x == 2));
    return 0;
}
