/* Loops that wait for another thread.
 *
 * A round of a loop is *vain* if the thread comes back to the top with nothing
 * changed: it has only looked at shared objects, written nothing, and holds the
 * same registers and stack as before (or the compiler has proved that nothing
 * else lives from round to round). The next round would be the same, until one
 * of the objects changes. So the thread's next operation is held back until
 * another thread has changed one: the loop waits as if it were written with a
 * condition variable, and programs that spin have finitely many executions.
 * Taking and giving back locks, and waits that time out, leave nothing behind
 * either; a thread that does so is held back where it holds the fewest locks.
 * If nobody can change them any more, the wait is a deadlock.
 *
 * A thread is alone before it creates others and when it has joined them all.
 * Nothing can end a PURE loop then, once a few rounds have changed nothing: the thread
 * waits for ever, and that is a deadlock. (A few rounds, because a call may settle in
 * the first: a robust mutex becomes unrecoverable.) Other loops are not claimed to be
 * waits then: a call in them may count, or read a clock or a file. Neither are loops
 * that a signal could interrupt: it may come from outside the program.
 * A PURE loop that reads nothing at all never ends, with or without other threads.
 *
 * A timed wait that ends for no reason (--spurious) is another matter: its time
 * will run out, so the thread is not held back. But vain rounds can be left out of
 * every execution: what the thread does behind them, it does in another execution
 * without them. So a thread that has gone round in vain with such a wake-up has no
 * other one in this execution.
 */
#ifndef HD_RUNTIME_SCHED_SPIN_H
#define HD_RUNTIME_SCHED_SPIN_H

#include "runtime/sched/sched.h"

void hd_spin_reset(void);

/* The current thread is about to publish its pending operation. */
void hd_spin_publish(hd_thread *t);

/* How many threads are held back, or will be. */
extern uint32_t hd_spin_armed;

/* `op` has been appended to the log. */
void hd_spin_tell(const hd_op *op);

static inline void hd_spin_note(const hd_op *op)
{
    if (__builtin_expect(hd_spin_armed != 0, 0))
        hd_spin_tell(op);
}

/* `t` has performed its operation: if that ended a wait, the step also looks
 * at the objects that could have ended it. */
void hd_spin_performed(hd_thread *t);

/* Its operation will not happen. */
void hd_spin_withdrawn(hd_thread *t);

#endif
