/* Threads and the scheduler: how an operation of the tested program happens.
 *
 * A thread calls hd_perform(kind, object, ready). That publishes the operation
 * and suspends the thread. First every thread with local work runs up to its
 * next operation; then the engine picks an enabled one, which performs its
 * operation (it is appended to the log) and hd_perform returns there. The
 * caller then changes the object's state; no other thread runs in between.
 *
 * Invariants: exactly one fiber runs; a thread is AT_OP only inside hd_perform;
 * the result of `ready` depends on the object's state alone, so operations
 * that commute cannot change each other's enabledness.
 */
#ifndef HD_RUNTIME_SCHED_SCHED_H
#define HD_RUNTIME_SCHED_SCHED_H

#include "abi/system.h"
#include "runtime/core/end.h"
#include "runtime/core/state.h"

/* Performs one operation and returns it as performed (its kind, its choice), or
 * NULL if another thread has withdrawn it. `ready` NULL: always enabled. */
const hd_op *hd_perform(hd_op_kind kind, const void *object, hd_ready *ready);
const hd_op *hd_perform_with(hd_op_kind kind, const void *object, uint64_t value, hd_ready *ready);

/* An operation only while several threads exist. With the option `alone` it is still logged when a single thread is
 * left, but it is not part of schedules then; memory accesses are treated in the same way. */
void hd_perform_among_several(hd_op_kind kind, const void *object);

/* The current thread initialises or destroys an object; others may be about to use it. */
void hd_perform_life(hd_op_kind kind, const void *object);

/* As hd_perform_with, for a memory access, which has its own site. */
void hd_perform_access(
    hd_op_kind kind, uint64_t cell, uint8_t mask, uint64_t value, const hd_site *site, hd_ready *ready);

/* Random schedules need no decision at most plain accesses, nor do planned steps (hd_engine): logs the access, and the
 * current thread continues. Returns 0 if this access needs a decision; the caller then performs it as usual. */
HD_INLINED int hd_flow_access(hd_op_kind kind, uint64_t cell, uint8_t mask, const hd_site *site);

/* May an operation of the kind be performed inside an atomic block? Choices, receives of messages, and operations that
 * put a thread to sleep or wake one, are not modelled there. */
int hd_is_for_blocks(uint8_t kind);

/* Adds an operation to the step that the current thread has just performed. */
void hd_continue_step(const hd_op *also);

/* Run by hand: a thread that waits in a loop lets others run first. */
void hd_yield_by_hand(void);

/* Suspends the current thread until hd_wake(it). */
void hd_wait_for(hd_wait_reason reason, const void *object);
void hd_wake(hd_thread *t);

/* The operation that `t` has published will not happen: an operation of another thread has made it obsolete.
 * `t` continues. If the operation was enabled, the log records that it could have happened. */
void hd_withdraw(hd_thread *t);

/* The same for an operation that was blocked up to now, when no thread can run. The log records it, because it could
 * have happened before the operation that blocked it. The caller lets `t` continue. */
void hd_withdraw_blocked(hd_thread *t);

/* Has the process threads besides the current one that were not joined? They may have ended. */
int hd_has_siblings(void);

/* Creates a thread. It runs up to its first operation before the next decision.
 * NULL: there are too many threads. */
hd_thread *hd_spawn(void *(*start)(void *), void *argument, const hd_site *site);

/* The same for a copy of the current thread, which belongs to another process: its number is that of the copy's slot.
 * The caller copies the memory (hd_places_divide). */
hd_thread *hd_spawn_copy(const hd_site *site);

/* Processes that end before their threads do, as bits: those that the current run knows of when threads are created.
 * Steps of their threads look at the end of the process. */
extern uint64_t hd_mortal_processes;

/* The thread belongs to this process from now on; it has performed nothing yet. */
void hd_join_process(hd_thread *t, uint32_t process);

/* The process has ended: its threads, except the current one, perform no operation any more. */
void hd_kill_threads(uint32_t process);

/* The ends of processes, as objects of operations (abi/shown.def). */
extern uint64_t hd_process_endings[HD_MOST_PROCESSES];

/* Ends the current thread. */
_Noreturn void hd_finish_thread(void);

/* The thread runs no more; the others continue. */
_Noreturn void hd_leave(void);

/* Before a run: no thread has local work. */
void hd_sched_reset(void);

/* Is thread `id` at an operation that it may perform now? */
int hd_thread_enabled(uint32_t id);

/* Begins or ends an atomic block: no operation of another thread comes in between. Blocks nest. */
void hd_atomic_block(int begin);

/* The current thread enters a function that is annotated as atomic, or as a method; the call is on this object. Its
 * plain accesses race with nothing; that is checked as everywhere. So an operation of another thread between two of
 * them, without an operation of this thread on a lock in between, conflicts with neither, and they can be one step
 * (docs/algorithms/granularity.md). An operation on anything but locks is a finding. Accesses are not joined if
 * races are not looked for, if leaks are, if signals are sent, or if steps are composed anyway.
 *
 * Returns the call in which this one is made. hd_claim_end, where the function returns, takes it. */
hd_claimed hd_claim_begin(const hd_claim *claim, uint64_t object);
void hd_claim_end(hd_claimed outer);

/* All operations between begin and end form one step: no operation of another thread comes in between. Steps nest;
 * hd_step_end takes the result of hd_step_begin. `plain`: the operations are plain accesses. */
uint32_t hd_step_begin(int plain);

/* Has the current thread performed the first operation of its step, so that further ones join it? */
int hd_step_goes_on(void);

/* The current thread is about to wait for `what` without an operation. Inside an atomic block that is not modelled:
 * ends the execution if a step is under way. */
void hd_step_must_be_over(const char *what);
void hd_step_end(uint32_t outer);

/* Are the threads as they must be (abi/valid.h)?
 * - The current thread exists, and its stack is the one in use.
 * - Each thread has its number and its view.
 * - The queue of local work contains each thread that has some, except perhaps the current one, once, and no other.
 * - A thread AT_OP has published an operation of its own. One that has ended waits for nothing.
 * - A WAITING thread waits for something that knows of it: for a thread that has not ended and has it as its joiner,
 *   or for the object in `waits_on`, and it has not been woken. With a condition variable it has a mutex.
 * - hd_expiry_waits is the number of patient waits (expiry.h).
 * - The thread that joins a living one lives; while schedules are explored, it is WAITING. */
int hd_sched_is_valid(void);

#endif
