/* Condition variables. A wait has three parts: become a waiter and unlock the mutex
 * (one step, so that no signal is lost in between), sleep until woken (sleep.h),
 * lock the mutex. Which waiter a signal wakes is a choice; all are explored. All
 * zeros are a valid condition variable; the first word tells whether it was
 * initialised or destroyed (made.h). */
#ifndef HD_RUNTIME_SYNC_COND_H
#define HD_RUNTIME_SYNC_COND_H

#include "runtime/sync/mutex.h"

int hd_cond_init(void *cond);
struct timespec;

/* `until`: the time limit; NULL: none. */
int hd_cond_wait(const void *cond, hd_mutex *m, const struct timespec *until);
int hd_cond_signal(const void *cond);
int hd_cond_broadcast(const void *cond);
int hd_cond_destroy(void *cond);

/* Are the waiters of the condition variable as they must be (abi/valid.h)?
 * - Each lives and has given up a mutex. If it sleeps, it sleeps here, and has not been woken.
 * - A thread that sleeps here is a waiter. */
int hd_cond_is_valid(const void *cond);

#endif
