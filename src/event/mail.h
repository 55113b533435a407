/* The messages of a mailbox after a sequence of operations on it, as logs tell it (abi/mail.h). */
#ifndef HD_EVENT_MAIL_H
#define HD_EVENT_MAIL_H

#include "abi/mail.h"

#include <stdbool.h>

/* Open, because it is part of the state of a search; all zeros: the mailbox is empty. In the order of their sends. */
typedef struct hd_mail {
    uint64_t labels[HD_MAIL_MOST];
    uint32_t count;
} hd_mail;

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

void hd_mail_put(hd_mail *m, uint64_t label);
void hd_mail_remove(hd_mail *m, uint64_t label);

/* Performs the operation on the mailbox. Returns the message that is sent or received; 0: none. */
uint64_t hd_mail_perform(hd_mail *m, const hd_op *op);

#endif
