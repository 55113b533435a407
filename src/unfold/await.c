/* Waiting for what other threads reach: their ends, barriers. The conditions that a thread reaches are all children of
 * one root, and the wishes of threads that wait meet them from there. */
#include "unfold/unfold_internal.h"

static uint64_t reach_key(uint32_t object, uint32_t event)
{
    return hd_hash((uint64_t)object << 32 | event);
}

static uint64_t reach_hash(const hd_unfolding *u, uint32_t c)
{
    return reach_key(u->conditions.items[c].object, u->conditions.items[c].maker);
}

static bool is_reached(const hd_unfolding *u, uint32_t c, const void *thing)
{
    const condition *k = &u->conditions.items[c], *reached = thing;
    return k->object == reached->object && k->maker == reached->maker;
}

uint32_t hd_unfold_find_reached(const hd_unfolding *u, uint32_t object, uint32_t event)
{
    condition reached = { .object = object, .maker = event };
    return hd_hash_index_find(&u->reached, reach_key(object, event), is_reached, &reached, u);
}

void hd_unfold_reach(hd_unfolding *u, uint16_t thread, uint32_t number)
{
    uint32_t e = hd_unfold_at(u, thread), c = hd_unfold_find_reached(u, number, e);
    if (!c) {
        c = hd_unfold_new_condition(u, number, u->objects.items[number].root, e, 1);
        hd_hash_index_add(&u->reached, u->memory, reach_key(number, e), c, reach_hash, u);
        hd_unfold_enter(u, HD_CROWD_CHILDREN, u->objects.items[number].root, c);
        hd_unfold_offer_condition(u, c);
        hd_unfold_check(u);
    }
    hd_unfold_move_object(u, number, c);
}

static const hd_unfold_access *awaiting(hd_unfold_access *a, uint32_t object)
{
    *a = (hd_unfold_access) { .object = object, .group = HD_GROUP_LOOKS, .needs = HD_NEED_POSITIVE, .key = object };
    return a;
}

void hd_unfold_left_waiting(hd_unfolding *u, uint16_t thread, uint32_t number)
{
    hd_unfold_access a;
    hd_unfold_wish_at(u, hd_unfold_at(u, thread), 0, awaiting(&a, number), 0, true);
}

void hd_unfold_await(hd_unfolding *u, uint16_t thread, uint32_t number)
{
    hd_unfold_access a;
    uint32_t w = hd_unfold_wish_at(u, hd_unfold_at(u, thread), 0, awaiting(&a, number), 0, true);
    uint32_t m = hd_unfold_meet(u, w, u->objects.items[number].at);
    uint32_t e = u->meetings.items[m].next_step;
    hd_unfold_move_thread(u, thread, e ? e : hd_unfold_new_outcome(u, EVENT_AWAIT, thread, m, 0));
}
