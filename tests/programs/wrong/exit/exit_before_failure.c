// Two threads wait for each other, a third always fails, and main exits. The deadlock shows only where main comes
// before the failure.
// EXPECT: finding deadlock
// EXPECT: finding assertion
// TESTS: 40
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int zero;

static void *first(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *second(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

static void *fail(void *unused)
{
    assert(zero);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, fail, NULL);
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&t, NULL, second, NULL);
    return 0;
}
