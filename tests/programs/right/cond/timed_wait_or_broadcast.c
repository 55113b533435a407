// The broadcast, without the lock, comes before the wait, ends it, or comes
// after its time has run out.
// EXPECT: complete
// TESTS: 3
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int result;

static void *waits(void *unused)
{
    struct timespec until = { 0, 0 };
    pthread_mutex_lock(&lock);
    result = pthread_cond_timedwait(&cond, &lock, &until);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    pthread_cond_broadcast(&cond);
    pthread_join(t, NULL);
    assert(result == 0 || result == ETIMEDOUT);
}
