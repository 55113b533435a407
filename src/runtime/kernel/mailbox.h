/* Mailboxes (include/heddle.h): messages that any thread of any process may send to, and receive from, by the number of
 * the mailbox. Which messages a receive can take is defined in abi/mail.h.
 *
 * Sending never waits. Sends to one mailbox commute. A
 * receive has an outcome for each message that it can take. One that takes any message waits for the number of messages
 * to be positive, as explorers know it from rows. One that asks for a source or a tag is a try; if it finds nothing, it
 * looks again after the mailbox has changed (sched/spin.h). */
#ifndef HD_RUNTIME_KERNEL_MAILBOX_H
#define HD_RUNTIME_KERNEL_MAILBOX_H

#include "abi/mail.h"

struct timespec;

/* Before a run: all are empty. */
void hd_mailboxes_reset(void);

void hd_mailbox_send(
    uint32_t mailbox, uint32_t source, uint32_t tag, const void *data, size_t size, const hd_site *site);

typedef enum hd_mailbox_wait { HD_MAILBOX_WAITS, HD_MAILBOX_TRIES, HD_MAILBOX_WAITS_UNTIL } hd_mailbox_wait;

/* The message that was received, or 0; `until` is for the last kind of wait. The message stays where it is until
 * hd_mailbox_take, which is to be called at once, has copied it. */
uint16_t hd_mailbox_receive(
    uint32_t mailbox, int source, int tag, hd_mailbox_wait how, const struct timespec *until, const hd_site *site);

uint64_t hd_mailbox_label(uint16_t message);
size_t hd_mailbox_size(uint16_t message);
void hd_mailbox_take(uint32_t mailbox, uint16_t message, void *to);

/* Its messages are valid, there are not too many, and each is one that its thread has sent (abi/valid.h). */
int hd_mailbox_is_valid(uint32_t mailbox);

#endif
