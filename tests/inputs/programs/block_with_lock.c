// A lock inside an atomic block: where another thread holds it, the block is two steps, and the first has
// seen that it is held. The other thread's look at x may come in between.
// EXPECT: finding assertion
// INPUTS: n == 2
// TESTS: dpor=8 dfs=10 unfold=8 contextual=8 naive=8
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static _Atomic int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *unused)
{
    pthread_mutex_lock(&m);
    y = x;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, holder, NULL);
    long n = heddle_range(1, 3, "n");
    heddle_atomic_begin();
    x = 1;
    if (n == 2)
        x = 2;
    pthread_mutex_lock(&m);
    x = 3;
    pthread_mutex_unlock(&m);
    heddle_atomic_end();
    pthread_join(t, NULL);
    assert(y != 2);
    return 0;
}
