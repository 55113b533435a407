#include "explore/locals.h"

#include "base/map.h"
#include "event/op.h"

#include <string.h>

struct hd_locals {
    hd_memory *memory;
    hd_map states; /* as hashes */
    uint64_t sum; /* of all of them */
    hd_map writers; /* in the current execution: byte → the local state that wrote it */
};

hd_locals *hd_locals_open(hd_memory *memory)
{
    hd_locals *l = hd_alloc(memory, sizeof *l);
    l->memory = memory;
    hd_map_init(&l->states, memory);
    hd_map_init(&l->writers, memory);
    return l;
}

void hd_locals_close(hd_locals *l)
{
    hd_map_fini(&l->states);
    hd_map_fini(&l->writers);
    hd_release(l->memory, l, sizeof *l);
}

uint64_t hd_locals_count(const hd_locals *l)
{
    return l->states.count;
}

uint64_t hd_locals_sum(const hd_locals *l)
{
    return l->sum;
}

void hd_locals_clear(hd_locals *l)
{
    l->sum = 0;
    hd_map_clear(&l->states);
}

/* Does the thread learn a value from memory? */
static bool sees(const hd_op *op)
{
    return hd_kind_is_memory(op->kind) && hd_kinds[op->kind].effect != HD_EFFECT_WRITES;
}

/* A hash of the local states that wrote the bytes; bytes that no operation wrote count by their number. */
static uint64_t who_wrote(hd_locals *l, const hd_op *op)
{
    uint64_t who = 0;
    for (uint32_t i = 0; i < 8; i++) {
        const uint64_t *writer = op->mask >> i & 1 ? hd_map_get(&l->writers, op->object + i) : NULL;
        who = hd_hash(who ^ (writer ? *writer : i));
    }
    return who;
}

static void note_writer(hd_locals *l, const hd_op *op, uint64_t state)
{
    for (uint32_t i = 0; i < 8; i++)
        if (op->mask >> i & 1)
            *hd_map_put(&l->writers, op->object + i) = state;
}

static uint64_t after_branch(uint64_t state, const hd_op *op)
{
    return hd_hash(state ^ hd_hash((uint64_t)(uintptr_t)op->site ^ (uint64_t)op->thread << 48) ^ hd_hash(op->value));
}

static uint64_t after_op(hd_locals *l, uint64_t state, const hd_op *op, bool inputs)
{
    uint64_t seen = !sees(op) ? 0 : inputs ? who_wrote(l, op) : op->value;
    state = hd_hash(state ^ hd_hash(op->object ^ (uint64_t)op->mask << 48) ^ (uint64_t)op->kind << 56);
    return hd_hash(state ^ op->choice ^ (uint64_t)op->thread << 8 ^ hd_hash(seen));
}

void hd_locals_add(hd_locals *l, const hd_execution *e)
{
    uint64_t state[HD_MAX_THREADS];
    memset(state, 0, e->thread_count * sizeof *state);
    hd_map_clear(&l->writers);
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (op->kind == HD_EDGE || (op->flags & HD_OP_WITHDRAWN))
            continue;
        uint64_t *now = &state[op->thread];
        *now = op->kind == HD_BRANCH ? after_branch(*now, op) : after_op(l, *now, op, e->input_count);
        if (e->input_count && hd_kind_is_memory(op->kind) && !hd_kind_looks(op->kind))
            note_writer(l, op, *now);
        uint64_t *known = hd_map_put(&l->states, *now);
        l->sum += *known ? 0 : *now;
        *known = 1;
    }
}
