// An error-checking mutex says what is wrong instead of waiting forever.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *other(void *unused)
{
    assert(pthread_mutex_unlock(&lock) == EPERM);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attributes);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    pthread_create(&a, NULL, other, NULL);
    pthread_join(a, NULL);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_destroy(&lock) == 0);
}
