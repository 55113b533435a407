#include "unfold/parts.h"

#include <stdlib.h>

/* Longer lists are worth a crowd. */
enum { FEW = 32 };

/* --- lists ------------------------------------------------------------------------------------ */

static uint32_t first_of(const hd_unfolding *u, hd_crowd_list list, uint32_t c)
{
    const condition *k = &u->conditions.items[c];
    return list == HD_CROWD_MEETINGS ? k->meetings : list == HD_CROWD_ACCESSES ? k->group_accesses : k->child;
}

static uint32_t next_of(const hd_unfolding *u, hd_crowd_list list, uint32_t number)
{
    return list == HD_CROWD_MEETINGS ? u->meetings.items[number].next
        : list == HD_CROWD_ACCESSES  ? u->accesses.items[number].link
                                     : u->conditions.items[number].sibling;
}

static void gather_list(hd_unfolding *u, hd_crowd_list list, uint32_t c)
{
    for (uint32_t n = first_of(u, list, c); n; n = next_of(u, list, n))
        hd_vec_push(&u->near, n);
}

/* --- keys --------------------------------------------------------------------------------------- */

static uint32_t key_of_event(const hd_unfolding *u, uint32_t e, uint32_t slot)
{
    return columns_of(u, e)[slot].condition;
}

/* Of a closed set, whose accesses are in one configuration, the last. */
static uint32_t key_of_condition(const hd_unfolding *u, uint32_t c, uint32_t slot)
{
    const condition *k = &u->conditions.items[c];
    uint32_t last = key_of_event(u, k->event, slot);
    for (uint32_t i = 0; i < set_size(u, k); i++) {
        uint32_t key = key_of_event(u, u->accesses.items[u->sets.items[k->set + 1 + i]].event, slot);
        last = u->conditions.items[key].depth > u->conditions.items[last].depth ? key : last;
    }
    return last;
}

static uint32_t key_of(const hd_unfolding *u, hd_crowd_list list, uint32_t number, uint32_t slot)
{
    switch (list) {
    case HD_CROWD_MEETINGS:
        return key_of_event(u, u->wishes.items[u->meetings.items[number].wish].cone, slot);
    case HD_CROWD_ACCESSES:
        return key_of_event(u, u->accesses.items[number].event, slot);
    default:
        return key_of_condition(u, number, slot);
    }
}

/* How many of some pairs of what has been gathered are on different paths of the slot's tree? */
static uint32_t count_apart(const hd_unfolding *u, hd_crowd_list list, size_t from, uint32_t slot)
{
    uint32_t apart = 0;
    for (uint64_t i = 0; i < FEW; i++) {
        uint64_t random = hd_hash(i), count = u->near.count - from;
        uint32_t a = key_of(u, list, u->near.items[from + (uint32_t)random % count], slot);
        uint32_t b = key_of(u, list, u->near.items[from + (random >> 32) % count], slot);
        apart += !hd_unfold_on_one_path(u, a, b);
    }
    return apart;
}

/* The slot that tells most of them apart; HD_NO_SLOT: none does. */
static uint32_t best_slot(const hd_unfolding *u, hd_crowd_list list, size_t from)
{
    uint32_t best = HD_NO_SLOT, most = 0;
    for (uint32_t s = 0; s < u->slots.count; s++) {
        uint32_t apart = count_apart(u, list, from, s);
        if (apart > most) {
            most = apart;
            best = s;
        }
    }
    return best;
}

/* --- entries ---------------------------------------------------------------------------------------- */

typedef struct place {
    uint32_t crowd, key;
} place;

static uint64_t hash_of_place(place p)
{
    return hd_hash((uint64_t)p.crowd << 32 | p.key);
}

static place place_of(const hd_unfolding *u, uint32_t entry)
{
    const crowd_entry *x = &u->crowd_entries.items[entry];
    const crowd *k = &u->crowds.items[x->crowd];
    return (place) { x->crowd, key_of(u, k->list, x->number, k->slot) };
}

static uint64_t entry_hash(const hd_unfolding *u, uint32_t entry)
{
    return hash_of_place(place_of(u, entry));
}

static bool is_at_place(const hd_unfolding *u, uint32_t entry, const void *thing)
{
    const place *p = thing, at = u->crowd_entries.items[entry].crowd == p->crowd ? place_of(u, entry) : (place) { 0 };
    return at.crowd == p->crowd && at.key == p->key;
}

static uint32_t find_entries(const hd_unfolding *u, place p)
{
    return hd_hash_index_find(&u->crowd_index, hash_of_place(p), is_at_place, &p, u);
}

/* Those with one key hang on the first of them. */
static void list_entry(hd_unfolding *u, uint32_t number, uint32_t crowd)
{
    uint32_t entry = (uint32_t)u->crowd_entries.count;
    hd_vec_push(&u->crowd_entries, ((crowd_entry) { .number = number, .crowd = crowd }));
    place p = place_of(u, entry);
    uint32_t first = find_entries(u, p);
    if (first) {
        u->crowd_entries.items[entry].next = u->crowd_entries.items[first].next;
        u->crowd_entries.items[first].next = entry;
    } else {
        hd_hash_index_add(&u->crowd_index, u->memory, hash_of_place(p), entry, entry_hash, u);
    }
}

/* --- crowds ------------------------------------------------------------------------------------------ */

static uint64_t *crowd_at(hd_unfolding *u, hd_crowd_list list, uint32_t c)
{
    return hd_map_put(&u->crowd_of, (uint64_t)list << 32 | c);
}

static bool is_crowded(const hd_unfolding *u, hd_crowd_list list, uint32_t c)
{
    return c < u->crowded.count && (u->crowded.items[c] >> list & 1);
}

static void mark_crowded(hd_unfolding *u, hd_crowd_list list, uint32_t c)
{
    while (u->crowded.count <= c)
        hd_vec_push(&u->crowded, (uint8_t)0);
    u->crowded.items[c] |= (uint8_t)(1u << list);
}

/* Lists all that is at the condition by the slot that is best now, if that is another one. */
static void sort_crowd(hd_unfolding *u, hd_crowd_list list, uint32_t c)
{
    size_t from = u->near.count;
    gather_list(u, list, c);
    uint32_t count = (uint32_t)(u->near.count - from), slot = best_slot(u, list, from);
    uint64_t *number = crowd_at(u, list, c);
    if (!*number || u->crowds.items[*number].slot != slot) {
        *number = u->crowds.count;
        hd_vec_push(&u->crowds, ((crowd) { .list = list, .slot = slot }));
        for (size_t i = u->near.count; slot != HD_NO_SLOT && i-- > from;)
            list_entry(u, u->near.items[i], (uint32_t)*number);
    }
    u->crowds.items[*number].count = count;
    u->crowds.items[*number].room = 2 * count;
    u->near.count = from;
}

void hd_unfold_enter(hd_unfolding *u, hd_crowd_list list, uint32_t c, uint32_t number)
{
    if (!is_crowded(u, list, c))
        return;
    uint32_t at = (uint32_t)*crowd_at(u, list, c);
    crowd *k = &u->crowds.items[at];
    k->count++;
    if (k->slot != HD_NO_SLOT)
        list_entry(u, number, at);
    if (u->crowds.items[at].count > u->crowds.items[at].room)
        sort_crowd(u, list, c);
}

/* --- who is near ------------------------------------------------------------------------------------- */

static void gather_at(hd_unfolding *u, place p)
{
    for (uint32_t i = find_entries(u, p); i; i = u->crowd_entries.items[i].next)
        hd_vec_push(&u->near, u->crowd_entries.items[i].number);
}

static void gather_above(hd_unfolding *u, place p)
{
    for (; p.key; p.key = u->conditions.items[p.key].parent)
        gather_at(u, p);
}

/* The next in the tree below `top`, parents first; 0: that was all. */
static uint32_t next_below(const hd_unfolding *u, uint32_t c, uint32_t top)
{
    if (u->conditions.items[c].child)
        return u->conditions.items[c].child;
    while (c != top && !u->conditions.items[c].sibling)
        c = u->conditions.items[c].parent;
    return c == top ? 0 : u->conditions.items[c].sibling;
}

/* False: so much is below that it is better to look at all. */
static bool gather_below(hd_unfolding *u, place p, uint32_t most)
{
    uint32_t top = p.key;
    while ((p.key = next_below(u, p.key, top))) {
        if (!most--)
            return false;
        gather_at(u, p);
    }
    return true;
}

static int newest_first(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

static bool gather_path(hd_unfolding *u, uint32_t number, uint32_t cone, bool below)
{
    const crowd *k = &u->crowds.items[number];
    size_t from = u->near.count;
    if (k->slot == HD_NO_SLOT)
        return false;
    place p = { number, key_of_event(u, cone, k->slot) };
    if (u->conditions.items[p.key].depth > k->count || (below && !gather_below(u, p, k->count)))
        return false;
    gather_above(u, p);
    if (u->near.count > from + 1)
        qsort(&u->near.items[from], u->near.count - from, sizeof *u->near.items, newest_first);
    return true;
}

static size_t gather(hd_unfolding *u, hd_crowd_list list, uint32_t c, uint32_t cone, bool below)
{
    size_t from = u->near.count;
    if (!is_crowded(u, list, c)) {
        gather_list(u, list, c);
        if (u->near.count - from <= FEW)
            return from;
        u->near.count = from;
        mark_crowded(u, list, c);
        sort_crowd(u, list, c);
    }
    if (!gather_path(u, (uint32_t)*crowd_at(u, list, c), cone, below)) {
        u->near.count = from;
        gather_list(u, list, c);
    }
    return from;
}

size_t hd_unfold_gather(hd_unfolding *u, hd_crowd_list list, uint32_t c, uint32_t cone)
{
    return gather(u, list, c, cone, true);
}

size_t hd_unfold_gather_past(hd_unfolding *u, hd_crowd_list list, uint32_t c, uint32_t cone)
{
    return gather(u, list, c, cone, false);
}

void hd_unfold_open_crowds(hd_unfolding *u)
{
    hd_map_init(&u->crowd_of, u->memory);
    u->crowds.memory = u->crowd_entries.memory = u->crowded.memory = u->near.memory = u->memory;
    hd_vec_push(&u->crowds, ((crowd) { 0 }));
    hd_vec_push(&u->crowd_entries, ((crowd_entry) { 0 }));
}

void hd_unfold_close_crowds(hd_unfolding *u)
{
    hd_map_fini(&u->crowd_of);
    hd_hash_index_fini(&u->crowd_index, u->memory);
    hd_vec_fini(&u->crowds);
    hd_vec_fini(&u->crowd_entries);
    hd_vec_fini(&u->crowded);
    hd_vec_fini(&u->near);
}

size_t hd_unfold_size_of_crowds(const hd_unfolding *u)
{
    return u->crowds.count * sizeof(crowd) + u->crowd_entries.count * sizeof(crowd_entry)
        + u->crowd_index.room * (sizeof(uint32_t) + 1) + u->crowd_of.room * sizeof *u->crowd_of.slots
        + u->crowded.count;
}
