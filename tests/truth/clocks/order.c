// Time never goes back: not in a thread, not where threads meet, and a limit that has run out has passed.
// RUN: -DHOW=0 EXPECT=bound
// RUN: -DHOW=1 EXPECT=bound
// RUN: -DHOW=2 EXPECT=bound
// RUN: -DHOW=3 EXPECT=bound
// RUN: -DHOW=4 EXPECT=bound
// RUN: -DHOW=5 EXPECT=bound
// RUN: -DHOW=6 EXPECT=bound
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static _Atomic long latest;
static long plain;

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A write that comes behind another thread's look is not earlier either. */
static void meet(void)
{
    long before, start = now();
    switch (HOW) {
    case 0:
        before = atomic_exchange(&latest, start);
        break;
    case 1:
        before = latest;
        latest = start;
        break;
    default:
        pthread_mutex_lock(&lock);
        before = plain;
        plain = start;
        pthread_mutex_unlock(&lock);
    }
    assert(now() >= before && now() >= start);
}

static void wait(void)
{
    struct timespec until = { now() / 1000000000 + 3, 0 };
    int error = 0;
    pthread_mutex_t *m = &lock;
    if (HOW == 3) {
        pthread_mutex_lock(m);
        error = pthread_cond_timedwait(&changed, m, &until);
        pthread_mutex_unlock(m);
    } else if (HOW == 4 && !(error = pthread_mutex_timedlock(m, &until))) {
        pthread_mutex_unlock(m);
    } else if (HOW == 5) {
        error = sem_timedwait(&sem, &until) ? errno : 0;
    } else if (HOW == 6 && !(error = pthread_rwlock_timedwrlock(&rwlock, &until))) {
        pthread_rwlock_unlock(&rwlock);
    }
    assert(error != ETIMEDOUT || now() >= until.tv_sec * 1000000000);
}

static void *work(void *unused)
{
    if (HOW < 3)
        meet();
    else
        wait();
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&sem, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    if (HOW < 3)
        meet();
    else if (HOW == 4)
        pthread_mutex_lock(&lock);
    else if (HOW == 5)
        sem_post(&sem);
    else if (HOW == 6)
        pthread_rwlock_rdlock(&rwlock);
    else
        pthread_cond_signal(&changed);
    if (HOW == 4)
        pthread_mutex_unlock(&lock);
    if (HOW == 6)
        pthread_rwlock_unlock(&rwlock);
    pthread_join(t, NULL);
    return 0;
}
