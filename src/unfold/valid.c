/* Is an unfolding what unfold_internal.h says that it is? Clocks and columns are computed again from causes, lists
 * and indexes are compared with what they list, and known meetings with those that there must be. */
#include "abi/valid.h"
#include "base/error.h"
#include "unfold/unfold_internal.h"

#include <string.h>

/* --- events ----------------------------------------------------------------------------------- */

/* Both trees have jumps of Myers' kind: hd_unfold_event_at_depth relies on them. */
static bool event_tree_is_valid(const hd_unfolding *u, uint32_t e)
{
    const event *v = &u->events.items[e], *b = &u->events.items[v->before], *j = &u->events.items[b->jump];
    bool even = b->depth - j->depth == j->depth - u->events.items[j->jump].depth;
    return v->before < e && v->depth == b->depth + 1 && v->jump == (even && b->depth ? j->jump : v->before);
}

/* Is the event's past the union of the pasts of its direct causes, with itself? */
static bool past_is_valid(const hd_unfolding *u, uint32_t e, hd_unfold_set *past)
{
    const event *v = &u->events.items[e];
    hd_vec_clear(past);
    for (size_t t = 0; t < u->clock_width; t++)
        hd_vec_push(past, clock_of(u, v->before)[t]);
    size_t causes = past->count;
    hd_unfold_add_causes(u, e, past);
    for (size_t i = causes; i < past->count; i++) {
        uint32_t cause = past->items[i];
        if (cause >= e)
            return false;
        for (size_t t = 0; t < u->clock_width; t++)
            if (u->events.items[clock_of(u, cause)[t]].depth > u->events.items[past->items[t]].depth)
                past->items[t] = clock_of(u, cause)[t];
    }
    if (v->kind != EVENT_PROSPECT)
        past->items[v->thread] = e;
    return !memcmp(past->items, clock_of(u, e), u->clock_width * sizeof *past->items);
}

/* Nothing that was learned later changes what an event has established. */
static bool columns_are_valid(hd_unfolding *u, uint32_t e)
{
    for (uint32_t s = 0; s < u->slots.count; s++) {
        column was = columns_of(u, e)[s];
        hd_unfold_fill_in(u, e, s);
        column now = columns_of(u, e)[s];
        columns_of(u, e)[s] = was;
        if (now.condition != was.condition || now.access != was.access)
            return false;
    }
    return true;
}

static bool event_is_valid(hd_unfolding *u, uint32_t e, hd_unfold_set *room)
{
    return event_tree_is_valid(u, e) && past_is_valid(u, e, room) && columns_are_valid(u, e)
        && (!u->rows.count || hd_unfold_row_is_valid(u, e));
}

/* --- accesses and conditions -------------------------------------------------------------------- */

static bool access_is_valid(const hd_unfolding *u, uint32_t a)
{
    const access *k = &u->accesses.items[a];
    const event *v = &u->events.items[k->event];
    bool owned = v->access <= a && a < v->access + v->access_count;
    if (!owned || !k->found || v->exits)
        return owned && k->found;
    if (made_by(k))
        return u->conditions.items[made_by(k)].parent == k->found && maker_of(u, made_by(k)) == k->event
            && u->conditions.items[made_by(k)].count == u->conditions.items[k->found].count + k->adds;
    uint32_t listed = u->conditions.items[k->found].group_accesses;
    while (listed > a)
        listed = u->accesses.items[listed].link;
    return listed == a;
}

/* Accesses of one group that found the parent, in ascending order, each with what comes before it. */
static bool set_is_valid(const hd_unfolding *u, const condition *k)
{
    int32_t count = u->conditions.items[k->parent].count;
    for (uint32_t i = 0; i < set_size(u, k); i++) {
        const access *a = &u->accesses.items[set_of(u, k)[i]];
        if (a->found != k->parent || a->group != u->accesses.items[set_of(u, k)[0]].group)
            return false;
        if (i && set_of(u, k)[i - 1] >= set_of(u, k)[i])
            return false;
        count += a->adds;
    }
    return set_size(u, k) && count == k->count;
}

static bool condition_is_valid(const hd_unfolding *u, uint32_t c)
{
    const condition *k = &u->conditions.items[c], *p = &u->conditions.items[k->parent];
    const condition *j = &u->conditions.items[p->jump];
    if (!k->parent)
        return k->jump == c && !k->depth;
    bool even = p->depth - j->depth == j->depth - u->conditions.items[j->jump].depth;
    if (k->parent >= c || p->object != k->object || k->depth != p->depth + 1)
        return false;
    if (k->jump != (even && p->depth ? j->jump : k->parent))
        return false;
    uint32_t listed = p->child;
    while (listed > c)
        listed = u->conditions.items[listed].sibling;
    return listed == c && (!is_closed(k) || set_is_valid(u, k));
}

/* --- meetings ------------------------------------------------------------------------------------ */

/* What comes of a meeting: wishes of the same step if it goes on, otherwise events. */
static bool outcomes_are_valid(const hd_unfolding *u, uint32_t m)
{
    const meeting *k = &u->meetings.items[m];
    if (k->continues) {
        for (uint32_t w = k->next_step; w; w = u->wishes.items[w].sibling)
            if (u->wishes.items[w].after != m)
                return false;
        return k->status == MEETING_DONE;
    }
    for (uint32_t e = k->next_step; e; e = next_outcome(u, e))
        if (u->events.items[e].cause != m || k->status != MEETING_DONE)
            return false;
    return true;
}

static bool meeting_is_valid(const hd_unfolding *u, uint32_t m)
{
    const meeting *k = &u->meetings.items[m];
    const wish *w = &u->wishes.items[k->wish];
    bool same_object = w->branches || u->conditions.items[k->condition].object == w->object;
    uint32_t listed = u->conditions.items[k->condition].meetings;
    while (listed > m)
        listed = u->meetings.items[listed].next;
    return same_object && listed == m && hd_unfold_find_meeting(u, k->wish, k->condition) == m
        && outcomes_are_valid(u, m);
}

/* Has every wish met the condition that met one before it and fits? Otherwise an extension would be lost. */
static bool meets_all(hd_unfolding *u, uint32_t c)
{
    const condition *k = &u->conditions.items[c];
    uint32_t e = maker_of(u, c), parent = c;
    if (!e || !u->objects.items[k->object].shared)
        return true;
    do {
        parent = u->conditions.items[parent].parent;
        for (uint32_t m = u->conditions.items[parent].meetings; m; m = u->meetings.items[m].next) {
            uint32_t w = u->meetings.items[m].wish;
            if (hd_unfold_wish_fits(u, w, e) && !hd_unfold_find_meeting(u, w, c))
                return false;
        }
    } while (is_closed(&u->conditions.items[parent]));
    return true;
}

/* Is the wish listed where its thread is, or at the meeting of the same step before it? Meetings are older than
 * wishes that come after them, so following `after` ends. */
static bool wish_is_valid(const hd_unfolding *u, uint32_t w)
{
    const wish *k = &u->wishes.items[w];
    if (k->after && u->meetings.items[k->after].wish >= w)
        return false;
    uint32_t listed = k->after ? u->meetings.items[k->after].next_step : u->events.items[k->cone].wishes;
    while (listed > w)
        listed = u->wishes.items[listed].sibling;
    return listed == w;
}

/* --- targets ------------------------------------------------------------------------------------- */

/* Is every meeting that is to be reached in the list of targets, or what the current plan leads to? */
static bool targets_are_valid(hd_unfolding *u)
{
    hd_map listed;
    bool valid = true;
    hd_map_init(&listed, u->memory);
    for (size_t i = 0; i < u->targets.count; i++)
        hd_map_put(&listed, u->targets.items[i].meeting);
    for (size_t i = 0; i < u->aims.count; i++)
        hd_map_put(&listed, u->aims.items[i].meeting);
    for (uint32_t m = 1; valid && m < u->meetings.count; m++)
        valid = !hd_unfold_is_open(u, &(target) { m, 0 }) || u->meetings.items[m].status != MEETING_TARGET
            || hd_map_get(&listed, m);
    hd_map_fini(&listed);
    return valid;
}

/* --- all of it ------------------------------------------------------------------------------------ */

static bool events_are_valid(hd_unfolding *u)
{
    hd_unfold_set room = { .memory = u->memory };
    bool valid = true;
    for (uint32_t e = 1; valid && e < u->events.count; e++)
        valid = u->events.items[e].kind == EVENT_PROSPECT || event_is_valid(u, e, &room);
    /* Of prospects, those that wishes stand on; others are for trying things out. */
    for (uint32_t w = 1; valid && w < u->wishes.count; w++)
        valid = !u->wishes.items[w].after || event_is_valid(u, u->wishes.items[w].cone, &room);
    hd_vec_fini(&room);
    return valid;
}

bool hd_unfold_is_valid(hd_unfolding *u)
{
    bool valid = true;
    for (uint32_t w = 1; valid && w < u->wishes.count; w++)
        valid = wish_is_valid(u, w);
    valid = valid && events_are_valid(u);
    for (uint32_t a = 1; valid && a < u->accesses.count; a++)
        valid = access_is_valid(u, a);
    for (uint32_t c = 1; valid && c < u->conditions.count; c++)
        valid = condition_is_valid(u, c) && meets_all(u, c);
    for (uint32_t m = 1; valid && m < u->meetings.count; m++)
        valid = meeting_is_valid(u, m);
    return valid && targets_are_valid(u) && hd_unfold_crowds_are_valid(u);
}

/* Explorers take turns by the number of comparisons, so those of the check do not count. */
void hd_unfold_check(hd_unfolding *u)
{
    uint64_t comparisons = u->comparisons;
    hd_check_valid(hd_unfold_is_valid(u),
        8 * (u->clock_width + u->slots.count) * (u->events.count + u->meetings.count * u->conditions.count / 64),
        u->events.count + u->conditions.count);
    u->comparisons = comparisons;
}
