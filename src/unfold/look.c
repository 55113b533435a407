#include "unfold/unfold_internal.h"

uint32_t hd_unfold_count(const hd_unfolding *u)
{
    return (uint32_t)u->events.count;
}

bool hd_unfold_is_event(const hd_unfolding *u, uint32_t number)
{
    return number < u->events.count && u->events.items[number].kind != EVENT_PROSPECT;
}

hd_unfold_event hd_unfold_get(const hd_unfolding *u, uint32_t e)
{
    const event *v = &u->events.items[e];
    return (hd_unfold_event) { .before = v->before,
        .label = v->label,
        .thread = v->thread,
        .choice = v->choice,
        .automatic = v->kind != EVENT_STEP };
}

uint32_t hd_unfold_steps(const hd_unfolding *u)
{
    return u->steps;
}

bool hd_unfold_is_tested(const hd_unfolding *u, uint32_t event)
{
    return u->events.items[event].tested;
}

void hd_unfold_give_up(hd_unfolding *u, uint32_t event)
{
    u->events.items[event].tested = true;
}

bool hd_unfold_is_contradicted(const hd_unfolding *u)
{
    return u->contradicted;
}

size_t hd_unfold_size(const hd_unfolding *u)
{
    return u->events.count * sizeof(event) + u->accesses.count * sizeof(access)
        + u->conditions.count * sizeof(condition) + u->wishes.count * sizeof(wish) + u->meetings.count * sizeof(meeting)
        + u->sets.count * sizeof(uint32_t)
        + u->events.count * (u->clock_width * sizeof *u->clocks + u->column_width * sizeof *u->columns)
        + (u->met.room + u->closed.room + u->orders.room + u->reached.room) * (sizeof(uint32_t) + 1)
        + u->successors.count * sizeof(successors) + hd_unfold_size_of_crowds(u) + u->targets.count * sizeof(target);
}

/* --- validity --------------------------------------------------------------------------------- */

static bool event_is_valid(const hd_unfolding *u, uint32_t e, hd_unfold_set *causes)
{
    const event *v = &u->events.items[e];
    if (v->before >= e || v->depth != u->events.items[v->before].depth + 1)
        return false;
    hd_unfold_causes(u, e, causes);
    for (size_t i = 0; i < causes->count; i++)
        if (causes->items[i] >= e || !hd_unfold_precedes(u, causes->items[i], e))
            return false;
    return clock_of(u, e)[v->thread] == e;
}

static bool access_is_valid(const hd_unfolding *u, uint32_t a)
{
    const access *k = &u->accesses.items[a];
    const event *v = &u->events.items[k->event];
    bool owned = v->access <= a && a < v->access + v->access_count;
    return owned && (!made_by(k) || u->conditions.items[made_by(k)].parent == k->found);
}

static bool condition_is_valid(const hd_unfolding *u, uint32_t c)
{
    const condition *k = &u->conditions.items[c];
    const condition *p = &u->conditions.items[k->parent];
    return !k->parent || (p->object == k->object && k->depth == p->depth + 1 && k->parent < c);
}

bool hd_unfold_is_valid(const hd_unfolding *u)
{
    hd_unfold_set causes = { .memory = u->memory };
    bool valid = true;
    for (uint32_t e = 1; valid && e < u->events.count; e++)
        valid = u->events.items[e].kind == EVENT_PROSPECT || event_is_valid(u, e, &causes);
    for (uint32_t a = 1; valid && a < u->accesses.count; a++)
        valid = access_is_valid(u, a);
    for (uint32_t c = 1; valid && c < u->conditions.count; c++)
        valid = condition_is_valid(u, c);
    for (uint32_t m = 1; valid && m < u->meetings.count; m++)
        valid = hd_unfold_find_meeting(u, u->meetings.items[m].wish, u->meetings.items[m].condition) == m;
    hd_vec_fini(&causes);
    return valid;
}
