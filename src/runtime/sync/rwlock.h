/* Read-write locks, stored in the bytes of the program's pthread_rwlock_t; all zeros
 * are a free lock. A waiting writer does not block readers. Which locks a thread holds
 * for reading is stored with the thread.
 *
 * A lock with a time limit is a try, as with mutexes. */
#ifndef HD_RUNTIME_SYNC_RWLOCK_H
#define HD_RUNTIME_SYNC_RWLOCK_H

#include "runtime/sched/sched.h"

typedef struct hd_rwlock {
    uint32_t writer; /* thread number + 1; 0: none */
    uint32_t readers;
    uint8_t destroyed;
    uint32_t made; /* hd_made */
    const hd_site *locked_at; /* by the writer */
} hd_rwlock;

/* Each gives 0 or an error number, as the POSIX function does. */
int hd_rwlock_init(hd_rwlock *l);
int hd_rwlock_destroy(hd_rwlock *l);
int hd_rwlock_read(hd_rwlock *l);
int hd_rwlock_write(hd_rwlock *l);

struct timespec;
/* Fail with ETIMEDOUT at the time limit; without one (NULL), with EBUSY at once. */
int hd_rwlock_try_read(hd_rwlock *l, const struct timespec *until);
int hd_rwlock_try_write(hd_rwlock *l, const struct timespec *until);

int hd_rwlock_unlock(hd_rwlock *l);

/* Is the lock as it must be (abi/valid.h)? Bytes that are no initialised lock always are.
 * - The writer is a thread of this run, and there are no readers besides it.
 * - The number of readers is the sum of what the threads hold.
 * - A destroyed lock is not held. */
int hd_rwlock_is_valid(hd_rwlock *l);

#endif
