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

/* Returns twice: the number of the child, or minus an error number; and 0 in the child. */
int hd_children_fork(const hd_site *site);

/* pthread_atfork: 0 or an error number. */
int hd_children_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/* The current process has ended with this status (as waitpid gives it); nothing of it is left but that. */
void hd_children_ended(int status, const hd_site *site);

/* Was the process made by another one? Its parent's number. */
int hd_children_is_child(uint32_t process);
uint32_t hd_children_parent(uint32_t process);

/* The current process ends: its children have no parent any more. Has the parent of the current process ended? */
void hd_children_leave(const hd_site *site);
int hd_children_is_orphan(const hd_site *site);

enum { HD_ANY_CHILD = UINT32_MAX };

/* waitpid for a process, or for any child: the process's number, or minus an error number. -EAGAIN: it does not wait,
 * and none has ended. `keeps`: it can be waited for again. */
int hd_children_wait(uint32_t process, int waits, int keeps, int *status, const hd_site *site);

/* Has a process with this number been made, and not been waited for? */
int hd_children_exists(uint32_t process);

#endif
