#include "samplers/interest.h"

#include "base/map.h"
#include "event/op.h"

#include <string.h>

enum { ALL_ONCE_IN = 4 };

/* How often a thread has used an object. The uses of an object are a list. */
typedef struct use {
    uint64_t object;
    uint32_t thread, count;
    uint32_t next; /* from 1; 0: none */
} use;

struct hd_interest {
    hd_memory *memory;
    hd_map objects; /* the first use, from 1 */
    hd_vec(use) uses;
    hd_vec(uint32_t) contended; /* the first uses of objects that several threads use */
    uint32_t threads; /* of the execution that was learned from */
    uint32_t totals[HD_MAX_THREADS]; /* operations of each thread */
    uint32_t weights[HD_MAX_THREADS]; /* of the last plan */
};

hd_interest *hd_interest_open(hd_memory *memory)
{
    hd_interest *x = hd_alloc(memory, sizeof *x);
    x->memory = x->uses.memory = x->contended.memory = memory;
    hd_map_init(&x->objects, memory);
    return x;
}

void hd_interest_close(hd_interest *x)
{
    hd_map_fini(&x->objects);
    hd_vec_fini(&x->uses);
    hd_vec_fini(&x->contended);
    hd_release(x->memory, x, sizeof *x);
}

static void add_use(hd_interest *x, uint64_t object, uint32_t thread)
{
    uint64_t *first = hd_map_put(&x->objects, object);
    uint32_t at = (uint32_t)*first;
    while (at && x->uses.items[at - 1].thread != thread)
        at = x->uses.items[at - 1].next;
    if (at) {
        x->uses.items[at - 1].count++;
        return;
    }
    hd_vec_push(&x->uses, ((use) { object, thread, 1, (uint32_t)*first }));
    *first = x->uses.count;
}

void hd_interest_learn(hd_interest *x, const hd_execution *e, bool flows)
{
    hd_map_clear(&x->objects);
    hd_vec_clear(&x->uses);
    hd_vec_clear(&x->contended);
    memset(x->totals, 0, sizeof x->totals);
    x->threads = e->thread_count;
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (!hd_op_is_done(op) || (op->flags & HD_OP_CONTINUES) || (flows && hd_kind_is_plain(op->kind)))
            continue;
        x->totals[op->thread]++;
        add_use(x, op->object, op->thread);
    }
    for (size_t i = 0; i < x->objects.room; i++)
        if (x->objects.slots[i].used && x->uses.items[x->objects.slots[i].value - 1].next)
            hd_vec_push(&x->contended, (uint32_t)x->objects.slots[i].value);
}

void hd_interest_plan(hd_interest *x, hd_rng *rng, hd_plan *plan)
{
    plan->weight_count = x->threads;
    plan->interesting = 0;
    plan->weights = x->totals;
    if (!x->contended.count || !hd_rng_below(rng, ALL_ONCE_IN))
        return;
    memset(x->weights, 0, sizeof x->weights);
    plan->weights = x->weights;
    uint32_t at = x->contended.items[hd_rng_below(rng, x->contended.count)];
    plan->interesting = x->uses.items[at - 1].object;
    for (; at; at = x->uses.items[at - 1].next)
        x->weights[x->uses.items[at - 1].thread] = x->uses.items[at - 1].count;
}
