/* Loops that wait for another thread.
 *
 * A round (an iteration) of a loop is *vain* if the thread comes back to the top
 * with nothing changed: it has only looked at shared objects, has written
 * nothing, and has the same registers and stack as before (or the compiler has
 * proved that nothing else is carried from round to round). The next round would
 * be the same, until one of the objects changes. So the thread's next operation
 * is held back until another thread has changed one of them: the loop waits as if
 * it were written with a condition variable, and programs that spin have finitely
 * many executions. Taking and releasing locks, and waits that time out, have no
 * lasting effect either; a thread that does so is held back where it holds the
 * fewest locks. If no thread can change the objects any more, the wait is a
 * deadlock.
 *
 * A thread is alone before it creates others and after it has joined them all.
 * Nothing can end a PURE loop then, once a few rounds have changed nothing: the thread
 * waits forever, which is a deadlock. (A few rounds, because the first may change the
 * state of a called function: a robust mutex becomes unrecoverable.) Other loops are
 * not considered waits then: a call in them may count, or read a clock or a file. Nor
 * are loops that a signal could interrupt: it may come from outside the program.
 * A PURE loop that reads nothing at all never ends, with or without other threads.
 *
 * A loop that counts to an end waits for a while (`for (i = 0; i < 1000; i++) if (ready)
 * return;`). If nothing that a round has looked at changes before the next round looks
 * at it, the two rounds are the same, and so would any number of rounds be between them:
 * the loop leaves as if it had counted to its end (hd_loop_counted). Otherwise another
 * round follows. That loses nothing: rounds that repeat the round before can be removed
 * from every execution, since the counter does nothing but count; and an execution that
 * leaves by the count has another one that repeats its last round once. The decision is
 * a function of the trace: looks conflict with the changes between them. Rounds that do
 * more than look, or take locks, are left as they are.
 *
 * A spurious wake-up of a timed wait (--spurious) is different: its time will run out,
 * so the thread is not held back. But vain rounds can be removed from every execution:
 * there is another execution without them in which the thread does the same
 * afterwards. So a thread that has had a vain round with such a wake-up gets no
 * further spurious wake-up in this execution (`tired`).
 */
#ifndef HD_RUNTIME_SCHED_SPIN_H
#define HD_RUNTIME_SCHED_SPIN_H

#include "runtime/sched/sched.h"

void hd_spin_reset(void);

/* The current thread is about to publish its pending operation. */
void hd_spin_publish(hd_thread *t);

/* The number of threads that are held back, or whose next operation will be. */
extern uint32_t hd_spin_armed;

/* `op` has been appended to the log: releases the threads that wait for a change of its object. */
void hd_spin_tell(const hd_op *op);

static inline void hd_spin_note(const hd_op *op)
{
    if (__builtin_expect(hd_spin_armed != 0, 0))
        hd_spin_tell(op);
}

/* `t` has performed its operation. If that ended a wait, the step also looks at all objects that could have ended
 * it: so it conflicts with every change of them, and explorers reverse these races. */
void hd_spin_performed(hd_thread *t);

/* Since `from` in the log the current thread has done nothing but look, in a call that waits for one of several objects
 * and would look at them again: its next operation is held back until another thread changes one of them. False: it has
 * done something else, or has looked at too many. */
int hd_spin_await(uint32_t from);

/* The call of `t` stops waiting, when no thread can run: its operation will not happen. The log has no note of it,
 * because the call has looked at its objects before, and nothing has changed since. */
void hd_spin_give_up(hd_thread *t);

/* The operation of `t` was withdrawn. */
void hd_spin_withdrawn(hd_thread *t);

#endif
