/* Sleeping at an object until another thread wakes the sleeper: the part that condition variables and futexes share.
 * There are no lists of sleepers: which threads sleep where is known from the threads (`waits_on`). A sleep with a time
 * limit can end by an operation of its own before the thread is woken (sched/expiry.h says when); with --spurious every
 * sleep can, and that operation has two outcomes if there is a time limit, too. */
#ifndef HD_RUNTIME_SYNC_SLEEP_H
#define HD_RUNTIME_SYNC_SLEEP_H

#include "runtime/sched/sched.h"

struct timespec;

/* The current thread sleeps at the object from now on: a wake-up reaches it, even before it calls hd_sleep_until_woken.
 */
void hd_sleep_begin(const void *object);

/* Ends the execution at a limit if too many threads sleep at the object: after a sleep begins, or is moved there. */
void hd_sleep_check_room(const void *object);

/* Sleeps until the thread is woken, or until the operation `timeout` ends the sleep. `until`: the time limit; NULL:
 * none. Returns 0 or ETIMEDOUT. */
int hd_sleep_until_woken(hd_wait_reason reason, hd_op_kind timeout, const struct timespec *until);

/* The thread no longer sleeps. */
void hd_sleep_end(void);

/* Does the thread sleep at the object, without having been woken? */
int hd_sleeps_at(const hd_thread *t, const void *object);

/* The number of such threads. */
uint32_t hd_sleepers(const void *object);

/* The current thread wakes `t`. */
void hd_sleep_wake(hd_thread *t, hd_wait_reason reason);

#endif
