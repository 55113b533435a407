/* The unfolding explorers: unfold, contextual and naive (docs/algorithms/unfold.md).
 *
 * They drive the net of src/unfold: each execution is followed through the net, which says what other events are
 * possible; the next execution leads to one of those targets. When none is left, every event has been executed, and
 * what covering all events does not show is looked for: blocked states, racing pairs of the contextual net, events that
 * were in no test.
 *
 *   unfolder.c          the explorer: the next plan, and what is kept from one execution to the next
 *   unfolder_follow.c   following an execution through the net
 *
 * Only for these two files. */
#ifndef HD_UNFOLDER_UNFOLDER_INTERNAL_H
#define HD_UNFOLDER_UNFOLDER_INTERNAL_H

#include "unfolder/accesses.h"
#include "unfolder/feasibility.h"
#include "explore/explorer.h"

/* A step of an execution. */
typedef struct hd_unfolder_step {
    uint16_t thread;
    uint8_t choice;
    bool alone; /* it is not part of plans (HD_OP_ALONE) */
    uint32_t entry; /* in the log */
    uint64_t way; /* a hash of the branches on inputs up to here */
} hd_unfolder_step;

/* An assumption that failed: the side of its branch, and its entry in the log. */
typedef struct hd_unfolder_refusal {
    uint32_t side, entry;
} hd_unfolder_refusal;

typedef struct hd_unfolder {
    hd_memory *memory;
    hd_net net;
    hd_unfolding *u;
    hd_accesses accesses;
    hd_feasibility feasibility;
    hd_rng rng;
    bool started, random;

    hd_trace trace;
    hd_vec(hd_unfolder_step) last; /* steps of the last execution */

    hd_unfold_schedule aim;
    hd_vec(hd_choice) prefix;
    uint32_t sure; /* steps of the prefix that are known events; the execution must begin with them */
    uint64_t missed; /* executions that did not reach their target */

    /* following: */
    uint32_t common; /* the number of steps that this execution has in common with the last one */
    uint32_t differs; /* the first entry of the log that may differ */
    hd_vec(size_t) moments; /* of the net, before each step of the last execution */
    uint32_t first_end; /* the first entry of its log at which the end of a thread begins */
    hd_vec(hd_op) labels; /* of events, from 1 */
    hd_map label_of; /* a hash of an operation → its label */
    bool contradicted; /* a step of this execution contradicts the net: it must be rebuilt */
    bool awaited[HD_MAX_THREADS]; /* it is joined by a thread that may continue afterwards */
    bool cut[HD_MAX_THREADS]; /* some execution was followed without the thread's end */
    uint32_t ends[HD_MAX_THREADS]; /* of this execution: the entry of the log at which the end of the thread begins */
    hd_map rounds; /* of this execution: barrier and thread → arrivals */
    hd_map members; /* barrier → its threads, as bits of two words */

    /* blocked states: */
    hd_map deadlocks; /* known ones */
    hd_unfold_set blocked; /* found and to be run: a count and that many events, for each */
    size_t blocked_at;
    uint32_t searched; /* the number of steps of the net at the last search */
    bool gave_up; /* the search exceeded its bound */
    bool mortal; /* a process may end before its threads: that is not explored */
    uint64_t followed; /* log entries of all executions */
    uint64_t comparisons; /* of the nets that were discarded */

    /* racing pairs: */
    hd_map raced; /* pairs of source locations that are known to race */
    hd_unfold_set lookers;
    uint32_t pair_event; /* pairs up to this event and looker have been tried */
    size_t pair_looker;

    /* events that were in no test, because an assumption failed: */
    uint32_t untested; /* the event that is being tried, or 0 */
    uint32_t untested_before; /* events from this number on have been tried */
    hd_vec(hd_unfolder_refusal) refused; /* in the last execution */
    hd_unfold_literals avoided; /* failing assumptions that the next attempt must avoid */

    hd_unfold_literals literals;
    hd_unfold_text drawing;
} hd_unfolder;

static inline hd_unfold_judge hd_unfolder_judge(hd_unfolder *x)
{
    return (hd_unfold_judge) { &x->feasibility, hd_feasibility_permits };
}

/* Finds where the ends of threads begin in the execution; false: an end that was left out of the net must now be in it,
 * so the net must be rebuilt. */
bool hd_unfolder_find_ends(hd_unfolder *x, const hd_execution *e);

/* Follows the execution through the net. */
void hd_unfolder_follow(hd_unfolder *x, const hd_execution *e);

#endif
