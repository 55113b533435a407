/* The log of an execution: what threads did, in order, and what else an engine has
 * to know of it: who came after whom, which branches on inputs were taken. Without
 * an engine there is none. */
#ifndef HD_RUNTIME_SCHED_LOG_H
#define HD_RUNTIME_SCHED_LOG_H

#include "runtime/sched/sched.h"

/* The thread's pending operation has been performed. */
void hd_log_operation(hd_thread *t, uint16_t flags);

/* The current thread has updated the object atomically, and what it found or its operand depends on inputs. Gives
 * the flags of a branch that says whether that changed anything. */
uint16_t hd_log_from_inputs(const void *object);

/* The run has ended: as operands of plain writes and atomic stores, what their bytes hold now. */
void hd_log_what_is_left(void);

/* That was an operation on an object of the C library: what it holds is not the program's to see. */
void hd_log_opaque(void);

/* Something that is not an operation. */
void hd_log_note(hd_op note);

/* The current thread's way depends on an expression: no operation, but logged. */
void hd_log_branch(uint32_t expression, uint64_t value, const hd_site *site, uint16_t flags);

/* Everything `from` has done happens before what `to` does next. */
void hd_edge(hd_thread *to, hd_thread *from, hd_wait_reason reason, int takes_result);

#endif
