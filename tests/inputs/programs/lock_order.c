// A deadlock for one input only: it turns the order of the locks.
// EXPECT: finding deadlock
// INPUTS: n == 3
// TESTS: dpor=5 dfs=9 unfold=5 contextual=5 naive=5
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int n;

static void *first(void *unused)
{
    pthread_mutex_lock(&m[0]);
    pthread_mutex_lock(&m[1]);
    pthread_mutex_unlock(&m[1]);
    pthread_mutex_unlock(&m[0]);
    return unused;
}

static void *second(void *unused)
{
    int turn = n == 3;
    if (turn) {
        pthread_mutex_lock(&m[1]);
        pthread_mutex_lock(&m[0]);
    } else {
        pthread_mutex_lock(&m[0]);
        pthread_mutex_lock(&m[1]);
    }
    pthread_mutex_unlock(&m[0]);
    pthread_mutex_unlock(&m[1]);
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
