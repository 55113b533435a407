/* Spin locks: a word that holds its owner's number + 1. They are mutexes that
 * know less: locking one's own waits for ever. */
#ifndef HD_RUNTIME_SYNC_SPINLOCK_H
#define HD_RUNTIME_SYNC_SPINLOCK_H

#include "runtime/sched/sched.h"

/* Each gives 0 or an error number. */
int hd_spinlock_init(volatile int32_t *s);
int hd_spinlock_destroy(volatile int32_t *s);
int hd_spinlock_lock(volatile int32_t *s);
int hd_spinlock_try(volatile int32_t *s);
int hd_spinlock_unlock(volatile int32_t *s);

#endif
