/* Composition: an *invisible* operation continues the step of its thread instead of beginning one of its own, so the
 * scheduler decides at visible operations only (docs/algorithms/sss.md).
 *
 * Invisible are plain accesses to memory, which the lock discipline protects, and giving back a lock. Everything else
 * is visible, and so is
 *   - the first operation of a thread, and the first one after it has joined another or was woken: what comes before it
 *     is no operation that it could continue;
 *   - the one after an operation that chooses, sleeps or wakes: dpor could not tell what the rest of such a step does
 * in another place;
 *   - giving back a lock whose state some thread looks at without waiting for it: one that is tried, initialised or
 *     destroyed in some run while several threads exist. That is learned: a composed run in which it is found does not
 *     count.
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
 * between (check/lockset.h depends on that). It still counts for --depth. */
#ifndef HD_RUNTIME_SCHED_COMPOSE_H
#define HD_RUNTIME_SCHED_COMPOSE_H

#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/unshared.h"

/* Are steps composed in this run? */
static inline int hd_composes(void)
{
    return hd_rt.options->compose == HD_COMPOSES_NOW && !hd_known->asks && !hd_unshared_count;
}

/* The program asks for an input, or uses an annotation. */
void hd_compose_ask(void);

/* Does the operation end the step of its thread? */
int hd_compose_ends(const hd_op *op);

/* If the pending operation of the thread, which is enabled, is invisible: performs it as part of the thread's step. */
int hd_compose(hd_thread *t);

/* The accesses of the current step, by cells; those of which others could be repeats. Valid are entries that were made
 * since the last call of hd_compose_forget: since then, the current thread has done nothing but composed accesses. */
enum { HD_COMPOSE_CELLS = 128 };
typedef struct hd_composed_cell {
    uint64_t cell, since;
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

/* If the current thread's plain access is a repeat: counts it. */
static inline int hd_compose_repeats(uint64_t cell, uint8_t mask, int writes)
{
    const hd_composed_cell *c = hd_composed_cell_of(cell);
    if (c->cell != cell || c->since != hd_compose_since || (mask & ~(writes ? c->written : c->accessed))
        || hd_current->logged >= hd_rt.options->settings.depth)
        return 0;
    hd_current->logged++;
    hd_current->repeated++;
    return 1;
}

/* A plain access continues the step of its thread. */
static inline void hd_compose_access(uint64_t cell, uint8_t mask, int writes)
{
    hd_composed_cell *c = hd_composed_cell_of(cell);
    if (hd_rt.options->repeats)
        return;
    if (c->cell != cell || c->since != hd_compose_since)
        *c = (hd_composed_cell) { .cell = cell, .since = hd_compose_since };
    c->accessed |= mask;
    c->written |= writes ? mask : 0;
}

/* An operation has been logged: does it look at a lock? */
void hd_compose_note(const hd_op *op);

#endif
