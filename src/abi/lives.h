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

#endif
