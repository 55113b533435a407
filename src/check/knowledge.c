#include "check/knowledge.h"

#include "event/op.h"
#include "event/plan.h"

#include <string.h>

static uint32_t *row_of(const hd_knowledge *k, uint64_t row)
{
    return k->rows.items + row * HD_MAX_THREADS;
}

static void add_rows(hd_knowledge *k, uint32_t count)
{
    hd_vec_reserve(&k->rows, (size_t)count * HD_MAX_THREADS);
    memset(k->rows.items + k->rows.count, 0, (size_t)count * HD_MAX_THREADS * sizeof *k->rows.items);
    k->rows.count += (size_t)count * HD_MAX_THREADS;
}

static void learn(hd_knowledge *k, uint64_t to, uint64_t from)
{
    for (uint32_t i = 0; i < HD_MAX_THREADS; i++)
        if (row_of(k, to)[i] < row_of(k, from)[i])
            row_of(k, to)[i] = row_of(k, from)[i];
}

/* The row of the object, or of the token of a semaphore that the operation adds or takes. */
static uint64_t object_row(hd_knowledge *k, const hd_op *op)
{
    uint64_t *row = hd_map_put(&k->objects, hd_hash(hd_op_key(op)) ^ hd_op_token(op));
    if (!*row) {
        *row = k->rows.count / HD_MAX_THREADS;
        add_rows(k, 1);
    }
    return *row;
}

/* Does it tell something, or is it told, in every execution with the same trace? Then its order with the other
 * operation is part of the trace: it conflicts with everything on its object, or both have the same token. Which thread
 * comes to a lock first is not: sections commute; nor is what comes to a queue while other data is taken from it. */
static bool is_telling(const hd_op *op)
{
    bool is_lock = hd_objects[hd_kinds[op->kind].object].waits_for == HD_WAITS_HOLDER;
    bool counts = hd_objects[hd_kinds[op->kind].object].starts == HD_STARTS_VALUE;
    if (hd_op_has_stretch(op))
        return false;
    if (hd_kind_acquires(op->kind) && !hd_kind_publishes(op->kind))
        return !is_lock;
    return !is_lock && (counts ? hd_op_token(op) != 0 : hd_kinds[op->kind].group == HD_GROUP_ALONE);
}

/* Creation and the end of a thread publish what it has done. */
void hd_knowledge_note(hd_knowledge *k, const hd_op *op)
{
    if (op->kind == HD_EDGE && op->mask != HD_WAIT_TIME) {
        row_of(k, op->object)[op->object]++;
        learn(k, op->thread, op->object);
    }
    if (!hd_op_is_done(op))
        return;
    bool publishes = hd_kind_publishes(op->kind), acquires = hd_kind_acquires(op->kind);
    row_of(k, op->thread)[op->thread] += publishes;
    if (!(publishes || acquires) || !is_telling(op))
        return;
    uint64_t row = object_row(k, op);
    if (acquires)
        learn(k, op->thread, row);
    if (publishes)
        learn(k, row, op->thread);
}

uint32_t hd_knowledge_of(const hd_knowledge *k, uint32_t thread, uint32_t of)
{
    return row_of(k, thread)[of];
}

void hd_knowledge_clear(hd_knowledge *k)
{
    hd_vec_clear(&k->rows);
    hd_map_clear(&k->objects);
    add_rows(k, HD_MAX_THREADS);
}

void hd_knowledge_init(hd_knowledge *k, hd_memory *memory)
{
    k->rows.memory = memory;
    hd_map_init(&k->objects, memory);
}

void hd_knowledge_fini(hd_knowledge *k)
{
    hd_map_fini(&k->objects);
    hd_vec_fini(&k->rows);
}
