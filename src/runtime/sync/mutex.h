/* Mutexes, stored in the bytes of the program's pthread_mutex_t or mtx_t: all zeros
 * are an unlocked normal mutex, and `type` is at the offset that glibc's static
 * initialisers use.
 *
 * Locking is one operation, enabled while the mutex is free. A lock with a time limit
 * is a trylock: if the mutex is held when the thread is scheduled, the time has
 * expired; the other outcome is the execution in which it is scheduled later.
 *
 * The objects of this folder are open: their layout must fit into the program's bytes. */
#ifndef HD_RUNTIME_SYNC_MUTEX_H
#define HD_RUNTIME_SYNC_MUTEX_H

#include "runtime/sched/sched.h"

enum { HD_MUTEX_NORMAL, HD_MUTEX_RECURSIVE, HD_MUTEX_CHECKED };

typedef struct hd_mutex {
    uint32_t owner; /* hd_thread_handle; 0: free */
    uint32_t count; /* of a recursive mutex: number of locks beyond the first */
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

struct timespec;
/* Fails with ETIMEDOUT at the time limit; without one (NULL), with EBUSY at once. */
int hd_mutex_try(hd_mutex *m, const struct timespec *until);

int hd_mutex_unlock(hd_mutex *m);
int hd_mutex_consistent(hd_mutex *m);

/* For waits on a condition variable: releases the mutex completely, in the step that began the wait, and takes it back
 * with the same count. */
uint32_t hd_mutex_release(hd_mutex *m);
int hd_mutex_reacquire(hd_mutex *m, uint32_t count);

/* The current thread is ending: robust mutexes that it holds are released as "owner died". */
void hd_mutex_owner_ends(const hd_thread *owner);

/* Is the mutex as it must be (abi/valid.h)? Bytes that are no initialised mutex always are.
 * - The owner is a thread of this run. The owner of a robust mutex has not ended (others may end and keep a mutex).
 * - Only a recursive mutex that is held has a count; a destroyed one is not held.
 * - Only a robust mutex has lost its owner or is not recoverable, and not both. */
int hd_mutex_is_valid(const hd_mutex *m);

#endif
