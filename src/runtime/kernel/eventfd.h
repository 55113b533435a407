/* Event descriptors (eventfd): a counter that threads wait for.
 *
 * The gate of data (kernel/gate.h) counts. With EFD_SEMAPHORE its count is the counter itself, since a read takes 1.
 * Otherwise a read takes everything, so only whether the counter is 0 matters: the count is 0 or 1, and the first write
 * after a read is of another kind than the following ones. Its writes are ordered for that reason; with EFD_SEMAPHORE
 * they commute.
 *
 * A successful poll counts as a change that commutes with others of its kind: the contextual net does not order looks
 * before later changes, so it would not see that a read by another thread blocks the poll.
 *
 * A counter can be full only if a program writes very large numbers. That is learned; from then on writes pass the gate
 * of room first, which is shut while the counter has its greatest value. A write of a number that does not fit, though
 * a smaller one would, is a model limit if it has to wait. */
#ifndef HD_RUNTIME_KERNEL_EVENTFD_H
#define HD_RUNTIME_KERNEL_EVENTFD_H

#include <stdint.h>

struct hd_description;

enum { HD_EVENTFDS = 512 };

/* Before a run: there is none. */
void hd_eventfds_reset(void);

/* Makes one with these flags (EFD_SEMAPHORE, EFD_NONBLOCK), and its description. */
struct hd_description *hd_eventfd_make(uint32_t value, int flags);

/* Its value is at most the greatest one, and its gates are as its value says (abi/valid.h). */
int hd_eventfd_is_valid(uint32_t number);

#endif
