/* How time passes. It is virtual, and every thread has its own: what the thread
 * sleeps and how often it reads a clock move it on. It catches up with another
 * thread's where the two meet: at creation and joining, and at operations that do not
 * commute, on memory and on synchronisation objects.
 *
 * So times never go back along the order of a trace. Sorted by their times, the
 * reads of a trace are those of a schedule with one clock for all threads: every
 * combination of times that is explored is possible. And what a read says depends
 * on the trace alone, not on the order of operations that commute.
 */
#ifndef HD_RUNTIME_SCHED_PASSING_H
#define HD_RUNTIME_SCHED_PASSING_H

#include "runtime/sched/sched.h"

struct timespec;

/* Once, if the program is explored; and at the start of a run. */
void hd_passing_init(void);
void hd_passing_reset(void);

/* So many nanoseconds pass for the current thread. */
void hd_passing_add(uint64_t nanoseconds);

/* The current thread is not earlier than that. */
void hd_passing_catch_up(uint64_t then);

/* Has any time passed in this run? Until then there is nothing to catch up with. */
extern int hd_time_passes;

/* `t` has performed `op`. */
void hd_passing_meet(hd_thread *t, const hd_op *op);

static inline void hd_passing_note(hd_thread *t, const hd_op *op)
{
    if (UNLIKELY(hd_time_passes))
        hd_passing_meet(t, op);
}

#endif
