/* Optimal dynamic partial order reduction (docs/algorithms/dpor.md): exactly
 * one execution per Mazurkiewicz trace. Depth first; each node, the state
 * before a step, has
 *
 *   sleepers   threads (with outcomes) whose step from here has been explored:
 *              doing it first again would repeat executions
 *   wakeup     sequences that remain to be explored from here
 *
 * Every race of an execution is reversed: the sequence that does so goes to the
 * node before the earlier of the two steps, unless something there covers it.
 *
 * Branches on inputs stand before the node they lead up to. When nothing is
 * left at a node, another value of the last of its branches makes it a new one,
 * with the sleepers that it had at first. So when a step goes to sleep, all ways
 * that follow it have been explored.
 *
 *   dpor.c         the explorer: nodes along an execution
 *   dpor_next.c    the next execution: sleeping, turning branches
 *   dpor_races.c   the races of an execution, reversed
 *
 * Only for these files. */
#ifndef HD_DPOR_DPOR_INTERNAL_H
#define HD_DPOR_DPOR_INTERNAL_H

#include "explore/explorer.h"
#include "dpor/reversal.h"
#include "dpor/sleep.h"
#include "dpor/wakeup.h"

typedef struct hd_dpor_node {
    hd_sleep_set asleep;
    uint32_t wakeup;
    uint32_t explored; /* branches */
    bool asked; /* all ways through the step that is taken are to be explored */
    bool settled; /* no more ways are to be looked for */
    bool cut; /* an execution was cut here */
    bool retaken; /* the step that is taken was taken before, with other inputs */
    uint32_t inherited; /* sleepers */
} hd_dpor_node;

/* A race of the current execution, and why nothing needs to be done for it any
 * more: the reasons hold as long as the trace is the same up to them. */
typedef struct hd_dpor_race {
    uint32_t earlier, later; /* items; the same: another outcome */
    hd_wakeup_reasons reasons;
    uint32_t sleeper; /* of dpor.sleep, that can come first beside the sequence, or HD_DPOR_NOBODY */
} hd_dpor_race;

enum { HD_DPOR_NOBODY = 0xffffffffu };

typedef struct hd_dpor {
    hd_memory *memory;
    hd_trace trace;
    hd_path path;
    hd_wakeup_trees trees;
    hd_vec(hd_dpor_node) nodes; /* nodes.count == trace.steps.count + 1 after an execution */
    hd_sleep sleep;
    hd_vec(hd_dpor_race) races; /* of the first `examined` items of the trace */
    uint32_t examined;
    hd_vec(hd_choice) prefix;
    hd_vec(hd_sleeper) plan_sleepers;
    hd_reversal_room room;
    hd_decisions decisions;
    hd_vec(hd_term) also, unless; /* what must hold, and what must not, of the inputs that are looked for */
    uint32_t branch; /* the node that the current execution branches off */
    uint32_t branch_tree; /* the branch that it follows from there; 0: none */
    bool retakes; /* it begins with this step, to go another way through it */
    hd_choice retaken;
    bool started;
} hd_dpor;

/* The step of the current execution at that place. */
static inline const hd_item *hd_dpor_step(const hd_dpor *d, uint32_t position)
{
    return &d->trace.items.items[d->trace.steps.items[position]];
}

/* Makes the node after step `position`; `wakeup` is its tree. */
void hd_dpor_push_node(hd_dpor *d, uint32_t position, uint32_t wakeup);

/* The explorer's `next`. */
bool hd_dpor_next(void *self, hd_plan *plan);

/* Plans what reverses the races of the current execution. */
void hd_dpor_reverse_races(hd_dpor *d, const hd_execution *e);

#endif
