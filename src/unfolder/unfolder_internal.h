/* What the unfolding explorers are made of; only for the files explore/unfold*.c.
 *
 *   unfold.c          the explorer: the next plan, what is kept from one
 *                     execution to the next
 *   unfold_follow.c   following an execution through the net
 *   unfold_rest.c     what covering all events does not show: blocked states, pairs
 *                     that race; events that were in no test
 */
#ifndef HD_UNFOLDER_UNFOLDER_INTERNAL_H
#define HD_UNFOLDER_UNFOLDER_INTERNAL_H

#include "unfolder/accesses.h"
#include "unfolder/claims.h"
#include "explore/explorer.h"

/* A step of an execution, and which way was taken up to the next. */
typedef struct hd_unfolder_step {
    uint16_t thread;
    uint8_t choice;
    bool alone; /* nothing that is planned */
    uint32_t entry; /* in the log */
    uint64_t way; /* the branches on inputs up to here, as a number */
} hd_unfolder_step;

/* An assumption that does not hold: the side of its branch, and where it is in the log. */
typedef struct hd_unfolder_refusal {
    uint32_t side, entry;
} hd_unfolder_refusal;

typedef struct hd_unfolder {
    hd_memory *memory;
    hd_net net;
    hd_unfolding *u;
    hd_accesses accesses;
    hd_claims claims;
    hd_rng rng;
    bool started, random;

    hd_trace trace;
    hd_vec(hd_unfolder_step) last; /* steps of the last execution */

    hd_unfold_schedule aim;
    hd_vec(hd_choice) prefix;
    uint32_t sure; /* steps of the prefix that must be as planned */
    uint64_t missed; /* executions that did not reach their target */

    /* following: */
    uint32_t common; /* steps that this execution begins with as the last one did, */
    uint32_t differs; /* and the first entry of the log that may be another one */
    hd_vec(size_t) moments; /* of the net, before each step of the last one */
    uint32_t first_end; /* of a thread in the last one: the entry of the log */
    hd_vec(hd_op) labels; /* of events, from 1 */
    hd_map label_of; /* what an operation is → its label */
    bool contradicted; /* the net, by a step of this execution: it must be built again */
    bool awaited[HD_MAX_THREADS]; /* by threads that may then go on */
    bool cut[HD_MAX_THREADS]; /* in executions so far, its end has been left out */
    uint32_t ends[HD_MAX_THREADS]; /* of this execution: where in the log the end of a thread begins */
    hd_map rounds; /* of this execution: barrier and thread → arrivals */
    hd_map members; /* of barriers: threads, as two words */

    /* blocked states: */
    hd_map deadlocks; /* known ones */
    hd_unfold_set blocked; /* found, to be run: counts and events */
    size_t blocked_at;
    uint32_t searched; /* steps that there were at the last search */
    bool gave_up; /* searching */

    /* pairs that race: */
    hd_map raced; /* pairs of places that are known to */
    hd_unfold_set lookers;
    uint32_t pair_event; /* how far pairs have been looked at */
    size_t pair_looker;

    /* events that no test has had, because an assumption failed: */
    uint32_t untested; /* that is being tried, or 0 */
    uint32_t untested_before; /* all with this number or more have been looked at */
    hd_vec(hd_unfolder_refusal) refused; /* in the last execution */
    hd_unfold_literals avoided; /* in trying that event */

    hd_unfold_literals literals;
    hd_unfold_text drawing;
} hd_unfolder;

static inline hd_unfold_judge hd_unfolder_judge(hd_unfolder *x)
{
    return (hd_unfold_judge) { &x->claims, hd_claims_permits };
}

/* Finds where threads come to their ends in the execution; false: what was taken for
 * an end before may be none. */
bool hd_unfolder_find_ends(hd_unfolder *x, const hd_execution *e);

/* Follows the execution through the net. */
void hd_unfolder_follow(hd_unfolder *x, const hd_execution *e);

/* When no target is left: the way to a blocked state; to a pair that may race and
 * has not; to an event that no test has had yet. Sets `aim` and `sure`; false: there
 * is none. */
bool hd_unfolder_next_blocked(hd_unfolder *x);
bool hd_unfolder_next_pair(hd_unfolder *x);
bool hd_unfolder_next_untested(hd_unfolder *x);

/* Takes note of the pairs that raced in the last execution. */
void hd_unfolder_note_races(hd_unfolder *x);

/* The net is another one. */
void hd_unfolder_forget_rest(hd_unfolder *x);

#endif
