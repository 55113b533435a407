/* The tree of all executions, for strategies that draw the next target from anywhere in it: dpor-sleep and flip
 * (docs/algorithms/dpor-sleep.md). dpor keeps only one path of it.
 *
 * A node is the state after a schedule together with the branches on inputs that it took. The branches after a step
 * precede the choice of the next step, so they are nodes of their own. A *target* is an execution to be run next: a
 * step to be taken at a node, or another value for the branch that follows a node, solved with all branches above it
 * unchanged. A step's target has the inputs of the first execution that reached its node. So targets of both kinds can
 * be taken in any order, and each path has its own steps, races and sleep sets.
 *
 * The sleep set of a node contains the steps that were taken at a node above before the way to this one was, and that
 * no step since conflicts with. Every sleeping step is older than the node in which it sleeps, so "it is explored
 * there" always refers to an earlier node, whatever the order of targets.
 *
 * A strategy chooses which target comes next (`draw`), and which targets a race adds (`branch_off`). */
#ifndef HD_DPOR_EXECUTION_TREE_H
#define HD_DPOR_EXECUTION_TREE_H

#include "base/rng.h"
#include "dpor/reversal.h"
#include "explore/explorer.h"
#include "explore/minimise.h"

typedef struct hd_tree_node {
    uint32_t parent, child, sibling;
    uint32_t depth; /* in steps */
    bool is_branch; /* a branch leads to it, not a step */
    bool mixed; /* the effect of the step that leads to it depends on inputs */
    bool asked; /* another value of the branch that follows is a target, or there is none */
    hd_choice step; /* that leads to it */
    uint64_t value; /* of the branch that leads to it */
    uint32_t first_op, op_count; /* of that step */
    uint32_t first_choice, choice_count; /* the steps that are enabled in it */
    uint32_t given, given_count; /* inputs that lead to it */
} hd_tree_node;

typedef struct hd_tree_target {
    uint32_t node;
    bool turns; /* it is another value of the branch at the node, not a step */
    hd_choice choice;
    uint64_t value;
    uint32_t given, given_count;
} hd_tree_target;

/* Open: the strategies walk through the last execution and its trace. */
typedef struct hd_execution_tree {
    hd_memory *memory;
    hd_rng rng; /* for strategies that draw at random */
    hd_trace trace; /* of the last execution */
    hd_path path; /* its branches */
    hd_vec(uint32_t) way; /* its nodes at which it chose a step */
    hd_schedule last, now; /* its schedule; and that of the execution being learned */
    hd_vec(hd_tree_node) nodes;
    hd_vec(hd_op) ops; /* of the steps of nodes */
    hd_vec(hd_choice) choices; /* enabled at nodes */
    hd_vec(hd_tree_target) targets;
    hd_given_list given; /* inputs of nodes and targets */
    hd_vec(uint32_t) asleep; /* nodes whose steps are in the sleep set that was computed last */
    hd_vec(hd_sleeper) sleepers;
    hd_vec(hd_choice) prefix;
    bool started;
    bool has_outcomes; /* some step had several outcomes */
    uint32_t turning; /* the node whose branch the current execution gives another value, + 1 */
    bool missed; /* an execution ended before such a branch */
} hd_execution_tree;

/* The explorer's functions; `self` is the tree. */
void *hd_execution_tree_open(const hd_explore_config *config, hd_memory *memory);
void hd_execution_tree_close(void *self);
const hd_trace *hd_execution_tree_trace(void *self);
hd_path *hd_execution_tree_path(void *self);
double hd_execution_tree_progress(void *self);

/* Plans the target whose index `draw` returns, and removes it. Targets that have been explored or are asleep by now are
 * skipped. */
bool hd_execution_tree_next(hd_execution_tree *x, hd_plan *plan, size_t (*draw)(hd_execution_tree *x));

/* Adds the execution, and calls `branch_off` for each of its races: `earlier` is an item of the trace. */
bool hd_execution_tree_learn(hd_execution_tree *x, const hd_execution *e,
    void (*branch_off)(hd_execution_tree *x, uint32_t earlier, const hd_reversal_step *later));

/* Is the step enabled at the node? Has it been taken there, or is it a target? Does it sleep there? */
bool hd_execution_tree_can_do(const hd_execution_tree *x, uint32_t node, hd_choice c);
bool hd_execution_tree_has_target(const hd_execution_tree *x, uint32_t node, hd_choice c);
bool hd_execution_tree_sleeps(hd_execution_tree *x, uint32_t node, hd_choice c);

/* Makes the step, or all enabled steps, targets at the node, unless they are already. */
void hd_execution_tree_add_target(hd_execution_tree *x, uint32_t node, hd_choice c);
void hd_execution_tree_add_all(hd_execution_tree *x, uint32_t node);

#endif
