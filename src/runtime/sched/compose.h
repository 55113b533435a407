/* Composition: an *invisible* operation continues the step of its thread instead of beginning one of its own, so the
 * scheduler decides at visible operations only (docs/algorithms/sss.md).
 *
 * Invisible are plain accesses to memory, which the lock discipline protects, giving back a lock, and signals that a
 * mutex protects: the thread holds the mutex with which all threads wait, and the signal has no choice. Everything else
 * is visible, and so is
 *   - the first operation of a thread, and the first one after it has joined another or was woken: what comes before it
 *     is no operation that it could continue;
 *   - the one after an operation that chooses, sleeps or wakes: dpor could not tell what the rest of such a step does
 * in another place;
 *   - giving back a lock whose state some thread looks at without waiting for it: one that is tried, initialised or
 *     destroyed in some run while several threads exist. That is learned: a composed run in which it is found does not
 *     count;
 *   - signalling a condition variable that in some run threads wait for with different mutexes or with a time limit,
 *     that is signalled without the mutex or while several threads wait, or that is initialised or destroyed while
 *     several threads exist. That is learned in the same way, and so is the mutex.
 *
 * With the option `exits`, for comparison, taking a lock is invisible, and giving one back ends the step.
 *
 * A program that asks for inputs is not composed: a step that branches on inputs between two of its operations is more
 * than explorers of inputs expect. Nor is one with annotations (unshared.h, claims), which make steps of their own.
 * That is learned, too.
 *
 * If a step takes a lock and gives it back, both operations have the flag HD_OP_SECTION.
 *
 * A step is a set of operations. So an access that *repeats* others is not logged: if the step has accessed the same
 * bytes before, and written them if the access writes, and if it has not given back a lock or told others of a block in
 * between (check/lockset.h depends on that). It still counts for --depth. Likewise, a write to exactly the bytes that
 * the step has read *joins* the read, whose entry of the log becomes the write: a write conflicts with all that a read
 * conflicts with, and the locks that protect it protect the read. Not if time passes: the write would have to catch up
 * with other threads. */
#ifndef HD_RUNTIME_SCHED_COMPOSE_H
#define HD_RUNTIME_SCHED_COMPOSE_H

#include "runtime/reset/heap.h"
#include "runtime/sched/access.h"
#include "runtime/sched/log.h"
#include "runtime/sched/passing.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/spin.h"
#include "runtime/sched/unshared.h"

/* What composition asks about each operation, as bits by its kind: can the operation begin a step that others continue,
 * can it continue a step, can it look at a lock? A kind without the bit needs no further questions. */
enum { HD_COMPOSE_BEGINS = 1, HD_COMPOSE_CONTINUES = 2, HD_COMPOSE_LOOKS = 4 };
extern uint8_t hd_compose_kinds[HD_OP_KINDS];

/* Once, before the first run. */
void hd_compose_init(void);

/* Are steps composed in this run? */
static inline int hd_composes(void)
{
    return hd_rt.options->compose == HD_COMPOSES_NOW && !hd_known->asks && !hd_unshared_count;
}

/* The program asks for an input, or uses an annotation. */
void hd_compose_ask(void);

/* Does the operation end the step of its thread? */
int hd_compose_ends(const hd_op *op);

/* May the pending operation of the thread continue its step? Then hd_compose decides. */
static inline int hd_compose_may(const hd_thread *t)
{
    return t->goes_on && hd_compose_kinds[t->view->pending.kind] & HD_COMPOSE_CONTINUES;
}

/* If the pending operation of the thread, which is enabled and may continue its step, is invisible: performs it as part
 * of the step. */
int hd_compose(hd_thread *t);

/* The accesses of the current step, by cells; those of which others could be repeats. Valid are entries that were made
 * since the last call of hd_compose_forget: since then, the current thread has done nothing but composed accesses. */
enum { HD_COMPOSE_CELLS = 128 };
typedef struct hd_composed_cell {
    uint64_t cell, since;
    uint64_t address; /* of its last access, … */
    uint32_t entry; /* … which is in the log here, … */
    uint8_t size; /* … the number of its bytes, … */
    uint8_t read; /* … and these bytes, if it is a read */
    uint8_t accessed, written; /* bytes */
} hd_composed_cell;
extern hd_composed_cell hd_composed_cells[HD_COMPOSE_CELLS];
extern uint64_t hd_compose_since;

/* No later access is a repeat of those so far. */
static inline void hd_compose_forget(void)
{
    hd_compose_since++;
}

static inline hd_composed_cell *hd_composed_cell_of(uint64_t cell)
{
    return &hd_composed_cells[(cell >> 3 ^ cell >> 10) % HD_COMPOSE_CELLS];
}

/* A write to the bytes of the cell joins the last access to it, if that has read exactly these. Returns it, or NULL. */
static inline const hd_op *hd_compose_join(hd_composed_cell *c, uint8_t mask, hd_op_kind kind, const hd_site *site)
{
    if (c->read != mask || hd_time_passes)
        return NULL;
    hd_op *read = &hd_rt.log[c->entry];
    read->kind = (uint8_t)kind;
    read->site = site;
    c->read = 0;
    c->written |= mask;
    return read;
}

static inline void hd_compose_count(void)
{
    hd_current->logged++;
    hd_current->repeated++;
}

/* If the current thread's plain access repeats others, or is a write that joins a read: counts it. */
static inline int hd_compose_repeats(uint64_t cell, uint8_t mask, hd_op_kind kind, const hd_site *site)
{
    hd_composed_cell *c = hd_composed_cell_of(cell);
    int looks = hd_kind_looks((uint8_t)kind);
    if (c->cell != cell || c->since != hd_compose_since || hd_current->logged >= hd_rt.options->settings.depth)
        return 0;
    if (mask & ~(looks ? c->accessed : c->written)) {
        const hd_op *joined = looks ? NULL : hd_compose_join(c, mask, kind, site);
        if (!joined)
            return 0;
        hd_spin_note(joined);
    }
    hd_compose_count();
    return 1;
}

/* The same for an access to exactly the bytes of the last one to its cell, as most repeats and joins are, while no
 * thread waits in a loop. It calls no function, so that the hook saves few registers. */
static inline int hd_compose_repeats_last(uint64_t address, uint32_t size, hd_op_kind kind, const hd_site *site)
{
    hd_composed_cell *c = hd_composed_cell_of(address);
    if (c->address != address || c->size != size || c->since != hd_compose_since || hd_spin_armed
        || hd_current->logged >= hd_rt.options->settings.depth)
        return 0;
    if (!hd_kind_looks((uint8_t)kind) && c->read && !hd_compose_join(c, c->read, kind, site))
        return 0;
    hd_compose_count();
    return 1;
}

/* A plain access, which has this entry of the log, continues the step of its thread. */
static inline void hd_compose_access(uint64_t cell, uint8_t mask, int writes, uint32_t entry)
{
    hd_composed_cell *c = hd_composed_cell_of(cell);
    if (hd_rt.options->repeats)
        return;
    if (c->cell != cell || c->since != hd_compose_since)
        *c = (hd_composed_cell) { .cell = cell, .since = hd_compose_since };
    c->address = cell + (uint32_t)__builtin_ctz(mask);
    c->size = (uint8_t)(32 - __builtin_clz(mask) - __builtin_ctz(mask)); /* the bytes of an access are contiguous */
    c->entry = entry;
    c->accessed |= mask;
    c->written |= writes ? mask : 0;
    c->read = writes ? 0 : mask;
}

/* Performs a plain access of the current thread, which continues its step and is an entry of the log and nothing
 * else. */
static inline void hd_compose_flow(hd_op_kind kind, uint64_t cell, uint64_t object, uint8_t mask, const hd_site *site)
{
    hd_thread *t = hd_current;
    uint32_t at = *hd_rt.log_count;
    hd_op *op = &hd_rt.log[at];
    hd_compose_access(cell, mask, !hd_kind_looks((uint8_t)kind), at);
    *op = (hd_op) { .object = object,
        .site = site,
        .thread = (uint16_t)t->id,
        .kind = (uint8_t)kind,
        .mask = mask,
        .flags = HD_OP_CONTINUES | HD_OP_COMPOSED };
    if (UNLIKELY(t->initialises_count || hd_heap_holds((const void *)cell)))
        hd_log_note_publication(t, op);
    *hd_rt.log_count = at + 1;
    t->logged++;
    t->site = site;
    hd_rt.outcome->composed = 1;
    hd_spin_note(op);
}

/* While it equals hd_compose_since, every plain access of the current thread to a shared cell flows (hd_compose_flow),
 * as long as --depth and the log have room. Set by an access that does; whatever changes it forgets or stops. */
extern uint64_t hd_compose_flows;

static inline void hd_compose_stop(void)
{
    hd_compose_flows = 0;
}

/* The current thread waits for the condition variable with this mutex. */
void hd_compose_wait(const void *condition, const void *mutex, int timed);

/* The mutex with which threads wait for the condition variable, if it may protect signals; otherwise NULL. */
const void *hd_compose_mutex(const void *condition);

/* From now on, operations on this lock or condition variable are visible. */
void hd_compose_look_at(const void *object);

/* An operation has been logged, and its kind can look at a lock: does it? */
void hd_compose_note(const hd_op *op);

#endif
