/* Optimal dynamic partial order reduction (docs/algorithms/dpor.md): exactly one execution per Mazurkiewicz trace.
 *
 * The search is depth first. Its stack has a node for the state before each step of the current execution, with
 *
 *   asleep    the sleep set: steps that have been explored from here. An execution that could begin with one of
 *             them would repeat a trace
 *   wakeup    the wakeup tree: sequences that remain to be explored from here
 *
 * Every race of an execution is reversed: the reversing sequence is inserted into the wakeup tree of the node before
 * the earlier of the two steps, unless it is redundant there.
 *
 * Branches on inputs that follow a step belong to the node after it (docs/algorithms/inputs.md, "dpor with inputs").
 * When a node has no sequences left, its last branch gets another value, and the node starts anew with the sleep set
 * that it inherited. So when a step is put to sleep, all paths after it have been explored.
 *
 *   dpor.c         the explorer: the stack of nodes, and the choice of the next execution
 *   dpor_races.c   the races of an execution, and the sequences that reverse them
 *   piece.c        its part of a search by several workers (pieces.h): the nodes before `floor` are in the shared tree
 *   dpor_valid.c   validity: the invariants of the stack
 *
 * Only for these files. */
#ifndef HD_DPOR_DPOR_INTERNAL_H
#define HD_DPOR_DPOR_INTERNAL_H

#include "dpor/pieces.h"
#include "dpor/reversal.h"
#include "dpor/sleep.h"
#include "dpor/wakeup.h"
#include "explore/explorer.h"

typedef struct hd_dpor_node {
    hd_sleep_set asleep;
    uint32_t wakeup; /* its tree; 0: empty */
    uint32_t explored; /* branches of the tree, for the estimate of progress */
    bool asked; /* the current step was planned with an unknown way: all ways through it must be explored */
    bool settled; /* no more inputs are searched for with which no step sleeps here */
    bool cut; /* an execution was cut here */
    bool retaken; /* the current step was taken here before, with other inputs */
    uint32_t inherited; /* how many of the sleeping steps came from the node before */
} hd_dpor_node;

/* A race of the current execution, and why its sequence was redundant or where it went. As long as the trace is
 * unchanged up to the reasons, the race needs no second look. */
typedef struct hd_dpor_race {
    uint32_t earlier, later; /* items; equal: another outcome of the same step */
    hd_wakeup_reasons reasons;
    bool several; /* the sequence leaves out more than the earlier step */
    uint32_t sleeper; /* the entry of dpor.sleep that is a weak initial of the sequence, or HD_DPOR_NOBODY */
} hd_dpor_race;

enum { HD_DPOR_NOBODY = 0xffffffffu };

typedef struct hd_dpor {
    hd_memory *memory;
    hd_trace trace;
    bool composes; /* steps are composed (runtime/sched/compose.h) */
    bool left_loop; /* a process ended while a thread of it waited in a loop: that it left the loop before may be missed
                     */
    hd_path path;
    hd_wakeup_trees trees;
    hd_vec(hd_dpor_node) nodes; /* after an execution: trace.steps.count + 1 */
    hd_sleep sleep;
    hd_vec(hd_dpor_race) races; /* of the first `examined` items of the trace */
    uint32_t examined;
    hd_vec(uint32_t) waits; /* the items among them that take a token (runtime/sync/tokens.h) */
    hd_vec(hd_choice) prefix; /* the schedule of the current execution; after dpor_next, that of the plan */
    hd_vec(hd_sleeper) plan_sleepers;
    hd_reversal_room room;
    hd_decisions decisions;
    hd_vec(hd_term) also, unless; /* of a query for inputs: all of `also` must hold, none of `unless` */
    uint32_t branch; /* the node at which the current execution leaves the last one */
    uint32_t branch_tree; /* the branch of its wakeup tree that it follows; 0: none */
    bool retakes; /* at `branch` it repeats the step `retaken`, with inputs that go another way through it */
    hd_choice retaken;
    bool started;

    hd_pieces *pieces; /* NULL: it searches alone */
    uint32_t worker; /* its number among those who search together */
    bool has_piece;
    hd_piece piece;
    uint32_t floor; /* the node at which the piece begins: only what follows it is explored here */
    hd_vec(uint32_t) shared; /* the nodes of the shared tree for the steps before the floor */
    hd_piece_way way; /* to the piece, until its first execution */
    uint32_t ran; /* executions since the piece was taken or divided */
    bool inexact; /* a sequence could not be in the shared tree */
} hd_dpor;

/* The step at that position of the current execution. */
static inline const hd_item *hd_dpor_step(const hd_dpor *d, uint32_t position)
{
    return &d->trace.items.items[d->trace.steps.items[position]];
}

/* The same, with its operations. */
static inline hd_sleeper hd_dpor_step_taken(const hd_dpor *d, uint32_t position)
{
    const hd_item *step = hd_dpor_step(d, position);
    return (hd_sleeper) { step->thread, step->choice, &d->trace.ops.items[step->access], step->access_count };
}

/* Is the sleeping step an initial or a weak initial of the tree's first sequence? */
bool hd_dpor_comes_first(const hd_dpor *d, const hd_sleep_entry *e, uint32_t tree);

/* Checks, after an execution:
 * - there is a node before each step of the trace, and one after the last;
 * - each node's sleep set follows from that of the node before it (hd_sleep_is_valid), and its wakeup tree is valid;
 * - neither the step taken at a node nor a sequence planned there begins with a step that sleeps there;
 * - races are in the order of their later steps, within the part of the trace that was examined;
 * - a node of a tree is in one tree or free, and has one share in the inputs that are kept. */
bool hd_dpor_is_valid(const hd_dpor *d);

/* A sequence that cannot be in the shared tree. */
void hd_dpor_note_inexact(hd_dpor *d);

/* Puts to sleep at the last node what sleeps there, according to the way to the piece. */
void hd_dpor_sleep_on_way(hd_dpor *d);

/* The execution has come to the piece. */
void hd_dpor_arrive(hd_dpor *d);

/* Gives parts of the piece to workers that have nothing to do. */
void hd_dpor_divide_piece(hd_dpor *d);

/* Nothing is left in the piece. */
void hd_dpor_end_piece(hd_dpor *d);

/* Waits for a piece and goes to where it leaves the current execution. False: there is none, and none will come. */
bool hd_dpor_begin_piece(hd_dpor *d);

/* Plans the sequence at a node before the floor. */
void hd_dpor_plan_shared(hd_dpor *d, uint32_t position, hd_wakeup_reasons *reasons);

/* The stack: drops the nodes after `position`, and makes that one anew, with nothing explored. */
void hd_dpor_go_back(hd_dpor *d, uint32_t position);

/* Plans sequences that reverse the races of the current execution. */
void hd_dpor_reverse_races(hd_dpor *d, const hd_execution *e);

#endif
