/* POSIX message queues. A queue has a name and room for a fixed number of messages; the one with the highest priority
 * is received first, and of several the oldest. In Linux a queue is opened as a descriptor, so poll works.
 *
 * The gates (kernel/gate.h): there is data if the queue has a message, and room if it has fewer than it may have. A
 * queue without a name lives as long as a description leads to it. The limits are those of an ordinary process in
 * Linux. */
#ifndef HD_RUNTIME_KERNEL_MESSAGE_QUEUE_H
#define HD_RUNTIME_KERNEL_MESSAGE_QUEUE_H

#include "abi/site.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct hd_description;
struct timespec;

enum { HD_MESSAGES_MOST = 10, HD_MESSAGE_MOST = 8192 };

/* Before a run: there is none. */
void hd_message_queues_reset(void);

/* A descriptor, or minus an error number. A new queue has room for so many messages of so many bytes. */
int hd_message_queue_open(const char *name, int flags, long messages, long bytes, const hd_site *site);

/* 0 or minus an error number. */
int hd_message_queue_unlink(const char *name, const hd_site *site);

/* Is the description one of a queue? */
int hd_message_queue_is(const struct hd_description *d);

size_t hd_message_queue_bytes(const struct hd_description *d); /* of its longest message */
long hd_message_queue_messages(const struct hd_description *d); /* for which it has room */
long hd_message_queue_count(const struct hd_description *d); /* an operation that looks */

/* Each waits until the time limit (NULL: for ever), unless the description does not wait. 0 or the size of the message;
 * or minus an error number. `to` has room for the longest message. */
int hd_message_queue_send(
    struct hd_description *d, const void *from, size_t size, unsigned priority, const struct timespec *until);
ssize_t hd_message_queue_receive(struct hd_description *d, void *to, unsigned *priority, const struct timespec *until);

/* Its messages are valid and not more than it may have, priorities do not increase, and its gates are as they say
 * (abi/valid.h). */
int hd_message_queue_is_valid(uint32_t number);

#endif
