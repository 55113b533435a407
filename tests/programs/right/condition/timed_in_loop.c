// The usual loop around a timed wait, with a new limit in each round. A wait times out once at any time, and then only
// when no thread can run, which does not happen here.
// EXPECT: complete
// DFS: yes
// RUN: TESTS=4
// RUN: OPTIONS=--timeouts=0 TESTS=2
// RUN: OPTIONS=--timeouts=3 TESTS=8
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
    pthread_create(&setter, NULL, sets, NULL);
    pthread_mutex_lock(&lock);
    while (!ready) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += 10;
        pthread_cond_timedwait(&changed, &lock, &until);
    }
    pthread_mutex_unlock(&lock);
    pthread_join(setter, NULL);
    return 0;
}
