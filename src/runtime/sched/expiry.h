/* Time limits: when a wait with a limit may time out.
 *
 * A wait is identified by its thread, its source location and its object. Its first
 * --timeouts=N time-outs may come at any time before it is woken or gets its object.
 * From then on the wait is *patient*: it blocks like one without a limit, and times out
 * only when no thread can run. Virtual time then advances to the earliest limit of a
 * patient wait, and that wait times out.
 *
 * All that is a function of the trace, as explorers require. The number of time-outs so
 * far is part of the thread's own history. The state in which no thread can run is the
 * same after all orders of a trace's operations, because an enabled operation stays
 * enabled until it is performed or a conflicting one is. That wait's time-out depends on
 * everything before it, so the log has an edge from every other thread to its thread.
 * Whatever follows is a consequence of it, since nothing else could run. An operation at
 * which a patient wait was blocked is logged as withdrawn: it could have come earlier.
 *
 * unfold covers every local state, but not every state in which no thread can run, so
 * it gives up when such a time-out happens (explore/run.c). It notices each program that
 * has one: such a state is a blocked state, which unfold searches for and executes.
 *
 * A thread that a loop holds back (spin.h) does not time out: its next round would be
 * the same. Nor does a wait inside an atomic block become patient.
 */
#ifndef HD_RUNTIME_SCHED_EXPIRY_H
#define HD_RUNTIME_SCHED_EXPIRY_H

#include "runtime/sched/sched.h"

struct timespec;

void hd_expiry_reset(void);

/* The number of patient waits. */
extern uint32_t hd_expiry_waits;

/* The current thread begins a wait for `object` that is logged as `timeout` when it times out: is it patient? */
int hd_expiry_is_patient(hd_op_kind timeout, const void *object);

/* The time limit in virtual time, that is, in nanoseconds since its start; hd_time_never: NULL, there is none. */
static const uint64_t hd_time_never = UINT64_MAX;
uint64_t hd_expiry_limit(const struct timespec *until);

/* Begins and ends the patient wait of the current thread; `end` returns whether it has timed out. */
void hd_expiry_begin(const struct timespec *until);
void hd_expiry_begin_at(uint64_t limit); /* in virtual time */
int hd_expiry_end(void);

/* Has the patient wait of the current thread timed out, so that its operation was withdrawn? Nothing of its step may
 * happen then, because what comes before the time-out is known to it only when the wait has ended. */
static inline int hd_expiry_has_come(void)
{
    return hd_current->patient && hd_current->expired;
}

/* No thread can run: the patient wait with the earliest limit times out. Returns its thread, which continues; NULL:
 * there is none. */
hd_thread *hd_expiry_next(void);

/* Performs an operation that may block, with a time limit: either as `kind`, or as the failed try that is its
 * `otherwise`. `blocks` and `tries` are its `ready` without a limit and as a try. Without `until` it is a try. */
const hd_op *hd_perform_until(
    hd_op_kind kind, const void *object, const struct timespec *until, hd_ready *blocks, hd_ready *tries);

#endif
