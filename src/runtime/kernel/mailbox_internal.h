/* The state of mailboxes, for mailbox.c and for the test that breaks it. */
#ifndef HD_RUNTIME_KERNEL_MAILBOX_INTERNAL_H
#define HD_RUNTIME_KERNEL_MAILBOX_INTERNAL_H

#include "runtime/kernel/mailbox.h"
#include "runtime/kernel/queue.h"

extern hd_queue hd_mailboxes[HD_MAILBOXES];
extern uint32_t hd_mail_sent[HD_MAX_THREADS]; /* messages of each thread */

#endif
