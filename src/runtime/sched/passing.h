/* Virtual time. Every thread has its own: it advances when the thread sleeps and when
 * it reads a clock. It catches up with another thread's time where the two synchronise:
 * at creation and joining, and at operations that do not commute, on memory and on
 * synchronisation objects.
 *
 * So times never decrease along the happens-before order of a trace. Proof that every
 * explored combination of times is possible: sorted by their times, the reads of a
 * trace are those of a schedule with one clock for all threads. And the result of a
 * read depends on the trace alone, not on the order of operations that commute.
 */
#ifndef HD_RUNTIME_SCHED_PASSING_H
#define HD_RUNTIME_SCHED_PASSING_H

#include "runtime/sched/sched.h"

struct timespec;

/* Once, if the program is explored; and at the start of a run. */
void hd_passing_init(void);
void hd_passing_reset(void);

/* Lets time pass for the current thread. */
void hd_passing_add(uint64_t nanoseconds);

/* Sets the current thread's time to `then`, if it is earlier. */
void hd_passing_catch_up(uint64_t then);

/* Has any time passed in this run? Until then all threads have the same time. */
extern int hd_time_passes;

/* `t` has performed `op`: its time catches up with those of conflicting earlier operations. */
void hd_passing_meet(hd_thread *t, const hd_op *op);

static inline void hd_passing_note(hd_thread *t, const hd_op *op)
{
    if (UNLIKELY(hd_time_passes))
        hd_passing_meet(t, op);
}

#endif
