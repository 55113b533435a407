/* Who has made a descriptor, and which threads can know of it: use after close.
 *
 * A thread closes a number, another one opens a file and gets the same number, and a third one, or the first, uses the
 * number for what it stood for before. A call on a number is such a use if
 *
 *   - the number was closed before, while several threads of the process existed,
 *   - another thread has made what it stands for now,
 *   - and nothing orders that before the call, except for uses of the table of descriptors itself.
 *
 * Then the caller cannot have been told the new number: it means another descriptor. In a correct program, the number
 * gets from the thread that has made the descriptor to others by a variable that synchronisation protects, a message,
 * a created thread, …: each of them is an operation or an edge in the log, and orders the two. So there are no false
 * alarms. The order is that of conflicting operations, so equivalent executions have the same findings.
 *
 * Not found: that a thread uses a number which it has made itself meanwhile, or been told meanwhile, for an older
 * descriptor. */
#ifndef HD_RUNTIME_SYNC_MAKERS_H
#define HD_RUNTIME_SYNC_MAKERS_H

#include "abi/site.h"

#include <stdint.h>

/* Before a run: no number has been made. */
void hd_makers_reset(void);

/* The current thread has made `fd`; it is about to close it; it is about to use it, which ends the execution if that is
 * a use after close. */
void hd_makers_made(int fd);
void hd_makers_closed(int fd);
void hd_makers_check(int fd, const hd_site *site);

/* Process `to` is made: the numbers that it has inherited are known to its thread. */
void hd_makers_copy(uint32_t to);

#endif
