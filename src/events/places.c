#include "events/places_internal.h"

#include "base/error.h"

#include <string.h>

enum { NO_PLACE = 0xffffffffu };

/* A thread's copy of an atom, or a copy for a pair of threads. */
typedef struct copy {
    uint16_t thread, other; /* other: of a pair */
    uint32_t place;
} copy;

struct hd_atom {
    uint8_t mask;
    hd_atom *next; /* of the same object */
    uint32_t place; /* taken by operations that commute with nothing */
    bool written, many; /* many: more than one thread uses it */
    int first_thread;
    hd_vec(copy) looks, groups, pairs;
};

/* --- atoms -------------------------------------------------------------------------------- */

static hd_atom *new_atom(hd_places *p, uint8_t mask)
{
    hd_atom *atom = hd_arena_alloc(&p->arena, sizeof *atom);
    *atom = (hd_atom) { .mask = mask, .place = NO_PLACE, .first_thread = -1 };
    hd_vec_push(&p->atoms, atom);
    return atom;
}

static hd_atom *atoms_of(const hd_places *p, uint64_t object)
{
    const uint64_t *first = hd_map_get(&p->objects, object);
    return first ? p->atoms.items[*first - 1] : NULL;
}

/* Splits atoms so that each lies inside or outside of the piece. */
static void refine(hd_places *p, const hd_event_piece *piece)
{
    uint64_t *first = hd_map_put(&p->objects, piece->object);
    if (!*first) {
        new_atom(p, 0xff);
        *first = p->atoms.count;
    }
    for (hd_atom *a = p->atoms.items[*first - 1]; a; a = a->next) {
        uint8_t inside = a->mask & piece->mask, outside = a->mask & (uint8_t)~piece->mask;
        if (!inside || !outside)
            continue;
        hd_atom *rest = new_atom(p, outside);
        a->mask = inside;
        rest->next = a->next;
        a->next = rest;
    }
}

#define add_copy(copies, t, o) \
    do { \
        bool known_ = false; \
        for (size_t i_ = 0; i_ < (copies)->count; i_++) \
            known_ |= (copies)->items[i_].thread == (t) && (copies)->items[i_].other == (o); \
        if (!known_) \
            hd_vec_push(copies, ((copy) { (t), (o), NO_PLACE })); \
    } while (0)

/* Records which threads use the atom, and how. */
static void note_use(hd_atom *a, const hd_event_piece *piece, uint16_t thread)
{
    a->written |= piece->group == HD_GROUP_ALONE;
    a->many |= a->first_thread >= 0 && a->first_thread != thread;
    if (a->first_thread < 0)
        a->first_thread = thread;
    if (piece->group == HD_GROUP_LOOKS)
        add_copy(&a->looks, thread, 0);
    else if (piece->group != HD_GROUP_ALONE)
        add_copy(&a->groups, thread, 0);
}

/* --- numbering ------------------------------------------------------------------------------ */

static void number_copies(hd_places *p, copy *copies, size_t count)
{
    for (size_t i = 0; i < count; i++)
        copies[i].place = p->count++;
}

/* Numbers the places that an atom needs. An atom that one thread alone uses needs none; without
 * writes, copies are needed only where reads and commuting updates meet. */
static void number_atom(hd_places *p, hd_atom *a)
{
    if (!a->many)
        return;
    if (a->written) {
        a->place = p->count++;
        if (!p->contextual)
            number_copies(p, a->looks.items, a->looks.count);
    }
    if (a->written || p->contextual)
        number_copies(p, a->groups.items, a->groups.count);
    for (size_t i = 0; i < a->looks.count && !p->contextual; i++)
        for (size_t k = 0; k < a->groups.count; k++)
            if (a->looks.items[i].thread != a->groups.items[k].thread)
                add_copy(&a->pairs, a->looks.items[i].thread, a->groups.items[k].thread);
    number_copies(p, a->pairs.items, a->pairs.count);
}

static void add_thread(hd_places *p, uint16_t thread)
{
    uint64_t *place = hd_map_put(&p->threads, thread);
    if (*place)
        return;
    hd_vec_push(&p->homes, p->count);
    *place = ++p->count;
}

void hd_places_init(hd_places *p, const hd_events *s)
{
    hd_event event = { 0 };
    *p = (hd_places) { .contextual = hd_events_net(s) == HD_NET_CONTEXTUAL };
    hd_map_init(&p->objects, &hd_heap);
    hd_map_init(&p->threads, &hd_heap);
    hd_arena_init(&p->arena, &hd_heap);
    for (uint32_t i = 0; i < hd_events_count(s); i++) {
        hd_events_read(s, i, &event);
        add_thread(p, event.thread);
        for (size_t k = 0; k < event.pieces.count; k++)
            refine(p, &event.pieces.items[k]);
    }
    for (uint32_t i = 0; i < hd_events_count(s); i++) {
        hd_events_read(s, i, &event);
        for (size_t k = 0; k < event.pieces.count; k++)
            for (hd_atom *a = atoms_of(p, event.pieces.items[k].object); a; a = a->next)
                if (a->mask & event.pieces.items[k].mask)
                    note_use(a, &event.pieces.items[k], event.thread);
    }
    for (size_t i = 0; i < p->atoms.count; i++)
        number_atom(p, p->atoms.items[i]);
    hd_event_fini(&event);
}

void hd_places_fini(hd_places *p)
{
    for (size_t i = 0; i < p->atoms.count; i++) {
        hd_vec_fini(&p->atoms.items[i]->looks);
        hd_vec_fini(&p->atoms.items[i]->groups);
        hd_vec_fini(&p->atoms.items[i]->pairs);
    }
    hd_vec_fini(&p->atoms);
    hd_vec_fini(&p->homes);
    hd_vec_fini(&p->result);
    hd_map_fini(&p->objects);
    hd_map_fini(&p->threads);
    hd_arena_fini(&p->arena);
}

/* --- questions -------------------------------------------------------------------------------- */

uint32_t hd_places_of_thread(const hd_places *p, uint16_t thread)
{
    const uint64_t *place = hd_map_get(&p->threads, thread);
    hd_assert(place && *place);
    return (uint32_t)(*place - 1);
}

static void give(hd_places *p, uint32_t place)
{
    if (place != NO_PLACE)
        hd_vec_push(&p->result, place);
}

static void give_copies(hd_places *p, const copy *copies, size_t count, int thread, int other)
{
    for (size_t i = 0; i < count; i++)
        if ((thread < 0 || copies[i].thread == thread) && (other < 0 || copies[i].other == other))
            give(p, copies[i].place);
}

static void give_atom(hd_places *p, const hd_atom *a, uint8_t group, uint16_t thread)
{
    /* What conflicts must share a token: a write takes all, a read its copy and the pairs with
     * updates of other threads. */
    bool looks_at_tokens = group == HD_GROUP_LOOKS && p->contextual;
    if (group == HD_GROUP_ALONE || looks_at_tokens) {
        give(p, a->place);
        give_copies(p, a->groups.items, a->groups.count, -1, -1);
    }
    if (group == HD_GROUP_ALONE) {
        give_copies(p, a->looks.items, a->looks.count, -1, -1);
        give_copies(p, a->pairs.items, a->pairs.count, -1, -1);
    } else if (group != HD_GROUP_LOOKS) {
        give_copies(p, a->groups.items, a->groups.count, thread, -1);
        give_copies(p, a->pairs.items, a->pairs.count, -1, thread);
    } else if (!looks_at_tokens) {
        give_copies(p, a->looks.items, a->looks.count, thread, -1);
        give_copies(p, a->pairs.items, a->pairs.count, thread, -1);
    }
}

const uint32_t *hd_places_of_piece(hd_places *p, const hd_event_piece *piece, uint16_t thread, uint32_t *count)
{
    hd_vec_clear(&p->result);
    for (const hd_atom *a = atoms_of(p, piece->object); a; a = a->next)
        if (a->mask & piece->mask)
            give_atom(p, a, piece->group, thread);
    *count = (uint32_t)p->result.count;
    return p->result.items;
}
