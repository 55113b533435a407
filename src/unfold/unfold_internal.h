/* The inside of an unfolding; only for the files of this folder.
 *
 * Everything is in arrays and refers to each other by number; 0 is none, or the root. Invariants: causes have smaller
 * numbers than their effects; a node's depth is one more than its parent's; clock(e)[t] is the last event of thread t
 * among e and its causes.
 *
 * An object is *contended* once some wish has met two of its conditions. Only then can it be the only reason for a
 * conflict between two events, and only then do events track it: column(e)[slot] holds the last condition of the object
 * that e's causes have established, and the last access of e's own thread to it that made no condition (one of a
 * group). Only the first contended objects have columns of this kind; see rows.c for the others.
 *
 *   net.c            trees with skip pointers, clocks, columns
 *   rows.c           columns of many objects
 *   follow.c         following an execution: wishes, steps, orders
 *   meet.c, sets.c   meetings of wishes with conditions, and with sets of commuting accesses
 *   fit.c            whether events and wishes fit into one configuration
 *   configuration.c  causes, configurations, schedules
 *   choose.c         targets, and the schedule of the next execution
 *   await.c, side.c  joins and barriers; branches on inputs
 *   crowd.c          indexes for long lists
 *   stops.c, deadlock.c  blocked states */
#ifndef HD_UNFOLD_UNFOLD_INTERNAL_H
#define HD_UNFOLD_UNFOLD_INTERNAL_H

#include "base/error.h"
#include "base/map.h"
#include "unfold/unfold.h"

enum { HD_GROUP_UNKNOWN = 254, HD_NO_SLOT = 0xffffffffu, HD_NO_TREE = 0xffffffffu, HD_NOT_STARTED = 0xffffffffu };

typedef enum event_kind { EVENT_STEP, EVENT_BRANCH, EVENT_ORDER, EVENT_AWAIT, EVENT_PROSPECT } event_kind;

typedef struct event {
    uint32_t before, jump, depth; /* in the tree of its thread */
    uint32_t cause; /* of a step, a branch, an await: its last meeting; of an order: the other thread's event */
    uint32_t access; /* its first */
    uint32_t wishes; /* for the next access of its thread: the first, through wish.sibling */
    uint32_t label;
    uint32_t access_count;
    uint16_t thread;
    uint8_t kind, choice;
    bool ends : 1; /* hd_unfold_mark_end: from here on, what its thread awaits makes no difference */
    bool tested : 1; /* see hd_unfold_mark_tested */
    bool has_sibling : 1; /* another outcome of the same meeting, in `siblings` */
    bool exits : 1; /* it ends the process: its accesses make no conditions and are in no list */
    uint8_t stops : 5; /* bits by hd_stop_kind: how its thread may stop here */
} event;

typedef struct access {
    uint32_t event;
    uint32_t found; /* the condition that it found */
    uint32_t link; /* alone: the condition that it made; of a group: the previous access at the same condition */
    int32_t adds : 24;
    uint32_t group : 8;
} access;

typedef struct condition {
    uint32_t parent, jump;
    uint32_t depth : 31, closed : 1;
    uint32_t object;
    uint32_t maker; /* the event that made it, 0: the root; of a closed set: its index in `sets` */
    uint32_t child, sibling;
    uint32_t group_accesses; /* that found it and made no condition: the last, through access.link */
    uint32_t meetings; /* at it, through meeting.next */
    int32_t count; /* the count of its object; of a side's condition, the side */
} condition;

typedef struct wish {
    uint32_t
        cone; /* the event that its thread is at, or a prospect after it: stands for everything that must precede */
    uint32_t after; /* the meeting of the same step before it; 0: it is the first */
    uint32_t sibling;
    uint32_t object;
    union {
        uint32_t key;
        uint32_t sides; /* of a branch: the side that was added last */
    };
    uint32_t group : 8, needs : 4, choices : 8;
    uint32_t unsure : 1, awaits : 1, branches : 1;
    uint32_t met : 2; /* the number of conditions that it has met, up to 2 */
} wish;

typedef enum meeting_status { MEETING_SHUT, MEETING_TARGET, MEETING_DONE, MEETING_DROPPED } meeting_status;

typedef struct meeting {
    uint32_t wish, condition;
    uint32_t next; /* at the same condition */
    uint32_t next_step; /* the events that result from it, see next_outcome; or wishes for the step's next access */
    uint8_t status, group;
    bool continues; /* the step has more accesses */
} meeting;

/* A side of a branch. Its condition belongs to no object and exists only for its meeting: it orders nothing. The branch
 * also meets condition 0, which stands for all unknown sides. */
typedef struct side {
    uint64_t value;
    uint32_t condition;
    uint32_t next; /* of the same branch */
} side;

typedef struct target {
    uint32_t meeting;
    uint8_t choice;
} target;

/* An event in the tree of its thread: its first child, its parent's next. */
typedef struct successors {
    uint32_t child, beside;
} successors;

typedef struct column {
    uint32_t condition, access;
} column;

/* The first HD_WIDE_ROW slots are columns in the rows of events; a slot with HD_DEEP_SLOT is the number of an object
 * that deep rows track. */
enum { HD_WIDE_ROW = 32, HD_ROW_FAN = 16 };
#define HD_DEEP_SLOT 0x80000000u

typedef struct row_node {
    uint32_t items[HD_ROW_FAN]; /* nodes; on the lowest level, conditions or accesses by object */
} row_node;

typedef struct deep_row {
    uint32_t conditions, accesses;
} deep_row;

typedef struct object {
    uint32_t root, slot;
    bool mixed; /* it has groups of accesses other than looks */
    bool awaited;
    bool wished, shared; /* one thread, or several, have wished for it */
    uint16_t thread; /* of an awaited object: the thread that reaches it; otherwise the first that wished for it */
    /* in the execution that is being followed: */
    uint32_t at; /* its current condition */
    uint32_t open; /* accesses of one group that found that condition: the last, through links */
} object;

/* A hash table of numbers; keys are computed from what a number stands for. One byte of the hash is stored beside each
 * number, which avoids most comparisons with other entries. */
typedef struct hd_hash_index {
    uint32_t *slots;
    uint8_t *tags; /* 0: the slot is empty */
    size_t room, count;
} hd_hash_index;

/* Lists that may be long while few of their elements fit one event; see hd_unfold_gather. */
typedef enum hd_crowd_list {
    HD_CROWD_MEETINGS, /* at a condition */
    HD_CROWD_ACCESSES, /* of groups, at a condition */
    HD_CROWD_CHILDREN, /* of a condition */
    HD_CROWD_EVENTS /* after an event; and on from here, by thread, after event 0 */
} hd_crowd_list;

typedef struct crowd {
    hd_crowd_list list;
    uint32_t tree; /* by which the elements are indexed; HD_NO_TREE: none distinguishes them */
    uint32_t count, room; /* when `count` reaches `room`, the tree is chosen again */
    uint32_t highest, deepest; /* the smallest and largest depth of their keys in the tree */
} crowd;

typedef struct crowd_entry {
    uint32_t crowd, key, number;
    uint32_t next; /* with the same key */
} crowd_entry;

typedef struct hd_crowds {
    hd_vec(crowd) list; /* from 1 */
    hd_vec(crowd_entry) entries; /* from 1 */
    hd_hash_index index; /* crowd and key → the first entry */
    hd_map of; /* list and condition, or event → crowd */
    hd_vec(uint8_t) marked; /* per condition: which of its lists are crowds, by bit */
} hd_crowds;

typedef struct hd_unfold_stop {
    uint32_t event, key;
    hd_stop_kind kind;
} hd_unfold_stop;

typedef struct link {
    uint32_t access, next;
} link;

/* The state of a thread or an object before a change by the followed execution, to undo it. */
typedef struct change {
    uint32_t number;
    bool is_thread;
    uint32_t at;
    union {
        uint32_t open; /* of an object */
        uint32_t to; /* the thread's new event */
    };
    uint32_t links; /* the number of links before */
} change;

typedef struct pair {
    uint32_t wish, condition;
} pair;

struct hd_unfolding {
    hd_net net;
    hd_memory *memory;
    hd_vec(event) events;
    hd_vec(access) accesses;
    hd_vec(condition) conditions;
    hd_vec(wish) wishes;
    hd_vec(meeting) meetings;
    hd_vec(side) sides; /* from 1 */
    hd_vec(object) objects;
    hd_vec(uint32_t) sets; /* closed sets, from 1: the number of accesses, then the accesses */
    hd_map siblings; /* events → another outcome of the same meeting */
    hd_vec(uint32_t) slots; /* contended objects */
    uint32_t *clocks; /* per event */
    size_t clock_room, clock_width;
    column *columns; /* per event */
    size_t column_room, column_width;
    uint32_t most_columns; /* HD_WIDE_ROW, or fewer */
    hd_vec(deep_row) rows; /* per event; empty until there are too many contended objects for columns */
    hd_vec(row_node) nodes;
    uint32_t row_levels;
    hd_vec(uint32_t) mixed; /* the objects in deep rows that are `mixed` */
    hd_vec(uint32_t) fresh; /* scratch room of rows.c */
    hd_hash_index met, closed, orders, reached;
    uint32_t steps;
    uint64_t comparisons; /* of two pasts in one tree */
    bool contradicted; /* see hd_unfold_is_contradicted */

    hd_vec(successors) successors; /* per event; empty unless hd_unfold_know_successors has been called */
    hd_vec(uint32_t) first_events; /* per thread: the first child of 0 */
    bool keeps_successors; /* between searches for blocked states, too */
    hd_vec(uint32_t) starts; /* of threads */
    hd_vec(hd_unfold_stop) stops;
    hd_map blocked; /* states that executions have ended in */
    hd_map held; /* wish of a step that ends a waiting loop → the accesses that follow, see hold() */
    hd_vec(hd_unfold_access) held_accesses;
    hd_crowds crowds;
    hd_unfold_set near; /* gathered elements: a stack */
    uint32_t usual_tree; /* the tree of the last crowd, the first candidate for the next */
    hd_unfold_set prospects; /* for the search for blocked states */

    hd_vec(target) targets;
    hd_vec(target) aims; /* of the execution that is being followed: it must reach the first */
    uint32_t vain_tries; /* by so many fewer further targets are tried, because none fitted lately */
    uint32_t last_side; /* if the first aim is another side of a branch: the last known side */
    hd_unfold_literals literals;
    hd_vec(pair) work; /* wishes that may meet conditions */

    hd_vec(uint32_t) at; /* per thread: its event, or ~0 if it has not started */
    hd_vec(link) links;
    hd_vec(change) changes; /* since the start */
    uint32_t spare; /* a prospect for the union of the aims' pasts */
    hd_unfold_set scratch, candidates, chosen, found;
    hd_vec(uint32_t) marks, takers; /* per event, per condition: see configuration.c */
    uint32_t mark;
};

/* --- trees and clocks (net.c) --- */

static inline uint32_t *clock_of(const hd_unfolding *u, uint32_t e)
{
    return u->clocks + (size_t)e * u->clock_width;
}

static inline column *columns_of(const hd_unfolding *u, uint32_t e)
{
    return u->columns + (size_t)e * u->column_width;
}

static inline bool is_deep(uint32_t slot)
{
    return slot != HD_NO_SLOT && (slot & HD_DEEP_SLOT);
}

static inline uint32_t object_in(const hd_unfolding *u, uint32_t slot)
{
    return is_deep(slot) ? slot & ~HD_DEEP_SLOT : u->slots.items[slot];
}

uint32_t hd_unfold_row_get(const hd_unfolding *u, uint32_t row, uint32_t key);

/* The event's column in any slot: the condition, and the access. */
static inline uint32_t condition_in(const hd_unfolding *u, uint32_t e, uint32_t slot)
{
    if (!is_deep(slot))
        return columns_of(u, e)[slot].condition;
    uint32_t number = slot & ~HD_DEEP_SLOT, c = hd_unfold_row_get(u, u->rows.items[e].conditions, number);
    return c ? c : u->objects.items[number].root;
}

static inline uint32_t access_in(const hd_unfolding *u, uint32_t e, uint32_t slot)
{
    return is_deep(slot) ? hd_unfold_row_get(u, u->rows.items[e].accesses, slot & ~HD_DEEP_SLOT)
                         : columns_of(u, e)[slot].access;
}

/* The condition that the access made; 0: none, it is one of a group. */
static inline uint32_t made_by(const access *a)
{
    return a->group == HD_GROUP_ALONE ? a->link : 0;
}

/* The event that made the condition; 0: the root, or a closed set. */
static inline uint32_t maker_of(const hd_unfolding *u, uint32_t c)
{
    const condition *k = &u->conditions.items[c];
    return k->closed ? 0 : k->maker;
}

static inline bool is_closed(const condition *c)
{
    return c->closed;
}

static inline uint32_t set_size(const hd_unfolding *u, const condition *c)
{
    return c->closed ? u->sets.items[c->maker] : 0;
}

/* The accesses of a closed set. */
static inline const uint32_t *set_of(const hd_unfolding *u, const condition *c)
{
    return &u->sets.items[c->maker + 1];
}

/* Another outcome of the meeting that the event results from; 0: none. */
static inline uint32_t next_outcome(const hd_unfolding *u, uint32_t e)
{
    return u->events.items[e].has_sibling ? (uint32_t)*hd_map_get(&u->siblings, e) : 0;
}

/* The event that the wish's thread is at. */
static inline uint32_t event_of(const hd_unfolding *u, const wish *w)
{
    uint32_t e = w->cone;
    while (u->events.items[e].kind == EVENT_PROSPECT)
        e = u->events.items[e].before;
    return e;
}

uint32_t hd_unfold_event_at_depth(const hd_unfolding *u, uint32_t e, uint32_t depth);
uint32_t hd_unfold_condition_at_depth(const hd_unfolding *u, uint32_t c, uint32_t depth);

/* The number of the side that the meeting is with. */
static inline uint32_t side_at(const hd_unfolding *u, const meeting *m)
{
    return (uint32_t)u->conditions.items[m->condition].count;
}

/* A new event; only its position in its thread's tree is set. */
uint32_t hd_unfold_new_event(hd_unfolding *u, event_kind kind, uint16_t thread, uint32_t before);

/* From now on the children of events are known, until hd_unfold_forget_successors, unless `keeps_successors`. */
void hd_unfold_know_successors(hd_unfolding *u);
void hd_unfold_forget_successors(hd_unfolding *u);

/* The thread's first event after this one, which is one of its own or 0, through `beside`. */
static inline uint32_t hd_unfold_event_after(const hd_unfolding *u, uint32_t e, uint32_t thread)
{
    return e ? u->successors.items[e].child : thread < u->first_events.count ? u->first_events.items[thread] : 0;
}

/* Adds the other event and its causes to e's clock and columns. */
void hd_unfold_join(hd_unfolding *u, uint32_t e, uint32_t with);
void hd_unfold_join_condition(hd_unfolding *u, uint32_t e, uint32_t c);

uint32_t hd_unfold_new_condition(hd_unfolding *u, uint32_t object, uint32_t parent, uint32_t event, int32_t count);

/* From now on events track the object. */
void hd_unfold_contend(hd_unfolding *u, uint32_t object);

/* Computes the event's column in a slot from its causes. */
void hd_unfold_fill_in(hd_unfolding *u, uint32_t e, uint32_t slot);

/* --- many objects (rows.c) --- */

/* From now on events track all objects. */
void hd_unfold_track_all(hd_unfolding *u);

/* There is an object with this number. */
void hd_unfold_row_reach(hd_unfolding *u, uint32_t number);

/* Adds what the other event's past has established; before their clocks are joined. */
void hd_unfold_row_join(hd_unfolding *u, uint32_t e, uint32_t with);

void hd_unfold_row_put(hd_unfolding *u, uint32_t e, uint32_t number, column c);
bool hd_unfold_rows_agree(hd_unfolding *u, uint32_t a, uint32_t b);

/* Computes the event's deep row from its causes; is the one that it has the same? */
void hd_unfold_row_compute(hd_unfolding *u, uint32_t e);
bool hd_unfold_row_is_valid(hd_unfolding *u, uint32_t e);

/* --- validity (valid.c) --- */

/* After each new event or condition: in debug builds, is everything valid? */
void hd_unfold_check(hd_unfolding *u);

/* --- what fits (fit.c) --- */

/* Are both on one path of each tree? In all nets but the contextual one that means that they fit into one
 * configuration. */
bool hd_unfold_trees_agree(hd_unfolding *u, uint32_t a, uint32_t b);

/* Are the pasts of a and b, whose last conditions of the object are x and y, on one path of the object's tree? */
bool hd_unfold_agree_at(const hd_unfolding *u, uint32_t a, uint32_t x, uint32_t b, uint32_t y, uint32_t slot);

/* Can the wish be fulfilled after the event as well? */
bool hd_unfold_wish_fits(hd_unfolding *u, uint32_t w, uint32_t e);

/* Has e's past an access to the object after the condition that the meeting's access finds? */
bool hd_unfold_is_beyond(const hd_unfolding *u, uint32_t m, uint32_t e);

/* Has e's past changed what earlier accesses of the wish's step found? */
bool hd_unfold_overtakes(const hd_unfolding *u, uint32_t w, uint32_t e);

/* A change comes after the looks in its past. If there were no other looks, no set is made for them: the change finds
 * the condition before them ("A thread's own reads" in docs/algorithms/unfold.md). */
static inline bool is_implied(uint8_t before, uint8_t group)
{
    return before == HD_GROUP_LOOKS && group == HD_GROUP_ALONE;
}

/* --- configurations (configuration.c) --- */

/* For sorting sets. */
int hd_unfold_by_number(const void *a, const void *b);

/* Adds the direct causes of the event, with repetitions. */
void hd_unfold_add_causes(const hd_unfolding *u, uint32_t e, hd_unfold_set *out);

/* Adds the events that made the condition. */
void hd_unfold_condition_causes(const hd_unfolding *u, uint32_t c, hd_unfold_set *out);

/* --- following (follow.c) --- */

void hd_unfold_move_thread(hd_unfolding *u, uint16_t thread, uint32_t event);
void hd_unfold_move_object(hd_unfolding *u, uint32_t number, uint32_t condition);

/* The thread's wish for the access at the event, after a meeting of the same step or 0; made if it is new. */
uint32_t hd_unfold_wish_at(
    hd_unfolding *u, uint32_t event, uint32_t after, const hd_unfold_access *a, uint8_t choices, bool awaits);

/* A new event of the thread that results from the meeting. */
uint32_t hd_unfold_new_outcome(hd_unfolding *u, event_kind kind, uint16_t thread, uint32_t m, uint8_t choice);

/* The step that begins at this meeting would end a waiting loop, and what it finds there does not end it; its next
 * access may ("Waiting loops" in docs/algorithms/unfold.md). False: there is no further access. */
bool hd_unfold_look_further(hd_unfolding *u, uint32_t m);

/* --- sets (sets.c) --- */

/* The condition after this set of accesses that found `c`. */
uint32_t hd_unfold_closed(hd_unfolding *u, uint32_t c, const uint32_t *set, uint32_t count);
uint8_t hd_unfold_group_of_set(const hd_unfolding *u, uint32_t closed);

/* An access that commutes with the closed set finds the condition before it; so does one for which the set is implied.
 * It meets the set only to reach the conditions after it. */
bool hd_unfold_passes(const hd_unfolding *u, uint32_t w, uint32_t closed, uint8_t group);

/* Can the wish be fulfilled after all accesses of the closed set? */
bool hd_unfold_set_fits(hd_unfolding *u, uint32_t w, uint32_t closed);

/* Adds to `work` the sets of accesses of the group that can come between the meeting's condition and its access; if
 * `must` is not 0, only those with that access. */
void hd_unfold_choose_sets(hd_unfolding *u, uint32_t m, uint8_t group, uint32_t must);

/* The same for each group that the access at the meeting does not commute with. */
void hd_unfold_choose_all_sets(hd_unfolding *u, uint32_t m);

/* --- meetings (meet.c) --- */

uint32_t hd_unfold_find_meeting(const hd_unfolding *u, uint32_t w, uint32_t c);

/* The meeting of the two, without a check that they fit; made if it is new. */
uint32_t hd_unfold_meet(hd_unfolding *u, uint32_t w, uint32_t c);

/* Finds all conditions that the wish meets, from the first one down. */
void hd_unfold_seek(hd_unfolding *u, uint32_t w, uint32_t first);

/* An execution has shown that the access is of this group at this meeting. */
void hd_unfold_settle(hd_unfolding *u, uint32_t m, uint8_t group);

/* Makes a meeting of each pair in `work`, and finds those that follow. The conditions after a closed set are searched
 * only if the set is `first`. */
void hd_unfold_work_off(hd_unfolding *u, uint32_t first);

/* Finds the wishes that meet a new condition, or a set with a new access. */
void hd_unfold_offer_condition(hd_unfolding *u, uint32_t c);
void hd_unfold_offer_access(hd_unfolding *u, uint32_t a);

/* Is the access of the meeting enabled there? */
bool hd_unfold_is_enabled(const hd_unfolding *u, const meeting *m);

/* Is the event at or after the end of its thread (event.ends), with only awaits in between? */
bool hd_unfold_is_behind_end(const hd_unfolding *u, uint32_t e);

void hd_unfold_add_target(hd_unfolding *u, uint32_t m, uint8_t choice);
bool hd_unfold_is_open(const hd_unfolding *u, const target *t);

/* --- crowds (crowd.c) ---
 *
 * Most conditions have few meetings, accesses and children. Some have as many as there are executions: the end of a
 * thread that others wait for, a condition variable before the first signal with a waiter. Events that fit are on one
 * path of the tree of each thread and of each contended object (see above). So the elements of a long list are indexed
 * by a *key*: the position of their past in the tree that distinguishes most of them. What fits an event is found by
 * going up and down that tree from the event's own key. */

void hd_unfold_open_crowds(hd_unfolding *u);
void hd_unfold_close_crowds(hd_unfolding *u);
size_t hd_unfold_size_of_crowds(const hd_unfolding *u);

/* Has each crowd all that is in its list, under its key? Part of hd_unfold_is_valid. */
bool hd_unfold_crowds_are_valid(const hd_unfolding *u);

/* Adds a new meeting, access or child of the condition to its crowd, if the list is one. It must be in the list
 * already, and the past of its event must not change any more. */
void hd_unfold_enter(hd_unfolding *u, hd_crowd_list list, uint32_t c, uint32_t number);

/* Pushes onto u->near all elements of the list at the condition, or after the event, that can fit `cone`, or be in its
 * past; and some that do not. Returns the index of the first; the caller pops them. */
size_t hd_unfold_gather(hd_unfolding *u, hd_crowd_list list, uint32_t at, uint32_t cone);
size_t hd_unfold_gather_past(hd_unfolding *u, hd_crowd_list list, uint32_t at, uint32_t cone);

/* The list of the thread's events after this one, which is one of its own or 0. */
static inline hd_crowd_list events_of(uint32_t thread)
{
    return HD_CROWD_EVENTS + thread;
}

/* --- waiting (await.c) --- */

/* The condition of an awaited object that the event has made; 0: none. */
uint32_t hd_unfold_find_reached(const hd_unfolding *u, uint32_t object, uint32_t event);

/* --- branches on inputs (side.c) --- */

/* The meeting of a branch with the side that is taken; it is made if it is not known. */
uint32_t hd_unfold_take_side(hd_unfolding *u, uint32_t w, hd_unfold_access *a);

/* Is the target another side of a branch? */
static inline bool is_other_side(const hd_unfolding *u, const target *t)
{
    return u->wishes.items[u->meetings.items[t->meeting].wish].branches;
}

/* Adds to `out` the events that must precede the target; their causes are left out. */
void hd_unfold_causes_of_target(const hd_unfolding *u, const target *t, hd_unfold_set *out);

/* The constraint of the target: the sides taken before it, and, if it is another side of a branch, that none of the
 * known sides is taken. */
void hd_unfold_literals_of(hd_unfolding *u, const target *t, hd_unfold_literals *out);

/* --- index.c --- */

void hd_hash_index_fini(hd_hash_index *x, hd_memory *memory);

/* Does the number stand for that thing? */
typedef bool hd_hash_index_is(const hd_unfolding *u, uint32_t number, const void *thing);

static inline uint8_t hd_hash_index_tag(uint64_t hash)
{
    return (uint8_t)(hash >> 56 | 1);
}

/* The number of the thing, or 0. */
static inline uint32_t hd_hash_index_find(
    const hd_hash_index *x, uint64_t hash, hd_hash_index_is *is, const void *thing, const hd_unfolding *u)
{
    size_t mask = x->room - 1, i = hash & mask;
    if (!x->room)
        return 0;
    for (uint8_t tag = hd_hash_index_tag(hash); x->tags[i]; i = (i + 1) & mask)
        if (x->tags[i] == tag && is(u, x->slots[i], thing))
            return x->slots[i];
    return 0;
}
void hd_hash_index_add(hd_hash_index *x, hd_memory *memory, uint64_t hash, uint32_t number,
    uint64_t (*hash_of)(const hd_unfolding *, uint32_t), const hd_unfolding *u);

#endif
