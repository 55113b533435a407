// An assertion fails inside an atomic block that waits for a lock first: a block can end the process where it could be taken, and
// the program is not called nondeterministic.
// EXPECT: finding assertion
// INPUTS: True
// TESTS: dpor=3 dfs=3
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int x;

static void *holder(void *unused)
{
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    x = 0;
    return unused;
}

static void *failing(void *unused)
{
    heddle_atomic_begin();
    pthread_mutex_lock(&m);
    assert(x == 2);
    pthread_mutex_unlock(&m);
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, holder, NULL);
    pthread_create(&b, NULL, failing, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
