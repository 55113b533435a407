/* Event descriptors: a counter that threads of one process wait for.
 *
 * The descriptor is a real one, so that its number is as in a run without heddle; its
 * counter is modelled. What explorers count (abi/ops.def, adds) is the counter itself
 * with EFD_SEMAPHORE, where a read takes 1. Otherwise a read takes everything, so only
 * whether the counter is 0 matters: the count is 0 or 1, and the first write after a
 * read is of another kind than the following ones. Its writes are ordered for that
 * reason; with EFD_SEMAPHORE they commute.
 *
 * A successful poll counts as a change that commutes with others of its kind: the
 * contextual net does not order looks before later changes, so it would not see that a
 * read by another thread blocks the poll.
 *
 * A descriptor's number is used again after it was closed, for another object. */
#ifndef HD_RUNTIME_SYNC_EVENTFD_H
#define HD_RUNTIME_SYNC_EVENTFD_H

#include <stdint.h>

struct timespec;

/* Before a run: no descriptor is one. */
void hd_eventfd_reset(void);

/* The descriptor `fd` has been made; 0 or an error number. */
int hd_eventfd_make(int fd, uint32_t value, int flags);

int hd_eventfd_is(int fd);

/* Each gives 0 or an error number: EAGAIN of a descriptor that does not block, EBADF if it was closed meanwhile. */
int hd_eventfd_take(int fd, uint64_t *value);
int hd_eventfd_add(int fd, uint64_t value);
void hd_eventfd_close(int fd);

/* Its object in operations. */
const void *hd_eventfd_object(int fd);

/* Can it be read now? */
int hd_eventfd_is_readable(int fd);

/* Waits until it can be read, or until the time limit (NULL: none). Returns whether it can. */
int hd_eventfd_await(int fd, const struct timespec *until);

/* Its value is at most the greatest one, a closed one has none, and its life has an object (abi/valid.h). */
int hd_eventfd_is_valid(int fd);

#endif
