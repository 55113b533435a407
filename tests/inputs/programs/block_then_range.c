// An input behind an atomic block has a range, and a branch on it comes before the next step. dpor once
// gave it a value outside the range, and took the run that followed for the proof that there is no other way.
// EXPECT: finding assertion
// INPUTS: n == 1
// TESTS: dpor=5 dfs=5 unfold=5 contextual=5 naive=5
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static _Atomic int x;

static void *writer(void *unused)
{
    x = 0;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    heddle_atomic_begin();
    x = 3;
    heddle_atomic_end();
    long n = heddle_range(0, 2, "n");
    assert(!(n == 1 && x == 0));
    pthread_join(t, NULL);
    return 0;
}
