// T1 destroys a mutex that the main thread locks: before; while it is locked,
// and the failure ends the process before or after the unlock (2); or after, the
// one order that does no harm.
// EXPECT: finding lock-discipline
// TESTS: 4
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *destroys(void *unused)
{
    pthread_mutex_destroy(&mutex);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, destroys, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
}
