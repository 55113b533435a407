/* Only for events/trees.c: which places a program's objects become.
 *
 * Bytes of a cell that are always used together are one *atom*, and so is any other object. Operations on an atom that
 * conflict must take a common token, and operations that commute must not. So an atom has
 *
 *   one place that is taken by operations that commute with nothing (writes);
 *   a place for each thread that reads it, taken by that thread's reads and by all writes (place replication); in
 *     contextual nets, reads take nothing;
 *   likewise a place for each thread with operations that commute with their like (posts of a semaphore, read locks);
 *   and one for each pair of a reading thread and another thread with such operations.
 *
 * A place that only one thread takes adds nothing to the order of that thread's events, so there is none. */
#ifndef HD_EVENTS_PLACES_INTERNAL_H
#define HD_EVENTS_PLACES_INTERNAL_H

#include "base/map.h"
#include "events/events.h"

typedef struct hd_atom hd_atom;

typedef struct hd_places {
    bool contextual;
    hd_map objects; /* key → its first atom + 1 */
    hd_vec(hd_atom *) atoms;
    hd_map threads; /* thread → place + 1 */
    hd_vec(uint32_t) homes; /* control places of threads, in the order in which they were met */
    uint32_t count;
    hd_arena arena;
    hd_vec(uint32_t) result;
} hd_places;

/* Computes the places from all events. */
void hd_places_init(hd_places *p, const hd_events *s, uint32_t count);
void hd_places_fini(hd_places *p);

uint32_t hd_places_of_thread(const hd_places *p, uint16_t thread);

/* The places that an operation of `thread` takes with this piece of its object; for a read in a
 * contextual net, the places whose tokens it reads. Valid until the next call. */
const uint32_t *hd_places_of_piece(hd_places *p, const hd_event_piece *piece, uint16_t thread, uint32_t *count);

#endif
