#include "runtime/face/face.h"
#include "runtime/sync/rwlock.h"

#include <errno.h>
#include <pthread.h>

_Static_assert(sizeof(hd_rwlock) <= offsetof(pthread_rwlock_t, __data.__flags),
    "a read-write lock lives in the user's object, before what static initialisers set");

HD_FACE int hd_pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attributes)
{
    (void)attributes;
    return hd_rwlock_init((hd_rwlock *)l);
}

HD_FACE int hd_pthread_rwlock_destroy(pthread_rwlock_t *l)
{
    return hd_rwlock_destroy((hd_rwlock *)l);
}

HD_FACE int hd_pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
    return hd_rwlock_read((hd_rwlock *)l);
}

HD_FACE int hd_pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
    return hd_rwlock_write((hd_rwlock *)l);
}

HD_FACE int hd_pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
    return hd_rwlock_try_read((hd_rwlock *)l, NULL);
}

HD_FACE int hd_pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
    return hd_rwlock_try_write((hd_rwlock *)l, NULL);
}

HD_FACE int hd_pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until)
{
    return hd_time_ran_out(hd_rwlock_try_read((hd_rwlock *)l, until), until);
}

HD_FACE int hd_pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until)
{
    return hd_time_ran_out(hd_rwlock_try_write((hd_rwlock *)l, until), until);
}

HD_FACE int hd_pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
    (void)clock;
    return hd_pthread_rwlock_timedrdlock(l, until);
}

HD_FACE int hd_pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
    (void)clock;
    return hd_pthread_rwlock_timedwrlock(l, until);
}

HD_FACE int hd_pthread_rwlock_unlock(pthread_rwlock_t *l)
{
    return hd_rwlock_unlock((hd_rwlock *)l);
}
