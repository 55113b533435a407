/* The events as trees, for questions about configurations.
 *
 * A *place* is anything with a token that one event at a time can take: a thread's control, a lock, a variable (or a
 * thread's copy of it; events/places_internal.h). An event takes the tokens of some places and puts new ones back. So
 * the events at one place form a tree: an event's parent there is the event that produced the token it takes. A *use*
 * is an event at a place. Every event takes its thread's control token; that is the first of its uses. In the
 * contextual net, an event may also read a token without taking it: a *context*. Then it must come before the event
 * that takes that token.
 *
 * A *configuration* (events/configuration.h) is a set of events that
 *   - contains the causes of its events;
 *   - is a chain at each place: of two events that take the same token it has at most one;
 *   - has no cycle when readers come before the taker of a token;
 *   - has inputs for which all its branches go the way they did.
 *
 * Events have the numbers that they have in the event structure. The uses of an event are adjacent, in the order of
 * events: of two uses in one chain the later has the greater number. Ancestors are decided in constant time, by
 * intervals of a depth-first numbering of the trees. That needs all events to be known; an unfolding (unfold/), which
 * grows, uses skip pointers instead. */
#ifndef HD_EVENTS_TREES_H
#define HD_EVENTS_TREES_H

#include "events/events.h"

enum { HD_NO_USE = 0xffffffffu /* the initial token of a place */ };

/* Open for speed: choosing tests compares millions of uses. */
typedef struct hd_tree_use {
    uint32_t place;
    uint32_t parent; /* the use that produced the token, or HD_NO_USE */
    uint32_t event;
    uint32_t enter, leave; /* the interval: x is an ancestor of y iff enter(x) <= enter(y) < leave(x) */
} hd_tree_use;

/* A token that is read: the one that use `use` produced at `place`. */
typedef struct hd_tree_context {
    uint32_t place, use;
    uint32_t event; /* that reads it */
} hd_tree_context;

typedef struct hd_tree_event {
    uint32_t use, use_count; /* sorted by place, but for the first: the thread's */
    uint32_t context, context_count;
    uint32_t cause, cause_count; /* direct causes, beside the thread's previous event */
    bool branches; /* it restricts the inputs */
} hd_tree_event;

typedef struct hd_trees {
    hd_vec(hd_tree_event) events;
    hd_vec(hd_tree_use) uses;
    hd_vec(hd_tree_context) contexts;
    hd_vec(uint32_t) causes; /* events */
    uint32_t place_count;

    /* Are there inputs for which all these events happen? To be set if an event branches. */
    bool (*satisfiable)(void *context, const uint32_t *events, uint32_t count);
    void *context;
} hd_trees;

/* Of the first `count` events. */
void hd_trees_init(hd_trees *t, const hd_events *s, uint32_t count);
void hd_trees_fini(hd_trees *t);

/* Checks that producers of tokens are direct causes and have smaller numbers, and that the intervals say so. */
bool hd_trees_is_valid(const hd_trees *t);

/* The use of its thread's control. */
static inline const hd_tree_use *hd_trees_home(const hd_trees *t, uint32_t event)
{
    return &t->uses.items[t->events.items[event].use];
}

/* The thread's previous event, or HD_NO_EVENT. */
static inline uint32_t hd_trees_before(const hd_trees *t, uint32_t event)
{
    uint32_t parent = hd_trees_home(t, event)->parent;
    return parent == HD_NO_USE ? HD_NO_EVENT : t->uses.items[parent].event;
}

/* The other direct causes. They include the producers of all tokens that the event takes or reads. */
static inline const uint32_t *hd_trees_causes(const hd_trees *t, uint32_t event, uint32_t *count)
{
    *count = t->events.items[event].cause_count;
    return t->causes.items + t->events.items[event].cause;
}

static inline bool hd_trees_ancestor(const hd_tree_use *x, const hd_tree_use *y)
{
    return x->enter <= y->enter && y->enter < x->leave;
}

#endif
