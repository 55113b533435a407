/* Two threads that have nothing in common, and both fail. The crash ends the process in the middle of a step,
 * without an operation that others could depend on. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *fails_left(void *unused)
{
    pthread_mutex_lock(&left);
    *(volatile int *)NULL = x;
    pthread_mutex_unlock(&left);
    return unused;
}

static void *fails_right(void *unused)
{
    pthread_mutex_lock(&right);
    assert(y);
    pthread_mutex_unlock(&right);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, fails_left, NULL);
    pthread_create(&b, NULL, fails_right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
