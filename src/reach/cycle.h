/* Cycle prediction (3.6 of the paper; docs/algorithms/reach.md, "Programs that do not end").
 *
 * A thread that would go on when it has performed --depth operations is in a cycle, as far as one can see, if its last
 * events are the same three times. Of its events two rounds are read, and what happens after the others is not: so the
 * sequence is a part of the execution that is closed under →, with variants of its own. */
#ifndef HD_REACH_CYCLE_H
#define HD_REACH_CYCLE_H

#include "event/mail.h"
#include "event/plan.h"

/* Of a receive: has it found nothing, and will try again when the mailbox has changed? That is no event: it waits. */
static inline bool hd_sr_only_waits(const hd_op *op)
{
    return hd_op_is_mail(op) && op->mask == HD_MAIL_WAITS && hd_kind_looks(op->kind);
}

/* An operation of the log that is an event of a sequence. */
static inline bool hd_sr_is_event(const hd_op *op)
{
    return op->kind != HD_EDGE && op->kind != HD_BRANCH && !(op->flags & (HD_OP_CONTINUES | HD_OP_ALONE))
        && !hd_kind_exits(op->kind) && !hd_sr_only_waits(op);
}

/* How many events of the thread belong to the sequence; UINT32_MAX: all. The first `planned` ones always do. */
uint32_t hd_sr_predict(const hd_execution *e, uint16_t thread, uint32_t planned, hd_memory *memory);

#endif
