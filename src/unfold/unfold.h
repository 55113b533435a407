/* Unfoldings: all executions of a concurrent program, folded into one net.
 *
 * An *event* is a step of a thread together with its causes: what has to have
 * happened for this step to find what it finds. Events of one execution are a
 * *configuration*: with every event it has that event's causes, and no two
 * events in conflict. Executions that share causes share events, so the events
 * are far fewer than the executions; and every local state of a thread is the
 * end of some event.
 *
 * Steps access *objects*. What an access finds of its object is a *condition*:
 * the object at first, or after the last access that changed it, or after a set
 * of accesses that commute with each other and not with the next. Conditions of
 * an object are a tree, and so are the events of a thread. A configuration is
 * one path in each tree; whether two events fit into one execution is a
 * question of one ancestor test per tree (by skip pointers), not a walk over
 * the net. What counts as a cause is defined in events/net.h. In the contextual
 * net one event stands for many histories, and a configuration must not have a
 * cycle of the orders between looks and changes.
 *
 * The net grows by following executions. A thread that has reached an event
 * *wishes* for its next access; where the wish and a condition of its object
 * fit into one configuration, they *meet*. A meeting at which the access is
 * enabled and that no execution has been through is a possible extension: a
 * target. Meetings are found only next to known ones: a new condition meets
 * some of the wishes that met its parent, a new wish some of the conditions
 * below the first one that it meets.
 *
 * A thread's way may depend on inputs: a *branch* has one of several *sides*,
 * and each is an event of its own thread, which nobody schedules. Another side
 * than those known is a target as well. Which sides can be taken together is not
 * for the net to say: it asks a judge, and a target that inputs do not permit is
 * dropped.
 */
#ifndef HD_UNFOLD_UNFOLD_H
#define HD_UNFOLD_UNFOLD_H

#include "abi/kinds.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/vec.h"
#include "events/net.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct hd_unfold_access {
    uint32_t object; /* from 1; 0: none, the step is the thread's own business */
    int32_t adds; /* to what the object counts */
    uint8_t group; /* HD_GROUP_…: accesses of one group commute, unless they are alone */
    uint8_t needs; /* hd_need */
    uint32_t key; /* tells blocked states apart */
    bool held; /* first in a step that ends a wait in a loop: done only where its accesses find something new */
    bool unsure; /* elsewhere it may turn out to be of another group, or not to need anything */
    bool exits; /* last in a step that ends the process: nobody finds what the step has done */

    /* A branch on inputs: no object. */
    bool branches;
    bool settled; /* other sides are not looked for */
    uint8_t sides; /* how many there are; 0: nobody knows */
    uint64_t value; /* what tells sides apart */
    uint32_t side; /* set to its number, from 1 in the order in which they were added */
} hd_unfold_access;

/* That a side is taken, or that it is not. */
typedef struct hd_unfold_literal {
    uint32_t side;
    bool holds;
} hd_unfold_literal;

typedef hd_vec(hd_unfold_literal) hd_unfold_literals;

/* Says what inputs permit: whether there are some with which all the literals
 * hold; unless `afresh`, together with those that it has permitted since. */
typedef struct hd_unfold_judge {
    void *context;
    bool (*permits)(void *context, const hd_unfold_literal *literals, size_t count, bool afresh);
} hd_unfold_judge;

/* What is known of an event. Event 0 is the start of thread 0. */
typedef struct hd_unfold_event {
    uint32_t before; /* the event of its thread before it */
    uint32_t label; /* as given to hd_unfold_step */
    uint16_t thread;
    uint8_t choice;
    bool automatic; /* not a step: an order, or a side, that threads come into without anybody's choice */
} hd_unfold_event;

/* A step of a schedule. */
typedef struct hd_unfold_pick {
    uint16_t thread;
    uint8_t choice;
    uint32_t label; /* of the event; 0 for a prediction */
} hd_unfold_pick;

typedef hd_vec(hd_unfold_pick) hd_unfold_schedule;
typedef hd_vec(uint32_t) hd_unfold_set;

typedef struct hd_unfolding hd_unfolding;

hd_unfolding *hd_unfold_open(hd_net net, hd_memory *memory);
void hd_unfold_close(hd_unfolding *u);

/* --- looking at it ------------------------------------------------------------------- */

/* Events are numbered from 0 in the order they were added; causes come first.
 * Not every number is an event. */
uint32_t hd_unfold_count(const hd_unfolding *u);
bool hd_unfold_is_event(const hd_unfolding *u, uint32_t number);
hd_unfold_event hd_unfold_get(const hd_unfolding *u, uint32_t event);

/* How many steps and branches there are, without orders that threads come into. */
uint32_t hd_unfold_steps(const hd_unfolding *u);

/* Its direct causes, without repetition; `out` is cleared first. */
void hd_unfold_causes(const hd_unfolding *u, uint32_t event, hd_unfold_set *out);

/* In the contextual net: the events that only looked at what this one changed. They
 * come before it in every configuration that has both. */
void hd_unfold_lookers(const hd_unfolding *u, uint32_t event, hd_unfold_set *out);

/* Has it been in an execution that was marked as a test, or been given up? */
bool hd_unfold_is_tested(const hd_unfolding *u, uint32_t event);
void hd_unfold_give_up(hd_unfolding *u, uint32_t event);

/* Is the first a cause of the second, directly or not, or the same? */
bool hd_unfold_precedes(const hd_unfolding *u, uint32_t earlier, uint32_t later);

/* Can both be in one configuration? (Not a relation of pairs alone in the
 * contextual net: three events may fit pairwise and not together.) */
bool hd_unfold_compatible(hd_unfolding *u, uint32_t a, uint32_t b);

/* The smallest configuration with all the given events, in an order in which it
 * can be executed, as events; false: there is none. At most one of the events exits; it is the last. */
bool hd_unfold_configuration(hd_unfolding *u, const uint32_t *events, uint32_t count, hd_unfold_set *out);

/* The configuration as a schedule: automatic events are not part of it. */
void hd_unfold_schedule_of(const hd_unfolding *u, const uint32_t *configuration, size_t count, hd_unfold_schedule *out);

/* The sides that were taken in a configuration; `out` is cleared first. */
void hd_unfold_sides_of(const hd_unfolding *u, const uint32_t *configuration, size_t count, hd_unfold_literals *out);

/* How many sides there are. */
uint32_t hd_unfold_sides(const hd_unfolding *u);

/* Checks, for each event, condition and meeting:
 * - the trees of threads and objects: parents, depths, jumps, lists of children;
 * - the clock and the columns of an event are what its direct causes give;
 * - an access is in its event and in the list of the condition that it found, or made the condition after it; a closed
 *   set has accesses of one group at its parent; what objects count adds up;
 * - a wish is listed where it arose; a meeting is found by its wish and condition, and what came of it belongs to it;
 * - no possible extension is lost: a wish that met a condition has met every later one that fits, and a meeting that
 *   is to be reached is a target;
 * - each crowd lists all members under their keys.
 * Uses scratch room of the unfolding; not to be called in the middle of a step. */
bool hd_unfold_is_valid(hd_unfolding *u);

/* Bytes that it takes up. */
size_t hd_unfold_size(const hd_unfolding *u);

/* What things are called in a drawing. */
typedef struct hd_unfold_namer {
    void *context;
    void (*event)(void *context, uint32_t label, char *name, size_t size);
    void (*object)(void *context, uint32_t object, char *name, size_t size);
} hd_unfold_namer;

typedef hd_vec(char) hd_unfold_text;

/* The net as a graph for dot; `out` is cleared first. */
void hd_unfold_draw(const hd_unfolding *u, const hd_unfold_namer *namer, hd_unfold_text *out);

/* --- following an execution ------------------------------------------------------------ */

/* A new object; what it counts at first. The number is what accesses name. */
uint32_t hd_unfold_add_object(hd_unfolding *u, int32_t count);

/* A new object that the thread reaches, and that others await: its end, its
 * arrival at a barrier. */
uint32_t hd_unfold_add_awaited(hd_unfolding *u, uint16_t thread);

/* The moment that the execution has been followed to; 0: its start. */
size_t hd_unfold_moment(const hd_unfolding *u);

/* Goes back to that moment: what follows is another execution that begins the same. */
void hd_unfold_return(hd_unfolding *u, size_t moment);

/* The thread does its next step: accesses to different objects, at least one
 * (object 0 for a step that is its own business), branches in the middle of it,
 * and which of its possible outcomes it has. Gives the event. */
uint32_t hd_unfold_step(hd_unfolding *u, uint16_t thread, hd_unfold_access *accesses, uint32_t count, uint8_t choice,
    uint8_t choices, uint32_t label);

/* Has an access been of different groups at one condition? What else its step found
 * made the difference then, and the net does not have all that can happen. */
bool hd_unfold_is_contradicted(const hd_unfolding *u);

/* The thread comes to a branch, and takes a side; the same. If it cannot go on
 * there (`goes_on`: an assumption that does not hold) that is no event. */
void hd_unfold_branch(hd_unfolding *u, uint16_t thread, hd_unfold_access *branch, bool goes_on, uint32_t label);

/* What `from` has done up to here comes before what `thread` does next. That
 * it does so is decided by `from` alone: it started it, or woke it. */
void hd_unfold_order(hd_unfolding *u, uint16_t thread, uint16_t from);

/* The thread has reached what others wait for with hd_unfold_await(object): its end, a barrier. */
void hd_unfold_reach(hd_unfolding *u, uint16_t thread, uint32_t object);

/* From here on the thread only waits for what others reach, and ends: that is
 * the same whatever they have done, and not worth a target. */
void hd_unfold_mark_end(hd_unfolding *u, uint16_t thread);
bool hd_unfold_is_at_end(const hd_unfolding *u, uint16_t thread);

/* The thread has waited for that, and goes on. */
void hd_unfold_await(hd_unfolding *u, uint16_t thread, uint32_t object);

/* The thread is left with a step that begins with this access, or could have
 * done it here although it did something else. */
void hd_unfold_wish(hd_unfolding *u, uint16_t thread, const hd_unfold_access *next, uint32_t count, uint8_t choices);

/* The execution that has been followed is a test: nothing went wrong that makes it none. */
void hd_unfold_mark_tested(hd_unfolding *u);

/* The thread is left waiting for what reaches `object`. */
void hd_unfold_left_waiting(hd_unfolding *u, uint16_t thread, uint32_t object);

/* Is anything known that the thread may want to do where it is? */
bool hd_unfold_has_wish(const hd_unfolding *u, uint16_t thread);

/* Where the thread is: its last event. */
uint32_t hd_unfold_at(const hd_unfolding *u, uint16_t thread);

/* --- choosing the next one -------------------------------------------------------------- */

typedef enum hd_unfold_order_of_targets { HD_TARGETS_LAST, HD_TARGETS_RANDOM } hd_unfold_order_of_targets;

/* A schedule that leads to a target, and to others that fit beside it, with the
 * inputs that the judge has permitted; `out` is cleared first. The first `*sure`
 * steps are known events; those behind are predictions. False: no target is left.
 * The next execution must be followed before this is called again: if it does not
 * reach the target, that one is dropped for ever. */
bool hd_unfold_next(hd_unfolding *u, hd_unfold_order_of_targets order, hd_rng *rng, const hd_unfold_judge *judge,
    hd_unfold_schedule *out, uint32_t *sure);

/* How many targets the last schedule leads to. */
size_t hd_unfold_aims(const hd_unfolding *u);

/* After the execution has been followed; false: it did not reach its target. If that
 * was another side of a branch, *side is one of its sides, otherwise 0. */
bool hd_unfold_finish(hd_unfolding *u, uint32_t *side);

/* The execution was to take another side of this side's branch, and ended just
 * before it could be seen to: `branch` says which it would have been. Gives the
 * side; 0: it is known, and the target stays dropped. */
uint32_t hd_unfold_pass_over(hd_unfolding *u, uint32_t side, const hd_unfold_access *branch);

size_t hd_unfold_targets(const hd_unfolding *u);

/* --- blocked states ----------------------------------------------------------------------- */

/* Where a thread can be left beside where it wishes for what it is not enabled to do. */
typedef enum hd_stop_kind {
    HD_STOP_WAITS, /* until somebody wakes it */
    HD_STOP_NEUTRAL, /* until others have ended: that alone is no deadlock */
    HD_STOP_ENDS,
    HD_STOP_EXITS, /* its step has ended the process, without a failure: others may be stuck in a circle then */
    HD_STOP_LEFT /* before such a step, or one that fails: another thread may end the process first */
} hd_stop_kind;

/* In the execution that is being followed, the thread may be left where it is. */
void hd_unfold_mark_stop(hd_unfolding *u, uint16_t thread, hd_stop_kind kind, uint32_t key);

/* In the execution that has been followed, nobody can go on: this state need not be found again. */
void hd_unfold_mark_blocked(hd_unfolding *u);

/* Configurations in which nobody can go on and somebody is not done, or in which a thread ends the
 * process and the others can be left, one for each set of keys with which threads are left, with the
 * threads that they wait for; sets in `known` are left out, new ones are put into it. Each is a number of events and
 * then the events that it is made of. False: there was more to look at than `effort` allows. */
bool hd_unfold_find_deadlocks(
    hd_unfolding *u, uint64_t effort, const hd_unfold_judge *judge, hd_map *known, hd_unfold_set *found);

#endif
