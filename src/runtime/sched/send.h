/* What threads send to each other: signals and cancellation.
 *
 * Sending is an operation on the receiver, and so is the receiver's looking
 * (polling) for what was sent. Handlers run, and threads are cancelled, at
 * polls alone: for signals there is one before every operation, for
 * cancellation at every cancellation point. A program that sends nothing never
 * polls: that something is sent is learned.
 *
 * While a thread is blocked nothing need reach it: its poll stands right
 * before, and putting that poll off until after the sending is the same thing,
 * and explored. (Waiting on a condition variable therefore has a poll between
 * giving up the mutex and falling asleep.) So a run in which everybody is stuck
 * but something sent has not been looked for is no test and no deadlock.
 * A call that signals can end (EINTR: sleeping, waiting for a semaphore) may be
 * ended by those that its poll has found. Handlers are not interrupted by other
 * signals.
 */
#ifndef HD_RUNTIME_SCHED_SEND_H
#define HD_RUNTIME_SCHED_SEND_H

#include "runtime/sched/sched.h"

/* No signal has an action. */
void hd_send_reset(void);

void hd_send_cancel(hd_thread *to);
void hd_send_signal(hd_thread *to, int signal);

/* Sends the process a signal: to the first thread that does not block it. */
void hd_send_signal_to_process(int signal);

/* The scheduler calls it before operations. */
void hd_send_poll_before_operation(void);

/* At a call that is a cancellation point. May not return. Says whether handlers
 * of signals have run, and whether one of them ends calls that block (it was set
 * without SA_RESTART). If so, they may have run while the call was blocked. */
enum { HD_HANDLED = 1, HD_HANDLED_ENDS = 2 };
int hd_send_cancellation_point(void);

/* The current thread is about to sleep on the condition variable in its
 * `waits_on`. Says whether it is cancelled. */
int hd_send_poll_in_wait(void);

/* Run by hand: has the wait of the current thread ended because it is cancelled? */
int hd_send_ends_wait(void);

/* Ends the wait of `t` on its condition variable. */
void hd_send_wake(hd_thread *t);

/* Runs the handlers of signals that the current thread no longer blocks. */
void hd_send_unblocked(void);

/* Everybody is stuck: ends the run if that is because a thread has not looked
 * for what was sent to it. Run by hand, gives that thread, to be interrupted;
 * NULL: there is none. */
hd_thread *hd_send_explain_stuck(void);

/* The current thread, which was blocked as `before` says, is interrupted. */
void hd_send_interrupt(const hd_thread_view *before);

/* The disposition of signals. Gives the old one. */
struct sigaction hd_send_set_action(int signal, const struct sigaction *action);
int hd_send_is_handled(int signal);

/* Could something reach the current thread in the middle of a loop: what was sent and not looked for,
 * what another thread sends, or a signal from outside the program that has a handler? */
int hd_send_may_interrupt(void);

#endif
