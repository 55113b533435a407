/* Columns of many objects. A row of columns per event takes memory, and time for each join and comparison, in
 * proportion to the contended objects. So only the first of them have such rows. When there are more, all other objects
 * are tracked in *deep rows*: trees with a fixed fan-out, whose leaves hold the columns of neighbouring objects. A tree
 * is never changed. An event shares all nodes with its causes but those on the paths to the objects that it accesses,
 * and whatever two events share needs no join and no comparison.
 *
 * Node 0 is empty: the object's root condition, no access. */
#include "unfold/unfold_internal.h"

#include <string.h>

enum { FAN_BITS = 4, FAN = HD_ROW_FAN };

_Static_assert(FAN == 1 << FAN_BITS, "the fan-out is a power of two");

static uint32_t new_node(hd_unfolding *u, const row_node *node)
{
    hd_vec_push(&u->nodes, *node);
    hd_assert(u->nodes.count < UINT32_MAX);
    return (uint32_t)u->nodes.count - 1;
}

static uint32_t child_at(uint32_t key, uint32_t level)
{
    return key >> FAN_BITS * level & (FAN - 1);
}

uint32_t hd_unfold_row_get(const hd_unfolding *u, uint32_t row, uint32_t key)
{
    for (uint32_t level = u->row_levels; row && level-- > 0;)
        row = u->nodes.items[row].items[child_at(key, level)];
    return row;
}

/* The tree, of so many levels, with another value at the key. */
static uint32_t put(hd_unfolding *u, uint32_t row, uint32_t levels, uint32_t key, uint32_t value)
{
    if (!levels)
        return value;
    row_node node = u->nodes.items[row];
    uint32_t *child = &node.items[child_at(key, levels - 1)], changed = put(u, *child, levels - 1, key, value);
    if (changed == *child)
        return row;
    *child = changed;
    return new_node(u, &node);
}

static uint32_t later(const hd_unfolding *u, uint32_t a, uint32_t b)
{
    return !b || (a && u->conditions.items[a].depth >= u->conditions.items[b].depth) ? a : b;
}

/* For each object the later of two conditions; one of the two trees wherever it has them all. */
static uint32_t merge(hd_unfolding *u, uint32_t a, uint32_t b, uint32_t levels)
{
    if (a == b || !b)
        return a;
    if (!a)
        return b;
    if (!levels)
        return later(u, a, b);
    row_node node;
    bool is_a = true, is_b = true;
    for (uint32_t i = 0; i < FAN; i++) {
        uint32_t x = u->nodes.items[a].items[i], y = u->nodes.items[b].items[i];
        node.items[i] = merge(u, x, y, levels - 1);
        is_a &= node.items[i] == x;
        is_b &= node.items[i] == y;
    }
    return is_a ? a : is_b ? b : new_node(u, &node);
}

static void merge_row(hd_unfolding *u, uint32_t e, uint32_t with)
{
    u->rows.items[e].conditions = merge(u, u->rows.items[e].conditions, u->rows.items[with].conditions, u->row_levels);
}

/* Only what the events in the past of `b` and not of `a` access can differ. Collects them in u->fresh; false: there are
 * too many. */
static bool find_fresh(hd_unfolding *u, uint32_t a, uint32_t b)
{
    enum { FEW = 16 };
    hd_vec_clear(&u->fresh);
    for (size_t t = 0; t < u->clock_width; t++) {
        uint32_t e = clock_of(u, b)[t], known = u->events.items[clock_of(u, a)[t]].depth;
        for (; u->events.items[e].depth > known; e = u->events.items[e].before) {
            if (u->fresh.count == FEW || u->events.items[e].access_count > FEW)
                return false;
            hd_vec_push(&u->fresh, e);
        }
    }
    return true;
}

/* The object in deep rows that the event's i-th access is to; 0: it is to another. */
static uint32_t deep_object(const hd_unfolding *u, uint32_t e, uint32_t i)
{
    uint32_t found = u->accesses.items[u->events.items[e].access + i].found;
    uint32_t number = u->conditions.items[found].object;
    return is_deep(u->objects.items[number].slot) ? number : 0;
}

static void join_object(hd_unfolding *u, uint32_t e, uint32_t with, uint32_t number)
{
    deep_row *r = &u->rows.items[e], *other = &u->rows.items[with];
    uint32_t x = hd_unfold_row_get(u, r->conditions, number), y = hd_unfold_row_get(u, other->conditions, number);
    r->conditions = put(u, r->conditions, u->row_levels, number, later(u, x, y));
}

void hd_unfold_row_join(hd_unfolding *u, uint32_t e, uint32_t with)
{
    if (!find_fresh(u, e, with)) {
        merge_row(u, e, with);
        return;
    }
    for (size_t i = 0; i < u->fresh.count; i++)
        for (uint32_t k = 0; k < u->events.items[u->fresh.items[i]].access_count; k++)
            if (deep_object(u, u->fresh.items[i], k))
                join_object(u, e, with, deep_object(u, u->fresh.items[i], k));
}

void hd_unfold_row_put(hd_unfolding *u, uint32_t e, uint32_t number, column c)
{
    deep_row *r = &u->rows.items[e];
    r->conditions = put(u, r->conditions, u->row_levels, number, c.condition);
    r->accesses = put(u, r->accesses, u->row_levels, number, c.access);
}

static bool agree_below(hd_unfolding *u, uint32_t a, uint32_t b, uint32_t x, uint32_t y, uint32_t levels, uint32_t key)
{
    if (x == y)
        return true;
    if (!levels) {
        uint32_t root = u->objects.items[key].root;
        u->comparisons++;
        return hd_unfold_agree_at(u, a, x ? x : root, b, y ? y : root, HD_DEEP_SLOT | key);
    }
    for (uint32_t i = 0; i < FAN; i++)
        if (!agree_below(
                u, a, b, u->nodes.items[x].items[i], u->nodes.items[y].items[i], levels - 1, key << FAN_BITS | i))
            return false;
    return true;
}

static bool agree_on(hd_unfolding *u, uint32_t a, uint32_t b, uint32_t number)
{
    uint32_t slot = HD_DEEP_SLOT | number;
    u->comparisons++;
    return hd_unfold_agree_at(u, a, condition_in(u, a, slot), b, condition_in(u, b, slot), slot);
}

static bool agree_on_fresh(hd_unfolding *u, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < u->fresh.count; i++)
        for (uint32_t k = 0; k < u->events.items[u->fresh.items[i]].access_count; k++)
            if (deep_object(u, u->fresh.items[i], k) && !agree_on(u, a, b, deep_object(u, u->fresh.items[i], k)))
                return false;
    return true;
}

/* If few events are in one past and not in the other, agreement on what they access is enough: all else in that past is
 * part of the other, which is a configuration. Otherwise, where the conditions are the same, only objects with several
 * groups need a closer look. */
bool hd_unfold_rows_agree(hd_unfolding *u, uint32_t a, uint32_t b)
{
    if (find_fresh(u, a, b) || find_fresh(u, b, a))
        return agree_on_fresh(u, a, b);
    for (size_t i = 0; i < u->mixed.count; i++)
        if (!agree_on(u, a, b, u->mixed.items[i]))
            return false;
    return agree_below(u, a, b, u->rows.items[a].conditions, u->rows.items[b].conditions, u->row_levels, 0);
}

/* --- all events ------------------------------------------------------------------------------ */

static void join_causes(hd_unfolding *u, uint32_t e)
{
    hd_vec_clear(&u->candidates);
    hd_unfold_add_causes(u, e, &u->candidates);
    for (size_t i = 0; i < u->candidates.count; i++)
        merge_row(u, e, u->candidates.items[i]);
}

void hd_unfold_row_compute(hd_unfolding *u, uint32_t e)
{
    const event *v = &u->events.items[e];
    u->rows.items[e] = e ? u->rows.items[v->before] : (deep_row) { 0, 0 };
    if (!e)
        return;
    join_causes(u, e);
    for (uint32_t i = 0; i < v->access_count; i++) {
        uint32_t a = v->access + i, made = made_by(&u->accesses.items[a]), found = u->accesses.items[a].found;
        uint32_t number = u->conditions.items[found].object;
        if (is_deep(u->objects.items[number].slot))
            hd_unfold_row_put(u, e, number, (column) { made ? made : found, made ? 0 : a });
    }
}

/* The trees get another level as soon as numbers of objects need it. */
static uint32_t with_root_above(hd_unfolding *u, uint32_t row)
{
    row_node node = { { row } };
    return row ? new_node(u, &node) : 0;
}

void hd_unfold_row_reach(hd_unfolding *u, uint32_t number)
{
    while (number >> FAN_BITS * u->row_levels) {
        deep_row before = { 0, 0 }, now = { 0, 0 };
        for (size_t e = 0; e < u->rows.count; e++) {
            deep_row *r = &u->rows.items[e];
            now.conditions = r->conditions == before.conditions ? now.conditions : with_root_above(u, r->conditions);
            now.accesses = r->accesses == before.accesses ? now.accesses : with_root_above(u, r->accesses);
            before = *r;
            *r = now;
        }
        u->row_levels++;
    }
}

void hd_unfold_track_all(hd_unfolding *u)
{
    hd_vec_push(&u->nodes, ((row_node) { { 0 } }));
    for (uint32_t number = 1; number < u->objects.count; number++) {
        object *o = &u->objects.items[number];
        if (o->slot == HD_NO_SLOT && !o->awaited)
            o->slot = HD_DEEP_SLOT | number;
        if (o->slot == (HD_DEEP_SLOT | number) && o->mixed)
            hd_vec_push(&u->mixed, number);
    }
    hd_unfold_row_reach(u, (uint32_t)u->objects.count);
    for (uint32_t e = 0; e < u->events.count; e++) {
        hd_vec_push(&u->rows, ((deep_row) { 0, 0 }));
        hd_unfold_row_compute(u, e);
    }
}

/* --- validity ------------------------------------------------------------------------------------ */

static bool is_same(const hd_unfolding *u, uint32_t a, uint32_t b, uint32_t levels)
{
    for (uint32_t i = 0; i < FAN && a != b && levels; i++)
        if (!is_same(u, u->nodes.items[a].items[i], u->nodes.items[b].items[i], levels - 1))
            return false;
    return levels || a == b;
}

bool hd_unfold_row_is_valid(hd_unfolding *u, uint32_t e)
{
    deep_row was = u->rows.items[e];
    size_t nodes = u->nodes.count;
    hd_unfold_row_compute(u, e);
    deep_row now = u->rows.items[e];
    bool same = is_same(u, was.conditions, now.conditions, u->row_levels)
        && is_same(u, was.accesses, now.accesses, u->row_levels);
    u->rows.items[e] = was;
    u->nodes.count = nodes;
    return same;
}
