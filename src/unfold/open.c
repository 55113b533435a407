#include "unfold/unfold_internal.h"

hd_unfolding *hd_unfold_open(hd_net net, hd_memory *memory)
{
    hd_unfolding *u = hd_alloc(memory, sizeof *u);
    u->net = net;
    u->most_columns = HD_WIDE_ROW;
    u->memory = u->events.memory = u->accesses.memory = u->conditions.memory = u->wishes.memory = u->meetings.memory =
        u->objects.memory = u->starts.memory = u->stops.memory = u->prospects.memory = u->sets.memory =
            u->slots.memory = u->targets.memory = u->aims.memory = u->work.memory = u->at.memory = u->links.memory =
                u->changes.memory = u->scratch.memory = u->candidates.memory = u->chosen.memory = u->found.memory =
                    u->marks.memory = u->takers.memory = u->sides.memory = u->literals.memory = memory;
    u->successors.memory = u->first_events.memory = u->near.memory = memory;
    u->rows.memory = u->nodes.memory = u->mixed.memory = u->fresh.memory = memory;
    hd_unfold_open_crowds(u);
    hd_map_init(&u->blocked, memory);
    hd_map_init(&u->held, memory);
    hd_map_init(&u->siblings, memory);
    u->held_accesses.memory = memory;
    hd_unfold_new_event(u, EVENT_ORDER, 0, 0);
    u->spare = hd_unfold_new_event(u, EVENT_PROSPECT, 0, 0);
    hd_vec_push(&u->accesses, ((access) { 0 }));
    hd_vec_push(&u->conditions, ((condition) { 0 }));
    hd_vec_push(&u->wishes, ((wish) { 0 }));
    hd_vec_push(&u->meetings, ((meeting) { 0 }));
    hd_vec_push(&u->objects, ((object) { .slot = HD_NO_SLOT }));
    hd_vec_push(&u->links, ((link) { 0 }));
    hd_vec_push(&u->sets, 0u);
    hd_vec_push(&u->sides, ((side) { 0 }));
    hd_vec_push(&u->at, 0u);
    return u;
}

void hd_unfold_close(hd_unfolding *u)
{
    hd_release(u->memory, u->clocks, u->clock_room * sizeof *u->clocks);
    hd_release(u->memory, u->columns, u->column_room * sizeof *u->columns);
    hd_hash_index_fini(&u->met, u->memory);
    hd_hash_index_fini(&u->closed, u->memory);
    hd_hash_index_fini(&u->orders, u->memory);
    hd_hash_index_fini(&u->reached, u->memory);
    hd_vec_fini(&u->events);
    hd_vec_fini(&u->accesses);
    hd_vec_fini(&u->conditions);
    hd_vec_fini(&u->wishes);
    hd_vec_fini(&u->meetings);
    hd_vec_fini(&u->objects);
    hd_vec_fini(&u->sets);
    hd_vec_fini(&u->slots);
    hd_vec_fini(&u->rows);
    hd_vec_fini(&u->nodes);
    hd_vec_fini(&u->mixed);
    hd_vec_fini(&u->fresh);
    hd_vec_fini(&u->starts);
    hd_vec_fini(&u->stops);
    hd_map_fini(&u->blocked);
    hd_unfold_close_crowds(u);
    hd_map_fini(&u->siblings);
    hd_vec_fini(&u->successors);
    hd_vec_fini(&u->first_events);
    hd_vec_fini(&u->near);
    hd_map_fini(&u->held);
    hd_vec_fini(&u->held_accesses);
    hd_vec_fini(&u->prospects);
    hd_vec_fini(&u->targets);
    hd_vec_fini(&u->aims);
    hd_vec_fini(&u->work);
    hd_vec_fini(&u->at);
    hd_vec_fini(&u->links);
    hd_vec_fini(&u->changes);
    hd_vec_fini(&u->scratch);
    hd_vec_fini(&u->candidates);
    hd_vec_fini(&u->chosen);
    hd_vec_fini(&u->found);
    hd_vec_fini(&u->marks);
    hd_vec_fini(&u->takers);
    hd_vec_fini(&u->sides);
    hd_vec_fini(&u->literals);
    hd_release(u->memory, u, sizeof *u);
}
