/* Waiting for what other threads reach: their ends, barriers.
 *
 * What a thread reaches hangs all on one root, and there may be as many ways to
 * reach it as there are executions, with as many ways in which others wait. Of the
 * object that has most conditions, those that fit have one path (see parts.h). So
 * both are listed by the last condition of that object in their past, and who fits is
 * looked for up and down its tree from there. */
#include "unfold/parts.h"

/* --- the roster --------------------------------------------------------------------------------------- */

static uint32_t key_of(const hd_unfolding *u, uint32_t e)
{
    return u->roster.slot < u->slots.count ? columns_of(u, e)[u->roster.slot].condition : 0;
}

static uint32_t cone_of(const hd_unfolding *u, const roster_entry *r)
{
    return r->reached ? maker_of(u, r->number) : u->wishes.items[r->number].cone;
}

static void link_entry(hd_unfolding *u, uint32_t number)
{
    roster *r = &u->roster;
    uint32_t key = key_of(u, cone_of(u, &r->entries.items[number]));
    while (r->first.count <= key)
        hd_vec_push(&r->first, 0u);
    r->entries.items[number].next = r->first.items[key];
    r->first.items[key] = number;
}

/* The contended object with most conditions. */
static uint32_t widest_slot(hd_unfolding *u)
{
    hd_unfold_set sizes = { .memory = u->memory };
    uint32_t widest = 0;
    for (size_t s = 0; s < u->slots.count; s++)
        hd_vec_push(&sizes, 0u);
    for (size_t c = 1; c < u->conditions.count; c++) {
        uint32_t slot = u->objects.items[u->conditions.items[c].object].slot;
        if (slot != HD_NO_SLOT && ++sizes.items[slot] > sizes.items[widest])
            widest = slot;
    }
    hd_vec_fini(&sizes);
    return widest;
}

static void list_again(hd_unfolding *u)
{
    enum { FIRST_ROOM = 64 };
    roster *r = &u->roster;
    r->room = r->entries.count < FIRST_ROOM ? FIRST_ROOM : 2 * (uint32_t)r->entries.count;
    r->slot = widest_slot(u);
    hd_vec_clear(&r->first);
    for (uint32_t i = 1; i < r->entries.count; i++)
        link_entry(u, i);
}

static void enter(hd_unfolding *u, uint32_t number, bool reached)
{
    roster *r = &u->roster;
    if (!r->entries.count)
        hd_vec_push(&r->entries, ((roster_entry) { 0 }));
    hd_vec_push(&r->entries, ((roster_entry) { .number = number, .reached = reached }));
    link_entry(u, (uint32_t)r->entries.count - 1);
    if (r->entries.count > r->room)
        list_again(u);
}

/* --- who fits ------------------------------------------------------------------------------------------- */

/* For whom others are looked for: a wish among conditions, or a condition among wishes. */
typedef struct search {
    uint32_t wish, condition;
    size_t left; /* how much more of the tree may be looked at */
} search;

static void try_one(hd_unfolding *u, const search *s, const roster_entry *other)
{
    if (other->reached == (s->condition != 0))
        return;
    uint32_t w = s->wish ? s->wish : other->number, c = s->wish ? other->number : s->condition;
    if (u->wishes.items[w].object == u->conditions.items[c].object && hd_unfold_wish_fits(u, w, maker_of(u, c)))
        hd_vec_push(&u->work, ((pair) { w, c }));
}

static void try_listed(hd_unfolding *u, const search *s, uint32_t key)
{
    const roster *r = &u->roster;
    for (uint32_t i = key < r->first.count ? r->first.items[key] : 0; i; i = r->entries.items[i].next)
        try_one(u, s, &r->entries.items[i]);
}

/* All below the condition, or false. */
static bool try_below(hd_unfolding *u, search *s, uint32_t key)
{
    for (uint32_t n = u->conditions.items[key].child; n; n = u->conditions.items[n].sibling) {
        if (!s->left)
            return false;
        s->left--;
        try_listed(u, s, n);
        if (!try_below(u, s, n))
            return false;
    }
    return true;
}

static void try_all(hd_unfolding *u, const search *s)
{
    for (size_t i = 1; i < u->roster.entries.count; i++)
        try_one(u, s, &u->roster.entries.items[i]);
}

static void look_for(hd_unfolding *u, search *s, uint32_t cone)
{
    uint32_t key = key_of(u, cone);
    s->left = u->roster.entries.count;
    if (key && !try_below(u, s, key))
        try_all(u, s);
    else
        for (uint32_t at = key;; at = u->conditions.items[at].parent) {
            try_listed(u, s, at);
            if (!at)
                break;
        }
    hd_unfold_work_off(u, 0);
}

void hd_unfold_seek_reached(hd_unfolding *u, uint32_t w)
{
    search s = { .wish = w };
    enter(u, w, false);
    hd_unfold_meet(u, w, u->objects.items[u->wishes.items[w].object].root);
    look_for(u, &s, u->wishes.items[w].cone);
}

static void offer_reached(hd_unfolding *u, uint32_t c)
{
    search s = { .condition = c };
    enter(u, c, true);
    look_for(u, &s, maker_of(u, c));
}

/* --- reaching and waiting --------------------------------------------------------------------------------- */

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
        offer_reached(u, c);
    }
    hd_unfold_move_object(u, number, c);
}

static const hd_unfold_access *awaiting(hd_unfold_access *a, uint32_t object)
{
    *a = (hd_unfold_access) { .object = object, .group = HD_GROUP_LOOKS, .needs = HD_NEED_POSITIVE, .place = object };
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
