/* Branches on inputs: their sides, and the constraints of targets. */
#include "unfold/unfold_internal.h"

static uint32_t find_side(const hd_unfolding *u, uint32_t w, uint64_t value)
{
    uint32_t s = u->wishes.items[w].sides;
    while (s && u->sides.items[s].value != value)
        s = u->sides.items[s].next;
    return s;
}

static uint32_t count_sides(const hd_unfolding *u, uint32_t w)
{
    uint32_t count = 0;
    for (uint32_t s = u->wishes.items[w].sides; s; s = u->sides.items[s].next)
        count++;
    return count;
}

/* The count of a side's condition is the number of the side (see side_at). */
static uint32_t add_side(hd_unfolding *u, uint32_t w, uint64_t value)
{
    uint32_t s = (uint32_t)u->sides.count;
    uint32_t c = hd_unfold_new_condition(u, 0, 0, 0, (int32_t)s);
    hd_vec_push(&u->sides, ((side) { value, c, u->wishes.items[w].sides }));
    u->wishes.items[w].sides = s;
    return s;
}

static bool has_all_sides(const hd_unfolding *u, uint32_t w, const hd_unfold_access *a)
{
    return a->sides && count_sides(u, w) >= a->sides;
}

static void aim_at_others(hd_unfolding *u, uint32_t w)
{
    uint32_t other = hd_unfold_meet(u, w, 0);
    u->meetings.items[other].status = MEETING_TARGET;
    hd_unfold_add_target(u, other, 0);
}

/* An unknown side is a target as long as there may be one. */
static void look_for_others(hd_unfolding *u, uint32_t w, const hd_unfold_access *a)
{
    bool all = has_all_sides(u, w, a);
    uint32_t other = hd_unfold_find_meeting(u, w, 0);
    if (other && all)
        u->meetings.items[other].status = MEETING_DROPPED;
    else if (!other && !all && !a->settled)
        aim_at_others(u, w);
}

uint32_t hd_unfold_take_side(hd_unfolding *u, uint32_t w, hd_unfold_access *a)
{
    a->side = find_side(u, w, a->value);
    if (a->side)
        return hd_unfold_find_meeting(u, w, u->sides.items[a->side].condition);
    a->side = add_side(u, w, a->value);
    uint32_t m = hd_unfold_meet(u, w, u->sides.items[a->side].condition);
    u->meetings.items[m].status = MEETING_DONE;
    look_for_others(u, w, a);
    return m;
}

uint32_t hd_unfold_pass_over(hd_unfolding *u, uint32_t side, const hd_unfold_access *branch)
{
    uint32_t m = u->conditions.items[u->sides.items[side].condition].meetings, w = u->meetings.items[m].wish;
    if (find_side(u, w, branch->value))
        return 0;
    uint32_t s = add_side(u, w, branch->value);
    if (!has_all_sides(u, w, branch))
        aim_at_others(u, w);
    return s;
}

uint32_t hd_unfold_sides(const hd_unfolding *u)
{
    return (uint32_t)u->sides.count - 1;
}

/* --- literals ----------------------------------------------------------------------------------- */

/* The sides of the meeting and of earlier meetings of the same step. */
static void add_taken(const hd_unfolding *u, uint32_t m, hd_unfold_literals *out)
{
    for (; m; m = u->wishes.items[u->meetings.items[m].wish].after)
        if (u->wishes.items[u->meetings.items[m].wish].branches)
            hd_vec_push(out, ((hd_unfold_literal) { side_at(u, &u->meetings.items[m]), true }));
}

static void add_sides_of(const hd_unfolding *u, const uint32_t *events, size_t count, hd_unfold_literals *out)
{
    for (size_t i = 0; i < count; i++) {
        const event *v = &u->events.items[events[i]];
        if (v->kind == EVENT_STEP || v->kind == EVENT_BRANCH)
            add_taken(u, v->cause, out);
    }
}

void hd_unfold_sides_of(const hd_unfolding *u, const uint32_t *configuration, size_t count, hd_unfold_literals *out)
{
    hd_vec_clear(out);
    if (hd_unfold_sides(u))
        add_sides_of(u, configuration, count, out);
}

void hd_unfold_literals_of(hd_unfolding *u, const target *t, hd_unfold_literals *out)
{
    const meeting *m = &u->meetings.items[t->meeting];
    const wish *w = &u->wishes.items[m->wish];
    hd_vec_clear(out);
    if (!hd_unfold_sides(u))
        return;
    hd_vec_clear(&u->chosen);
    hd_unfold_causes_of_target(u, t, &u->chosen);
    bool possible = hd_unfold_configuration(u, u->chosen.items, (uint32_t)u->chosen.count, &u->found);
    hd_assert(possible);
    add_sides_of(u, u->found.items, u->found.count, out);
    add_taken(u, w->after, out);
    for (uint32_t s = w->branches ? w->sides : 0; s; s = u->sides.items[s].next)
        hd_vec_push(out, ((hd_unfold_literal) { s, false }));
}
