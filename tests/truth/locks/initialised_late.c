// A thread may lock before the other one has initialised what it locks.
// RUN: -DMUTEX FINDING=lock-discipline
// RUN: -DMUTEX -DTRY FINDING=lock-discipline
// RUN: -DMUTEX -DHEAP FINDING=lock-discipline
// RUN: -DRWLOCK FINDING=lock-discipline
// RUN: -DSEMAPHORE FINDING=lock-discipline
// RUN: -DC11 FINDING=lock-discipline
// RUN: -DMUTEX -DJOINED EXPECT=complete
// RUN: -DRWLOCK -DJOINED EXPECT=complete
// RUN: -DSEMAPHORE -DJOINED EXPECT=complete
// RUN: -DC11 -DJOINED EXPECT=complete
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

#if defined(MUTEX)
static pthread_mutex_t object, *p = &object;
static void init(void) { pthread_mutex_init(p, NULL); }
static void use(void)
{
#ifdef TRY
    if (pthread_mutex_trylock(p))
        return;
#else
    pthread_mutex_lock(p);
#endif
    pthread_mutex_unlock(p);
}
#elif defined(RWLOCK)
static pthread_rwlock_t object, *p = &object;
static void init(void) { pthread_rwlock_init(p, NULL); }
static void use(void)
{
    pthread_rwlock_rdlock(p);
    pthread_rwlock_unlock(p);
}
#elif defined(SEMAPHORE)
static sem_t object, *p = &object;
static void init(void) { sem_init(p, 0, 1); }
static void use(void)
{
    sem_wait(p);
    sem_post(p);
}
#else
static mtx_t object, *p = &object;
static void init(void) { mtx_init(p, mtx_plain); }
static void use(void)
{
    mtx_lock(p);
    mtx_unlock(p);
}
#endif

static pthread_mutex_t before = PTHREAD_MUTEX_INITIALIZER;

static void *initialises(void *u)
{
    pthread_mutex_lock(&before);
    pthread_mutex_unlock(&before);
    init();
    use();
    return u;
}

static void *uses(void *u)
{
    pthread_mutex_lock(&before);
    pthread_mutex_unlock(&before);
    use();
    return u;
}

int main(void)
{
    pthread_t a, b;
#ifdef HEAP
    p = malloc(sizeof *p);
#endif
    pthread_create(&a, NULL, initialises, NULL);
#ifdef JOINED
    pthread_join(a, NULL);
#endif
    pthread_create(&b, NULL, uses, NULL);
#ifndef JOINED
    pthread_join(a, NULL);
#endif
    pthread_join(b, NULL);
}
