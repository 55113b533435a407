/* Sleep sets (Godefroid 1996) along a stack of nodes. A step that has been
 * explored from a node sleeps there, and at the nodes after it until a step comes
 * that conflicts with it: all executions in which it comes next are known.
 *
 * The set of a node begins with what it has from the node before it. What the
 * steps do is kept once, with the node where they fell asleep; so sets are
 * dropped in the opposite order of their making.
 *
 * A step with branches on inputs in its middle sleeps once for each way through
 * it, each time only for the inputs that go this way.
 */
#ifndef HD_DPOR_SLEEP_H
#define HD_DPOR_SLEEP_H

#include "event/plan.h"
#include "sym/term.h"

typedef struct hd_sleep_entry {
    uint16_t thread;
    uint8_t choice;
    uint32_t first_op, op_count;
    hd_term when; /* it does that: 0, with any inputs, or with those for which this holds */
    bool asked; /* it is to be tried with all inputs */
} hd_sleep_entry;

/* The entries of a node: `count` from `first` on. */
typedef struct hd_sleep_set {
    uint32_t first, count;
    uint32_t first_op; /* of those that fall asleep here */
} hd_sleep_set;

typedef struct hd_sleep {
    hd_vec(hd_sleep_entry) entries;
    hd_vec(hd_op) ops;
} hd_sleep;

void hd_sleep_init(hd_sleep *s, hd_memory *memory);
void hd_sleep_fini(hd_sleep *s);

/* The set of the node that comes after the step, from that of the last node. */
hd_sleep_set hd_sleep_after(hd_sleep *s, hd_sleep_set from, const hd_sleeper *step);

/* Adds the step to the last node's set; false: it was there. */
bool hd_sleep_add(hd_sleep *s, hd_sleep_set *set, const hd_sleeper *step, hd_sleep_entry how);

/* Gives up the last node's set. */
void hd_sleep_drop(hd_sleep *s, hd_sleep_set set);

/* Valid until the next step is added. */
static inline hd_sleeper hd_sleep_get(const hd_sleep *s, uint32_t entry)
{
    const hd_sleep_entry *e = &s->entries.items[entry];
    return (hd_sleeper) { e->thread, e->choice, &s->ops.items[e->first_op], e->op_count };
}

#endif
