#include "dpor/dpor_internal.h"

#include "base/error.h"
#include "abi/valid.h"

static void *dpor_open(const hd_explore_config *config, hd_memory *memory)
{
    hd_dpor *d = hd_alloc(memory, sizeof *d);
    d->memory = d->nodes.memory = d->races.memory = d->waits.memory = d->prefix.memory = d->plan_sleepers.memory =
        memory;
    d->also.memory = d->unless.memory = memory;
    hd_sleep_init(&d->sleep, memory);
    hd_reversal_init(&d->room, memory);
    hd_trace_init(&d->trace, memory, config->races);
    hd_path_init(&d->path, &config->solver, memory);
    d->composes = config->compose;
    d->pieces = config->pieces;
    d->worker = config->worker;
    d->shared.memory = d->way.steps.memory = d->way.asleep.memory = d->way.ops.memory = memory;
    d->path.pinned = true; /* sleep sets and wakeup trees refer to its terms */
    d->path.turns_assumptions = true;
    hd_decisions_init(&d->decisions, &d->path, memory);
    hd_wakeup_init(&d->trees, memory);
    hd_vec_push(&d->nodes, ((hd_dpor_node) { 0 }));
    return d;
}

static void dpor_close(void *self)
{
    hd_dpor *d = self;
    hd_trace_fini(&d->trace);
    hd_path_fini(&d->path);
    hd_decisions_fini(&d->decisions);
    hd_vec_fini(&d->also);
    hd_vec_fini(&d->unless);
    hd_wakeup_fini(&d->trees);
    hd_vec_fini(&d->nodes);
    hd_sleep_fini(&d->sleep);
    hd_vec_fini(&d->races);
    hd_vec_fini(&d->waits);
    hd_vec_fini(&d->prefix);
    hd_vec_fini(&d->plan_sleepers);
    hd_reversal_fini(&d->room);
    hd_vec_fini(&d->shared);
    hd_vec_fini(&d->way.steps);
    hd_vec_fini(&d->way.asleep);
    hd_vec_fini(&d->way.ops);
    hd_release(d->memory, d, sizeof *d);
}

/* --- the stack of nodes -------------------------------------------------------------------- */

/* Everything after the step that was taken at node `position` is explored: it sleeps there, for the inputs that take
 * the same way through it. */
static void put_to_sleep(hd_dpor *d, uint32_t position)
{
    hd_dpor_node *n = &d->nodes.items[position];
    hd_sleeper step = hd_dpor_step_taken(d, position);
    hd_term when = d->path.branches.count ? hd_path_when(&d->path, position + 1) : 0;
    hd_sleep_entry how = { .when = when, .asked = n->asked };
    n->explored++;
    if (hd_sleep_add(&d->sleep, &n->asleep, &step, how) || !n->retaken)
        return;
    /* The solver's inputs avoid all known ways through the step, and yet it went one of them: the program depends on
     * inputs in a way that its expressions do not show. Searching on would not end; the report says that branches at
     * this source location are not explored. */
    n->settled = true;
    hd_path_lose(&d->path, step.ops->site);
    for (uint32_t i = n->asleep.first; i < n->asleep.first + n->asleep.count; i++)
        if (d->sleep.entries.items[i].thread == step.thread)
            d->sleep.entries.items[i].asked = false;
}

/* Adds the node after step `position`, with its wakeup tree. */
static void push_node(hd_dpor *d, uint32_t position, uint32_t wakeup)
{
    hd_sleeper step = hd_dpor_step_taken(d, position);
    hd_sleep_set asleep = hd_sleep_after(&d->sleep, d->nodes.items[position].asleep, &step);
    hd_vec_push(&d->nodes, ((hd_dpor_node) { .asleep = asleep, .inherited = asleep.count, .wakeup = wakeup }));
}

static void pop_node(hd_dpor *d)
{
    hd_dpor_node n = hd_vec_pop(&d->nodes);
    hd_assert(!n.wakeup); /* a sequence that is lost here would be an unexplored trace */
    hd_sleep_drop(&d->sleep, n.asleep);
}

/* --- choosing the next execution ----------------------------------------------------------- */

static void make_first_node(hd_dpor *d)
{
    hd_sleep_drop(&d->sleep, (hd_sleep_set) { 0 });
    hd_vec_clear(&d->nodes);
    hd_vec_push(&d->nodes, ((hd_dpor_node) { 0 }));
}

void hd_dpor_go_back(hd_dpor *d, uint32_t position)
{
    while (d->nodes.count > position + 1u)
        pop_node(d);
    if (!position) {
        make_first_node(d);
        return;
    }
    pop_node(d);
    push_node(d, position - 1, 0);
}

/* A branch on inputs at the last node gets another value. Nothing has been explored after that value: the node starts
 * anew, with the sleep set that it inherits and the sequences that wait for this value. */
static void begin_other_way(hd_dpor *d)
{
    uint32_t position = (uint32_t)d->nodes.count - 1, left = d->nodes.items[position].wakeup;
    d->branch = position;
    d->nodes.items[position].wakeup = 0;
    if (!position) {
        make_first_node(d);
        d->nodes.items[0].wakeup = left;
        return;
    }
    pop_node(d);
    push_node(d, position - 1, left);
}

/* The inputs for the first sequence of the tree: those of its last step. */
static hd_path_inputs inputs_of(const hd_dpor *d, uint32_t at)
{
    if (!d->path.records.count)
        return 0; /* the program has no inputs */
    while (d->trees.nodes.items[at].child)
        at = d->trees.nodes.items[at].child;
    return d->trees.steps.items[at].inputs;
}

bool hd_dpor_comes_first(const hd_dpor *d, const hd_sleep_entry *e, uint32_t tree)
{
    for (uint32_t at = tree; at; at = d->trees.nodes.items[at].child) {
        const hd_wakeup_node *n = &d->trees.nodes.items[at];
        const hd_wakeup_step *step = &d->trees.steps.items[at];
        if (n->thread == e->thread)
            return n->choice == e->choice;
        if (n->inexact || n->unknown)
            return false; /* its effect is known only once it has been run there */
        const hd_op *ops = step->ops ? step->ops : &step->op;
        if (hd_steps_conflict(ops, step->op_count, &d->sleep.ops.items[e->first_op], e->op_count))
            return false;
    }
    return true;
}

/* Collects in `unless` the conditions under which one of the node's first `count` sleepers can come first in the
 * sequence; false: one can with any inputs. `site` is the source location of one of them. */
static bool note_first(hd_dpor *d, const hd_dpor_node *n, uint32_t count, uint32_t tree, const hd_site **site)
{
    hd_vec_clear(&d->unless);
    for (uint32_t i = n->asleep.first; i < n->asleep.first + count; i++) {
        const hd_sleep_entry *e = &d->sleep.entries.items[i];
        if (!hd_dpor_comes_first(d, e, tree))
            continue;
        if (!e->when)
            return false;
        *site = d->sleep.ops.items[e->first_op].site;
        hd_vec_push(&d->unless, e->when);
    }
    return true;
}

static bool any_holds(hd_dpor *d)
{
    bool any = false;
    for (size_t i = 0; i < d->unless.count; i++)
        any |= hd_path_holds(&d->path, d->unless.items[i]);
    return any;
}

/* Finds inputs for the sequence with which none of the node's first `count` sleepers can come first in it: the current
 * ones if possible, otherwise others that take the same path. False: there are none; every execution that begins with
 * the sequence has been explored. */
static bool find_inputs_for(hd_dpor *d, const hd_dpor_node *n, uint32_t count, uint32_t tree)
{
    const hd_site *site = NULL;
    if (!note_first(d, n, count, tree, &site))
        return false;
    if (!any_holds(d))
        return true;
    hd_vec_clear(&d->also);
    for (uint32_t at = tree; at; at = d->trees.nodes.items[at].child)
        if (d->trees.steps.items[at].condition)
            hd_vec_push(&d->also, d->trees.steps.items[at].condition);
    return hd_path_avoid(&d->path, d->also.items, d->also.count, d->unless.items, d->unless.count, site);
}

/* Takes the node's next sequence whose inputs give the branches up to here their current values. Sequences for other
 * values wait in the tree until the branch is turned to theirs (turn_to_sequence). */
static bool take_sequence(hd_dpor *d, uint32_t position)
{
    hd_dpor_node *n = &d->nodes.items[position];
    uint32_t *link = &n->wakeup;
    while (*link) {
        if (!hd_path_use(&d->path, inputs_of(d, *link)))
            link = &d->trees.nodes.items[*link].sibling;
        else if ((d->path.given.count || n->cut) && !find_inputs_for(d, n, n->asleep.count, *link))
            hd_wakeup_drop_first(&d->trees, link);
        else
            break;
    }
    if (!*link)
        return false;
    d->branch = position;
    d->branch_tree = hd_wakeup_take(&d->trees, link);
    return true;
}

/* Turns the last branch to a value that it has not had here and that a waiting sequence is planned for. */
static bool turn_to_sequence(hd_dpor *d, uint32_t position)
{
    hd_dpor_node *n = &d->nodes.items[position];
    uint32_t *link = &n->wakeup;
    while (*link) {
        if (!hd_path_turn_to(&d->path, inputs_of(d, *link))) {
            link = &d->trees.nodes.items[*link].sibling;
        } else if (find_inputs_for(d, n, n->inherited, *link)) {
            break;
        } else {
            hd_path_turn_back(&d->path);
            hd_wakeup_drop_first(&d->trees, link);
        }
    }
    if (!*link)
        return false;
    uint32_t taken = hd_wakeup_take(&d->trees, link);
    begin_other_way(d);
    d->branch_tree = taken;
    return true;
}

/* Collects in `unless` the conditions under which the node's first `count` sleepers sleep; false: one always does. */
static bool note_sleepers(hd_dpor *d, const hd_dpor_node *n, uint32_t count)
{
    hd_vec_clear(&d->unless);
    for (uint32_t i = n->asleep.first; i < n->asleep.first + count; i++) {
        const hd_sleep_entry *e = &d->sleep.entries.items[i];
        if (!e->when)
            return false;
        hd_vec_push(&d->unless, e->when);
    }
    return true;
}

/* Another value of a branch at the last node. The solver is asked only for inputs with which no inherited step sleeps.
 * Where one sleeps, whatever wakes it was seen in the executions after it, reversed, and planned as a sequence: without
 * such a sequence there is nothing new (docs/algorithms/inputs.md, "dpor with inputs"). */
static bool find_other_way(hd_dpor *d, uint32_t position)
{
    while (hd_path_reaches(&d->path, position) && !hd_vec_last(&d->path.branches)->inside) {
        const hd_dpor_node *n = &d->nodes.items[position];
        if (turn_to_sequence(d, position))
            return true;
        if (!note_sleepers(d, n, n->inherited)) {
            hd_path_give_up(&d->path);
        } else if (hd_path_turn(&d->path, d->unless.items, d->unless.count)) {
            d->branch_tree = 0;
            begin_other_way(d);
            return true;
        }
    }
    return false;
}

/* Plans the step once more, with inputs for which none of `unless` holds. */
static bool retake(hd_dpor *d, uint32_t position, const hd_sleep_entry *step)
{
    const hd_site *site = d->sleep.ops.items[step->first_op].site;
    if (!hd_path_avoid(&d->path, NULL, 0, d->unless.items, d->unless.count, site))
        return false;
    d->branch = position;
    d->branch_tree = 0;
    d->retakes = d->nodes.items[position].retaken = true;
    d->retaken = (hd_choice) { step->thread, step->choice };
    return true;
}

/* In the end, some step must sleep at a node for every input: the proof of soundness finds all other executions from
 * those after a sleeping step. If there are inputs for which no step sleeps, the last one is run again with those. */
static bool find_other_inputs(hd_dpor *d, uint32_t position)
{
    hd_dpor_node *n = &d->nodes.items[position];
    if ((!n->explored && !n->cut) || n->settled || !n->asleep.count || !note_sleepers(d, n, n->asleep.count))
        return false;
    n->settled = !retake(d, position, &d->sleep.entries.items[n->asleep.first + n->asleep.count - 1]);
    d->retakes &= n->explored > 0; /* if no step was taken here, any may come */
    return !n->settled;
}

/* A step that was planned with an unknown way is run again with inputs that take none of its known ways, until there
 * are no such inputs. */
static bool find_other_way_through(hd_dpor *d, uint32_t position)
{
    const hd_dpor_node *n = &d->nodes.items[position];
    for (uint32_t i = n->asleep.first; i < n->asleep.first + n->asleep.count; i++) {
        hd_sleep_entry *asked = &d->sleep.entries.items[i];
        hd_vec_clear(&d->unless);
        for (uint32_t k = n->asleep.first; k < n->asleep.first + n->asleep.count && asked->asked; k++) {
            const hd_sleep_entry *e = &d->sleep.entries.items[k];
            if (e->thread == asked->thread && e->choice == asked->choice)
                hd_vec_push(&d->unless, e->when);
        }
        asked->asked = asked->asked && asked->when && retake(d, position, asked);
        if (asked->asked)
            return true;
    }
    return false;
}

/* Finds the next execution at the deepest node that has anything left; false: everything is explored. The order of the
 * attempts matters: a step may be put to sleep only after all sequences, all inputs and all paths at the node after it
 * are done. */
static bool find_branch(hd_dpor *d)
{
    d->retakes = false;
    while (true) {
        uint32_t position = (uint32_t)d->nodes.count - 1;
        hd_path_cut(&d->path, position);
        if (take_sequence(d, position))
            return true;
        if (d->path.given.count
            && (find_other_inputs(d, position) || find_other_way_through(d, position) || find_other_way(d, position)))
            return true;
        hd_wakeup_drop(&d->trees, &d->nodes.items[position].wakeup);
        if (position == d->floor)
            return false;
        pop_node(d);
        put_to_sleep(d, position - 1);
    }
}

/* The first execution of a piece: the way to it. Nothing sleeps where it begins. */
static void plan_piece(const hd_dpor *d, hd_plan *plan)
{
    *plan = (hd_plan) { .prefix = d->prefix.items, .prefix_count = (uint32_t)d->prefix.count, .tail = HD_TAIL_FIRST };
}

/* The next execution of a search by several workers. */
static bool next_in_piece(hd_dpor *d, hd_plan *plan, bool *found)
{
    *found = false;
    if (d->has_piece) {
        hd_dpor_divide_piece(d);
        *found = find_branch(d);
        if (*found)
            return true;
        hd_dpor_end_piece(d);
    }
    if (!hd_dpor_begin_piece(d))
        return false;
    plan_piece(d, plan);
    return true;
}

static bool dpor_next(void *self, hd_plan *plan)
{
    hd_dpor *d = self;
    bool found = true;
    hd_vec_clear(&d->plan_sleepers);
    if (d->pieces) {
        if (!next_in_piece(d, plan, &found))
            return false;
        if (!found)
            return true;
    } else if (!d->started) {
        d->started = true;
        *plan = (hd_plan) { .composes = d->composes, .tail = HD_TAIL_FIRST };
        return true;
    } else if (!find_branch(d)) {
        return false;
    }
    hd_dpor_node *n = &d->nodes.items[d->branch];
    d->prefix.count = d->branch;
    if (d->retakes)
        hd_vec_push(&d->prefix, d->retaken);
    for (uint32_t at = d->branch_tree; at; at = d->trees.nodes.items[at].child)
        hd_vec_push(&d->prefix, ((hd_choice) { d->trees.nodes.items[at].thread, d->trees.nodes.items[at].choice }));
    for (uint32_t i = n->asleep.first; i < n->asleep.first + n->asleep.count; i++) {
        const hd_sleep_entry *e = &d->sleep.entries.items[i];
        if (!e->when || hd_path_holds(&d->path, e->when))
            hd_vec_push(&d->plan_sleepers, hd_sleep_get(&d->sleep, i));
    }
    *plan = (hd_plan) { .given = d->path.given.items,
        .given_count = (uint32_t)d->path.given.count,
        .prefix = d->prefix.items,
        .prefix_count = (uint32_t)d->prefix.count,
        .sleepers = d->plan_sleepers.items,
        .sleeper_count = (uint32_t)d->plan_sleepers.count,
        .sleep_at = d->branch,
        .composes = d->composes,
        .tail = HD_TAIL_FIRST };
    return true;
}

/* --- learning from an execution ------------------------------------------------------------ */

/* Adds the nodes of the new steps. Along the branch that was followed, each node takes over the subtree of its step. If
 * the execution was cut before the end of the branch, the rest is put back: its next step sleeps with these inputs,
 * but may not with others. */
static void push_nodes(hd_dpor *d)
{
    uint32_t at = d->branch_tree;
    d->prefix.count = d->branch;
    for (uint32_t p = d->branch; p < d->trace.steps.count; p++) {
        uint32_t rest = 0;
        hd_vec_push(&d->prefix, ((hd_choice) { hd_dpor_step(d, p)->thread, hd_dpor_step(d, p)->choice }));
        hd_dpor_sleep_on_way(d);
        d->nodes.items[p].asked = at && d->trees.nodes.items[at].unknown;
        if (at) {
            d->nodes.items[p].settled = d->nodes.items[p].retaken = false;
            uint32_t child = d->trees.nodes.items[at].child;
            hd_wakeup_release(&d->trees, at);
            at = child;
            if (child)
                rest = d->trees.nodes.items[child].sibling;
        }
        push_node(d, p, rest);
    }
    d->branch_tree = 0;
    hd_dpor_arrive(d);
    if (at)
        hd_wakeup_put_back(&d->trees, &hd_vec_last(&d->nodes)->wakeup, at);
}

/* Sequences that are planned from here on get the inputs of this execution. */
static void open_inputs(hd_dpor *d)
{
    d->trees.inputs = hd_path_keep(&d->path, 1);
    d->trees.added = 0;
}

/* Records of inputs are counted: each node of a tree holds one reference. */
static void close_inputs(hd_dpor *d)
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

/* Back to the first `steps` steps. A race is kept as long as both its items are. */
static void forget_after(hd_dpor *d, uint32_t steps)
{
    hd_trace_cut(&d->trace, steps);
    uint32_t items = (uint32_t)d->trace.items.count;
    d->examined = d->examined < items ? d->examined : items;
    while (d->races.count && hd_vec_last(&d->races)->later >= items)
        d->races.count--;
    while (d->waits.count && *hd_vec_last(&d->waits) >= items)
        d->waits.count--;
}

/* Visits all terms that the explorer refers to. */
static void each_term(hd_dpor *d, void (*visit)(hd_terms *, hd_term *))
{
    for (size_t i = 0; i < d->sleep.entries.count; i++)
        visit(&d->path.terms, &d->sleep.entries.items[i].when);
    for (size_t i = 0; i < d->trees.steps.count; i++) {
        visit(&d->path.terms, &d->trees.steps.items[i].when);
        visit(&d->path.terms, &d->trees.steps.items[i].condition);
    }
}

static void keep_term(hd_terms *t, hd_term *term)
{
    hd_terms_keep(t, *term);
}

static void renumber_term(hd_terms *t, hd_term *term)
{
    *term = hd_terms_renumbered(t, *term);
}

static void forget_terms(hd_dpor *d)
{
    hd_path_begin_forgetting(&d->path);
    each_term(d, keep_term);
    hd_path_forget(&d->path);
    each_term(d, renumber_term);
}

static bool dpor_learn(void *self, const hd_execution *e)
{
    hd_dpor *d = self;
    forget_after(d, d->branch);
    if (hd_path_is_full(&d->path))
        forget_terms(d);
    if (!hd_trace_extend(&d->trace, e) || !hd_path_extend(&d->path, e))
        return false;
    for (uint32_t i = 0; i < e->thread_count; i++)
        d->left_loop |= e->threads[i].dead && (e->threads[i].pending.flags & HD_OP_SPUN);
    if (d->path.given.count)
        hd_dpor_note_inexact(d);
    open_inputs(d);
    push_nodes(d);
    if (e->outcome->kind == HD_CUT) {
        hd_vec_last(&d->nodes)->cut = true;
    } else {
        hd_wakeup_drop(&d->trees, &hd_vec_last(&d->nodes)->wakeup); /* the execution ended: no step can follow */
        hd_dpor_reverse_races(d, e);
    }
    close_inputs(d);
    hd_check_valid(
        hd_dpor_is_valid(d), 8 * (d->nodes.count + d->sleep.entries.count + d->trees.nodes.count), d->trace.extensions);
    return true;
}

static const char *dpor_unfinished(void *self)
{
    return ((const hd_dpor *)self)->left_loop
        ? "a process ended while a thread of it waited in a loop: that it left the loop before may be missed"
        : NULL;
}

static hd_path *dpor_path(void *self)
{
    return &((hd_dpor *)self)->path;
}

static const hd_trace *dpor_trace(void *self)
{
    return &((hd_dpor *)self)->trace;
}

/* An estimate that takes all branches of a node to be equally large. */
static double dpor_progress(void *self)
{
    const hd_dpor *d = self;
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

const hd_explorer hd_explorer_dpor = { .name = "dpor",
    .exhaustive = true,
    .open = dpor_open,
    .next = dpor_next,
    .learn = dpor_learn,
    .close = dpor_close,
    .trace = dpor_trace,
    .progress = dpor_progress,
    .path = dpor_path,
    .unfinished = dpor_unfinished };
