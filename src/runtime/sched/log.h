/* The log of an execution: the operations of all threads in order, the edges between threads (creation, joining,
 * waking), operations that were withdrawn, and branches on inputs. Run by hand, nothing is logged. */
#ifndef HD_RUNTIME_SCHED_LOG_H
#define HD_RUNTIME_SCHED_LOG_H

#include "runtime/sched/sched.h"

/* Appends the pending operation of `t`, which has just been performed. */
void hd_log_operation(hd_thread *t, uint16_t flags);

/* If the lock discipline is checked: what thread `t` has allocated so far may be known to others from now on; or
 * whether that follows from its operation, or the operation is an access to memory that others do not know of. */
void hd_log_published(hd_thread *t);
/* The thread initialises the memory: until it publishes something, its accesses are not counted (HD_OP_INITIAL). */
void hd_log_initialises(hd_thread *t, const void *object, size_t bytes);
void hd_log_note_publication(hd_thread *t, hd_op *op);

/* The current thread has updated the object atomically, and the old value or the operand depends on inputs. Marks
 * the operation accordingly and returns the flags of the branch that says whether the update changed the object;
 * 0 if the update was no operation. */
uint16_t hd_log_from_inputs(const void *object);

/* After a run: sets the operand of each plain write and atomic store to the final contents of its bytes. */
void hd_log_what_is_left(void);

/* The last operation was on an object of the C library, whose contents mean nothing to the program: clears its
 * value. */
void hd_log_opaque(void);

/* The value of the operation that the current thread has just performed. */
void hd_log_value(uint64_t value);

/* Appends an entry that is not an operation. */
void hd_log_note(hd_op note);

/* Appends a branch of the current thread on an expression. Branches count towards --depth, as operations do. */
void hd_log_branch(uint32_t expression, uint64_t value, const hd_site *site, uint16_t flags);

/* Everything `from` has done happens before what `to` does next. */
void hd_edge(hd_thread *to, hd_thread *from, hd_wait_reason reason, int takes_result);

/* Is the log as it must be (abi/valid.h)?
 * - It fits into its room. Each entry has a kind and a thread that exists; an edge comes from another thread.
 * - An operation that continues a step follows an operation of the same thread, edges and withdrawals apart.
 * - A thread's `logged` is the number of its operations and branches, without its `repeated` ones, `steps` that of the
 * steps of its slot. */
int hd_log_is_valid(void);

#endif
