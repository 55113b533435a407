/* The state of file locks, for file_locks.c and for the test that breaks it. */
#ifndef HD_RUNTIME_KERNEL_FILE_LOCKS_INTERNAL_H
#define HD_RUNTIME_KERNEL_FILE_LOCKS_INTERNAL_H

#include "runtime/kernel/file_locks.h"
#include "runtime/sched/access.h"

/* In the order of Linux: those of one owner on one file follow each other, sorted by their start, and the owner whose
 * first lock is older comes first. */
extern hd_file_lock hd_file_locks[HD_FILE_LOCKS];
extern uint32_t hd_file_lock_count;

/* By thread: what its call waits for, if that counts for EDEADLK. */
typedef struct hd_lock_wait {
    uint32_t order; /* of its beginning; 0: it does not wait */
    hd_file_lock want, blocker;
} hd_lock_wait;
extern hd_lock_wait hd_lock_waits[HD_MAX_THREADS];

/* Objects of operations (abi/shown.def). */
extern uint64_t hd_file_lock_objects[HD_NUMBERS], hd_lock_waits_object;

#endif
