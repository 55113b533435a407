/* The races of an execution, reversed (docs/algorithms/dpor.md, "The algorithm").
 *
 * For each race of two steps, the reversing sequence is compared with the sleep set of the node before the earlier step
 * and inserted into its wakeup tree. Soundness rests on this: every race is looked at, also those of operations that
 * were withdrawn or never performed, and a sequence is dropped only where a sleeping step or a branch of the tree
 * covers it. */
#include "dpor/dpor_internal.h"

#include "abi/valid.h"
#include "base/error.h"
#include "dpor/reordered_effect.h"

/* Have all executions that begin with the sequence been explored? They have if a sleeping step is an initial or a weak
 * initial of it. Otherwise, for each sleeping step, the step that keeps it from coming first is needed: it wakes it. */
static bool is_redundant(const hd_dpor *d, const hd_dpor_node *n, hd_sequence *s, hd_dpor_race *r)
{
    for (uint32_t i = n->asleep.first; i < n->asleep.first + n->asleep.count; i++) {
        const hd_sleep_entry *entry = &d->sleep.entries.items[i];
        s->partial |= entry->when != 0;
        hd_sleeper step = hd_sleep_get(&d->sleep, i);
        uint32_t index;
        hd_initial at = hd_sequence_initial(s, &step, &index);
        if (at == HD_NOT_INITIAL) {
            hd_wakeup_note(&r->reasons, s, at, index);
            hd_sequence_add(s->needed, index);
            continue;
        }
        if (entry->when && !hd_sequence_admits(s, entry->when, at, index))
            continue;
        r->reasons = (hd_wakeup_reasons) { 0 };
        hd_wakeup_note(&r->reasons, s, at, index);
        r->sleeper = at == HD_WEAK_INITIAL ? i : HD_DPOR_NOBODY;
        return true;
    }
    return false;
}

static bool is_update(const hd_op *op)
{
    return hd_kinds[op->kind].decided == HD_DECIDED_VALUE;
}

/* May the cell hold a value that depends on inputs when the item accesses it? Accesses log that. */
static bool may_hold_inputs(const hd_trace *t, uint32_t item, const hd_op *op)
{
    const hd_item *i = &t->items.items[item];
    for (uint32_t k = i->access; k < i->access + i->access_count; k++)
        if (t->ops.items[k].object == op->object)
            return t->ops.items[k].flags & HD_OP_FROM_INPUTS;
    return true;
}

/* Moved before `earlier`, may the step branch on inputs in its middle, otherwise than it did here? */
static bool may_branch(const hd_dpor *d, uint32_t earlier, const hd_reversal_step *later)
{
    const hd_op *op = later->ops;
    uint32_t test = hd_op_test(op);
    if (d->room.sequence.last.inexact && (op->flags & HD_OP_ATOMIC))
        return true;
    if (later->item == HD_NO_ITEM)
        return is_update(op) && (test || !(op->flags & HD_OP_FIXED));
    if (is_update(op) && later->op_count == 1)
        return test != HD_CHANGES_UNLESS_ZERO
            && ((op->flags & HD_OP_FROM_INPUTS) || may_hold_inputs(&d->trace, earlier, op));
    return hd_path_branches_inside(&d->path, d->trace.items.items[later->item].position + 1);
}

/* The way that `later` takes through branches in its middle stays the same only if it saw no effect of the steps that
 * now follow it. Otherwise the way is unknown, and the step counts as its strongest kind. */
static void note_way(hd_dpor *d, const hd_dpor_race *r, const hd_reversal_step *later)
{
    hd_sequence_last *last = &d->room.sequence.last;
    bool moved = later->item == HD_NO_ITEM || r->earlier == r->later || hd_reordered_saw(&d->trace, r->earlier, later);
    last->unknown = moved && may_branch(d, r->earlier, later);
    last->inexact |= last->unknown;
    hd_op *first = &d->room.ops.items[0];
    if (last->unknown && is_update(first))
        first->kind = hd_kind_strongest(first->kind);
}

/* Gives the nodes that were added the inputs that the decisions were made with. */
static void give_inputs(hd_dpor *d, uint32_t chain)
{
    uint32_t count = 0;
    for (uint32_t at = chain; at; at = d->trees.nodes.items[at].child)
        count++;
    hd_path_inputs inputs = hd_decisions_keep(&d->decisions, count);
    for (uint32_t at = chain; at; at = d->trees.nodes.items[at].child)
        d->trees.steps.items[at].inputs = inputs;
    d->trees.added -= count;
}

/* Plans the sequence at the node, unless it is redundant there. */
static void plan(hd_dpor *d, uint32_t position, uint64_t way, hd_dpor_race *r)
{
    hd_sequence *s = &d->room.sequence;
    hd_dpor_node *n = &d->nodes.items[position];
    hd_sequence_restart(s);
    if (s->last.inexact || s->path)
        hd_dpor_note_inexact(d);
    if (is_redundant(d, n, s, r))
        return;
    if (position < d->floor) {
        hd_dpor_plan_shared(d, position, &r->reasons);
        return;
    }
    hd_check_valid(hd_sequence_is_valid(s), (s->end - s->start) * (s->end - s->start), s->end + s->earlier);
    uint32_t chain = hd_wakeup_insert(&d->trees, &n->wakeup, way, s, &r->reasons);
    if (chain && s->path && d->decisions.made.count)
        give_inputs(d, chain);
}

/* Whether a sequence is redundant, and which branch it follows, may depend on inputs that its own path leaves open. Are
 * there inputs that take the same path and change one of these answers? (inputs/decisions.h) */
static bool has_other_inputs(hd_dpor *d)
{
    const hd_sequence *s = &d->room.sequence;
    if (!s->path || !d->decisions.made.count)
        return false;
    if (!d->decisions.conditions.count)
        hd_sequence_require(s);
    return hd_decisions_turn(&d->decisions);
}

/* Plans the sequences that lead to `later` before the race's earlier step, one for each outcome that it has there. If
 * the race is a step with itself, the outcome that it had is left out. */
static void reverse(hd_dpor *d, hd_dpor_race *r, hd_reversal_step *later)
{
    hd_reversal_leave_out(&d->trace, later, r->earlier, d->room.also);
    r->several = later->also_count > 0;
    const hd_item *earlier = &d->trace.items.items[r->earlier];
    uint32_t outcomes = hd_reversal_sequence(&d->trace, r->earlier, later, &d->room);
    hd_sequence *s = &d->room.sequence;
    s->path = d->path.given.count ? &d->path : NULL;
    s->decisions = &d->decisions;
    uint64_t way = s->path ? hd_path_way(s->path, earlier->position) : 0;
    r->reasons = (hd_wakeup_reasons) { 0 };
    r->sleeper = HD_DPOR_NOBODY;
    if (s->path)
        note_way(d, r, later);
    for (uint32_t k = 0; k < outcomes; k++) {
        if (r->earlier == r->later && k == earlier->choice)
            continue;
        s->last.choice = (uint8_t)k;
        if (s->path)
            hd_decisions_begin(&d->decisions);
        do
            plan(d, earlier->position, way, r);
        while (has_other_inputs(d));
    }
    if (outcomes > 1)
        r->reasons.beside = true; /* the reasons kept are those of the last outcome: look again */
}

static void get_later(const hd_dpor *d, uint32_t item, hd_reversal_step *later)
{
    const hd_item *i = &d->trace.items.items[item];
    if (i->kind == HD_ITEM_STEP)
        *later = hd_reversal_of_step(&d->trace, i->position);
    else
        hd_reversal_of_withdrawn(later, &d->trace, item);
}

/* The sleeping step was a weak initial of the sequence: does it also commute with the steps that are new in it? */
static bool still_sleeps(const hd_dpor *d, const hd_dpor_race *r)
{
    hd_sleeper z = hd_sleep_get(&d->sleep, r->sleeper);
    for (uint32_t p = d->branch; p < d->trace.steps.count; p++) {
        const hd_item *step = hd_dpor_step(d, p);
        if (hd_trace_before(&d->trace, r->earlier, d->trace.steps.items[p]))
            continue;
        if (step->thread == z.thread
            || hd_steps_conflict(&d->trace.ops.items[step->access], step->access_count, z.ops, z.op_count))
            return false;
    }
    return true;
}

/* A race of two steps that the last execution had too. Its sequence is a different one if other steps follow, so it may
 * no longer be redundant. It is the same as before if the reasons lie in the common prefix. With inputs, it may also
 * take another path, so it is always planned again; so is one that leaves out several steps. */
static void reverse_again(hd_dpor *d, hd_dpor_race *r)
{
    bool same = !d->path.given.count && !r->several && r->reasons.position < d->branch
        && (!r->reasons.beside || (r->sleeper != HD_DPOR_NOBODY && still_sleeps(d, r)));
    if (same)
        return;
    hd_reversal_step later;
    get_later(d, r->later, &later);
    reverse(d, r, &later);
}

/* Does it take a token? Then its races depend on what follows: a post that it passes may enable it elsewhere. */
static bool takes_token(const hd_dpor *d, const hd_item *i)
{
    for (uint32_t k = i->access; i->kind == HD_ITEM_STEP && k < i->access + i->access_count; k++)
        if (hd_op_takes_token(&d->trace.ops.items[k]))
            return true;
    return false;
}

static void reverse_races_of_wait(hd_dpor *d, uint32_t item)
{
    uint32_t racing[HD_MAX_THREADS + 1];
    hd_reversal_step later;
    get_later(d, item, &later);
    uint32_t count = hd_reversal_find(&d->trace, &later, racing);
    for (uint32_t k = 0; k < count; k++) {
        hd_dpor_race r = { .earlier = racing[k], .later = item };
        reverse(d, &r, &later);
    }
}

static void reverse_races_of(hd_dpor *d, uint32_t item)
{
    const hd_item *i = &d->trace.items.items[item];
    uint32_t racing[HD_MAX_THREADS + 1];
    if (i->kind == HD_ITEM_EDGE)
        return;
    if (takes_token(d, i)) {
        hd_vec_push(&d->waits, item);
        return;
    }
    hd_reversal_step later;
    get_later(d, item, &later);
    uint32_t count = hd_reversal_find(&d->trace, &later, racing);
    if (i->choices > 1)
        racing[count++] = item; /* with itself: its other outcomes */
    for (uint32_t k = 0; k < count; k++) {
        hd_dpor_race *r = hd_vec_add(&d->races);
        *r = (hd_dpor_race) { .earlier = racing[k], .later = item };
        reverse(d, r, &later);
    }
}

static void reverse_never_done(hd_dpor *d, uint32_t earlier, hd_reversal_step *later)
{
    hd_dpor_race r = { .earlier = earlier, .later = HD_NO_ITEM };
    reverse(d, &r, later);
}

/* A thread whose operation was enabled when the process ended, or when a bound cut the execution off: the operation
 * could have come before the last step, unless it depends on it. It does not depend on a step that only exits, because
 * it is enabled after it. */
static void reverse_with_end(hd_dpor *d, hd_reversal_step *later)
{
    uint32_t end = (uint32_t)d->trace.steps.count;
    if (!end)
        return;
    uint32_t last = d->trace.steps.items[end - 1];
    const hd_item *step = &d->trace.items.items[last];
    const hd_op *ops = &d->trace.ops.items[step->access];
    bool depends = step->access_count > 1 && !hd_reversal_is_enabled_without(&d->trace, later, last);
    if (step->thread == later->thread || depends
        || (later->before != HD_NO_ITEM && hd_trace_before(&d->trace, last, later->before)))
        return;
    if (hd_reversal_exits(ops, step->access_count)
        || !hd_steps_conflict(ops, step->access_count, later->ops, later->op_count))
        reverse_never_done(d, last, later);
}

/* Operations that were published but never performed: of blocked threads, and of those that were running when the
 * process ended. They race like steps at the end of the trace. That is how executions without a deadlock are found from
 * one with it. */
static void reverse_pending(hd_dpor *d, const hd_execution *e)
{
    for (uint32_t i = 0; i < e->thread_count; i++) {
        if (!hd_thread_wants_more(&e->threads[i]))
            continue;
        hd_reversal_step later;
        hd_reversal_of_pending(&later, &d->trace, &e->threads[i].pending);
        if (e->threads[i].enabled)
            reverse_with_end(d, &later);
        uint32_t racing[HD_MAX_THREADS + 1];
        uint32_t count = hd_reversal_find(&d->trace, &later, racing);
        for (uint32_t k = 0; k < count; k++)
            reverse_never_done(d, racing[k], &later);
    }
}

void hd_dpor_reverse_races(hd_dpor *d, const hd_execution *e)
{
    for (size_t i = 0; i < d->races.count; i++)
        reverse_again(d, &d->races.items[i]);
    for (; d->examined < d->trace.items.count; d->examined++)
        reverse_races_of(d, d->examined);
    for (size_t i = 0; i < d->waits.count; i++)
        reverse_races_of_wait(d, d->waits.items[i]);
    reverse_pending(d, e);
}
