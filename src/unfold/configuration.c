/* Causes of events, and configurations: the smallest one with given events, in an order in which it can be executed. */
#include "unfold/unfold_internal.h"

#include <stdlib.h>
#include <string.h>

/* --- causes -------------------------------------------------------------------------------- */

void hd_unfold_condition_causes(const hd_unfolding *u, uint32_t c, hd_unfold_set *out)
{
    const condition *k = &u->conditions.items[c];
    if (maker_of(u, c))
        hd_vec_push(out, maker_of(u, c));
    for (uint32_t i = 0; i < set_size(u, k); i++)
        hd_vec_push(out, u->accesses.items[set_of(u, k)[i]].event);
    if (is_closed(k))
        hd_unfold_condition_causes(u, k->parent, out);
}

void hd_unfold_add_causes(const hd_unfolding *u, uint32_t e, hd_unfold_set *out)
{
    const event *v = &u->events.items[e];
    if (v->before)
        hd_vec_push(out, v->before);
    if (v->kind == EVENT_ORDER) {
        if (v->cause)
            hd_vec_push(out, v->cause);
        return;
    }
    for (uint32_t m = v->cause; m; m = u->wishes.items[u->meetings.items[m].wish].after)
        hd_unfold_condition_causes(u, u->meetings.items[m].condition, out);
}

int hd_unfold_by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_and_unify(hd_unfold_set *s)
{
    size_t kept = 0;
    if (s->count)
        qsort(s->items, s->count, sizeof *s->items, hd_unfold_by_number);
    for (size_t i = 0; i < s->count; i++)
        if (!kept || s->items[kept - 1] != s->items[i])
            s->items[kept++] = s->items[i];
    s->count = kept;
}

void hd_unfold_causes(const hd_unfolding *u, uint32_t e, hd_unfold_set *out)
{
    hd_vec_clear(out);
    if (!e)
        return;
    hd_unfold_add_causes(u, e, out);
    sort_and_unify(out);
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++) { /* only direct causes: those of other causes are left out */
        bool implied = false;
        for (size_t k = i + 1; k < out->count && !implied; k++)
            implied = hd_unfold_precedes(u, out->items[i], out->items[k]);
        if (!implied)
            out->items[kept++] = out->items[i];
    }
    out->count = kept;
}

static void add_lookers(const hd_unfolding *u, uint32_t e, hd_unfold_set *out)
{
    const event *v = &u->events.items[e];
    for (uint32_t i = 0; i < v->access_count; i++) {
        const access *a = &u->accesses.items[v->access + i];
        uint32_t other = u->conditions.items[a->found].group_accesses;
        for (; other && hd_groups_conflict(HD_GROUP_LOOKS, a->group); other = u->accesses.items[other].link)
            if (u->accesses.items[other].group == HD_GROUP_LOOKS && u->accesses.items[other].event != e)
                hd_vec_push(out, u->accesses.items[other].event);
    }
}

void hd_unfold_lookers(const hd_unfolding *u, uint32_t e, hd_unfold_set *out)
{
    hd_vec_clear(out);
    if (u->net == HD_NET_CONTEXTUAL)
        add_lookers(u, e, out);
    sort_and_unify(out);
}

/* --- configurations --------------------------------------------------------------------------
 *
 * Marks: an event of the configuration has `mark`, one that is being sorted mark + 1, one that has been sorted mark
 * + 2. A taker is the event that changed a condition: two takers are a conflict. */

static void start_marks(hd_unfolding *u)
{
    while (u->marks.count < u->events.count)
        hd_vec_push(&u->marks, 0u);
    while (u->takers.count < u->conditions.count)
        hd_vec_push(&u->takers, 0u);
    u->mark += 3;
    hd_assert(u->mark < UINT32_MAX - 3);
}

/* All causes of the events, sorted by number: causes have smaller numbers, so that is an order of execution. */
static void gather(hd_unfolding *u, const uint32_t *events, uint32_t count, hd_unfold_set *out)
{
    hd_vec_clear(out);
    hd_vec_clear(&u->scratch);
    for (uint32_t i = 0; i < count; i++)
        hd_vec_push(&u->scratch, events[i]);
    while (u->scratch.count) {
        uint32_t e = hd_vec_pop(&u->scratch);
        if (!e || u->marks.items[e] == u->mark)
            continue;
        u->marks.items[e] = u->mark;
        if (u->events.items[e].kind != EVENT_PROSPECT)
            hd_vec_push(out, e);
        hd_unfold_add_causes(u, e, &u->scratch);
    }
    sort_and_unify(out);
}

/* Does each condition have at most one event of the set that changes it? */
static bool take_conditions(hd_unfolding *u, const hd_unfold_set *set)
{
    bool clash = false;
    for (size_t i = 0; i < set->count && !clash; i++) {
        const event *v = &u->events.items[set->items[i]];
        for (uint32_t k = 0; k < v->access_count; k++) {
            const access *a = &u->accesses.items[v->access + k];
            clash |= made_by(a) && u->takers.items[a->found];
            if (made_by(a))
                u->takers.items[a->found] = set->items[i];
        }
    }
    for (size_t i = 0; i < set->count; i++) {
        const event *v = &u->events.items[set->items[i]];
        for (uint32_t k = 0; k < v->access_count; k++)
            u->takers.items[u->accesses.items[v->access + k].found] = 0;
    }
    return !clash;
}

/* Appends the event after its causes and after the looks that must precede its changes (depth-first topological sort);
 * false: there is a cycle. */
static bool put_in_order(hd_unfolding *u, uint32_t e, hd_unfold_set *out)
{
    hd_unfold_set before = { .memory = u->memory };
    bool straight = true;
    u->marks.items[e] = u->mark + 1;
    hd_unfold_add_causes(u, e, &before);
    add_lookers(u, e, &before);
    for (size_t i = 0; i < before.count && straight; i++) {
        uint32_t b = before.items[i], mark = u->marks.items[b];
        straight = mark != u->mark + 1 && (mark != u->mark || put_in_order(u, b, out));
    }
    hd_vec_fini(&before);
    u->marks.items[e] = u->mark + 2;
    hd_vec_push(out, e);
    return straight;
}

/* In the contextual net numbers are not enough: a look may have a larger number than the change that it must precede.
 */
static bool order_with_lookers(hd_unfolding *u, hd_unfold_set *out)
{
    hd_unfold_set all = { .memory = u->memory };
    bool straight = true;
    for (size_t i = 0; i < out->count; i++)
        hd_vec_push(&all, out->items[i]);
    hd_vec_clear(out);
    for (size_t i = 0; i < all.count && straight; i++)
        if (u->marks.items[all.items[i]] == u->mark)
            straight = put_in_order(u, all.items[i], out);
    hd_vec_fini(&all);
    return straight;
}

/* In the nets other than the contextual one, pairwise agreement of the trees is enough: the union is a configuration.
 */
static bool all_agree(hd_unfolding *u, const uint32_t *events, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (!hd_unfold_trees_agree(u, events[i], events[k]))
                return false;
    return true;
}

/* Nothing comes after an event that ends the process. */
static void put_exit_last(const hd_unfolding *u, hd_unfold_set *out)
{
    for (size_t i = 0; i + 1 < out->count; i++)
        if (u->events.items[out->items[i]].exits) {
            uint32_t next = out->items[i + 1];
            out->items[i + 1] = out->items[i];
            out->items[i] = next;
        }
}

bool hd_unfold_configuration(hd_unfolding *u, const uint32_t *events, uint32_t count, hd_unfold_set *out)
{
    if (!all_agree(u, events, count))
        return false;
    start_marks(u);
    gather(u, events, count, out);
    if (u->net == HD_NET_CONTEXTUAL && !(take_conditions(u, out) && order_with_lookers(u, out)))
        return false;
    put_exit_last(u, out);
    return true;
}

void hd_unfold_schedule_of(const hd_unfolding *u, const uint32_t *configuration, size_t count, hd_unfold_schedule *out)
{
    hd_vec_clear(out);
    for (size_t i = 0; i < count; i++) {
        const event *v = &u->events.items[configuration[i]];
        if (v->kind == EVENT_STEP)
            hd_vec_push(out, ((hd_unfold_pick) { v->thread, v->choice, v->label }));
    }
}
