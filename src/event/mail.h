/* The messages of a mailbox after a sequence of operations on it, as logs tell it (abi/mail.h). */
#ifndef HD_EVENT_MAIL_H
#define HD_EVENT_MAIL_H

#include "abi/mail.h"

#include <stdbool.h>

/* Is it an operation on a mailbox? Of those: does it send, or receive? A receive that finds nothing does neither. */
static inline bool hd_op_is_mail(const hd_op *op)
{
    return hd_kinds[op->kind].object == HD_OBJECT_MAIL;
}

static inline bool hd_mail_sends(const hd_op *op)
{
    return hd_op_is_mail(op) && hd_kinds[op->kind].adds > 0;
}

static inline bool hd_mail_receives(const hd_op *op)
{
    return hd_op_is_mail(op) && hd_kinds[op->kind].adds < 0;
}

/* The token of the message that the operation, which has been performed, sent or received; 0: none. */
static inline uint32_t hd_mail_message(const hd_op *op)
{
    return hd_mail_sends(op) ? hd_mail_token(op->value) : hd_mail_receives(op) ? hd_mail_taken(op->value) : 0;
}

/* Performs the operation on the mailbox whose messages these are; all zeros: it is empty. */
void hd_mail_perform(hd_mail_list *m, const hd_op *op);

#endif
