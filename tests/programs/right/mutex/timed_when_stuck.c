// Each of two threads holds a lock that the other one wants, with a time limit: when no thread can run, the one
// with the earliest limit gives up.
// The semaphore, the read-write lock and the join are waited for in the same way.
// EXPECT: complete
// DFS: yes
// OPTIONS: --timeouts=0
// RUN: -DWHAT=0 TESTS=3
// RUN: -DWHAT=1 TESTS=1
// RUN: -DWHAT=2 TESTS=2
// RUN: -DWHAT=3 TESTS=1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem, done;
static const struct timespec soon = { 1, 0 };

static void lock_both(int first)
{
    pthread_mutex_lock(&locks[first]);
    int error = pthread_mutex_timedlock(&locks[!first], &soon);
    assert(error == 0 || error == ETIMEDOUT);
    if (!error)
        pthread_mutex_unlock(&locks[!first]);
    pthread_mutex_unlock(&locks[first]);
}

static void *other(void *unused)
{
    if (WHAT == 0)
        lock_both(1);
    else if (WHAT == 2)
        pthread_rwlock_rdlock(&rwlock);
    if (WHAT > 0)
        sem_wait(&done);
    if (WHAT == 2)
        pthread_rwlock_unlock(&rwlock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&sem, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, other, NULL);
    if (WHAT == 0)
        lock_both(0);
    else if (WHAT == 1)
        assert(sem_timedwait(&sem, &soon) && errno == ETIMEDOUT);
    else if (WHAT == 2 && !pthread_rwlock_timedwrlock(&rwlock, &soon))
        pthread_rwlock_unlock(&rwlock);
    else if (WHAT == 3)
        assert(pthread_timedjoin_np(thread, NULL, &soon) == ETIMEDOUT);
    sem_post(&done);
    pthread_join(thread, NULL);
    return 0;
}
