/* System V message queues. A message has a type. A call receives the oldest message, or the oldest of one type, of
 * another than one type, or of the least type up to a number.
 *
 * The gates (kernel/gate.h): there is data if the queue has a message, and room if it has fewer bytes than it may have;
 * both are open when it is removed. A call that receives any message waits for the gate of data. One that wants a type
 * looks at the queue, and if there is no such message, again after it has changed (sched/spin.h). A call that passes
 * the gate of room, and finds too little for its message, is a model limit if it would have to wait. */
#ifndef HD_RUNTIME_KERNEL_SYSV_QUEUE_H
#define HD_RUNTIME_KERNEL_SYSV_QUEUE_H

#include "abi/site.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct msqid_ds;

enum { HD_LETTER_MOST = 8192, HD_LETTERS_BYTES = 16384 };

/* Before a run: there is none. */
void hd_sysv_queues_reset(void);

/* msgget: an identifier, or minus an error number. */
int hd_sysv_queue_get(int key, int flags, const hd_site *site);

/* msgsnd: 0 or minus an error number. msgrcv: the number of bytes, or minus an error number; `to` has room for `size`
 * bytes. */
int hd_sysv_queue_send(int id, long type, const void *from, size_t size, int flags, const hd_site *site);
ssize_t hd_sysv_queue_receive(int id, void *to, size_t size, long *type, int flags, const hd_site *site);

/* msgctl: 0 or minus an error number. */
int hd_sysv_queue_remove(int id, const hd_site *site);
int hd_sysv_queue_status(int id, struct msqid_ds *to, const hd_site *site);

/* Its messages are valid, it has no more bytes than it may have, and its gates are as they say (abi/valid.h). */
int hd_sysv_queue_is_valid(uint32_t number);

#endif
