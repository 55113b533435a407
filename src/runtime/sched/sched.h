/* Threads and the scheduler: how an operation of the tested program happens.
 *
 * A thread calls hd_perform(kind, object, ready). That publishes the operation
 * and suspends the thread. First every thread with local work runs up to its
 * next operation; then the engine picks an enabled one, which performs its
 * operation (it is appended to the log) and hd_perform returns there. The
 * caller then changes the object's state; nobody else runs in between.
 *
 * Invariants: exactly one fiber runs; a thread is AT_OP only inside hd_perform;
 * what `ready` answers depends on the object's state alone, so that operations
 * that commute cannot change each other's enabledness.
 */
#ifndef HD_RUNTIME_SCHED_SCHED_H
#define HD_RUNTIME_SCHED_SCHED_H

#include "runtime/core/end.h"
#include "runtime/core/state.h"

/* Performs one operation; gives it back as it was performed (its kind, its
 * choice), or NULL if another thread has withdrawn it. `ready` NULL: always
 * enabled. */
const hd_op *hd_perform(hd_op_kind kind, const void *object, hd_ready *ready);
const hd_op *hd_perform_with(hd_op_kind kind, const void *object, uint64_t value, hd_ready *ready);

/* What is an operation only while there are several threads. With the option `alone` it still is one when a single
 * thread is left, but not part of schedules then, as accesses are. */
void hd_perform_among_several(hd_op_kind kind, const void *object);

/* The current thread initialises or destroys an object; others may be about to use it. */
void hd_perform_life(hd_op_kind kind, const void *object);

/* The same for memory accesses, which carry their own site. */
void hd_perform_access(
    hd_op_kind kind, uint64_t cell, uint8_t mask, uint64_t value, const hd_site *site, hd_ready *ready);

/* Sampling needs no decision at most plain accesses: performs it, and the current
 * thread goes on. 0: not this one, it is to be performed as usual. */
HD_INLINED int hd_flow_access(hd_op_kind kind, uint64_t cell, uint8_t mask, const hd_site *site);

/* Another operation in the step that the current thread has just performed. */
void hd_continue_step(const hd_op *also);

/* Run by hand, a thread that waits in a loop lets others go first. */
void hd_yield_by_hand(void);

/* Suspends the current thread until hd_wake(it). */
void hd_wait(hd_wait_reason reason, const void *object);
void hd_wake(hd_thread *t);

/* The operation that `t` has published will not happen: another thread's has
 * come first. `t` goes on; the log remembers that it could have been. */
void hd_withdraw(hd_thread *t);

/* A new thread, which will run up to its first operation before anyone picks.
 * NULL: there are too many. */
hd_thread *hd_spawn(void *(*start)(void *), void *argument, const hd_site *site);

/* Ends the current thread. */
_Noreturn void hd_finish_thread(void);

/* A new run: nobody has anything to do. */
void hd_sched_reset(void);

/* Is thread `id` at an operation that it may perform now? */
int hd_thread_enabled(uint32_t id);

/* No operation of another thread comes between begin and end. Nests. */
void hd_atomic_block(int begin);

/* All operations between begin and end are one step, of which other threads see
 * nothing in between. May be nested. `plain`: they are plain accesses. */
uint32_t hd_step_begin(int plain);

/* May the current thread's step have more operations? */
int hd_step_goes_on(void);

/* What comes now would end it, in a way that no operation shows. */
void hd_step_must_be_over(const char *what);
void hd_step_end(uint32_t outer);

#endif
