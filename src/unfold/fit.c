/* Whether events, and wishes, fit into one configuration: one ancestor test for each tree. */
#include "unfold/unfold_internal.h"

/* --- causality --------------------------------------------------------------------------- */

/* Is `a` an ancestor of `b` in their thread's tree, or the same? */
static bool is_ancestor(const hd_unfolding *u, uint32_t a, uint32_t b)
{
    if (a == b)
        return true;
    uint32_t depth = u->events.items[a].depth;
    return depth < u->events.items[b].depth && hd_unfold_event_at_depth(u, b, depth) == a;
}

bool hd_unfold_precedes(const hd_unfolding *u, uint32_t earlier, uint32_t later)
{
    return !earlier || is_ancestor(u, earlier, clock_of(u, later)[u->events.items[earlier].thread]);
}

static bool is_ancestor_condition(const hd_unfolding *u, uint32_t a, uint32_t b)
{
    if (a == b)
        return true;
    uint32_t depth = u->conditions.items[a].depth;
    return depth < u->conditions.items[b].depth && hd_unfold_condition_at_depth(u, b, depth) == a;
}

/* --- one object ---------------------------------------------------------------------------- */

/* The last access of thread t in e's past that found the condition and made no condition; 0: none. It is *open*: a
 * later access that does not commute with it comes after it. */
static uint32_t open_access(const hd_unfolding *u, uint32_t e, size_t t, uint32_t slot, uint32_t found)
{
    uint32_t a = access_in(u, clock_of(u, e)[t], slot);
    return a && u->accesses.items[a].found == found ? a : 0;
}

/* Is the access in the closed set, or in the past of one of its accesses? */
static bool is_within(const hd_unfolding *u, const condition *closed, uint32_t a)
{
    for (uint32_t i = 0; i < set_size(u, closed); i++)
        if (hd_unfold_precedes(u, u->accesses.items[a].event, u->accesses.items[set_of(u, closed)[i]].event))
            return true;
    return false;
}

/* The last condition in e's past is `c`, and another event's past has continued to its child `next`. Both fit only if
 * the accesses that e has open at c precede that change. */
static bool is_after_open(const hd_unfolding *u, uint32_t e, uint32_t slot, uint32_t c, uint32_t next)
{
    const condition *n = &u->conditions.items[next];
    if (!u->conditions.items[c].group_accesses && !u->events.items[e].exits)
        return true; /* no access is open there; those of an event that exits are in no list */
    for (size_t t = 0; t < u->clock_width; t++) {
        uint32_t a = open_access(u, e, t, slot, c);
        if (!a || !hd_net_is_cause(u->net, u->accesses.items[a].group))
            continue;
        if (!(is_closed(n) ? is_within(u, n, a) : hd_unfold_precedes(u, u->accesses.items[a].event, n->maker)))
            return false;
    }
    return true;
}

/* The group of the open accesses at the condition in e's past that are causes; HD_GROUP_UNKNOWN: there are none. */
static uint8_t open_group(const hd_unfolding *u, uint32_t e, uint32_t slot, uint32_t c)
{
    for (size_t t = 0; t < u->clock_width; t++) {
        uint32_t a = open_access(u, e, t, slot, c);
        if (a && hd_net_is_cause(u->net, u->accesses.items[a].group))
            return u->accesses.items[a].group;
    }
    return HD_GROUP_UNKNOWN;
}

bool hd_unfold_agree_at(const hd_unfolding *u, uint32_t a, uint32_t x, uint32_t b, uint32_t y, uint32_t slot)
{
    if (x == y) {
        if (!u->objects.items[object_in(u, slot)].mixed)
            return true;
        uint8_t one = open_group(u, a, slot, x), other = open_group(u, b, slot, x);
        return one == HD_GROUP_UNKNOWN || other == HD_GROUP_UNKNOWN || one == other;
    }
    if (u->conditions.items[x].depth > u->conditions.items[y].depth)
        return hd_unfold_agree_at(u, b, y, a, x, slot);
    if (u->conditions.items[x].depth == u->conditions.items[y].depth)
        return false;
    uint32_t next = hd_unfold_condition_at_depth(u, y, u->conditions.items[x].depth + 1);
    return u->conditions.items[next].parent == x && is_after_open(u, a, slot, x, next);
}

/* --- two events ------------------------------------------------------------------------------ */

bool hd_unfold_trees_agree(hd_unfolding *u, uint32_t a, uint32_t b)
{
    const uint32_t *x = clock_of(u, a), *y = clock_of(u, b);
    for (uint32_t s = 0; s < u->slots.count; s++) {
        u->comparisons++;
        if (!hd_unfold_agree_at(u, a, columns_of(u, a)[s].condition, b, columns_of(u, b)[s].condition, s))
            return false;
    }
    for (size_t t = 0; t < u->clock_width; t++) {
        u->comparisons++;
        if (x[t] == y[t])
            continue;
        bool first = u->events.items[x[t]].depth < u->events.items[y[t]].depth;
        if (!(first ? is_ancestor(u, x[t], y[t]) : is_ancestor(u, y[t], x[t])))
            return false;
    }
    return !u->rows.count || hd_unfold_rows_agree(u, a, b);
}

/* --- an event and a wish ----------------------------------------------------------------------- */

/* Has e's past an open access at the meeting's condition that the meeting's access would come after? */
static bool has_open(const hd_unfolding *u, uint32_t e, uint32_t slot, const meeting *m)
{
    uint32_t cone = u->wishes.items[m->wish].cone;
    for (size_t t = 0; t < u->clock_width; t++) {
        uint32_t a = open_access(u, e, t, slot, m->condition);
        const access *k = &u->accesses.items[a];
        if (a && hd_groups_conflict(k->group, m->group) && hd_net_is_cause(u->net, k->group)
            && !(is_implied(k->group, m->group) && hd_unfold_precedes(u, k->event, cone)))
            return true;
    }
    return false;
}

bool hd_unfold_is_beyond(const hd_unfolding *u, uint32_t m, uint32_t e)
{
    uint32_t found = u->meetings.items[m].condition;
    uint32_t number = u->conditions.items[found].object, slot = number ? u->objects.items[number].slot : HD_NO_SLOT;
    if (slot == HD_NO_SLOT)
        return false;
    uint32_t at = condition_in(u, e, slot);
    if (at == found)
        return has_open(u, e, slot, &u->meetings.items[m]);
    if (!is_ancestor_condition(u, at, found))
        return true;
    uint32_t next = hd_unfold_condition_at_depth(u, found, u->conditions.items[at].depth + 1);
    return !is_after_open(u, e, slot, at, next);
}

bool hd_unfold_overtakes(const hd_unfolding *u, uint32_t w, uint32_t e)
{
    for (uint32_t m = u->wishes.items[w].after; m; m = u->wishes.items[u->meetings.items[m].wish].after)
        if (hd_unfold_is_beyond(u, m, e))
            return true;
    return false;
}

bool hd_unfold_wish_fits(hd_unfolding *u, uint32_t w, uint32_t e)
{
    const wish *k = &u->wishes.items[w];
    uint16_t thread = u->events.items[k->cone].thread;
    if (u->events.items[clock_of(u, e)[thread]].depth > u->events.items[event_of(u, k)].depth)
        return false; /* the thread has continued */
    if (!hd_unfold_trees_agree(u, k->cone, e) || hd_unfold_overtakes(u, w, e))
        return false;
    uint32_t both[] = { k->cone, e };
    return u->net != HD_NET_CONTEXTUAL || hd_unfold_configuration(u, both, 2, &u->found);
}

bool hd_unfold_compatible(hd_unfolding *u, uint32_t a, uint32_t b)
{
    uint32_t both[] = { a, b };
    if (!hd_unfold_trees_agree(u, a, b))
        return false;
    return u->net != HD_NET_CONTEXTUAL || hd_unfold_configuration(u, both, 2, &u->found);
}
