/* The cover problem: events of a program's unfolding, and goals, each a set of
 * events of which at least one must be in some test.
 *
 * Everything that can be used only once is a *place*: a thread's control, a
 * lock, a variable (or a thread's copy of it). An event takes the tokens of
 * some places and puts them back; so what can happen at one place is a tree:
 * the parent of an event there is the event that left the token it takes.
 * Every event takes the token of its thread, first in its list of uses.
 * An event may also look at a token without taking it: a *context*. Then it
 * must come before whoever takes that token.
 *
 * A *configuration* is a set of events that
 *   - has, with an event, all its causes: parents, contexts, further causes;
 *   - is one chain at each place: of two events that take the same token it has one;
 *   - has no cycle, when those that look come before the one that takes;
 *   - has inputs for which all its branches go as they say.
 * It is known by the last event of its chain at each place, a short vector; two
 * are consistent iff at each place one's last event is an ancestor of the
 * other's. Ancestors are told by intervals of a walk over the trees, in constant
 * time. (Cycles and inputs are looked at only where there are contexts and branches.)
 *
 * Events are numbered so that causes come before what they cause; the uses of an
 * event lie next to each other, in the order of events: of two uses in one chain,
 * the later has the greater number.
 */
#ifndef HD_SUITE_PROBLEM_H
#define HD_SUITE_PROBLEM_H

#include "base/memory.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { HD_NO_USE = 0xffffffffu /* the token that is there at the start */ };

typedef struct hd_problem_use {
    uint32_t place;
    uint32_t parent; /* the use that left the token, or HD_NO_USE */
    uint32_t event;
    uint32_t enter, leave; /* the interval: x is an ancestor of y iff enter(x) <= enter(y) < leave(x) */
} hd_problem_use;

/* A token that is looked at: the one that use `use` left at `place`. */
typedef struct hd_problem_context {
    uint32_t place, use;
    uint32_t event; /* that looks */
} hd_problem_context;

typedef struct hd_problem_event {
    uint32_t use, use_count; /* sorted by place, but for the first: the thread's */
    uint32_t context, context_count;
    uint32_t cause, cause_count; /* further causes: events */
    uint32_t origin; /* what it is to whoever made the net */
    bool branches; /* it limits the inputs */
} hd_problem_event;

typedef struct hd_problem_goal {
    uint32_t member, member_count;
    uint32_t number; /* what it is to whoever made the problem */
} hd_problem_goal;

typedef struct hd_problem {
    hd_vec(hd_problem_event) events;
    hd_vec(hd_problem_use) uses;
    hd_vec(hd_problem_context) contexts;
    hd_vec(uint32_t) causes;
    hd_vec(hd_problem_goal) goals;
    hd_vec(uint32_t) members; /* of goals: events */
    uint32_t place_count;

    /* Are there inputs with which all of these events happen? NULL: always. */
    bool (*satisfiable)(void *context, const uint32_t *events, uint32_t count);
    void *context;
} hd_problem;

void hd_problem_init(hd_problem *n);
void hd_problem_fini(hd_problem *n);

/* Adding: an event, then what it takes (its thread first), looks at, and needs. */
uint32_t hd_problem_add_event(hd_problem *n, uint32_t origin);
void hd_problem_add_use(hd_problem *n, uint32_t place, uint32_t parent_use);
void hd_problem_add_context(hd_problem *n, uint32_t place, uint32_t use);
void hd_problem_add_cause(hd_problem *n, uint32_t event);
void hd_problem_add_goal(hd_problem *n, uint32_t number);
void hd_problem_add_member(hd_problem *n, uint32_t event);

/* The use by which `event` takes the token of `place`, or HD_NO_USE. */
uint32_t hd_problem_use_at(const hd_problem *n, uint32_t event, uint32_t place);

/* Call when everything is there: numbers the trees. Goals that are reached whenever
 * another one is are left out, so that what is left is what must be covered. Of the goals that one event alone
 * reaches, no two of a thread fit into one configuration then: that event is in neither's past, nor the same. */
void hd_problem_close(hd_problem *n);

/* Does it keep what is said above? For tests. */
bool hd_problem_is_valid(const hd_problem *n);

static inline bool hd_problem_ancestor(const hd_problem_use *x, const hd_problem_use *y)
{
    return x->enter <= y->enter && y->enter < x->leave;
}

#endif
