/* The ways in which an execution, or one of its threads, ends. None of these functions returns.
 *
 * Every room may have to end the execution, so all of them are declared here. Each is defined in the
 * room that knows what has to be done: runtime/run.c, runtime/sync/process.c, runtime/sync/thread.c.
 */
#ifndef HD_RUNTIME_CORE_END_H
#define HD_RUNTIME_CORE_END_H

#include "abi/wire.h"

/* Ends the execution. A failure is an operation, like a call of exit, if other threads exist. */
_Noreturn void hd_end(hd_outcome_kind kind, const hd_site *site, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* An assumption of the current thread does not hold. The thread stops, and the execution does not count as
 * a test, even if it ends normally. Other threads continue: in another order, their operations may make
 * the assumption hold. */
_Noreturn void hd_assumption_failed(void);

/* _exit(status): no handlers run. `shadow` is the expression of the status. */
_Noreturn void hd_process_exit_at_once(int status, uint32_t shadow);

/* The process ends by a signal that another one has sent. */
_Noreturn void hd_process_killed(int signal);

/* The process ends because its last thread does. */
_Noreturn void hd_process_last_thread_ends(void);

/* Ends the current thread: cleanup handlers and destructors of keys run. */
_Noreturn void hd_thread_exit(void *result);

/* Ends the current thread as pthread_cancel does. */
_Noreturn void hd_thread_cancelled(void);

#endif
