// A timed lock gets the lock or times out while the other holds it.
// EXPECT: complete
// TESTS: 3
// DFS: yes
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, timed_out;

static void *holds(void *unused)
{
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *hopes(void *unused)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    int error = pthread_mutex_timedlock(&lock, &until);
    assert(error == 0 || error == ETIMEDOUT);
    if (error) {
        timed_out = 1;
    } else {
        x++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, holds, NULL);
    pthread_create(&q, NULL, hopes, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
