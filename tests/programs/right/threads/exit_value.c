// pthread_exit from deep inside gives its value, too.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>

static void leave(long n)
{
    if (n == 0)
        pthread_exit((void *)7);
    leave(n - 1);
}

static void *work(void *unused)
{
    leave(5);
    return unused;
}

int main(void)
{
    pthread_t a;
    void *x;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, &x);
    assert((long)x == 7);
}
