/* Choosing the next execution: a target, as many further targets as fit into the same execution, and a schedule that
 * leads to them (docs/algorithms/unfold.md, "The search"). */
#include "unfold/unfold_internal.h"

enum { MOST_BESIDE = 64, LEAST_TRIES = 2, MOST_TRIES = 12 };

size_t hd_unfold_targets(const hd_unfolding *u)
{
    return u->targets.count;
}

size_t hd_unfold_aims(const hd_unfolding *u)
{
    return u->aims.count;
}

/* --- one target --------------------------------------------------------------------------------- */

static void drop(hd_unfolding *u, size_t index)
{
    u->targets.items[index] = *hd_vec_last(&u->targets);
    u->targets.count--;
}

static bool take_target(hd_unfolding *u, hd_unfold_order_of_targets order, hd_rng *rng, target *out)
{
    while (u->targets.count) {
        size_t i = order == HD_TARGETS_LAST ? u->targets.count - 1 : hd_rng_below(rng, u->targets.count);
        *out = u->targets.items[i];
        drop(u, i);
        if (hd_unfold_is_open(u, out))
            return true;
    }
    return false;
}

void hd_unfold_causes_of_target(const hd_unfolding *u, const target *t, hd_unfold_set *out)
{
    const meeting *m = &u->meetings.items[t->meeting];
    const condition *c = &u->conditions.items[m->condition];
    hd_vec_push(out, u->wishes.items[m->wish].cone);
    if (maker_of(u, m->condition))
        hd_vec_push(out, maker_of(u, m->condition));
    for (uint32_t i = 0; i < set_size(u, c); i++)
        hd_vec_push(out, u->accesses.items[set_of(u, c)[i]].event);
}

/* --- further targets -------------------------------------------------------------------------------
 *
 * The spare prospect stands for the union of the pasts of the targets chosen so far. */

static void start_spare(hd_unfolding *u)
{
    for (size_t t = 0; t < u->clock_width; t++)
        clock_of(u, u->spare)[t] = 0;
    for (size_t s = 0; s < u->slots.count; s++)
        columns_of(u, u->spare)[s] = columns_of(u, 0)[s];
    if (u->rows.count)
        u->rows.items[u->spare] = u->rows.items[0];
}

/* Does the event's past contradict the target: has its thread continued, or has what it finds changed? */
static bool disturbs(const hd_unfolding *u, const target *t, uint32_t e)
{
    uint32_t w = u->meetings.items[t->meeting].wish;
    const wish *k = &u->wishes.items[w];
    uint16_t thread = u->events.items[k->cone].thread;
    if (u->events.items[clock_of(u, e)[thread]].depth > u->events.items[event_of(u, k)].depth)
        return true;
    return hd_unfold_is_beyond(u, t->meeting, e) || hd_unfold_overtakes(u, w, e);
}

static bool clash(const hd_unfolding *u, const target *a, const target *b)
{
    const meeting *x = &u->meetings.items[a->meeting], *y = &u->meetings.items[b->meeting];
    const wish *v = &u->wishes.items[x->wish], *w = &u->wishes.items[y->wish];
    if (u->events.items[v->cone].thread == u->events.items[w->cone].thread)
        return true;
    if (v->after || w->after || v->unsure || w->unsure)
        return true; /* the rest of such steps is not known */
    return v->object && v->object == w->object && hd_groups_conflict(x->group, y->group);
}

static bool fits_beside(hd_unfolding *u, const target *t)
{
    hd_vec_clear(&u->chosen);
    hd_unfold_causes_of_target(u, t, &u->chosen);
    for (size_t i = 0; i < u->aims.count; i++) {
        if (clash(u, &u->aims.items[i], t))
            return false;
        for (size_t k = 0; k < u->chosen.count; k++)
            if (disturbs(u, &u->aims.items[i], u->chosen.items[k]))
                return false;
    }
    for (size_t k = 0; k < u->chosen.count; k++)
        if (!hd_unfold_trees_agree(u, u->spare, u->chosen.items[k]))
            return false;
    return !disturbs(u, t, u->spare);
}

static void add_aim(hd_unfolding *u, const target *t)
{
    hd_vec_push(&u->aims, *t);
    hd_vec_clear(&u->chosen);
    hd_unfold_causes_of_target(u, t, &u->chosen);
    for (size_t i = 0; i < u->chosen.count; i++)
        hd_unfold_join(u, u->spare, u->chosen.items[i]);
}

static bool is_permitted(hd_unfolding *u, const hd_unfold_judge *judge, const target *t, bool afresh)
{
    hd_unfold_literals_of(u, t, &u->literals);
    return judge->permits(judge->context, u->literals.items, u->literals.count, afresh);
}

/* In the contextual net, targets that fit pairwise may need a cycle together: the union of their pasts is traversed. */
static bool is_acyclic_with(hd_unfolding *u, const target *t)
{
    if (u->net != HD_NET_CONTEXTUAL)
        return true;
    hd_vec_clear(&u->candidates);
    for (size_t i = 0; i < u->aims.count; i++)
        hd_unfold_causes_of_target(u, &u->aims.items[i], &u->candidates);
    hd_unfold_causes_of_target(u, t, &u->candidates);
    return hd_unfold_configuration(u, u->candidates.items, (uint32_t)u->candidates.count, &u->found);
}

/* If none has fitted in the last executions, fewer are tried. */
static void add_others(hd_unfolding *u, hd_unfold_order_of_targets order, hd_rng *rng, const hd_unfold_judge *judge)
{
    uint32_t failures = 0, tries = MOST_TRIES - u->vain_tries;
    for (size_t i = u->targets.count; i-- > 0 && failures < tries && u->aims.count < MOST_BESIDE;) {
        size_t at = order == HD_TARGETS_LAST ? i : hd_rng_below(rng, u->targets.count);
        target t = u->targets.items[at];
        if (!hd_unfold_is_open(u, &t)) {
            drop(u, at);
        } else if (fits_beside(u, &t) && is_acyclic_with(u, &t) && is_permitted(u, judge, &t, false)) {
            add_aim(u, &t);
            failures = 0;
        } else {
            failures++;
        }
    }
    if (u->aims.count > 1)
        u->vain_tries = 0;
    else if (failures == tries && tries > LEAST_TRIES)
        u->vain_tries++;
}

/* --- a schedule ------------------------------------------------------------------------------------ */

/* Did the last execution contain the event? */
static bool was_at(const hd_unfolding *u, uint16_t thread, uint32_t e)
{
    uint32_t last = thread < u->at.count ? u->at.items[thread] : HD_NOT_STARTED, depth = u->events.items[e].depth;
    return last != HD_NOT_STARTED && u->events.items[last].depth >= depth
        && hd_unfold_event_at_depth(u, last, depth) == e;
}

/* If the last execution contains everything that must precede the aims: those steps in its order. Then the two
 * executions have a long common prefix, which need not be followed again. */
static bool schedule_as_before(const hd_unfolding *u, hd_unfold_schedule *out)
{
    const uint32_t *past = clock_of(u, u->spare);
    for (uint16_t t = 0; t < u->clock_width; t++)
        if (past[t] && !was_at(u, t, past[t]))
            return false;
    hd_vec_clear(out);
    for (size_t i = 0; i < u->changes.count; i++) {
        const change *c = &u->changes.items[i];
        if (!c->is_thread)
            continue;
        const event *v = &u->events.items[c->to];
        if (v->kind == EVENT_STEP && v->depth <= u->events.items[past[c->number]].depth)
            hd_vec_push(out, ((hd_unfold_pick) { v->thread, v->choice, v->label }));
    }
    return true;
}

/* All events that must precede the aims, by number. Causes have smaller numbers, so that is an order in which they can
 * be executed. */
static void collect_past(hd_unfolding *u, hd_unfold_set *out)
{
    uint32_t *next = clock_of(u, u->spare), last;
    hd_vec_clear(out);
    do {
        uint32_t *latest = next;
        for (size_t t = 1; t < u->clock_width; t++)
            latest = next[t] > *latest ? &next[t] : latest;
        last = *latest;
        if (last)
            hd_vec_push(out, last);
        *latest = u->events.items[last].before;
    } while (last);
    for (size_t i = 0, k = out->count; i + 1 < k; i++) {
        uint32_t e = out->items[i];
        out->items[i] = out->items[--k];
        out->items[k] = e;
    }
}

static bool schedule_causes(hd_unfolding *u, hd_unfold_schedule *out)
{
    if (schedule_as_before(u, out))
        return true;
    if (u->net != HD_NET_CONTEXTUAL) {
        collect_past(u, &u->found);
    } else {
        hd_vec_clear(&u->candidates);
        for (size_t i = 0; i < u->aims.count; i++)
            hd_unfold_causes_of_target(u, &u->aims.items[i], &u->candidates);
        if (!hd_unfold_configuration(u, u->candidates.items, (uint32_t)u->candidates.count, &u->found))
            return false;
    }
    hd_unfold_schedule_of(u, u->found.items, u->found.count, out);
    return true;
}

static bool schedule_aims(hd_unfolding *u, hd_unfold_schedule *out, uint32_t *sure)
{
    if (!schedule_causes(u, out))
        return false;
    *sure = (uint32_t)out->count;
    for (size_t i = 0; i < u->aims.count; i++) {
        const wish *w = &u->wishes.items[u->meetings.items[u->aims.items[i].meeting].wish];
        bool comes_by_itself = w->awaits || (w->branches && !w->after);
        if (!comes_by_itself)
            hd_vec_push(out, ((hd_unfold_pick) { u->events.items[w->cone].thread, u->aims.items[i].choice, 0 }));
    }
    return true;
}

/* Drops the target permanently, with all its outcomes. */
static void drop_for_ever(hd_unfolding *u, const target *t)
{
    meeting *m = &u->meetings.items[t->meeting];
    if (m->status == MEETING_TARGET)
        m->status = MEETING_DROPPED;
}

/* Takes the next feasible target, and drops those that are not. */
static bool take_permitted(
    hd_unfolding *u, hd_unfold_order_of_targets order, hd_rng *rng, const hd_unfold_judge *judge, target *out)
{
    while (take_target(u, order, rng, out)) {
        if (is_permitted(u, judge, out, true))
            return true;
        drop_for_ever(u, out);
    }
    return false;
}

bool hd_unfold_next(hd_unfolding *u, hd_unfold_order_of_targets order, hd_rng *rng, const hd_unfold_judge *judge,
    hd_unfold_schedule *out, uint32_t *sure)
{
    target t;
    hd_vec_clear(&u->aims);
    if (!take_permitted(u, order, rng, judge, &t))
        return false;
    u->last_side = u->wishes.items[u->meetings.items[t.meeting].wish].sides;
    start_spare(u);
    add_aim(u, &t);
    add_others(u, order, rng, judge);
    bool possible = schedule_aims(u, out, sure);
    hd_assert(possible);
    return true;
}

bool hd_unfold_finish(hd_unfolding *u, uint32_t *side)
{
    *side = 0;
    if (!u->aims.count || !hd_unfold_is_open(u, &u->aims.items[0]))
        return true;
    const target *t = &u->aims.items[0];
    if (is_other_side(u, t)) {
        *side = u->last_side;
        if (u->wishes.items[u->meetings.items[t->meeting].wish].sides != u->last_side) {
            hd_unfold_add_target(u, t->meeting, 0); /* the branch may have further sides */
            return true;
        }
    }
    if (hd_unfold_look_further(u, t->meeting))
        return true;
    drop_for_ever(u, t);
    return false;
}
