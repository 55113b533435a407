/* Spin locks: mutexes in one word, which contains the owner. A thread that locks its own spin lock waits forever. */
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
