// The input goes from one thread to the other under a lock.
// EXPECT: finding assertion
// INPUTS: n == 13
// TESTS: dpor=3 dfs=3 unfold=3 contextual=3 naive=3
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int box, full, n;

static void *first(void *unused)
{
    pthread_mutex_lock(&m);
    box = n + 1;
    full = 1;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *second(void *unused)
{
    pthread_mutex_lock(&m);
    if (full && box == 14)
        assert(0);
    pthread_mutex_unlock(&m);
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
    return 0;
}
