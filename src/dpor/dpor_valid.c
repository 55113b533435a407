#include "dpor/dpor_internal.h"

/* Could the step come first in a sequence of the tree, for all that is known? Then it has been explored. */
static bool has_sleeper_first(const hd_dpor *d, const hd_sleep_entry *e, uint32_t tree)
{
    for (uint32_t b = tree; b; b = d->trees.nodes.items[b].sibling)
        if (!d->trees.nodes.items[b].doubtful && hd_dpor_comes_first(d, e, b))
            return true;
    return false;
}

/* Nothing is done again: neither the step taken nor a planned sequence begins with a step that sleeps. */
static bool sleepers_are_valid(const hd_dpor *d, uint32_t position)
{
    const hd_dpor_node *n = &d->nodes.items[position];
    const hd_item *taken = position < d->trace.steps.count ? hd_dpor_step(d, position) : NULL;
    for (uint32_t i = n->asleep.first; i < n->asleep.first + n->asleep.count; i++) {
        const hd_sleep_entry *e = &d->sleep.entries.items[i];
        if (e->when || n->cut)
            continue;
        if (taken && taken->thread == e->thread && taken->choice == e->choice)
            return false;
        if (!d->path.given.count && has_sleeper_first(d, e, n->wakeup))
            return false;
    }
    return true;
}

static bool node_is_valid(const hd_dpor *d, uint32_t position)
{
    const hd_dpor_node *n = &d->nodes.items[position];
    hd_sleep_set from = { 0 };
    hd_sleeper step;
    if (position) {
        from = d->nodes.items[position - 1].asleep;
        step = hd_dpor_step_taken(d, position - 1);
    }
    return n->asleep.first == from.first + from.count && n->asleep.first_op >= from.first_op
        && hd_sleep_is_valid(&d->sleep, from, position ? &step : NULL, n->asleep, n->inherited)
        && hd_wakeup_is_valid(&d->trees, n->wakeup) && sleepers_are_valid(d, position);
}

static bool races_are_valid(const hd_dpor *d)
{
    bool valid = d->examined <= d->trace.items.count;
    for (size_t i = 0; valid && i < d->races.count; i++) {
        const hd_dpor_race *r = &d->races.items[i];
        valid = r->earlier <= r->later && r->later < d->examined && (!i || d->races.items[i - 1].later <= r->later)
            && (r->sleeper == HD_DPOR_NOBODY || r->sleeper < d->sleep.entries.count);
    }
    return valid;
}

/* Marks the nodes of a tree; false: one was marked before. */
static bool mark_tree(const hd_dpor *d, uint32_t root, bool *marked)
{
    for (uint32_t n = root; n; n = d->trees.nodes.items[n].sibling) {
        if (marked[n] || !mark_tree(d, d->trees.nodes.items[n].child, marked))
            return false;
        marked[n] = true;
    }
    return true;
}

/* Is each node in one tree or free? Those in trees have one share each in the inputs that they are to be run with. */
static bool are_all_used(const hd_dpor *d, bool *marked)
{
    size_t count = 1, shares = d->path.current != 0, users = 0;
    for (size_t i = 0; i < d->nodes.count; i++)
        if (!mark_tree(d, d->nodes.items[i].wakeup, marked))
            return false;
    for (size_t i = 1; i < d->trees.nodes.count; i++) {
        count += marked[i];
        shares += marked[i] && d->trees.steps.items[i].inputs;
    }
    for (uint32_t n = d->trees.unused; n; n = d->trees.nodes.items[n].sibling) {
        if (marked[n])
            return false;
        marked[n] = true;
        count++;
    }
    for (size_t i = 1; i < d->path.records.count; i++)
        users += d->path.records.items[i].users;
    return count == d->trees.nodes.count && users == shares;
}

static bool trees_are_valid(const hd_dpor *d)
{
    bool *marked = hd_alloc(d->memory, d->trees.nodes.count), valid = are_all_used(d, marked);
    hd_release(d->memory, marked, d->trees.nodes.count);
    return valid;
}

bool hd_dpor_is_valid(const hd_dpor *d)
{
    bool valid = d->nodes.count == d->trace.steps.count + 1 && races_are_valid(d);
    for (uint32_t i = 0; valid && i < d->nodes.count; i++)
        valid = node_is_valid(d, i);
    return valid && trees_are_valid(d);
}
