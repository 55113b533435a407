/* Processes that others make: fork, their ends, and waiting for them.
 *
 * fork makes a process with one thread, a copy of the current one, and a copy of the memory (reset/images.h), of the
 * descriptors and of the actions of signals. Its number is the slot of that thread: so it depends on the causal past of
 * the fork alone. Making a process is no operation, as creating a thread is none.
 *
 * The end of a child is an operation on two gates (kernel/gate.h): that of the child, which is open from then on, and
 * that of its parent, which is open while the parent has children that have ended and were not waited for. A wait for
 * one child passes the child's gate, a wait for any of them the parent's. Waiting orders everything that the child has
 * done before what follows. */
#ifndef HD_RUNTIME_SYNC_CHILDREN_H
#define HD_RUNTIME_SYNC_CHILDREN_H

#include "abi/site.h"
#include "abi/system.h"

#include <stdint.h>
#include <sys/types.h>

/* Before a run: there are no children. */
void hd_children_reset(void);

/* Returns twice: the number of the child, or minus an error number; and 0 in the child. `is_awaited`: the caller will
 * call hd_children_await_leaving. */
int hd_children_fork(int is_awaited, const hd_site *site);

/* Waits until the child has left the memory of the current process: it has ended, or runs another program. */
void hd_children_await_leaving(uint32_t child, const hd_site *site);

/* The same; returns the error with which the child has failed (hd_children_fail), or 0. */
int hd_children_await_program(uint32_t child, const hd_site *site);

/* The current process could not become the program that its parent waits for; it is about to end. */
void hd_children_fail(int error);

/* The current process, if it is a child, leaves the memory of its parent. */
void hd_children_leave_parent(const hd_site *site);

/* pthread_atfork: 0 or an error number. */
int hd_children_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/* The current process runs another program, which has set no handlers of fork. */
void hd_children_forget_handlers(void);

/* The current process has ended with this status (as waitpid gives it); nothing of it is left but that. */
void hd_children_ended(int status, const hd_site *site);

/* Was the process made by another one? Its parent's number. */
int hd_children_is_child(uint32_t process);
uint32_t hd_children_parent(uint32_t process);

/* The current process ends: its children have no parent any more. Has the parent of the current process ended? */
void hd_children_leave(const hd_site *site);
int hd_children_is_orphan(const hd_site *site);

enum { HD_ANY_CHILD = UINT32_MAX };

/* For a wait for the children of a process group: the only one of them, HD_ANY_CHILD if all are, or minus an error
 * number. Several beside others are a model limit. */
int64_t hd_children_of_group(uint32_t group, const hd_site *site);

/* waitpid for a process, or for any child: the process's number, or minus an error number. -EAGAIN: it does not wait,
 * and none has ended. `keeps`: it can be waited for again. */
int hd_children_wait(uint32_t process, int waits, int keeps, int *status, const hd_site *site);

/* The first process that was made and that its parent has not waited for, and where it was made; 0: there is none, or
 * the parent did not end by itself. */
uint32_t hd_children_first_left(const hd_site **made_at);

/* Is the object what the parent passes when it waits for the child, which has not ended? */
int hd_children_end_at(uint32_t parent, uint32_t child, uint64_t object);

/* Has a process with this number been made, and not been waited for? */
int hd_children_exists(uint32_t process);

#endif
