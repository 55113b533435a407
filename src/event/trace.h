/* A trace: an execution with its happens-before relation, kept as a stack. Branches on inputs order nothing and are not
 * part of it (inputs/path.h).
 *
 * Explorers run executions that share long prefixes. A trace is cut back to the shared part and extended by the new
 * steps; both cost time only for the new part. Every item (a step of a thread, or an edge into a thread) has two vector
 * clocks, whose entry for a thread is the number of that thread's steps that happen before it.
 *
 *   full clock   the order of conflicting steps: the Mazurkiewicz trace
 *   sync clock   the order that the program's synchronisation guarantees; conflicting accesses that it does not order
 * are data races
 *
 * Invariant: the n-th step of thread t happens before item i, or is i, iff full(i)[t] >= n.
 *
 * Open for speed: dpor asks for clocks and histories in its innermost loops. */
#ifndef HD_EVENT_TRACE_H
#define HD_EVENT_TRACE_H

#include "base/map.h"
#include "base/vec.h"
#include "event/op.h"
#include "event/plan.h"

enum { HD_NO_ITEM = 0xffffffffu };

typedef enum hd_item_kind { HD_ITEM_STEP, HD_ITEM_EDGE, HD_ITEM_WITHDRAWN } hd_item_kind;

typedef struct hd_item {
    uint8_t kind;
    uint8_t choice, choices;
    uint16_t thread;
    uint16_t flags;
    uint32_t number; /* of a step: its number among the thread's steps, from 1 */
    uint32_t before; /* the thread's previous item, or HD_NO_ITEM */
    uint32_t access; /* of a step: its first access; of a withdrawn operation: its index in `withdrawn`; of edges: the
                        last of them */
    uint32_t access_count;
    uint32_t position; /* of a step: the number of steps before it */
    uint32_t after; /* one more than the position of the last step that happens before it; 0: there is none */
} hd_item;

/* An operation as part of its object's history; parallel to hd_trace.ops. */
typedef struct hd_access {
    uint32_t item;
    uint32_t object;
    uint32_t before; /* the object's previous access, or HD_NO_ITEM */
    uint32_t other; /* the last one before this that conflicts with its kind, or HD_NO_ITEM */
    uint32_t outside; /* if it belongs to a section (hd_ops_are_sections): the last one before it that does not */
    int32_t held; /* the count of the object after it: what all its accesses so far have added (hd_kind_facts.adds) */
} hd_access;

typedef struct hd_race {
    uint32_t first, second; /* accesses */
} hd_race;

/* An edge becomes part of an item when its thread performs a step, or when another thread depends on it. Most edges
 * never do, such as those of the joins at the end. All open edges into a thread then become part of the same item, so
 * they are the last ones of the thread. */
typedef struct hd_trace_edge {
    uint32_t to, from; /* a thread; an item */
    uint32_t before; /* the previous edge into the thread, or HD_NO_ITEM */
    uint32_t accesses; /* the number of accesses before it; it may lie inside a composed step */
    uint32_t item; /* the item that it is part of, or HD_NO_ITEM */
} hd_trace_edge;

/* An index of 64 consecutive steps, as bits: which steps are a thread's, and which access an object. Objects share
 * HD_TRACE_SLOTS slots, and so do threads: a slot's bits are a superset of the steps of one of them. */
enum { HD_TRACE_SLOTS = 64 };
typedef struct hd_trace_index {
    uint64_t touches[HD_TRACE_SLOTS];
    uint64_t changes[HD_TRACE_SLOTS]; /* steps that do more than look */
    uint64_t threads[HD_TRACE_SLOTS]; /* by number, modulo the slots */
} hd_trace_index;

typedef struct hd_trace {
    hd_memory *memory;
    hd_vec(hd_item) items;
    hd_vec(hd_op) ops; /* of all steps; those of one step are next to each other */
    hd_vec(uint64_t) operands; /* parallel to ops: hd_runtime.operands */
    hd_vec(hd_op) withdrawn;
    hd_vec(hd_access) accesses;
    hd_vec(uint32_t) steps; /* the items that are steps, in order */
    hd_vec(hd_trace_index) index; /* one for each 64 steps */
    hd_vec(uint32_t) heads; /* per object: its last access */
    hd_map objects; /* key → number + 1 */
    uint32_t last[HD_MAX_THREADS]; /* per thread: its last item */
    hd_vec(hd_trace_edge) edges;
    uint32_t last_edge[HD_MAX_THREADS]; /* per thread: the last edge into it, or HD_NO_ITEM */
    uint32_t step_count[HD_MAX_THREADS]; /* per thread */
    uint64_t endings[HD_MAX_THREADS]; /* per thread: hd_thread_view.ending */
    uint32_t *clocks; /* per item: `width` full entries, then `width` sync entries */
    size_t clock_room;
    uint32_t width;
    bool races; /* look for data races */
    bool sync_only; /* the owner does not need full clocks */
    hd_vec(hd_race) new_races; /* found by the last extension */
    uint64_t extensions; /* their number; while it is the same, the trace only shrinks */
} hd_trace;

void hd_trace_init(hd_trace *t, hd_memory *memory, bool races);
void hd_trace_fini(hd_trace *t);

/* Keeps the first `steps` steps, and no item after the last of them. */
void hd_trace_cut(hd_trace *t, uint32_t steps);

/* Appends the execution's steps after those that the trace has. False: the execution does not begin with the trace's
 * steps; the program is not deterministic. */
bool hd_trace_extend(hd_trace *t, const hd_execution *e);

/* What must be the same in two runs of one schedule. */
static inline bool hd_trace_same_op(const hd_op *a, const hd_op *b)
{
    return a->thread == b->thread && a->kind == b->kind && a->object == b->object;
}

/* Checks, in time quadratic in the number of operations:
 * - full and sync clocks, and `after`, are what the definition says, with conflicts looked up pair by pair;
 * - items are numbered as their threads did them, and `steps`, `last` and `step_count` agree with them;
 * - the history of each object links all its accesses (before, other, outside, heads) and counts (held);
 * - the index has a bit for each step's thread and operations, and none for steps that were cut;
 * - `before` and `last_edge` link all edges into a thread; the last ones are open, the others in items of the thread.
 */
bool hd_trace_is_valid(const hd_trace *t);

static inline const uint32_t *hd_trace_clock(const hd_trace *t, uint32_t item)
{
    return t->clocks + (size_t)item * 2 * t->width;
}

static inline uint32_t hd_trace_slot(const hd_op *op)
{
    return (uint32_t)(op->object * 0x9e3779b97f4a7c15u >> 58);
}

/* The steps of the word (64 steps) that may conflict with the operation: a superset. */
static inline uint64_t hd_trace_suspects(const hd_trace *t, uint32_t word, const hd_op *op)
{
    const hd_trace_index *index = &t->index.items[word];
    const uint64_t *of_kind = hd_kind_looks(op->kind) ? index->changes : index->touches;
    return hd_kind_exits(op->kind) ? ~0ull : of_kind[hd_trace_slot(op)];
}

/* The last access up to `i` in its object's history that an operation of the kind may conflict with, or HD_NO_ITEM.
 * Operations of one group commute, so those of the kind's own group are skipped, a run of them at once. */
static inline uint32_t hd_trace_history_of_kind(const hd_trace *t, uint32_t i, uint8_t kind)
{
    bool pass = i != HD_NO_ITEM && !hd_kinds_conflict(kind, t->ops.items[i].kind);
    return pass ? t->accesses.items[i].other : i;
}

/* The same for an operation; sections are skipped, too, if it belongs to one. */
static inline uint32_t hd_trace_history(const hd_trace *t, uint32_t i, const hd_op *op)
{
    i = hd_trace_history_of_kind(t, i, op->kind);
    while (i != HD_NO_ITEM && hd_ops_are_sections(&t->ops.items[i], op))
        i = hd_trace_history_of_kind(t, t->accesses.items[i].outside, op->kind);
    return i;
}

/* The previous one, from there. */
static inline uint32_t hd_trace_history_before(const hd_trace *t, uint32_t i, const hd_op *op)
{
    return hd_trace_history(t, t->accesses.items[i].before, op);
}

/* The number of the operation's object in `heads`, or HD_NO_ITEM if it has not been accessed. */
uint32_t hd_trace_object(const hd_trace *t, const hd_op *op);

/* Does step item `a` happen before item `b` (or is it the same)? */
static inline bool hd_trace_before(const hd_trace *t, uint32_t a, uint32_t b)
{
    const hd_item *first = &t->items.items[a];
    return hd_trace_clock(t, b)[first->thread] >= first->number;
}

#endif
