/* Sleep sets (Godefroid 1996) along a stack of nodes. A step that has been explored from a node sleeps there, and at
 * the nodes after it until a step follows that conflicts with it. All executions in which a sleeping step comes next
 * have been explored.
 *
 * The set of a node begins with the entries inherited from the node before it. The operations of a step are stored
 * once, with the node at which it was put to sleep; so sets are dropped in the opposite order of their making.
 *
 * A step with branches on inputs in its middle sleeps once for each way through it, each time only for the inputs that
 * take this way (docs/algorithms/inputs.md, "dpor with inputs").
 *
 * The types are open: dpor walks through the entries for every sequence. */
#ifndef HD_DPOR_SLEEP_H
#define HD_DPOR_SLEEP_H

#include "event/plan.h"
#include "sym/term.h"

typedef struct hd_sleep_entry {
    uint16_t thread;
    uint8_t choice;
    uint32_t first_op, op_count;
    hd_term when; /* it sleeps for the inputs for which this holds; 0: for all */
    bool asked; /* all ways through it must be explored */
} hd_sleep_entry;

/* The entries of a node: `count` from `first` on. */
typedef struct hd_sleep_set {
    uint32_t first, count;
    uint32_t first_op; /* of the steps that are put to sleep here */
} hd_sleep_set;

typedef struct hd_sleep {
    hd_vec(hd_sleep_entry) entries;
    hd_vec(hd_op) ops;
    hd_dependency dependency; /* which steps wake each other: those that conflict, unless a search wants more */
} hd_sleep;

void hd_sleep_init(hd_sleep *s, hd_memory *memory);
void hd_sleep_fini(hd_sleep *s);

/* The set of the node after the step: the entries of the last node's set that do not conflict with the step. */
hd_sleep_set hd_sleep_after(hd_sleep *s, hd_sleep_set from, const hd_sleeper *step);

/* Adds the step to the last node's set; false: it is there already, for the same inputs. */
bool hd_sleep_add(hd_sleep *s, hd_sleep_set *set, const hd_sleeper *step, hd_sleep_entry how);

/* Drops the last node's set. */
void hd_sleep_drop(hd_sleep *s, hd_sleep_set set);

/* Checks, for the set of the node after `step` (NULL: the first node):
 * - its first `inherited` entries are those of the node before it that the step does not wake: all of them, and no
 *   other;
 * - the others fell asleep here, each with its operations, and once for each way through it. */
bool hd_sleep_is_valid(
    const hd_sleep *s, hd_sleep_set from, const hd_sleeper *step, hd_sleep_set set, uint32_t inherited);

/* Valid until the next step is added. */
static inline hd_sleeper hd_sleep_get(const hd_sleep *s, uint32_t entry)
{
    const hd_sleep_entry *e = &s->entries.items[entry];
    return (hd_sleeper) { e->thread, e->choice, &s->ops.items[e->first_op], e->op_count };
}

#endif
