#include "runtime/face/face.h"
#include "runtime/sync/cond.h"
#include "runtime/sync/mutex.h"

#include <errno.h>
#include <pthread.h>

_Static_assert(sizeof(hd_mutex) <= sizeof(pthread_mutex_t), "a mutex lives in the user's object");
_Static_assert(
    offsetof(hd_mutex, type) == offsetof(pthread_mutex_t, __data.__kind), "static initialisers set the type");

HD_FACE int hd_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attributes)
{
    int type = PTHREAD_MUTEX_NORMAL, robust = PTHREAD_MUTEX_STALLED;
    if (attributes) {
        pthread_mutexattr_gettype(attributes, &type);
        pthread_mutexattr_getrobust(attributes, &robust);
    }
    int own = type == PTHREAD_MUTEX_RECURSIVE ? HD_MUTEX_RECURSIVE
        : type == PTHREAD_MUTEX_ERRORCHECK    ? HD_MUTEX_CHECKED
                                              : HD_MUTEX_NORMAL;
    return hd_mutex_init((hd_mutex *)m, own, robust == PTHREAD_MUTEX_ROBUST);
}

HD_FACE int hd_pthread_mutex_destroy(pthread_mutex_t *m)
{
    return hd_mutex_destroy((hd_mutex *)m);
}

HD_FACE int hd_pthread_mutex_lock(pthread_mutex_t *m)
{
    return hd_mutex_lock((hd_mutex *)m);
}

HD_FACE int hd_pthread_mutex_trylock(pthread_mutex_t *m)
{
    return hd_mutex_try((hd_mutex *)m, NULL);
}

HD_FACE int hd_pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
    return hd_time_ran_out(hd_mutex_try((hd_mutex *)m, until), until);
}

HD_FACE int hd_pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
    (void)clock;
    return hd_pthread_mutex_timedlock(m, until);
}

HD_FACE int hd_pthread_mutex_unlock(pthread_mutex_t *m)
{
    return hd_mutex_unlock((hd_mutex *)m);
}

HD_FACE int hd_pthread_mutex_consistent(pthread_mutex_t *m)
{
    return hd_mutex_consistent((hd_mutex *)m);
}

/* --- condition variables --------------------------------------------------------- */

HD_FACE int hd_pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attributes)
{
    (void)attributes;
    return hd_cond_init(c);
}

HD_FACE int hd_pthread_cond_destroy(pthread_cond_t *c)
{
    return hd_cond_destroy(c);
}

HD_FACE int hd_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    return hd_cond_wait(c, (hd_mutex *)m, NULL);
}

HD_FACE int hd_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until)
{
    return hd_time_ran_out(hd_cond_wait(c, (hd_mutex *)m, until), until);
}

HD_FACE int hd_pthread_cond_clockwait(
    pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
    (void)clock;
    return hd_pthread_cond_timedwait(c, m, until);
}

HD_FACE int hd_pthread_cond_signal(pthread_cond_t *c)
{
    return hd_cond_signal(c);
}

HD_FACE int hd_pthread_cond_broadcast(pthread_cond_t *c)
{
    return hd_cond_broadcast(c);
}
