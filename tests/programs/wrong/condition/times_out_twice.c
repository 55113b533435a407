// A wait that has timed out twice fails, although the other thread could have run: --timeouts=2 finds it, the default
// does not, and says so.
// RUN: OPTIONS=--timeouts=2 FINDING=assertion TESTS=6
// RUN: OPTIONS=--timeouts=any FINDING=assertion TESTS=6
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *sets(void *unused)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t setter;
    const struct timespec soon = { 1, 0 };
    pthread_create(&setter, NULL, sets, NULL);
    pthread_mutex_lock(&lock);
    for (int tries = 0; !ready; tries++) {
        assert(tries < 2);
        pthread_cond_timedwait(&changed, &lock, &soon);
    }
    pthread_mutex_unlock(&lock);
    pthread_join(setter, NULL);
    return 0;
}
