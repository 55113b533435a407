// A pool with one worker and one job. Whoever waits for a result or for room in the queue looks again every ten seconds,
// with a new limit each time, in case a wake-up was lost.
// EXPECT: complete
// DFS: yes
// RUN: TESTS=16
// RUN: OPTIONS=--timeouts=0 TESTS=6
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>

enum { ROOM = 1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_job = PTHREAD_COND_INITIALIZER, has_room = PTHREAD_COND_INITIALIZER,
                      has_result = PTHREAD_COND_INITIALIZER;
static int jobs, results, ended;

static void wait_for_a_while(pthread_cond_t *what)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    struct timespec until = { now.tv_sec + 10, now.tv_usec * 1000 };
    pthread_cond_timedwait(what, &lock, &until);
}

static void *works(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!jobs && !ended)
            pthread_cond_wait(&has_job, &lock);
        if (!jobs)
            break;
        if (jobs-- == ROOM)
            pthread_cond_signal(&has_room);
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        results++;
        pthread_cond_signal(&has_result);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void dispatch(void)
{
    pthread_mutex_lock(&lock);
    while (jobs == ROOM)
        wait_for_a_while(&has_room);
    jobs++;
    pthread_cond_signal(&has_job);
    pthread_mutex_unlock(&lock);
}

static void take_result(void)
{
    pthread_mutex_lock(&lock);
    while (!results)
        wait_for_a_while(&has_result);
    results--;
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, works, NULL);
    dispatch();
    take_result();
    pthread_mutex_lock(&lock);
    ended = 1;
    pthread_cond_signal(&has_job);
    pthread_mutex_unlock(&lock);
    pthread_join(worker, NULL);
    assert(!jobs && !results);
    return 0;
}
