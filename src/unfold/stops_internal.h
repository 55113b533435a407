/* Where threads can be left for ever; only for the search for blocked states.
 *
 * A thread can be left where its wish met a condition that it is not enabled at,
 * where it waits to be woken, and at its end: its *stops*. If another thread ends the process, it can be
 * left anywhere; but then it could have gone on as well, up to one of these stops, or to a step that would
 * end the process itself, or to one that changes what the other's step finds. So these are stops, too, and
 * count only where one thread's stop is the step that ends the process. A thread's stops hang
 * on the tree of its events. Two events that do not fit into one configuration
 * have no descendants that do: whoever looks for stops that fit to something
 * walks down the tree, and leaves out all that is below the first event that does
 * not fit, or below which there are none. */
#ifndef HD_UNFOLD_STOPS_INTERNAL_H
#define HD_UNFOLD_STOPS_INTERNAL_H

#include "unfold/unfold_internal.h"

typedef enum stop_kind { STOP_BLOCKED, STOP_WAITS, STOP_NEUTRAL, STOP_ENDED, STOP_EXITS, STOP_LEFT } stop_kind;

typedef struct stop {
    uint32_t event;
    uint32_t meeting; /* of a blocked one; of one that exits, the last of its step */
    uint32_t exit; /* the event of a step that exits */
    uint32_t key;
    uint32_t next; /* at the same event */
    uint8_t kind;
    bool dropped; /* is in no blocked state, or in none that is still to be found */
    bool kept; /* is in one that has been found */
} stop;

enum { HD_STOPS_BELOW = 0xffffffffu };

typedef struct hd_stops {
    hd_unfolding *u;
    hd_vec(stop) items; /* from 1, by thread */
    uint32_t *at; /* per event: the first stop there; HD_STOPS_BELOW: there are some below it; 0: neither */
    size_t room;
    uint32_t *counts; /* per thread */
    bool *patient; /* per thread: it only waits for what others reach */
    hd_crowds aside; /* those of the net: in the meantime there are others, of events */
} hd_stops;

/* All stops but those that obviously lead nowhere. */
void hd_stops_open(hd_stops *s, hd_unfolding *u);
void hd_stops_close(hd_stops *s);

/* Drops those that lead nowhere now that others have been dropped. */
void hd_stops_sift(hd_stops *s);

static inline const wish *wish_of(const hd_stops *s, const stop *k)
{
    return &s->u->wishes.items[s->u->meetings.items[k->meeting].wish];
}

/* Is it the thread's own fault that it does not go on: more than an end? */
static inline bool is_stuck(const stop *k)
{
    return k->kind == STOP_BLOCKED || k->kind == STOP_WAITS;
}

/* Does it only wait for what another thread reaches? */
static inline bool is_awaiting(const hd_stops *s, const stop *k)
{
    return k->meeting && wish_of(s, k)->awaits;
}

#endif
