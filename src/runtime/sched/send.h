/* What threads send to each other: signals and cancellation.
 *
 * Sending is an operation on the receiver, and so is the receiver's poll for what
 * was sent. Handlers run, and threads are cancelled, only at polls: for signals
 * there is one before every operation, for cancellation one at every cancellation
 * point. A program that sends nothing never polls: that something is sent is
 * learned.
 *
 * A blocked thread does not have to be reached: its poll comes right before the
 * blocking operation, and the execution in which the poll comes after the sending
 * has the same effect and is explored. (Waiting on a condition variable therefore
 * has a poll between releasing the mutex and falling asleep.) So an execution in
 * which all threads are blocked, but one of them has not polled for what was sent
 * to it, is neither a test nor a deadlock.
 * A call that signals can end (EINTR: sleeping, waiting for a semaphore) may be
 * ended by the signals that its poll has found. Handlers are not interrupted by
 * other signals.
 */
#ifndef HD_RUNTIME_SCHED_SEND_H
#define HD_RUNTIME_SCHED_SEND_H

#include "runtime/sched/sched.h"

/* Before a run: no signal has an action. */
void hd_send_reset(void);

void hd_send_cancel(hd_thread *to);
void hd_send_signal(hd_thread *to, int signal);

/* Sends a process a signal: the current process, to the first thread that does not block it; another one, to its first
 * thread. */
void hd_send_signal_to_process(uint32_t process, int signal);

/* Process `to` is made, with the actions of the current one. */
void hd_send_copy(uint32_t to);

/* The current process runs another program: signals that have handlers have the default action. */
void hd_send_drop_handlers(const hd_site *site);

/* The action of a signal in a process. */
struct sigaction hd_send_action_of(uint32_t process, int signal, const hd_site *site);

/* The signals that are pending for a thread of the process have changed: part of the step that has changed them.
 * Defined in kernel/signalfd.c. */
void hd_send_pending_changed(uint32_t process, const hd_site *site);

/* The scheduler calls this before operations. */
void hd_send_poll_before_operation(void);

/* At a call that is a cancellation point. May not return. Tells whether signal handlers have run, and whether one of
 * them was set without SA_RESTART, so that it ends calls that block: the caller then explores that the handler
 * ran while the call was blocked. */
enum { HD_HANDLED = 1, HD_HANDLED_ENDS = 2 };
int hd_send_cancellation_point(void);

/* The same at a call that blocks and is no cancellation point. */
int hd_send_interruption_point(void);

/* The current thread is about to sleep on the condition variable in its `waits_on`. Tells whether it is cancelled. */
int hd_send_poll_in_wait(void);

/* Run by hand: has the wait of the current thread ended because it is cancelled? */
int hd_send_ends_wait(void);

/* Ends the wait of `t` on its condition variable. */
void hd_send_wake(hd_thread *t);

/* Waits until a handler has run, while the thread blocks the signals of `mask` alone. May not return. */
void hd_send_await_handler(uint64_t mask);

/* Waits for one of the signals, which is taken without running its handler. */
int hd_send_await(uint64_t signals);

/* The current thread has blocked further signals: even those that would be ignored are pending from now on. */
void hd_send_blocked(uint64_t signals);

/* Runs the handlers of signals that the current thread no longer blocks. */
void hd_send_unblocked(void);

/* All threads are blocked: ends the run if a thread has not polled for what was sent to it. Run by hand, returns
 * that thread, which will be interrupted; NULL: there is none. */
hd_thread *hd_send_explain_stuck(void);

/* Run by hand: interrupts the current thread, which was blocked as `before` says. */
void hd_send_interrupt(const hd_thread_view *before);

/* Sets the action of a signal, if `action` is not NULL, and returns the old one. */
struct sigaction hd_send_set_action(int signal, const struct sigaction *action);
int hd_send_is_handled(int signal);

/* Could something interrupt the current thread in the middle of a loop: a signal or cancellation that is pending, one
 * that another thread sends, or a signal from outside the program that has a handler? */
int hd_send_may_interrupt(void);

#endif
