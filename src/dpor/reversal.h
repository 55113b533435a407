/* Races of a trace, and how to reverse them.
 *
 * Two steps e and j *race* if they conflict, nothing orders them but that
 * conflict, and j could have been done without e: it was enabled before. Then
 * there is another trace in which j comes first; it starts with what came
 * before e, then all that does not depend on e, then j. For operations that
 * can block, "enabled before" looks through the operation that enabled j: the
 * lock of one thread races with the lock of the thread before it, across the
 * unlock between them.
 *
 * j need not have been done: an operation that a thread was left waiting with
 * at the end, or that another thread's withdrew, can race too.
 */
#ifndef HD_DPOR_REVERSAL_H
#define HD_DPOR_REVERSAL_H

#include "dpor/sequence.h"

/* A step that happened, or that could have. */
typedef struct hd_reversal_step {
    uint16_t thread;
    uint32_t item; /* its item, or HD_NO_ITEM */
    uint32_t before; /* its thread's item before it, or HD_NO_ITEM */
    uint32_t until; /* only items below this came before it */
    const hd_op *ops;
    uint32_t op_count;
    bool spun; /* it ended a wait in a loop: all operations but the first are what the loop looks at */
    int64_t held; /* what its object counts when it is done (see reversal.c) */
} hd_reversal_step;

/* Step `position` of the trace. */
hd_reversal_step hd_reversal_of_step(const hd_trace *t, uint32_t position);

/* The operation that a thread has published but not done at the end. */
hd_reversal_step hd_reversal_of_pending(const hd_trace *t, const hd_op *pending);

/* The withdrawn operation of item `item`. */
hd_reversal_step hd_reversal_of_withdrawn(const hd_trace *t, uint32_t item);

/* Is exiting among the operations of a step? */
bool hd_reversal_exits(const hd_op *ops, uint32_t count);

/* The items that race with `later`, at most HD_MAX_THREADS; gives how many. */
uint32_t hd_reversal_find(const hd_trace *t, const hd_reversal_step *later, uint32_t *racing);

/* Could `later` have been done without `earlier` and what depends on it? */
bool hd_reversal_is_enabled_without(const hd_trace *t, const hd_reversal_step *later, uint32_t earlier);

/* A sequence, and the operations of its last step. */
typedef struct hd_reversal_room {
    hd_sequence sequence;
    hd_vec(hd_op) ops;
} hd_reversal_room;

void hd_reversal_init(hd_reversal_room *room, hd_memory *memory);
void hd_reversal_fini(hd_reversal_room *room);

/* The last access to the object of later's k-th operation that came before it, or
 * HD_NO_ITEM; and to the operation's object before item `until`. */
uint32_t hd_reversal_history(const hd_trace *t, const hd_reversal_step *later, uint32_t k);
uint32_t hd_reversal_head(const hd_trace *t, const hd_op *op, uint32_t until);

/* Makes the steps that lead to `later` before item `earlier`: what does not
 * depend on `earlier`, then `later`, whose operations might do more in their new
 * place. Gives how many outcomes `later` has there; the sequence has it with
 * the first. `later` can be the step `earlier` itself, for its other outcomes.
 * The sequence points into the room and into the trace. */
uint32_t hd_reversal_sequence(
    const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, hd_reversal_room *room);

#endif
