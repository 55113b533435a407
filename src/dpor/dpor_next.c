#include "dpor/dpor_internal.h"

#include "base/error.h"

static hd_sleeper step_taken_at(const hd_dpor *d, uint32_t position)
{
    const hd_item *step = hd_dpor_step(d, position);
    return (hd_sleeper) { step->thread, step->choice, &d->trace.ops.items[step->access], step->access_count };
}

/* --- the stack of nodes ------------------------------------------------------------------ */

/* The step that was taken at node `position` is explored: it sleeps there, for the
 * inputs with which it does what it did. */
static void put_to_sleep(hd_dpor *d, uint32_t position)
{
    hd_dpor_node *n = &d->nodes.items[position];
    hd_sleeper step = step_taken_at(d, position);
    hd_term when = d->path.branches.count ? hd_path_when(&d->path, position + 1) : 0;
    hd_sleep_entry how = { .when = when, .asked = n->asked };
    n->explored++;
    if (hd_sleep_add(&d->sleep, &n->asleep, &step, how) || !n->retaken)
        return;
    n->settled = true;
    hd_path_lose(&d->path, step.ops->site); /* inputs that take none of its known ways led it through one of them */
    for (uint32_t i = n->asleep.first; i < n->asleep.first + n->asleep.count; i++)
        if (d->sleep.entries.items[i].thread == step.thread)
            d->sleep.entries.items[i].asked = false;
}

void hd_dpor_push_node(hd_dpor *d, uint32_t position, uint32_t wakeup)
{
    hd_sleeper step = step_taken_at(d, position);
    hd_sleep_set asleep = hd_sleep_after(&d->sleep, d->nodes.items[position].asleep, &step);
    hd_vec_push(&d->nodes, ((hd_dpor_node) { .asleep = asleep, .inherited = asleep.count, .wakeup = wakeup }));
}

static void pop_node(hd_dpor *d)
{
    hd_dpor_node n = hd_vec_pop(&d->nodes);
    hd_assert(!n.wakeup);
    hd_sleep_drop(&d->sleep, n.asleep);
}

/* --- choosing the next execution --------------------------------------------------------- */

static void make_first_node(hd_dpor *d)
{
    hd_sleep_drop(&d->sleep, (hd_sleep_set) { 0 });
    hd_vec_clear(&d->nodes);
    hd_vec_push(&d->nodes, ((hd_dpor_node) { 0 }));
}

/* A branch on inputs at the last node has another value: nothing is explored
 * behind that. */
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
    hd_dpor_push_node(d, position - 1, left);
}

/* The inputs that a sequence is to be run with: those of its last step. */
static hd_path_inputs inputs_of(const hd_dpor *d, uint32_t at)
{
    if (!d->path.records.count)
        return 0; /* nothing depends on inputs: there are none to look for */
    while (d->trees.nodes.items[at].child)
        at = d->trees.nodes.items[at].child;
    return d->trees.steps.items[at].inputs;
}

/* Can the sleeper come first in the tree's first sequence? */
static bool comes_first(const hd_dpor *d, const hd_sleep_entry *e, uint32_t tree)
{
    for (uint32_t at = tree; at; at = d->trees.nodes.items[at].child) {
        const hd_wakeup_node *n = &d->trees.nodes.items[at];
        const hd_wakeup_step *step = &d->trees.steps.items[at];
        if (n->thread == e->thread)
            return n->choice == e->choice;
        if (n->inexact || n->unknown)
            return false; /* what it does there will be seen */
        const hd_op *ops = step->ops ? step->ops : &step->op;
        if (hd_steps_conflict(ops, step->op_count, &d->sleep.ops.items[e->first_op], e->op_count))
            return false;
    }
    return true;
}

/* Notes when one of the node's first `count` sleepers comes first in the sequence; false: with any inputs.
 * `site` is where one of them was. */
static bool note_first(hd_dpor *d, const hd_dpor_node *n, uint32_t count, uint32_t tree, const hd_site **site)
{
    hd_vec_clear(&d->unless);
    for (uint32_t i = n->asleep.first; i < n->asleep.first + count; i++) {
        const hd_sleep_entry *e = &d->sleep.entries.items[i];
        if (!comes_first(d, e, tree))
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

/* The sequence is to be run with the inputs at hand, or with others that go the same way, such that
 * none of the node's first `count` sleepers comes first in it; false: there are none, it has been explored. */
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

/* The next sequence at the node that came from an execution in which the
 * branches here had the values that they have. */
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

/* A sequence in whose execution the last branch had a value that it has not had
 * here. */
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

/* Notes for which inputs the first `count` of the node's sleepers sleep; false: one sleeps with any. */
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

/* Another value of a branch at the last node. Where somebody sleeps, all that is
 * new has been planned: whatever wakes him was seen behind him. */
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

/* The step again, or any, with inputs for which nothing holds that must not. */
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

/* Somebody must sleep at a node in the end, whatever the inputs are: everything is
 * found from what was explored behind him. Are there inputs for which nobody does? */
static bool find_other_inputs(hd_dpor *d, uint32_t position)
{
    hd_dpor_node *n = &d->nodes.items[position];
    if ((!n->explored && !n->cut) || n->settled || !n->asleep.count || !note_sleepers(d, n, n->asleep.count))
        return false;
    n->settled = !retake(d, position, &d->sleep.entries.items[n->asleep.first + n->asleep.count - 1]);
    d->retakes &= n->explored > 0; /* or nothing has been taken here */
    return !n->settled;
}

/* A step that was planned without knowing which ways there are through it is tried
 * with inputs that take one which it has not gone yet. */
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

/* From the deepest node that has something left. The last node has only if the
 * execution was cut at it. */
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
        if (!position)
            return false;
        pop_node(d);
        put_to_sleep(d, position - 1);
    }
}

bool hd_dpor_next(void *self, hd_plan *plan)
{
    hd_dpor *d = self;
    hd_vec_clear(&d->prefix);
    hd_vec_clear(&d->plan_sleepers);
    if (!d->started) {
        d->started = true;
        *plan = (hd_plan) { .tail = HD_TAIL_FIRST };
        return true;
    }
    if (!find_branch(d))
        return false;
    hd_dpor_node *n = &d->nodes.items[d->branch];
    for (uint32_t i = 0; i < d->branch; i++)
        hd_vec_push(&d->prefix, ((hd_choice) { hd_dpor_step(d, i)->thread, hd_dpor_step(d, i)->choice }));
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
        .tail = HD_TAIL_FIRST };
    return true;
}
