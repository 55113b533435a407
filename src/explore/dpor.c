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
 */
#include "explore/explorer.h"
#include "explore/reversal.h"
#include "explore/wakeup.h"

#include "base/error.h"

#include <string.h>

typedef struct sleeper {
    uint16_t thread;
    uint64_t outcomes; /* explored; ~0: all there are */
    uint32_t first_op, op_count;
} sleeper;

typedef struct node {
    uint32_t first_sleeper, sleeper_count; /* in dpor.sleepers */
    uint32_t first_op; /* dpor.sleeper_ops before them */
    uint32_t wakeup;
    uint32_t explored; /* branches */
    bool mixed; /* the step taken here has a branch on inputs in its middle */
} node;

typedef struct dpor {
    hd_memory *memory;
    hd_trace trace;
    hd_path path;
    hd_wakeup_trees trees;
    hd_vec(node) nodes; /* nodes.count == trace.steps.count + 1 after an execution */
    hd_vec(sleeper) sleepers;
    hd_vec(hd_op) sleeper_ops;
    hd_vec(hd_choice) prefix;
    hd_vec(hd_sleeper) plan_sleepers;
    hd_wakeup_sequence sequence;
    uint32_t branch; /* the node that the current execution branches off */
    uint32_t branch_tree; /* the branch that it follows from there; 0: none */
    bool retakes; /* it begins with the step that was taken there, to go another way in its middle */
    bool all_races; /* of the current execution are to be reversed, not only those of new steps */
    bool started;
} dpor;

static void *dpor_open(const hd_explore_config *config, hd_memory *memory)
{
    dpor *d = hd_alloc(memory, sizeof *d);
    d->memory = d->nodes.memory = d->sleepers.memory = d->sleeper_ops.memory = memory;
    d->prefix.memory = d->plan_sleepers.memory = d->sequence.memory = memory;
    hd_trace_init(&d->trace, memory, config->races);
    hd_path_init(&d->path, &config->solver, memory);
    hd_wakeup_init(&d->trees, memory);
    hd_vec_push(&d->nodes, ((node) { 0 }));
    return d;
}

static void dpor_close(void *self)
{
    dpor *d = self;
    hd_trace_fini(&d->trace);
    hd_path_fini(&d->path);
    hd_wakeup_fini(&d->trees);
    hd_vec_fini(&d->nodes);
    hd_vec_fini(&d->sleepers);
    hd_vec_fini(&d->sleeper_ops);
    hd_vec_fini(&d->prefix);
    hd_vec_fini(&d->plan_sleepers);
    hd_vec_fini(&d->sequence);
    hd_release(d->memory, d, sizeof *d);
}

static const hd_item *step_at(const dpor *d, uint32_t position)
{
    return &d->trace.items.items[d->trace.steps.items[position]];
}

/* --- sleep sets ----------------------------------------------------------------------- */

static sleeper *add_sleeper(dpor *d, node *n, uint16_t thread, uint64_t outcomes, const hd_op *ops, uint32_t count)
{
    hd_vec_push(&d->sleepers, ((sleeper) { thread, outcomes, (uint32_t)d->sleeper_ops.count, count }));
    hd_vec_reserve(&d->sleeper_ops, count);
    for (uint32_t i = 0; i < count; i++)
        d->sleeper_ops.items[d->sleeper_ops.count++] = ops[i];
    n->sleeper_count++;
    return hd_vec_last(&d->sleepers);
}

/* The step that was taken at node `position` is explored: it sleeps there. */
static void put_to_sleep(dpor *d, uint32_t position)
{
    node *n = &d->nodes.items[position];
    const hd_item *step = step_at(d, position);
    uint32_t count = step->choices > 1 ? step->choices : 1;
    uint64_t all = count >= 64 ? ~0ull : (1ull << count) - 1;
    n->explored++;
    sleeper *s = NULL;
    for (uint32_t i = 0; i < n->sleeper_count; i++)
        if (d->sleepers.items[n->first_sleeper + i].thread == step->thread)
            s = &d->sleepers.items[n->first_sleeper + i];
    hd_op anything = { .thread = step->thread, .kind = HD_EXIT };
    if (!s && n->mixed) /* it does one thing or another */
        s = add_sleeper(d, n, step->thread, 0, &anything, 1);
    else if (!s)
        s = add_sleeper(d, n, step->thread, 0, &d->trace.ops.items[step->access], step->access_count);
    s->outcomes |= 1ull << (step->choice & 63);
    if ((s->outcomes & all) == all)
        s->outcomes = ~0ull;
}

/* Makes the node after step `position`: those sleepers go on sleeping that the
 * step does not conflict with. */
static void push_node(dpor *d, uint32_t position, uint32_t wakeup)
{
    node from = d->nodes.items[position];
    node n = {
        .first_sleeper = (uint32_t)d->sleepers.count, .first_op = (uint32_t)d->sleeper_ops.count, .wakeup = wakeup
    };
    const hd_item *step = step_at(d, position);
    const hd_op *ops = &d->trace.ops.items[step->access];
    for (uint32_t i = 0; i < from.sleeper_count; i++) {
        sleeper s = d->sleepers.items[from.first_sleeper + i];
        hd_vec_reserve(&d->sleeper_ops, s.op_count);
        const hd_op *sleeping = &d->sleeper_ops.items[s.first_op];
        if (s.thread != step->thread && !hd_wakeup_ops_conflict(ops, step->access_count, sleeping, s.op_count))
            add_sleeper(d, &n, s.thread, s.outcomes, sleeping, s.op_count);
    }
    hd_vec_push(&d->nodes, n);
}

static void pop_node(dpor *d)
{
    node n = hd_vec_pop(&d->nodes);
    hd_assert(!n.wakeup);
    d->sleepers.count = n.first_sleeper;
    d->sleeper_ops.count = n.first_op;
}

/* --- choosing the next execution --------------------------------------------------------- */

static void make_first_node(dpor *d)
{
    d->sleepers.count = d->sleeper_ops.count = d->nodes.count = 0;
    hd_vec_push(&d->nodes, ((node) { 0 }));
}

/* A branch on inputs at the last node has another value: nothing is explored
 * behind that. If it is in the middle of a step, the step is taken again. */
static void begin_other_way(dpor *d)
{
    uint32_t position = (uint32_t)d->nodes.count - 1;
    d->retakes = hd_vec_last(&d->path.branches)->inside;
    d->branch = position - d->retakes;
    d->branch_tree = 0;
    if (!position) {
        make_first_node(d);
        return;
    }
    pop_node(d);
    if (d->retakes)
        d->nodes.items[d->branch].mixed = true;
    else
        push_node(d, position - 1, 0);
}

/* From the deepest node that has something left. The last node has only if the
 * execution was cut at it. */
static bool find_branch(dpor *d)
{
    d->retakes = false;
    while (true) {
        uint32_t position = (uint32_t)d->nodes.count - 1;
        hd_path_cut(&d->path, position);
        if (hd_vec_last(&d->nodes)->wakeup) {
            d->branch = position;
            d->branch_tree = hd_wakeup_take(&d->trees, &d->nodes.items[position].wakeup);
            return true;
        }
        if (hd_path_flip(&d->path, position)) {
            begin_other_way(d);
            return true;
        }
        if (!position)
            return false;
        pop_node(d);
        put_to_sleep(d, position - 1);
    }
}

static bool dpor_next(void *self, hd_plan *plan)
{
    dpor *d = self;
    hd_vec_clear(&d->prefix);
    hd_vec_clear(&d->plan_sleepers);
    if (!d->started) {
        d->started = true;
        *plan = (hd_plan) { .tail = HD_TAIL_FIRST };
        return true;
    }
    if (!find_branch(d))
        return false;
    node *n = &d->nodes.items[d->branch];
    for (uint32_t i = 0; i < d->branch; i++)
        hd_vec_push(&d->prefix, ((hd_choice) { step_at(d, i)->thread, step_at(d, i)->choice }));
    if (d->retakes)
        hd_vec_push(&d->prefix, ((hd_choice) { step_at(d, d->branch)->thread, step_at(d, d->branch)->choice }));
    /* Reversing an earlier race takes the steps that it does not concern along,
     * with the outcomes they have here: each outcome must be taken along once. */
    d->all_races = d->trees.nodes.items[d->branch_tree].outcome;
    for (uint32_t at = d->branch_tree; at; at = d->trees.nodes.items[at].child) {
        hd_vec_push(&d->prefix, ((hd_choice) { d->trees.nodes.items[at].thread, d->trees.nodes.items[at].choice }));
        if (!d->trees.nodes.items[at].child)
            hd_path_use(&d->path, d->trees.nodes.items[at].inputs);
    }
    for (uint32_t i = 0; i < n->sleeper_count; i++) {
        const sleeper *s = &d->sleepers.items[n->first_sleeper + i];
        hd_vec_push(&d->plan_sleepers,
            ((hd_sleeper) { s->thread, s->outcomes, &d->sleeper_ops.items[s->first_op], s->op_count }));
    }
    *plan = (hd_plan) { .given = d->path.given.items,
        .given_count = (uint32_t)d->path.given.count,
        .prefix = d->prefix.items,
        .prefix_count = (uint32_t)d->prefix.count,
        .sleepers = d->plan_sleepers.items,
        .sleeper_count = (uint32_t)d->plan_sleepers.count,
        .sleep_at = d->branch,
        .tail = HD_TAIL_FIRST };
    return true;
}

/* --- learning from an execution ------------------------------------------------------------ */

/* Did the process end before the thread, which sleeps at the node, did its step?
 * Then what has been explored with that step says nothing about ending without. */
static bool is_kept_from(const dpor *d, uint16_t thread, const node *n)
{
    uint32_t end = (uint32_t)d->trace.steps.count;
    const hd_item *last = step_at(d, end - 1);
    if (!hd_reversal_exits(&d->trace.ops.items[last->access], last->access_count))
        return false;
    for (uint32_t p = (uint32_t)(n - d->nodes.items); p < end; p++)
        if (step_at(d, p)->thread == thread)
            return false;
    return true;
}

/* Is there a sleeper that could come first in the sequence? Then everything
 * that begins with it has been explored. */
static bool is_redundant(const dpor *d, const node *n, const hd_wakeup_sequence *s)
{
    for (uint32_t i = 0; i < n->sleeper_count; i++) {
        const sleeper *z = &d->sleepers.items[n->first_sleeper + i];
        const hd_op *ops = &d->sleeper_ops.items[z->first_op];
        bool present = false, conflicts = false;
        for (size_t k = 0; k < s->count && !present && !conflicts; k++) {
            const hd_wakeup_step *step = &s->items[k];
            if (step->thread == z->thread) {
                present = true;
                bool slept =
                    step->choice == HD_ANY_OUTCOME ? z->outcomes == ~0ull : (z->outcomes >> (step->choice & 63) & 1);
                if (slept && hd_wakeup_is_initial(s, k))
                    return true;
            } else {
                conflicts = hd_wakeup_ops_conflict(step->ops, step->op_count, ops, z->op_count);
            }
        }
        if (!present && !conflicts && z->outcomes == ~0ull && !is_kept_from(d, z->thread, n))
            return true;
    }
    return false;
}

/* Which way the execution went after each step of the sequence, but for the one
 * that is in a new place. */
static void note_ways(dpor *d)
{
    for (size_t i = 0; i < d->sequence.count; i++) {
        hd_wakeup_step *step = &d->sequence.items[i];
        if (step->number == ~0u)
            continue;
        size_t access = (size_t)(step->ops - d->trace.ops.items);
        step->way = hd_path_way(&d->path, d->trace.items.items[d->trace.accesses.items[access].item].position + 1);
    }
}

static void insert(dpor *d, uint32_t position)
{
    node *n = &d->nodes.items[position];
    if (d->path.branches.count)
        note_ways(d);
    if (!is_redundant(d, n, &d->sequence))
        hd_wakeup_insert(&d->trees, &n->wakeup, &d->sequence);
}

static void reverse(dpor *d, uint32_t earlier, const hd_reversal_step *later)
{
    hd_reversal_room room;
    hd_reversal_sequence(&d->trace, earlier, later, &d->sequence, &room);
    insert(d, d->trace.items.items[earlier].position);
}

static void reverse_races(dpor *d, const hd_reversal_step *later)
{
    uint32_t racing[HD_MAX_THREADS + 1];
    uint32_t count = hd_reversal_find(&d->trace, later, racing);
    for (uint32_t i = 0; i < count; i++)
        reverse(d, racing[i], later);
}

/* The last step ended the process, and the operation was never done: it can
 * be, if the process ends after it. That end is part of the sequence: a trace
 * in which a thread does nothing more is another than one in which it does. */
static void reverse_with_exit(dpor *d, uint32_t exit, const hd_reversal_step *later)
{
    hd_reversal_room room;
    uint32_t after_all[HD_MAX_THREADS];
    const hd_item *item = &d->trace.items.items[exit];
    memset(after_all, 0xff, sizeof after_all);
    hd_reversal_sequence(&d->trace, exit, later, &d->sequence, &room);
    hd_vec_push(&d->sequence,
        ((hd_wakeup_step) { .thread = item->thread,
            .number = item->number,
            .clock = after_all,
            .ops = &d->trace.ops.items[item->access],
            .op_count = 1 }));
    insert(d, item->position);
}

/* When the process ended, or the execution was cut off, another thread could
 * have gone on: its operation could have come before the last step, unless it
 * depends on that. */
static void reverse_with_end(dpor *d, const hd_reversal_step *later)
{
    uint32_t end = (uint32_t)d->trace.steps.count;
    if (!end)
        return;
    uint32_t last = d->trace.steps.items[end - 1];
    const hd_item *step = &d->trace.items.items[last];
    const hd_op *ops = &d->trace.ops.items[step->access];
    if (step->thread == later->thread
        || (later->before != HD_NO_ITEM && hd_trace_before(&d->trace, last, later->before)))
        return;
    if (hd_reversal_exits(ops, step->access_count))
        reverse_with_exit(d, last, later);
    else if (!hd_wakeup_ops_conflict(ops, step->access_count, later->ops, later->op_count))
        reverse(d, last, later);
}

/* Operations that were possible but never done: of threads that are stuck, or
 * that were still going when the process ended. */
static void reverse_pending(dpor *d, const hd_execution *e)
{
    for (uint32_t i = 0; i < e->thread_count; i++) {
        if (e->threads[i].status != HD_THREAD_AT_OP)
            continue;
        hd_reversal_step later = hd_reversal_of_pending(&d->trace, &e->threads[i].pending);
        uint32_t outcomes = later.ops->kind == HD_CHOOSE ? later.ops->choices : 1;
        for (uint32_t k = 0; e->threads[i].enabled && k < outcomes; k++) {
            later.choice = later.ops->kind == HD_CHOOSE ? (uint8_t)k : later.choice;
            reverse_with_end(d, &later);
        }
        reverse_races(d, &later);
    }
}

static uint64_t slept_outcomes(const dpor *d, const node *n, uint16_t thread)
{
    for (uint32_t i = 0; i < n->sleeper_count; i++)
        if (d->sleepers.items[n->first_sleeper + i].thread == thread)
            return d->sleepers.items[n->first_sleeper + i].outcomes;
    return 0;
}

/* The other outcomes of steps that were not told which to have. */
static void add_outcomes(dpor *d, uint32_t position)
{
    const hd_item *step = step_at(d, position);
    node *n = &d->nodes.items[position];
    uint64_t slept = slept_outcomes(d, n, step->thread);
    for (uint32_t k = 0; k < step->choices; k++)
        if (k != step->choice && !(slept >> (k & 63) & 1))
            hd_wakeup_add_outcome(&d->trees, &n->wakeup, step->thread, (uint8_t)k, &d->trace.ops.items[step->access]);
}

/* Nodes along the branch that was followed take over what is left of its tree. */
static void push_nodes(dpor *d)
{
    uint32_t at = d->branch_tree;
    for (uint32_t p = d->branch; p < d->trace.steps.count; p++) {
        uint32_t rest = 0;
        bool free_choice = !at || d->trees.nodes.items[at].choice == HD_ANY_OUTCOME;
        if (at) {
            uint32_t child = d->trees.nodes.items[at].child;
            hd_wakeup_release(&d->trees, at);
            at = child;
            if (child)
                rest = d->trees.nodes.items[child].sibling;
        }
        push_node(d, p, rest);
        if (free_choice && step_at(d, p)->choices > 1)
            add_outcomes(d, p);
    }
    d->branch_tree = 0;
}

/* Sequences from here on are to be run with the inputs of this execution. */
static void open_inputs(dpor *d)
{
    d->trees.inputs = hd_path_keep(&d->path, 1);
    d->trees.added = 0;
}

/* Every node of a tree has a share in its inputs. */
static void close_inputs(dpor *d)
{
    hd_wakeup_trees *t = &d->trees;
    if (t->inputs) {
        hd_path_keep(&d->path, t->added);
        hd_path_drop(&d->path, t->inputs);
    }
    for (size_t i = 0; i < t->released.count; i++)
        hd_path_drop(&d->path, t->released.items[i]);
    hd_vec_clear(&t->released);
}

static void learn_races(dpor *d, const hd_execution *e)
{
    uint32_t first_new = d->all_races ? 0 : d->branch;
    for (uint32_t p = first_new; p < d->trace.steps.count; p++) {
        hd_reversal_step later = hd_reversal_of_step(&d->trace, p);
        reverse_races(d, &later);
    }
    uint32_t first_item = first_new ? d->trace.steps.items[first_new - 1] + 1 : 0;
    for (uint32_t i = first_item; i < d->trace.items.count; i++)
        if (d->trace.items.items[i].kind == HD_ITEM_WITHDRAWN) {
            hd_reversal_step later = hd_reversal_of_withdrawn(&d->trace, i);
            reverse_races(d, &later);
        }
    reverse_pending(d, e);
}

static bool dpor_learn(void *self, const hd_execution *e)
{
    dpor *d = self;
    hd_trace_cut(&d->trace, d->branch);
    if (!hd_trace_extend(&d->trace, e) || !hd_path_extend(&d->path, e))
        return false;
    open_inputs(d);
    push_nodes(d);
    if (e->outcome->kind != HD_CUT) {
        hd_wakeup_drop(&d->trees, &hd_vec_last(&d->nodes)->wakeup); /* nothing can follow */
        learn_races(d, e);
    }
    close_inputs(d);
    return true;
}

static hd_path *dpor_path(void *self)
{
    return &((dpor *)self)->path;
}

static const hd_trace *dpor_trace(void *self)
{
    return &((dpor *)self)->trace;
}

/* As if what is left at each node were as large as what has been done there. */
static double dpor_progress(void *self)
{
    const dpor *d = self;
    double done = 0, share = 1;
    for (size_t i = 0; i < d->nodes.count; i++) {
        uint32_t left = 0;
        for (uint32_t w = d->nodes.items[i].wakeup; w; w = d->trees.nodes.items[w].sibling)
            left++;
        uint32_t explored = d->nodes.items[i].explored;
        share /= explored + 1 + left;
        done += share * explored;
    }
    return done;
}

const hd_explorer hd_explorer_dpor = { "dpor", true, dpor_open, dpor_next, dpor_learn, dpor_close, dpor_trace,
    dpor_progress, dpor_path };
