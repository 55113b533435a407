/* Barriers, spin locks and pthread_once. */
#include "runtime/sync/barrier.h"

#include "runtime/face/face.h"
#include "runtime/sync/once.h"
#include "runtime/sync/spinlock.h"

#include <pthread.h>

_Static_assert(sizeof(hd_barrier) <= sizeof(pthread_barrier_t), "a barrier lives in the user's object");
_Static_assert(sizeof(pthread_spinlock_t) == sizeof(int32_t), "a spin lock is a word");
_Static_assert(sizeof(pthread_once_t) == sizeof(int32_t), "a pthread_once_t is a word");

HD_FACE int hd_pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attributes, unsigned count)
{
    (void)attributes;
    return hd_barrier_init((hd_barrier *)b, count);
}

HD_FACE int hd_pthread_barrier_destroy(pthread_barrier_t *b)
{
    return hd_barrier_destroy((hd_barrier *)b);
}

HD_FACE int hd_pthread_barrier_wait(pthread_barrier_t *b)
{
    return hd_barrier_wait((hd_barrier *)b, 1) ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

/* The instrumenter calls this where the result is not used. */
HD_FACE int hd_pthread_barrier_wait_unused(pthread_barrier_t *b)
{
    hd_barrier_wait((hd_barrier *)b, 0);
    return 0;
}

HD_FACE int hd_pthread_spin_init(pthread_spinlock_t *s, int between_processes)
{
    (void)between_processes;
    return hd_spinlock_init(s);
}

HD_FACE int hd_pthread_spin_destroy(pthread_spinlock_t *s)
{
    return hd_spinlock_destroy(s);
}

HD_FACE int hd_pthread_spin_lock(pthread_spinlock_t *s)
{
    return hd_spinlock_lock(s);
}

HD_FACE int hd_pthread_spin_trylock(pthread_spinlock_t *s)
{
    return hd_spinlock_try(s);
}

HD_FACE int hd_pthread_spin_unlock(pthread_spinlock_t *s)
{
    return hd_spinlock_unlock(s);
}

HD_FACE int hd_pthread_once(pthread_once_t *once, void (*action)(void))
{
    hd_once(once, action);
    return 0;
}
