/* Condition variables. They have no state of their own: who waits is known
 * from the threads. Waiting is: become a waiter and unlock the mutex (one step,
 * so that nobody comes in between), sleep until woken, lock the mutex. Which
 * waiter a signal wakes is a choice that is explored. A wait with a time limit
 * can end by an operation of its own at any moment before it is woken; if wake-ups
 * for no reason are explored, that has two outcomes. All zeros is a condition
 * variable; one that was initialised or destroyed says so in its first word
 * (made.h). */
#ifndef HD_RUNTIME_SYNC_COND_H
#define HD_RUNTIME_SYNC_COND_H

#include "runtime/sync/mutex.h"

int hd_cond_init(void *cond);
int hd_cond_wait(const void *cond, hd_mutex *m, int timed);
int hd_cond_signal(const void *cond);
int hd_cond_broadcast(const void *cond);
int hd_cond_destroy(void *cond);

#endif
