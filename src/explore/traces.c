#include "explore/traces.h"

#include "base/map.h"
#include "event/op.h"

/* The steps of a log, each with the range of its operations. */
typedef struct step {
    uint32_t first, count;
    uint64_t label;
} step;

static uint32_t find_steps(const hd_execution *e, step *steps)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (op->kind == HD_EDGE || (op->flags & HD_OP_WITHDRAWN))
            continue;
        if (op->flags & HD_OP_CONTINUES)
            steps[count - 1].count = i + 1 - steps[count - 1].first;
        else
            steps[count++] = (step) { i, 1, 0 };
    }
    return count;
}

static bool conflict(const hd_execution *e, const step *a, const step *b)
{
    if (e->log[a->first].thread == e->log[b->first].thread)
        return true;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            const hd_op *x = &e->log[a->first + i], *y = &e->log[b->first + k];
            bool real = x->kind != HD_EDGE && y->kind != HD_EDGE && !((x->flags | y->flags) & HD_OP_WITHDRAWN);
            if (real && hd_ops_conflict(x, y))
                return true;
        }
    return false;
}

/* A trace is the set of its steps, each with the set of steps of which it is
 * the conflicting successor. A step's label hashes what it does and the labels
 * of those before it that it conflicts with; their sum is the fingerprint. */
uint64_t hd_trace_fingerprint(const hd_execution *e, hd_memory *memory)
{
    step *steps = hd_alloc(memory, (e->log_count + 1) * sizeof *steps);
    uint32_t count = find_steps(e, steps);
    uint64_t sum = hd_hash(e->outcome->kind);
    for (uint32_t i = 0; i < count; i++) {
        const hd_op *op = &e->log[steps[i].first];
        uint64_t past = 0;
        for (uint32_t k = 0; k < i; k++)
            if (conflict(e, &steps[k], &steps[i]))
                past += hd_hash(steps[k].label);
        steps[i].label = hd_hash(past ^ hd_hash(op->object) ^ (uint64_t)op->thread << 48 ^ (uint64_t)op->kind << 40
            ^ (uint64_t)op->choice << 32 ^ (uint64_t)op->mask << 24);
        sum += hd_hash(steps[i].label);
    }
    hd_release(memory, steps, (e->log_count + 1) * sizeof *steps);
    return sum;
}
