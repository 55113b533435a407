/* Lives: the threads of an execution that use one slot of the scheduler one after the other (abi/wire.h).
 *
 * A thread is identified by its slot and its life. That depends only on the thread's causal past, so it is the same in
 * all executions that agree on it. The log says which life a slot is in: the edge that starts a thread and the edge of
 * a join name the life. */
#ifndef HD_ABI_LIVES_H
#define HD_ABI_LIVES_H

#include "abi/wire.h"

/* An identity (hd_identity) fits into 24 bits: a held spin lock has no more room for its owner. */
enum { HD_MOST_LIVES = 1 << 14 };

static inline uint32_t hd_identity_slot(uint32_t identity)
{
    return identity & ((1u << HD_SLOT_BITS) - 1);
}

static inline uint32_t hd_identity_life(uint32_t identity)
{
    return identity >> HD_SLOT_BITS;
}

/* The value of an edge: the life that starts or was joined, and whether a join takes the thread's result. */
static inline uint64_t hd_edge_value(uint32_t life, int takes_result)
{
    return (uint64_t)life << 1 | (takes_result != 0);
}

static inline int hd_edge_takes_result(const hd_op *edge)
{
    return edge->value & 1;
}

static inline uint32_t hd_edge_life(const hd_op *edge)
{
    return (uint32_t)(edge->value >> 1);
}

static inline int hd_edge_starts(const hd_op *op)
{
    return op->kind == HD_EDGE && op->mask == HD_WAIT_NONE;
}

/* The life of the slot at an entry of the log. */
static inline uint32_t hd_life_at(const hd_op *log, uint32_t entry, uint32_t slot)
{
    for (uint32_t i = entry; i-- > 0;)
        if (hd_edge_starts(&log[i]) && log[i].thread == slot)
            return hd_edge_life(&log[i]);
    return 0;
}

/* The number by which people know a thread of the execution. That is its slot, which is the same in all executions,
 * unless a slot had several lives: then threads are numbered in the order in which the execution created them. */
static inline uint32_t hd_thread_number(const hd_op *log, uint32_t count, uint32_t identity)
{
    uint32_t created = 0, number = hd_identity_slot(identity), reused = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!hd_edge_starts(&log[i]))
            continue;
        created++;
        reused |= hd_edge_life(&log[i]);
        if (hd_identity(log[i].thread, hd_edge_life(&log[i])) == identity)
            number = created;
    }
    return reused ? number : hd_identity_slot(identity);
}

/* The number of the thread that has logged the entry. */
static inline uint32_t hd_thread_number_at(const hd_op *log, uint32_t count, uint32_t entry)
{
    uint32_t slot = log[entry].thread;
    return hd_thread_number(log, count, hd_identity(slot, hd_life_at(log, entry, slot)));
}

/* The number of an input among those of its thread: those of a slot are numbered on from life to life. */
static inline uint32_t hd_input_number(const hd_input *inputs, uint32_t which)
{
    uint32_t first = 0;
    while (inputs[first].thread != inputs[which].thread || inputs[first].life != inputs[which].life)
        first++;
    return inputs[which].number - inputs[first].number;
}

/* The same numbers for all entries of a log, which is read from its start. */
typedef struct hd_thread_numbers {
    int reused; /* a slot had several lives: threads are numbered in the order of their creation */
    uint32_t created;
    uint32_t now[HD_MAX_THREADS]; /* by slot: of its current thread */
} hd_thread_numbers;

static inline void hd_thread_numbers_begin(hd_thread_numbers *n, const hd_op *log, uint32_t count)
{
    *n = (hd_thread_numbers) { 0 };
    for (uint32_t i = 0; i < count; i++)
        n->reused |= hd_edge_starts(&log[i]) && hd_edge_life(&log[i]);
}

/* The number of the thread that has logged the next entry, or that the entry starts. */
static inline uint32_t hd_thread_numbers_next(hd_thread_numbers *n, const hd_op *op)
{
    if (hd_edge_starts(op)) {
        n->created++;
        n->now[op->thread] = n->reused ? n->created : op->thread;
    }
    return n->now[op->thread];
}

#endif
