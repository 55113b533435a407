/* The cover problem: events of a program's unfolding, and goals, each a set of events of which at
 * least one must be in some test.
 *
 * A *place* is anything with a token that one event at a time can take: a thread's control, a lock,
 * a variable (or a thread's copy of it). An event takes the tokens of some places and puts new ones
 * back. So the events at one place form a tree: an event's parent there is the event that produced
 * the token it takes. A *use* is an event at a place. Every event takes its thread's control token;
 * that is the first of its uses. An event may also read a token without taking it: a *context*.
 * Then it must come before the event that takes that token.
 *
 * A *configuration* is a set of events that
 *   - contains all causes of its events: parents, contexts, further causes;
 *   - is a chain at each place: of two events that take the same token it has at most one;
 *   - has no cycle when readers come before the taker of a token;
 *   - has inputs for which all its branches go the way they did.
 * It is represented by the last use of its chain at each place, a short vector. Two configurations
 * are consistent iff at each place the last use of one is an ancestor of the other's. Ancestors are
 * decided in constant time, by intervals of a depth-first numbering of the trees. Cycles and inputs
 * are checked only where there are contexts and branches.
 *
 * Events are numbered so that causes come before their effects. The uses of an event are adjacent,
 * in the order of events: of two uses in one chain the later has the greater number. */
#ifndef HD_SUITE_PROBLEM_H
#define HD_SUITE_PROBLEM_H

#include "base/memory.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { HD_NO_USE = 0xffffffffu /* the initial token of a place */ };

typedef struct hd_problem_use {
    uint32_t place;
    uint32_t parent; /* the use that produced the token, or HD_NO_USE */
    uint32_t event;
    uint32_t enter, leave; /* the interval: x is an ancestor of y iff enter(x) <= enter(y) < leave(x) */
} hd_problem_use;

/* A token that is read: the one that use `use` produced at `place`. */
typedef struct hd_problem_context {
    uint32_t place, use;
    uint32_t event; /* that reads it */
} hd_problem_context;

typedef struct hd_problem_event {
    uint32_t use, use_count; /* sorted by place, but for the first: the thread's */
    uint32_t context, context_count;
    uint32_t cause, cause_count; /* further causes: events */
    uint32_t origin; /* the caller's number for it */
    bool branches; /* it is a branch, which restricts the inputs */
} hd_problem_event;

typedef struct hd_problem_goal {
    uint32_t member, member_count;
    uint32_t number; /* the caller's number for it */
} hd_problem_goal;

typedef struct hd_problem {
    hd_vec(hd_problem_event) events;
    hd_vec(hd_problem_use) uses;
    hd_vec(hd_problem_context) contexts;
    hd_vec(uint32_t) causes;
    hd_vec(hd_problem_goal) goals;
    hd_vec(uint32_t) members; /* of goals: events */
    uint32_t place_count;

    /* Are there inputs for which all these events happen? NULL: always. */
    bool (*satisfiable)(void *context, const uint32_t *events, uint32_t count);
    void *context;
} hd_problem;

void hd_problem_init(hd_problem *n);
void hd_problem_fini(hd_problem *n);

/* Building: add an event, then what it takes (its thread's control first), what it reads, and its
 * further causes. */
uint32_t hd_problem_add_event(hd_problem *n, uint32_t origin);
void hd_problem_add_use(hd_problem *n, uint32_t place, uint32_t parent_use);
void hd_problem_add_context(hd_problem *n, uint32_t place, uint32_t use);
void hd_problem_add_cause(hd_problem *n, uint32_t event);
void hd_problem_add_goal(hd_problem *n, uint32_t number);
void hd_problem_add_member(hd_problem *n, uint32_t event);

/* The use by which `event` takes the token of `place`, or HD_NO_USE. */
uint32_t hd_problem_use_at(const hd_problem *n, uint32_t event, uint32_t place);

/* To be called when everything is added: numbers the trees and drops goals that are reached
 * whenever another goal is. Afterwards no two single-event goals of one thread fit into one
 * configuration: their events are different, and neither is in the other's past. */
void hd_problem_close(hd_problem *n);

/* Checks the invariants above. For tests. */
bool hd_problem_is_valid(const hd_problem *n);

static inline bool hd_problem_ancestor(const hd_problem_use *x, const hd_problem_use *y)
{
    return x->enter <= y->enter && y->enter < x->leave;
}

#endif
