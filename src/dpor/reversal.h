/* Races of a trace, and how to reverse them.
 *
 * Two steps e and j *race* if they conflict, nothing orders them but that
 * conflict, and j could have been performed without e. Then there is another trace
 * in which j comes first. It starts with what came before e, then all steps that do
 * not depend on e, then j. For operations that can block, j may be enabled before e
 * although the step right before j enabled it: the lock of one thread races with the
 * lock of the thread before it, across the unlock between them.
 *
 * A write lock can be kept from its lock by several read locks, which commute: then it
 * is enabled only without all of them. So e stands for a set of steps that are left out:
 * e itself, the first of them, and the read locks after it that would still be held.
 *
 * j need not have been performed: an operation that a thread was left waiting with
 * at the end, or that another thread's operation withdrew, races too.
 * (docs/algorithms/dpor.md, "Where we differ from the papers")
 */
#ifndef HD_DPOR_REVERSAL_H
#define HD_DPOR_REVERSAL_H

#include "dpor/sequence.h"

/* A step that was performed, or one that could have been. */
typedef struct hd_reversal_step {
    uint16_t thread;
    uint32_t item; /* its item, or HD_NO_ITEM */
    uint32_t before; /* its thread's item before it, or HD_NO_ITEM */
    uint32_t until; /* the items before it have smaller numbers */
    const hd_op *ops;
    uint32_t op_count;
    hd_op own[2]; /* its operations, if it was not performed */
    bool spun; /* it ended a waiting loop: its operations with HD_OP_LOOK are reads of the loop */
    int64_t held; /* the count of its object (hd_kind_facts.adds) right before it */
    const uint32_t *also; /* read locks that are left out with the earlier step (hd_reversal_leave_out) */
    uint32_t also_count;
} hd_reversal_step;

/* Step `position` of the trace. */
hd_reversal_step hd_reversal_of_step(const hd_trace *t, uint32_t position);

/* The operation that a thread has published but not performed at the end. */
void hd_reversal_of_pending(hd_reversal_step *s, const hd_trace *t, const hd_op *pending);

/* The withdrawn operation of item `item`. */
void hd_reversal_of_withdrawn(hd_reversal_step *s, const hd_trace *t, uint32_t item);

/* Is exiting among the operations of a step? */
bool hd_reversal_exits(const hd_op *ops, uint32_t count);

/* Finds the items that race with `later`, at most HD_MAX_THREADS; returns how many. */
uint32_t hd_reversal_find(const hd_trace *t, const hd_reversal_step *later, uint32_t *racing);

/* Could `later` have been performed without `earlier`, read locks after it, and the steps that depend on these? */
bool hd_reversal_is_enabled_without(const hd_trace *t, const hd_reversal_step *later, uint32_t earlier);

/* Sets `later->also` to those read locks, if it is enabled so. They are stored in `also`, which has HD_MAX_THREADS
 * items and lives as long as `later` is used. */
void hd_reversal_leave_out(const hd_trace *t, hd_reversal_step *later, uint32_t earlier, uint32_t *also);

/* Is the item left out: does it depend on `earlier`, or on one of later's read locks? */
static inline bool hd_reversal_drops(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t item)
{
    bool dropped = hd_trace_before(t, earlier, item);
    for (uint32_t i = 0; !dropped && i < later->also_count; i++)
        dropped = hd_trace_before(t, later->also[i], item);
    return dropped;
}

/* A sequence, and the operations of its last step. */
typedef struct hd_reversal_room {
    hd_sequence sequence;
    hd_vec(hd_op) ops;
    uint32_t also[HD_MAX_THREADS]; /* what is left out beside the base (hd_reversal_leave_out) */
} hd_reversal_room;

void hd_reversal_init(hd_reversal_room *room, hd_memory *memory);
void hd_reversal_fini(hd_reversal_room *room);

/* The last access to the object of later's k-th operation that came before it, or
 * HD_NO_ITEM; and to the operation's object before item `until`. */
uint32_t hd_reversal_history(const hd_trace *t, const hd_reversal_step *later, uint32_t k);

/* The same, but of a step that takes a token: the last access in the trace. Posts that it passes may come before it. */
uint32_t hd_reversal_latest(const hd_trace *t, const hd_reversal_step *later, uint32_t k);

/* Is the access later's k-th operation, or behind it? */
bool hd_reversal_is_behind(const hd_trace *t, const hd_reversal_step *later, uint32_t k, uint32_t access);

uint32_t hd_reversal_head(const hd_trace *t, const hd_op *op, uint32_t until);

/* Makes the reversing sequence: the steps after item `earlier` that are not left out, then `later` with its effect
 * at the new position. Returns the number of outcomes that `later` has there; the sequence has the first one. `later`
 * may be the step `earlier` itself, for its other outcomes. The sequence points into the room and into the trace. */
uint32_t hd_reversal_sequence(
    const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, hd_reversal_room *room);

#endif
