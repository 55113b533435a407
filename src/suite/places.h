/* Which places a program's objects become.
 *
 * Bytes of a cell that are always used together are one *atom*, and so is any
 * other object. Where operations on an atom conflict they must take a token in common, and
 * where they commute they must not. So an atom has
 *
 *   one place that everything takes which commutes with nothing (writes);
 *   a place for each thread that looks at it: its copy, taken by its looks and by
 *     all writes (place replication); in contextual nets, looks take nothing;
 *   likewise one for each thread that does what commutes with its like;
 *   and one for each pair of a looking thread and another of those.
 *
 * A place that one thread alone takes says nothing that its order does not. */
#ifndef HD_SUITE_PLACES_H
#define HD_SUITE_PLACES_H

#include "explore/gather.h"

#include <stdbool.h>

typedef struct hd_atom hd_atom;

typedef struct hd_places {
    bool contextual;
    hd_map objects; /* key → its first atom + 1 */
    hd_vec(hd_atom *) atoms;
    hd_map threads; /* thread → place + 1 */
    hd_vec(uint32_t) homes; /* of threads, in the order they were met */
    uint32_t count;
    hd_arena arena;
    hd_vec(uint32_t) result;
} hd_places;

/* Looks at all events that were gathered. */
void hd_places_init(hd_places *p, const hd_gather *g, hd_gather_net net);
void hd_places_fini(hd_places *p);

uint32_t hd_places_of_thread(const hd_places *p, uint16_t thread);

/* The places that an operation of a thread takes with these bytes of its object;
 * for a look in a contextual net, the places whose tokens it looks at. Valid until the
 * next call. */
const uint32_t *hd_places_of_piece(hd_places *p, const hd_gather_piece *piece, uint16_t thread, uint32_t *count);

#endif
