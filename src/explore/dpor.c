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
#include "explore/elsewhere.h"
#include "explore/explorer.h"
#include "explore/reversal.h"
#include "explore/sleep.h"
#include "explore/wakeup.h"

#include "base/error.h"

#include <string.h>

typedef struct node {
    hd_sleep_set asleep;
    uint32_t wakeup;
    uint32_t explored; /* branches */
    bool asked; /* all ways through the step that is taken are to be explored */
    bool settled; /* no more ways are to be looked for */
    bool cut; /* an execution was cut here */
    bool retaken; /* the step that is taken was taken before, with other inputs */
    uint32_t inherited; /* sleepers */
} node;

/* A race of the current execution, and why nothing needs to be done for it any
 * more: the reasons hold as long as the trace is the same up to them. */
typedef struct race {
    uint32_t earlier, later; /* items; the same: another outcome */
    hd_wakeup_reasons reasons;
    uint32_t sleeper; /* of dpor.sleep, that can come first beside the sequence, or NOBODY */
} race;

enum { NOBODY = 0xffffffffu };

typedef struct dpor {
    hd_memory *memory;
    hd_trace trace;
    hd_path path;
    hd_wakeup_trees trees;
    hd_vec(node) nodes; /* nodes.count == trace.steps.count + 1 after an execution */
    hd_sleep sleep;
    hd_vec(race) races; /* of the first `examined` items of the trace */
    uint32_t examined;
    hd_vec(hd_choice) prefix;
    hd_vec(hd_sleeper) plan_sleepers;
    hd_reversal_room room;
    hd_decisions decisions;
    hd_vec(hd_term) unless; /* what must not hold of the inputs that are looked for */
    uint32_t branch; /* the node that the current execution branches off */
    uint32_t branch_tree; /* the branch that it follows from there; 0: none */
    bool retakes; /* it begins with this step, to go another way through it */
    hd_choice retaken;
    bool started;
} dpor;

static void *dpor_open(const hd_explore_config *config, hd_memory *memory)
{
    dpor *d = hd_alloc(memory, sizeof *d);
    d->memory = d->nodes.memory = d->races.memory = d->prefix.memory = d->plan_sleepers.memory = memory;
    d->unless.memory = memory;
    hd_sleep_init(&d->sleep, memory);
    hd_reversal_init(&d->room, memory);
    hd_trace_init(&d->trace, memory, config->races);
    hd_path_init(&d->path, &config->solver, memory);
    hd_decisions_init(&d->decisions, &d->path, memory);
    hd_wakeup_init(&d->trees, memory);
    hd_vec_push(&d->nodes, ((node) { 0 }));
    return d;
}

static void dpor_close(void *self)
{
    dpor *d = self;
    hd_trace_fini(&d->trace);
    hd_path_fini(&d->path);
    hd_decisions_fini(&d->decisions);
    hd_vec_fini(&d->unless);
    hd_wakeup_fini(&d->trees);
    hd_vec_fini(&d->nodes);
    hd_sleep_fini(&d->sleep);
    hd_vec_fini(&d->races);
    hd_vec_fini(&d->prefix);
    hd_vec_fini(&d->plan_sleepers);
    hd_reversal_fini(&d->room);
    hd_release(d->memory, d, sizeof *d);
}

static const hd_item *step_at(const dpor *d, uint32_t position)
{
    return &d->trace.items.items[d->trace.steps.items[position]];
}

static hd_sleeper step_taken_at(const dpor *d, uint32_t position)
{
    const hd_item *step = step_at(d, position);
    return (hd_sleeper) { step->thread, step->choice, &d->trace.ops.items[step->access], step->access_count };
}

/* --- the stack of nodes ------------------------------------------------------------------ */

/* The step that was taken at node `position` is explored: it sleeps there, for the
 * inputs with which it does what it did. */
static void put_to_sleep(dpor *d, uint32_t position, bool cut)
{
    node *n = &d->nodes.items[position];
    hd_sleeper step = step_taken_at(d, position);
    hd_sleep_entry how = { .when = hd_path_when(&d->path, position + 1), .asked = n->asked };
    how.awake = how.when && cut;
    n->explored++;
    if (hd_sleep_add(&d->sleep, &n->asleep, &step, how) || !n->retaken)
        return;
    n->settled = true; /* other inputs did not make it do anything else */
    for (uint32_t i = n->asleep.first; i < n->asleep.first + n->asleep.count; i++)
        if (d->sleep.entries.items[i].thread == step.thread)
            d->sleep.entries.items[i].asked = false;
}

/* Makes the node after step `position`. */
static void push_node(dpor *d, uint32_t position, uint32_t wakeup)
{
    hd_sleeper step = step_taken_at(d, position);
    hd_sleep_set asleep = hd_sleep_after(&d->sleep, d->nodes.items[position].asleep, &step);
    hd_vec_push(&d->nodes, ((node) { .asleep = asleep, .inherited = asleep.count, .wakeup = wakeup }));
}

static void pop_node(dpor *d)
{
    node n = hd_vec_pop(&d->nodes);
    hd_assert(!n.wakeup);
    hd_sleep_drop(&d->sleep, n.asleep);
}

/* --- choosing the next execution --------------------------------------------------------- */

static void make_first_node(dpor *d)
{
    hd_sleep_drop(&d->sleep, (hd_sleep_set) { 0 });
    hd_vec_clear(&d->nodes);
    hd_vec_push(&d->nodes, ((node) { 0 }));
}

/* A branch on inputs at the last node has another value: nothing is explored
 * behind that. */
static void begin_other_way(dpor *d)
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

/* The inputs that a sequence is to be run with: those of its last step. */
static hd_path_inputs inputs_of(const dpor *d, uint32_t at)
{
    if (!d->path.records.count)
        return 0; /* nothing depends on inputs: there are none to look for */
    while (d->trees.nodes.items[at].child)
        at = d->trees.nodes.items[at].child;
    return d->trees.steps.items[at].inputs;
}

/* Has what the sequence begins with been explored, with its inputs? */
static bool is_explored(dpor *d, const node *n, uint32_t tree)
{
    const hd_wakeup_node *first = &d->trees.nodes.items[tree];
    for (uint32_t i = n->asleep.first; i < n->asleep.first + n->asleep.count; i++) {
        const hd_sleep_entry *e = &d->sleep.entries.items[i];
        if (e->thread == first->thread && e->choice == first->choice && e->when && !e->awake
            && hd_path_holds(&d->path, e->when))
            return true;
    }
    return false;
}

/* The next sequence at the node that came from an execution in which the
 * branches here had the values that they have. */
static bool take_sequence(dpor *d, uint32_t position)
{
    node *n = &d->nodes.items[position];
    uint32_t *link = &n->wakeup;
    while (*link) {
        bool fits = hd_path_use(&d->path, inputs_of(d, *link));
        if (fits && !is_explored(d, n, *link))
            break;
        if (fits)
            hd_wakeup_drop_first(&d->trees, link);
        else
            link = &d->trees.nodes.items[*link].sibling;
    }
    if (!*link)
        return false;
    d->branch = position;
    d->branch_tree = hd_wakeup_take(&d->trees, link);
    return true;
}

/* A sequence in whose execution the last branch had a value that it has not had
 * here. */
static bool turn_to_sequence(dpor *d, uint32_t position)
{
    uint32_t *link = &d->nodes.items[position].wakeup;
    while (*link && !hd_path_turn_to(&d->path, inputs_of(d, *link)))
        link = &d->trees.nodes.items[*link].sibling;
    if (!*link)
        return false;
    uint32_t taken = hd_wakeup_take(&d->trees, link);
    begin_other_way(d);
    d->branch_tree = taken;
    return true;
}

/* Notes for which inputs the first `count` of the node's sleepers sleep; false: one sleeps with any. */
static bool note_sleepers(dpor *d, const node *n, uint32_t count)
{
    hd_vec_clear(&d->unless);
    for (uint32_t i = n->asleep.first; i < n->asleep.first + count; i++) {
        const hd_sleep_entry *e = &d->sleep.entries.items[i];
        if (!e->when)
            return false;
        if (!e->awake)
            hd_vec_push(&d->unless, e->when);
    }
    return true;
}

/* Another value of a branch at the last node. Where somebody sleeps, all that is
 * new has been planned: whatever wakes him was seen behind him. */
static bool find_other_way(dpor *d, uint32_t position)
{
    while (hd_path_reaches(&d->path, position) && !hd_vec_last(&d->path.branches)->inside) {
        const node *n = &d->nodes.items[position];
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

/* The step again, or any, with inputs for which nothing holds that must not. */
static bool retake(dpor *d, uint32_t position, const hd_sleep_entry *step)
{
    if (!hd_path_avoid(&d->path, d->unless.items, d->unless.count, d->sleep.ops.items[step->first_op].site))
        return false;
    d->branch = position;
    d->branch_tree = 0;
    d->retakes = d->nodes.items[position].retaken = true;
    d->retaken = (hd_choice) { step->thread, step->choice };
    return true;
}

/* Somebody must sleep at a node in the end, whatever the inputs are: everything is
 * found from what was explored behind him. Are there inputs for which nobody does? */
static bool find_other_inputs(dpor *d, uint32_t position)
{
    node *n = &d->nodes.items[position];
    if ((!n->explored && !n->cut) || n->settled || !n->asleep.count || !note_sleepers(d, n, n->asleep.count))
        return false;
    n->settled = !retake(d, position, &d->sleep.entries.items[n->asleep.first + n->asleep.count - 1]);
    d->retakes &= n->explored > 0; /* or nothing has been taken here */
    return !n->settled;
}

/* A step that was planned without knowing which ways there are through it is tried
 * with inputs that take one which it has not gone yet. */
static bool find_other_way_through(dpor *d, uint32_t position)
{
    const node *n = &d->nodes.items[position];
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

/* From the deepest node that has something left. The last node has only if the
 * execution was cut at it. */
static bool find_branch(dpor *d)
{
    d->retakes = false;
    while (true) {
        uint32_t position = (uint32_t)d->nodes.count - 1;
        hd_path_cut(&d->path, position);
        if (take_sequence(d, position) || find_other_inputs(d, position) || find_other_way_through(d, position)
            || find_other_way(d, position))
            return true;
        hd_wakeup_drop(&d->trees, &d->nodes.items[position].wakeup);
        if (!position)
            return false;
        bool cut = d->nodes.items[position].cut;
        pop_node(d);
        put_to_sleep(d, position - 1, cut);
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
        hd_vec_push(&d->prefix, d->retaken);
    for (uint32_t at = d->branch_tree; at; at = d->trees.nodes.items[at].child)
        hd_vec_push(&d->prefix, ((hd_choice) { d->trees.nodes.items[at].thread, d->trees.nodes.items[at].choice }));
    for (uint32_t i = n->asleep.first; i < n->asleep.first + n->asleep.count; i++) {
        const hd_sleep_entry *e = &d->sleep.entries.items[i];
        if (!e->awake && (!e->when || hd_path_holds(&d->path, e->when)))
            hd_vec_push(&d->plan_sleepers, hd_sleep_get(&d->sleep, i));
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

/* Has everything that begins with the sequence been explored? It has, if a
 * sleeper can come first in it; what stands against that is needed. */
static bool is_redundant(const dpor *d, const node *n, hd_sequence *s, race *r)
{
    for (uint32_t i = n->asleep.first; i < n->asleep.first + n->asleep.count; i++) {
        const hd_sleep_entry *entry = &d->sleep.entries.items[i];
        s->partial |= entry->when != 0;
        hd_sleeper step = hd_sleep_get(&d->sleep, i);
        uint32_t index;
        if (entry->awake)
            continue;
        hd_place at = hd_sequence_place(s, &step, &index);
        if (at == HD_PLACE_NOT_FIRST) {
            hd_wakeup_note(&r->reasons, s, at, index);
            hd_sequence_add(s->needed, index);
            continue;
        }
        if (entry->when && !hd_sequence_admits(s, entry->when, at, index))
            continue;
        r->reasons = (hd_wakeup_reasons) { 0 };
        hd_wakeup_note(&r->reasons, s, at, index);
        r->sleeper = at == HD_PLACE_BESIDE_IT ? i : NOBODY;
        return true;
    }
    return false;
}

/* Which way `later` goes through branches in its middle is known only if it has not
 * seen what it is put before. */
static void note_way(dpor *d, const race *r, const hd_reversal_step *later)
{
    hd_sequence_last *last = &d->room.sequence.last;
    last->unknown =
        later->item == HD_NO_ITEM || r->earlier == r->later || hd_elsewhere_sees(&d->trace, r->earlier, later);
    bool mixed = later->item != HD_NO_ITEM && hd_path_when(&d->path, last->position + 1);
    if (!mixed || !last->unknown)
        return;
    last->inexact = true;
    if (d->room.ops.items[0].kind == HD_RMW_SAME)
        d->room.ops.items[0].kind = HD_RMW;
}

/* The nodes that were added are to be run with the inputs at hand. */
static void give_inputs(dpor *d, uint32_t chain)
{
    uint32_t count = 0;
    for (uint32_t at = chain; at; at = d->trees.nodes.items[at].child)
        count++;
    hd_path_inputs inputs = hd_decisions_keep(&d->decisions, count);
    for (uint32_t at = chain; at; at = d->trees.nodes.items[at].child)
        d->trees.steps.items[at].inputs = inputs;
    d->trees.added -= count;
}

/* Plans the sequence at the node, unless it is known. */
static void plan(dpor *d, node *n, uint64_t way, race *r)
{
    hd_sequence *s = &d->room.sequence;
    hd_sequence_restart(s);
    if (is_redundant(d, n, s, r))
        return;
    uint32_t chain = hd_wakeup_insert(&d->trees, &n->wakeup, way, s, &r->reasons);
    if (chain && s->path && d->decisions.made.count)
        give_inputs(d, chain);
}

/* With other inputs that take it too, it may be known or not. */
static bool has_other_inputs(dpor *d)
{
    const hd_sequence *s = &d->room.sequence;
    if (!s->path || !d->decisions.made.count)
        return false;
    if (!d->decisions.conditions.count)
        hd_sequence_require(s);
    return hd_decisions_turn(&d->decisions);
}

/* Adds what leads to `later` before the race's earlier step, with each of its
 * outcomes but, for another outcome of a step, the one it had. */
static void reverse(dpor *d, race *r, const hd_reversal_step *later)
{
    const hd_item *earlier = &d->trace.items.items[r->earlier];
    node *n = &d->nodes.items[earlier->position];
    uint32_t outcomes = hd_reversal_sequence(&d->trace, r->earlier, later, &d->room);
    hd_sequence *s = &d->room.sequence;
    s->path = d->path.given.count ? &d->path : NULL;
    s->decisions = &d->decisions;
    uint64_t way = s->path ? hd_path_way(s->path, earlier->position) : 0;
    r->reasons = (hd_wakeup_reasons) { 0 };
    r->sleeper = NOBODY;
    if (s->path)
        note_way(d, r, later);
    for (uint32_t k = 0; k < outcomes; k++) {
        if (r->earlier == r->later && k == earlier->choice)
            continue;
        s->last.choice = (uint8_t)k;
        if (s->path)
            hd_decisions_begin(&d->decisions);
        do
            plan(d, n, way, r);
        while (has_other_inputs(d));
    }
    if (outcomes > 1)
        r->reasons.beside = true; /* each has reasons of its own */
}

static hd_reversal_step later_of(const dpor *d, uint32_t item)
{
    const hd_item *i = &d->trace.items.items[item];
    return i->kind == HD_ITEM_STEP ? hd_reversal_of_step(&d->trace, i->position)
                                   : hd_reversal_of_withdrawn(&d->trace, item);
}

/* Does the sleeper come first beside what is new in the sequence too? */
static bool still_sleeps(const dpor *d, const race *r)
{
    hd_sleeper z = hd_sleep_get(&d->sleep, r->sleeper);
    for (uint32_t p = d->branch; p < d->trace.steps.count; p++) {
        const hd_item *step = step_at(d, p);
        if (hd_trace_before(&d->trace, r->earlier, d->trace.steps.items[p]))
            continue;
        if (step->thread == z.thread
            || hd_steps_conflict(&d->trace.ops.items[step->access], step->access_count, z.ops, z.op_count))
            return false;
    }
    return true;
}

/* A race of steps that the execution has in common with the one before: its
 * sequence may be another one now, because other steps follow, or may lead another
 * way. */
static void reverse_again(dpor *d, race *r)
{
    bool same = !d->path.given.count && r->reasons.position < d->branch
        && (!r->reasons.beside || (r->sleeper != NOBODY && still_sleeps(d, r)));
    if (same)
        return;
    hd_reversal_step later = later_of(d, r->later);
    reverse(d, r, &later);
}

static void reverse_races_of(dpor *d, uint32_t item)
{
    const hd_item *i = &d->trace.items.items[item];
    uint32_t racing[HD_MAX_THREADS + 1];
    if (i->kind == HD_ITEM_EDGE)
        return;
    hd_reversal_step later = later_of(d, item);
    uint32_t count = hd_reversal_find(&d->trace, &later, racing);
    if (i->choices > 1)
        racing[count++] = item;
    for (uint32_t k = 0; k < count; k++) {
        race *r = hd_vec_add(&d->races);
        *r = (race) { .earlier = racing[k], .later = item };
        reverse(d, r, &later);
    }
}

static void reverse_never_done(dpor *d, uint32_t earlier, const hd_reversal_step *later)
{
    race r = { .earlier = earlier, .later = HD_NO_ITEM };
    reverse(d, &r, later);
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
    if (hd_reversal_exits(ops, step->access_count)
        || !hd_steps_conflict(ops, step->access_count, later->ops, later->op_count))
        reverse_never_done(d, last, later);
}

/* Operations that were possible but never done: of threads that are stuck, or
 * that were still going when the process ended. */
static void reverse_pending(dpor *d, const hd_execution *e)
{
    for (uint32_t i = 0; i < e->thread_count; i++) {
        if (!hd_thread_wants_more(&e->threads[i]))
            continue;
        hd_reversal_step later = hd_reversal_of_pending(&d->trace, &e->threads[i].pending);
        if (e->threads[i].enabled)
            reverse_with_end(d, &later);
        uint32_t racing[HD_MAX_THREADS + 1];
        uint32_t count = hd_reversal_find(&d->trace, &later, racing);
        for (uint32_t k = 0; k < count; k++)
            reverse_never_done(d, racing[k], &later);
    }
}

/* The execution was cut before this step, which sleeps with its inputs. If it was
 * planned without knowing which ways there are through it, others may not. */
static void leave_out(dpor *d, uint32_t tree)
{
    const node *n = hd_vec_last(&d->nodes);
    hd_wakeup_node *left = &d->trees.nodes.items[tree];
    for (uint32_t i = n->asleep.first; left->unknown && i < n->asleep.first + n->asleep.count; i++) {
        hd_sleep_entry *e = &d->sleep.entries.items[i];
        e->asked = e->thread == left->thread && e->choice == left->choice;
    }
    left->sibling = 0;
    hd_wakeup_drop(&d->trees, &tree);
}

/* Nodes along the branch that was followed take over what is left of its tree. */
static void push_nodes(dpor *d)
{
    uint32_t at = d->branch_tree;
    for (uint32_t p = d->branch; p < d->trace.steps.count; p++) {
        uint32_t rest = 0;
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
    if (at)
        leave_out(d, at);
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

/* Back to the first `steps` steps. */
static void forget_after(dpor *d, uint32_t steps)
{
    hd_trace_cut(&d->trace, steps);
    uint32_t items = (uint32_t)d->trace.items.count;
    d->examined = d->examined < items ? d->examined : items;
    while (d->races.count && hd_vec_last(&d->races)->later >= items)
        d->races.count--;
}

static void learn_races(dpor *d, const hd_execution *e)
{
    for (size_t i = 0; i < d->races.count; i++)
        reverse_again(d, &d->races.items[i]);
    for (; d->examined < d->trace.items.count; d->examined++)
        reverse_races_of(d, d->examined);
    reverse_pending(d, e);
}

static bool dpor_learn(void *self, const hd_execution *e)
{
    dpor *d = self;
    forget_after(d, d->branch);
    if (!hd_trace_extend(&d->trace, e) || !hd_path_extend(&d->path, e))
        return false;
    open_inputs(d);
    push_nodes(d);
    if (e->outcome->kind == HD_CUT) {
        hd_vec_last(&d->nodes)->cut = true;
    } else {
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

const hd_explorer hd_explorer_dpor = { .name = "dpor",
    .exhaustive = true,
    .open = dpor_open,
    .next = dpor_next,
    .learn = dpor_learn,
    .close = dpor_close,
    .trace = dpor_trace,
    .progress = dpor_progress,
    .path = dpor_path };
