/* Stops: where threads can stay forever. Only for the search for blocked states (docs/algorithms/unfold.md, "Blocked
 * states").
 *
 * The stops of a thread are the meetings at which its wish is not enabled, its waits to be woken, and its end. If
 * another thread ends the process, a thread may be anywhere. But then it could also have continued up to one of these
 * stops, to a step that would end the process itself, or to one that changes what the exiting step finds. So those are
 * stops, too, which count only together with an exit.
 *
 * Stops are attached to the tree of their thread's events. If two events do not fit into one configuration, neither do
 * their descendants. So the search for fitting stops walks down the tree and skips the subtree of an event that does
 * not fit or has no stops below it. */
#ifndef HD_UNFOLD_STOPS_INTERNAL_H
#define HD_UNFOLD_STOPS_INTERNAL_H

#include "unfold/unfold_internal.h"

typedef enum stop_kind { STOP_BLOCKED, STOP_WAITS, STOP_NEUTRAL, STOP_ENDED, STOP_EXITS, STOP_LEFT } stop_kind;

typedef struct stop {
    uint32_t event;
    uint32_t meeting; /* of a blocked stop; of an exit, the last meeting of its step */
    uint32_t exit; /* of an exit: its event */
    uint32_t key;
    uint32_t next; /* at the same event */
    uint8_t kind;
    bool dropped; /* it is in no blocked state, or all blocked states with it have been found */
    bool kept; /* it is in a blocked state that has been found */
} stop;

enum { HD_STOPS_BELOW = 0xffffffffu };

typedef struct hd_stops {
    hd_unfolding *u;
    hd_vec(stop) items; /* from 1, by thread */
    uint32_t *at; /* per event: its first stop; HD_STOPS_BELOW: there are stops below it; 0: neither */
    size_t room;
    uint32_t *counts; /* per thread */
    bool *patient; /* per thread: all its stops are ends or waits for what others reach */
    hd_crowds aside; /* the crowds of the net, saved: during the search there are others, of events */
} hd_stops;

/* Collects all stops, except those that can obviously not be in a blocked state. */
void hd_stops_open(hd_stops *s, hd_unfolding *u);
void hd_stops_close(hd_stops *s);

/* Drops those that cannot be in a blocked state now that others have been dropped. */
void hd_stops_sift(hd_stops *s);

static inline const wish *wish_of(const hd_stops *s, const stop *k)
{
    return &s->u->wishes.items[s->u->meetings.items[k->meeting].wish];
}

/* Is the thread blocked there, and not just at its end or left by an exit? */
static inline bool is_stuck(const stop *k)
{
    return k->kind == STOP_BLOCKED || k->kind == STOP_WAITS;
}

/* Does the thread only wait for what another thread reaches? */
static inline bool is_awaiting(const hd_stops *s, const stop *k)
{
    return k->meeting && wish_of(s, k)->awaits;
}

#endif
