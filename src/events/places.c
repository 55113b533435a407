#include "events/places_internal.h"

#include "base/error.h"

enum { NOBODY = -1 };

/* A place of an atom. Operations that commute with nothing take all places of the atom; others take
 * those of their thread. */
typedef struct copy {
    int32_t reader, updater; /* threads, or NOBODY */
    uint32_t place;
} copy;

typedef hd_vec(uint16_t) threads;

struct hd_atom {
    uint8_t mask;
    hd_atom *next; /* of the same object */
    bool written, many; /* many: more than one thread uses it */
    int32_t first_thread;
    threads readers, updaters; /* updaters: with operations that commute with their like */
    hd_vec(copy) copies;
};

/* --- atoms -------------------------------------------------------------------------------- */

static hd_atom *new_atom(hd_places *p, uint8_t mask)
{
    hd_atom *atom = hd_arena_alloc(&p->arena, sizeof *atom);
    *atom = (hd_atom) { .mask = mask, .first_thread = NOBODY };
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

static void add_thread(threads *list, uint16_t thread)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == thread)
            return;
    hd_vec_push(list, thread);
}

/* Records which threads use the atom, and how. */
static void note_use(hd_atom *a, uint8_t group, uint16_t thread)
{
    a->many |= a->first_thread != NOBODY && a->first_thread != thread;
    if (a->first_thread == NOBODY)
        a->first_thread = thread;
    if (group == HD_GROUP_ALONE)
        a->written = true;
    else
        add_thread(group == HD_GROUP_LOOKS ? &a->readers : &a->updaters, thread);
}

/* --- numbering ------------------------------------------------------------------------------ */

static void add_copy(hd_places *p, hd_atom *a, int32_t reader, int32_t updater)
{
    hd_vec_push(&a->copies, ((copy) { reader, updater, p->count++ }));
}

/* Numbers the places that an atom needs. An atom that one thread alone uses needs none; without
 * writes, copies are needed only where reads and commuting updates meet. */
static void number_atom(hd_places *p, hd_atom *a)
{
    const threads *readers = &a->readers, *updaters = &a->updaters;
    if (!a->many)
        return;
    if (a->written)
        add_copy(p, a, NOBODY, NOBODY);
    for (size_t i = 0; i < readers->count && a->written && !p->contextual; i++)
        add_copy(p, a, readers->items[i], NOBODY);
    for (size_t i = 0; i < updaters->count && (a->written || p->contextual); i++)
        add_copy(p, a, NOBODY, updaters->items[i]);
    for (size_t i = 0; i < readers->count && !p->contextual; i++)
        for (size_t k = 0; k < updaters->count; k++)
            if (readers->items[i] != updaters->items[k])
                add_copy(p, a, readers->items[i], updaters->items[k]);
}

static void number_thread(hd_places *p, uint16_t thread)
{
    uint64_t *place = hd_map_put(&p->threads, thread);
    if (*place)
        return;
    hd_vec_push(&p->homes, p->count);
    *place = ++p->count;
}

void hd_places_init(hd_places *p, const hd_events *s, uint32_t count)
{
    hd_event event = { 0 };
    *p = (hd_places) { .contextual = hd_events_net(s) == HD_NET_CONTEXTUAL };
    hd_map_init(&p->objects, &hd_heap);
    hd_map_init(&p->threads, &hd_heap);
    hd_arena_init(&p->arena, &hd_heap);
    for (uint32_t i = 0; i < count; i++) {
        hd_events_read(s, i, &event);
        number_thread(p, event.thread);
        for (size_t k = 0; k < event.pieces.count; k++)
            refine(p, &event.pieces.items[k]);
    }
    for (uint32_t i = 0; i < count; i++) {
        hd_events_read(s, i, &event);
        for (size_t k = 0; k < event.pieces.count; k++)
            for (hd_atom *a = atoms_of(p, event.pieces.items[k].object); a; a = a->next)
                if (a->mask & event.pieces.items[k].mask)
                    note_use(a, event.pieces.items[k].group, event.thread);
    }
    for (size_t i = 0; i < p->atoms.count; i++)
        number_atom(p, p->atoms.items[i]);
    hd_event_fini(&event);
}

void hd_places_fini(hd_places *p)
{
    for (size_t i = 0; i < p->atoms.count; i++) {
        hd_vec_fini(&p->atoms.items[i]->readers);
        hd_vec_fini(&p->atoms.items[i]->updaters);
        hd_vec_fini(&p->atoms.items[i]->copies);
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

/* Two conflicting operations have a common place: a write takes all; a read and an update of
 * different threads have the place of their pair. A contextual read reads all tokens of the atom. */
static bool has_place(const hd_places *p, const copy *c, uint8_t group, uint16_t thread)
{
    if (group == HD_GROUP_ALONE || (group == HD_GROUP_LOOKS && p->contextual))
        return true;
    return (group == HD_GROUP_LOOKS ? c->reader : c->updater) == thread;
}

const uint32_t *hd_places_of_piece(hd_places *p, const hd_event_piece *piece, uint16_t thread, uint32_t *count)
{
    hd_vec_clear(&p->result);
    for (const hd_atom *a = atoms_of(p, piece->object); a; a = a->next)
        for (size_t i = 0; i < a->copies.count && (a->mask & piece->mask); i++)
            if (has_place(p, &a->copies.items[i], piece->group, thread))
                hd_vec_push(&p->result, a->copies.items[i].place);
    *count = (uint32_t)p->result.count;
    return p->result.items;
}
