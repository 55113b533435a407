/* Unfoldings: all executions of a concurrent program in one net (docs/algorithms/unfold.md).
 *
 * An *event* is a step of a thread together with its causes: the events that must precede it so that it finds what it
 * finds. The events of one execution form a *configuration*: it contains the causes of each of its events, and no two
 * events in conflict. Executions that share causes share events. So there are far fewer events than executions, and
 * every local state of a thread is the end of some event.
 *
 * Steps access *objects*. An access finds a *condition* of its object: its initial state, its state after an access
 * that changed it, or its state after a set of accesses that commute with each other but not with this one. The
 * conditions of an object form a tree, and so do the events of a thread. A configuration is one path in each tree. So
 * whether two events fit into one execution takes one ancestor test per tree (with skip pointers), not a traversal of
 * the net. What counts as a cause is defined in events/net.h. In the contextual net one event stands for many
 * histories, and a configuration must not contain a cycle of the orders between looks and changes.
 *
 * The net grows by following executions. A thread that has reached an event *wishes* for its next access. A wish and a
 * condition of its object *meet* if they fit into one configuration. A meeting at which the access is enabled and that
 * no execution has performed is a *target*: a possible extension. Meetings are searched for only next to known ones: a
 * new condition is compared with the wishes that met its parent, and a new wish with the conditions below the first one
 * that it meets. That finds all of them, because a wish that fits a condition also fits the condition's parent.
 *
 * What a thread does may depend on inputs: a *branch* has several *sides*. Each side is an event of its thread; it is
 * not scheduled but follows the step before it. An unknown side is a target, too. The net does not know which sides are
 * feasible together: it asks a *judge*, and drops a target that is not feasible.
 *
 * hd_unfolding is opaque; the files of this folder see its inside in unfold_internal.h. */
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
    uint32_t object; /* from 1; 0: none, the step has no effect on other threads */
    int32_t adds; /* to the object's count */
    uint8_t group; /* HD_GROUP_…: accesses of one group commute, unless they are alone */
    uint8_t needs; /* hd_need */
    uint32_t key; /* tells blocked states apart */
    bool held; /* first in a step that ends a waiting loop: enabled only where one of its accesses finds a change */
    bool unsure; /* at another condition it may be of another group, or need nothing */
    bool exits; /* last in a step that ends the process: no thread can observe its effects */

    /* A branch on inputs: no object. */
    bool branches;
    bool settled; /* other sides are not targets */
    uint8_t sides; /* the number of possible sides; 0: unknown */
    uint64_t value; /* distinguishes sides */
    uint32_t side; /* set to the number of the side; sides are numbered from 1 in the order in which they are added */
} hd_unfold_access;

/* A side must be taken, or must not be. */
typedef struct hd_unfold_literal {
    uint32_t side;
    bool holds;
} hd_unfold_literal;

typedef hd_vec(hd_unfold_literal) hd_unfold_literals;

/* Decides feasibility: are there inputs for which all literals hold? Unless `afresh`, together with all literals that
 * it has permitted since the last query that was. */
typedef struct hd_unfold_judge {
    void *context;
    bool (*permits)(void *context, const hd_unfold_literal *literals, size_t count, bool afresh);
} hd_unfold_judge;

/* An event. Event 0 is the start of thread 0. */
typedef struct hd_unfold_event {
    uint32_t before; /* the event of its thread before it */
    uint32_t label; /* as given to hd_unfold_step */
    uint16_t thread;
    uint8_t choice;
    bool automatic; /* an order, an await or a side: it is not scheduled */
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

/* --- queries ------------------------------------------------------------------------- */

/* Events are numbered from 0 in the order they were added; causes come first.
 * Not every number is an event. */
uint32_t hd_unfold_count(const hd_unfolding *u);
bool hd_unfold_is_event(const hd_unfolding *u, uint32_t number);
hd_unfold_event hd_unfold_get(const hd_unfolding *u, uint32_t event);

/* The number of steps and branches, without orders and awaits. */
uint32_t hd_unfold_steps(const hd_unfolding *u);

/* How many comparisons of two events' pasts in one tree there have been: nearly all of the time that a large net takes.
 */
uint64_t hd_unfold_comparisons(const hd_unfolding *u);

/* Its direct causes, without repetition; `out` is cleared first. */
void hd_unfold_causes(const hd_unfolding *u, uint32_t event, hd_unfold_set *out);

/* In the contextual net: the events that looked at a condition that this one changed. They precede it in every
 * configuration with both. */
void hd_unfold_lookers(const hd_unfolding *u, uint32_t event, hd_unfold_set *out);

/* Was it in an execution that was marked as a test, or given up with hd_unfold_give_up? */
bool hd_unfold_is_tested(const hd_unfolding *u, uint32_t event);
void hd_unfold_give_up(hd_unfolding *u, uint32_t event);

/* Is the first a cause of the second, directly or not, or the same? */
bool hd_unfold_precedes(const hd_unfolding *u, uint32_t earlier, uint32_t later);

/* Can both be in one configuration? (In the contextual net three events may fit pairwise but not together.) */
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

/* Its size in bytes. */
size_t hd_unfold_size(const hd_unfolding *u);

/* Names of events and objects in a drawing. */
typedef struct hd_unfold_namer {
    void *context;
    void (*event)(void *context, uint32_t label, char *name, size_t size);
    void (*object)(void *context, uint32_t object, char *name, size_t size);
} hd_unfold_namer;

typedef hd_vec(char) hd_unfold_text;

/* The net as a graph for dot; `out` is cleared first. Of a net with more than `most` events, those that were added
 * first, as a comment says: they have their causes with them. */
void hd_unfold_draw(const hd_unfolding *u, uint32_t most, const hd_unfold_namer *namer, hd_unfold_text *out);

/* --- following an execution ------------------------------------------------------------ */

/* Adds an object with its initial count; returns the number that accesses use for it. */
uint32_t hd_unfold_add_object(hd_unfolding *u, int32_t count);

/* Adds an object that the thread reaches and that others await: its end, its arrival at a barrier. */
uint32_t hd_unfold_add_awaited(hd_unfolding *u, uint16_t thread);

/* The current moment of the execution that is being followed; 0: its start. */
size_t hd_unfold_moment(const hd_unfolding *u);

/* Goes back to that moment: what follows is another execution with the same beginning. */
void hd_unfold_return(hd_unfolding *u, size_t moment);

/* The thread performs its next step: accesses to different objects, at least one (object 0 for a step without effect on
 * others), the branches inside it, and the outcome it has. Returns the event. */
uint32_t hd_unfold_step(hd_unfolding *u, uint16_t thread, hd_unfold_access *accesses, uint32_t count, uint8_t choice,
    uint8_t choices, uint32_t label);

/* Was an access of different groups at the same condition? Then the group depends on what else its step found, the net
 * does not contain everything, and it must be rebuilt with such steps as changes. */
bool hd_unfold_is_contradicted(const hd_unfolding *u);

/* As hd_unfold_step, for a branch: the thread takes a side. If it cannot continue after it (`goes_on` is false: a
 * failed assumption), the side is no event. */
void hd_unfold_branch(hd_unfolding *u, uint16_t thread, hd_unfold_access *branch, bool goes_on, uint32_t label);

/* The last event of `from` precedes the next one of `thread`, because `from` started it or woke it. */
void hd_unfold_order(hd_unfolding *u, uint16_t thread, uint16_t from);

/* The thread has reached the object that others await: its end, a barrier. */
void hd_unfold_reach(hd_unfolding *u, uint16_t thread, uint32_t object);

/* From here on the thread only waits for others to reach something, and ends. It does the same whatever the others have
 * done, so that is no target. */
void hd_unfold_mark_end(hd_unfolding *u, uint16_t thread);
bool hd_unfold_is_at_end(const hd_unfolding *u, uint16_t thread);

/* The thread has waited for the object and continues. */
void hd_unfold_await(hd_unfolding *u, uint16_t thread, uint32_t object);

/* The thread's next step, which begins with this access, was not performed: the execution ended, or the step was
 * withdrawn. */
void hd_unfold_wish(hd_unfolding *u, uint16_t thread, const hd_unfold_access *next, uint32_t count, uint8_t choices);

/* The execution that has been followed is a test: its events count as tested. */
void hd_unfold_mark_tested(hd_unfolding *u);

/* At the end of the execution the thread still awaits `object`. */
void hd_unfold_left_waiting(hd_unfolding *u, uint16_t thread, uint32_t object);

/* Has the thread a wish at its current event? */
bool hd_unfold_has_wish(const hd_unfolding *u, uint16_t thread);

/* The thread's last event. */
uint32_t hd_unfold_at(const hd_unfolding *u, uint16_t thread);

/* --- choosing the next execution --------------------------------------------------------- */

typedef enum hd_unfold_order_of_targets { HD_TARGETS_LAST, HD_TARGETS_RANDOM } hd_unfold_order_of_targets;

/* A schedule that leads to a target, and to further ones that fit into the same execution, for inputs that the judge
 * has permitted; `out` is cleared first. The first `*sure` steps are known events; the rest are predictions. False: no
 * target is left. The execution must be followed before the next call: if it does not reach the target, the target is
 * dropped permanently. */
bool hd_unfold_next(hd_unfolding *u, hd_unfold_order_of_targets order, hd_rng *rng, const hd_unfold_judge *judge,
    hd_unfold_schedule *out, uint32_t *sure);

/* The number of targets of the last schedule. */
size_t hd_unfold_aims(const hd_unfolding *u);

/* To be called after the execution has been followed. False: it did not reach its target. If that was another side of a
 * branch, *side is one of the branch's known sides, otherwise 0. */
bool hd_unfold_finish(hd_unfolding *u, uint32_t *side);

/* The execution should have taken another side of this side's branch and ended before it; `branch` says which side it
 * would have been. Returns that side; 0: it is known already, and the target stays dropped. */
uint32_t hd_unfold_pass_over(hd_unfolding *u, uint32_t side, const hd_unfold_access *branch);

size_t hd_unfold_targets(const hd_unfolding *u);

/* --- blocked states ----------------------------------------------------------------------- */

/* How a thread can stop forever, except at a wish that is not enabled. */
typedef enum hd_stop_kind {
    HD_STOP_WAITS, /* it waits to be woken */
    HD_STOP_NEUTRAL, /* it waits for others to end: that alone is no deadlock */
    HD_STOP_ENDS, /* it has ended */
    HD_STOP_EXITS, /* its step has ended the process without a failure; others may wait for each other in a cycle */
    HD_STOP_LEFT /* it is before such a step, or one that fails: another thread may end the process first */
} hd_stop_kind;

/* The thread may stop forever at its current event. */
void hd_unfold_mark_stop(hd_unfolding *u, uint16_t thread, hd_stop_kind kind, uint32_t key);

/* The execution that has been followed ended in a blocked state: it need not be found again. */
void hd_unfold_mark_blocked(hd_unfolding *u);

/* Finds configurations in which no thread can continue and some thread has not ended, or in which a thread ends the
 * process and the others can stop: one for each set of keys of the threads' stops, together with the holders that they
 * wait for. Sets in `known` are left out; new ones are added to it. Each result is a number of events and then the
 * events. False: the search exceeded `effort`. */
bool hd_unfold_find_deadlocks(
    hd_unfolding *u, uint64_t effort, const hd_unfold_judge *judge, hd_map *known, hd_unfold_set *found);

#endif
