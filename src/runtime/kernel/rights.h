/* Rights: descriptors on their way in messages of UNIX sockets (SCM_RIGHTS).
 *
 * A message carries a set of descriptions. Each set is in one place: in the hand of a thread that sends, then in a
 * message of a queue, then in the hand of the thread that has received it. It has a reference to each of its
 * descriptions, so a descriptor on its way is open although every number of it may have been closed. The call that
 * receives turns references into numbers of its process; what it has no room for is dropped, and so is what a hand
 * still has when its call ends or its process dies, and what a message has that nobody receives. Dropping the last
 * reference closes the description.
 *
 * Conflicts. Adding a description to a set looks at its number, as every call does. Dropping one conflicts with other
 * ends of uses (kernel/descriptors.h). Giving it a number conflicts with a change of its flags, which from then on
 * concerns the new number, too. As in Linux, a socket that is only in its own queue is never received; there it is
 * closed at some time, here it is not. */
#ifndef HD_RUNTIME_KERNEL_RIGHTS_H
#define HD_RUNTIME_KERNEL_RIGHTS_H

#include "abi/site.h"

#include <stdint.h>

struct hd_thread;

enum { HD_MOST_RIGHTS = 253 }; /* in one message: SCM_MAX_FD of Linux */

/* Before a run: no set is used. */
void hd_rights_reset(void);

/* A call that may send or receive rights begins: the hand of the current thread is empty. It is a model limit if it is
 * not, because the call of a signal handler has interrupted another one. */
void hd_rights_begin(void);

/* Adds what `fd` stands for to the hand: 0 or minus an error number. */
int hd_rights_add(int fd, const hd_site *site);

/* What is in the hand, as a set that a message carries from now on; 0: nothing. */
uint16_t hd_rights_give(void);

/* The set of a message, which loses it, or of one that is only looked at; 0: none. */
void hd_rights_take(uint16_t set);
void hd_rights_copy(uint16_t set);

/* How many are in the hand. Gives the next of them a number, which is returned, or minus an error number. */
uint32_t hd_rights_count(void);
int hd_rights_receive(int closes_on_exec, const hd_site *site);

/* Drops what is left in the hand of the current thread; in that of a thread whose process has ended; in a message. */
void hd_rights_end(const hd_site *site);
void hd_rights_end_call(const struct hd_thread *t, const hd_site *site);
void hd_rights_drop(uint16_t set, const hd_site *site);

#endif
