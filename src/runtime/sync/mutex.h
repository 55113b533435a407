/* Mutexes. One lives in the bytes of the user's pthread_mutex_t or mtx_t: all
 * zeros is an unlocked normal mutex, and `type` stands where glibc's static
 * initialisers put it.
 *
 * Locking is one operation, enabled while the mutex is free. A lock with a
 * time limit is a trylock: if the mutex is held when the thread is picked, the
 * time has run out; had it been picked later, it would have got it. */
#ifndef HD_RUNTIME_SYNC_MUTEX_H
#define HD_RUNTIME_SYNC_MUTEX_H

#include "runtime/sched/sched.h"

enum { HD_MUTEX_NORMAL, HD_MUTEX_RECURSIVE, HD_MUTEX_CHECKED };

typedef struct hd_mutex {
    uint32_t owner; /* thread number + 1; 0: free */
    uint32_t count; /* of a recursive mutex: locks beyond the first */
    uint8_t robust, owner_died, not_recoverable, destroyed;
    uint32_t made; /* hd_made */
    int32_t type;
    uint32_t padding;
    const hd_site *locked_at;
} hd_mutex;

/* Each gives 0 or an error number, as the POSIX function does. */
int hd_mutex_init(hd_mutex *m, int type, int robust);
int hd_mutex_destroy(hd_mutex *m);
int hd_mutex_lock(hd_mutex *m);
int hd_mutex_try(hd_mutex *m, int error_if_held); /* EBUSY, or ETIMEDOUT for a timed lock */
int hd_mutex_unlock(hd_mutex *m);
int hd_mutex_consistent(hd_mutex *m);

/* For waiting on a condition variable: gives up the mutex altogether, in the
 * step that began to wait, and takes it back with the count that was given up. */
uint32_t hd_mutex_release(hd_mutex *m);
int hd_mutex_reacquire(hd_mutex *m, uint32_t count);

/* The current thread is ending: robust mutexes that it holds change state. */
void hd_mutex_owner_ends(void);

#endif
