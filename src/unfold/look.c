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

uint64_t hd_unfold_comparisons(const hd_unfolding *u)
{
    return u->comparisons;
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
        + u->sets.count * sizeof(uint32_t) + u->rows.count * sizeof(deep_row) + u->nodes.count * sizeof(row_node)
        + u->events.count * (u->clock_width * sizeof *u->clocks + u->column_width * sizeof *u->columns)
        + (u->met.room + u->closed.room + u->orders.room + u->reached.room) * (sizeof(uint32_t) + 1)
        + u->successors.count * sizeof(successors) + hd_unfold_size_of_crowds(u) + u->targets.count * sizeof(target);
}
