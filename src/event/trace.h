/* A trace: an execution with its happens-before relation, kept as a stack.
 * Branches on inputs order nothing and are not part of it (explore/path.h).
 *
 * Explorers run executions that share long prefixes. A trace is cut back to
 * the shared part and extended by what is new; both cost only the new part.
 * Every item (a step of a thread, or an edge into a thread) has two clocks, a
 * number per thread each: how many of that thread's steps come before it.
 *
 *   full clock   order of conflicting steps: the Mazurkiewicz trace
 *   sync clock   order that the program can rely on: data races are conflicting
 *                accesses that it does not order
 *
 * Invariant: step s of thread t with number n happens before item i iff
 * full(i)[t] >= n.
 */
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
    uint32_t number; /* of a step: how many the thread has done with it */
    uint32_t before; /* the thread's item before this, or HD_NO_ITEM */
    uint32_t access; /* of a step: its first access; of a withdrawn operation: its place in `withdrawn` */
    uint32_t access_count;
    uint32_t position; /* of a step: how many steps came before it */
    uint32_t after; /* one more than the position of the last step that happens before it; 0: none does */
} hd_item;

/* An operation as part of its object's history; parallel to hd_trace.ops. */
typedef struct hd_access {
    uint32_t item;
    uint32_t object;
    uint32_t before; /* the object's access before this, or HD_NO_ITEM */
    uint32_t change; /* the last one before this that does not only look, or HD_NO_ITEM */
} hd_access;

typedef struct hd_race {
    uint32_t first, second; /* accesses */
} hd_race;

/* An edge becomes part of an item when its thread does something, or another
 * thread depends on it: most never do, like those of the joins at the end. */
typedef struct hd_trace_edge {
    uint32_t to, from; /* a thread; an item */
    uint32_t steps; /* how many steps came before it */
    uint32_t item; /* that it is part of, or HD_NO_ITEM */
} hd_trace_edge;

/* Which of 64 steps are a thread's, and which have to do with an object, as bits.
 * Objects share HD_TRACE_SLOTS slots: those steps that might conflict with
 * something on one object are found without looking at the others. */
enum { HD_TRACE_SLOTS = 64 };
typedef struct hd_trace_index {
    uint64_t touches[HD_TRACE_SLOTS];
    uint64_t changes[HD_TRACE_SLOTS]; /* those that do not only look */
    uint64_t threads[HD_MAX_THREADS];
} hd_trace_index;

typedef struct hd_trace {
    hd_memory *memory;
    hd_vec(hd_item) items;
    hd_vec(hd_op) ops; /* of all steps; those of one step are next to each other */
    hd_vec(uint64_t) operands; /* parallel to ops: hd_runtime.operands */
    hd_vec(hd_op) withdrawn;
    hd_vec(hd_access) accesses;
    hd_vec(uint32_t) steps; /* the items that are steps, in order */
    hd_vec(hd_trace_index) index; /* of the first 64 steps, the next, … */
    hd_vec(uint32_t) heads; /* per object: its last access */
    hd_map objects; /* key → number + 1 */
    uint32_t last[HD_MAX_THREADS]; /* per thread: its last item */
    hd_vec(hd_trace_edge) edges;
    uint32_t open_edges[HD_MAX_THREADS]; /* per thread: edges that are in no item yet */
    uint32_t step_count[HD_MAX_THREADS]; /* per thread */
    uint32_t *clocks; /* per item: `width` full entries, then `width` sync entries */
    size_t clock_room;
    uint32_t width;
    bool races; /* look for data races */
    bool sync_only; /* whoever keeps it does not need the full clocks */
    hd_vec(hd_race) new_races; /* found by the last extension */
    uint64_t extensions; /* so far: between two, nothing moves */
} hd_trace;

void hd_trace_init(hd_trace *t, hd_memory *memory, bool races);
void hd_trace_fini(hd_trace *t);

/* Keeps the first `steps` steps, and nothing that came after the last of them. */
void hd_trace_cut(hd_trace *t, uint32_t steps);

/* Appends what the execution did beyond what the trace has; its beginning must
 * be what the trace has (false: it is not, the program is not deterministic). */
bool hd_trace_extend(hd_trace *t, const hd_execution *e);

/* What two runs of one schedule must agree on. */
static inline bool hd_trace_same_op(const hd_op *a, const hd_op *b)
{
    return a->thread == b->thread && a->kind == b->kind && a->object == b->object;
}

/* Checks, in time quadratic in the number of operations:
 * - full and sync clocks, and `after`, are what the definition says, with conflicts looked up pair by pair;
 * - items are numbered as their threads did them, and `steps`, `last` and `step_count` agree with them;
 * - the history of each object links all its accesses (before, change, heads);
 * - the index has a bit for each step's thread and operations, and none for steps that were cut;
 * - an edge is open or in an item of its thread, and `open_edges` counts the open ones. */
bool hd_trace_is_valid(const hd_trace *t);

static inline const uint32_t *hd_trace_clock(const hd_trace *t, uint32_t item)
{
    return t->clocks + (size_t)item * 2 * t->width;
}

static inline uint32_t hd_trace_slot(const hd_op *op)
{
    return (uint32_t)(op->object * 0x9e3779b97f4a7c15u >> 58);
}

/* Of steps 64 * word and on, those that may conflict with the operation, and
 * perhaps others. */
static inline uint64_t hd_trace_suspects(const hd_trace *t, uint32_t word, const hd_op *op)
{
    const hd_trace_index *index = &t->index.items[word];
    const uint64_t *of_kind = hd_kind_looks(op->kind) ? index->changes : index->touches;
    return hd_kind_exits(op->kind) ? ~0ull : of_kind[hd_trace_slot(op)];
}

/* The last access up to `i` in its object's history that an operation of the kind
 * may conflict with, or HD_NO_ITEM: those that only look do not conflict with
 * each other. */
static inline uint32_t hd_trace_history(const hd_trace *t, uint32_t i, uint8_t kind)
{
    bool pass = i != HD_NO_ITEM && hd_kind_looks(kind) && hd_kind_looks(t->ops.items[i].kind);
    return pass ? t->accesses.items[i].change : i;
}

/* The one before it. */
static inline uint32_t hd_trace_history_before(const hd_trace *t, uint32_t i, uint8_t kind)
{
    return hd_kind_looks(kind) ? t->accesses.items[i].change : t->accesses.items[i].before;
}

/* The number of the operation's object in `heads`, or HD_NO_ITEM if nothing was done with it. */
uint32_t hd_trace_object(const hd_trace *t, const hd_op *op);

/* Does step item `a` happen before item `b` (or is it the same)? */
static inline bool hd_trace_before(const hd_trace *t, uint32_t a, uint32_t b)
{
    const hd_item *first = &t->items.items[a];
    return hd_trace_clock(t, b)[first->thread] >= first->number;
}

#endif
