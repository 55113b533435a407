// A thread that does not want to be cancelled is not, whether the
// cancellation comes before or after it looks.
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <pthread.h>

static void *works(void *unused)
{
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    assert(old == PTHREAD_CANCEL_ENABLE);
    pthread_testcancel();
    return (void *)1L;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, works, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == (void *)1L);
}
