#include "explore/traces.h"

#include "base/map.h"
#include "event/mail.h"
#include "event/op.h"

/* The steps of a log, each with the range of its operations. */
typedef struct step {
    uint32_t first, count;
    uint64_t label;
} step;

/* A branch on inputs counts as a step of its own, also inside another step. */
static uint32_t find_steps(const hd_execution *e, step *steps)
{
    uint32_t count = 0, last = 0;
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (op->kind != HD_BRANCH && !hd_op_is_done(op))
            continue;
        if (op->kind != HD_BRANCH && (op->flags & HD_OP_CONTINUES)) {
            steps[last].count = i + 1 - steps[last].first;
            continue;
        }
        if (op->kind != HD_BRANCH)
            last = count;
        steps[count++] = (step) { i, 1, 0 };
    }
    return count;
}

/* Do the i-th operations of two steps conflict? */
static bool ops_conflict(const hd_op *x, const hd_op *y)
{
    if (!hd_op_is_done(x) || !hd_op_is_done(y))
        return hd_kind_exits(x->kind) || hd_kind_exits(y->kind);
    return hd_ops_conflict(x, y);
}

static bool conflict(const hd_execution *e, const step *a, const step *b)
{
    if (e->log[a->first].thread == e->log[b->first].thread)
        return true;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++)
            if (ops_conflict(&e->log[a->first + i], &e->log[b->first + k]))
                return true;
    return false;
}

/* A hash of what a step does, whatever came before. Numbers of expressions differ between runs, so a branch is
 * identified by its source location and value. */
static uint64_t label_of(const hd_op *op)
{
    if (op->kind == HD_BRANCH)
        return hd_hash((uint64_t)(uintptr_t)op->site) ^ (uint64_t)op->thread << 48 ^ hd_hash(~op->value);
    return hd_hash(op->object) ^ (uint64_t)op->thread << 48 ^ (uint64_t)op->kind << 40 ^ (uint64_t)op->choice << 32
        ^ (uint64_t)op->mask << 24;
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
        steps[i].label = hd_hash(past ^ label_of(op));
        sum += hd_hash(steps[i].label);
    }
    hd_release(memory, steps, (e->log_count + 1) * sizeof *steps);
    return sum;
}

/* A look of a receive that waits is no event, nor is one at the end of a wait in a loop. */
static bool is_event(const hd_op *op)
{
    bool looks = hd_kind_looks(op->kind) && (op->mask == HD_MAIL_WAITS || (op->flags & HD_OP_LOOK));
    return hd_op_is_done(op) && (hd_op_is_mail(op) ? !looks : hd_kinds[op->kind].outcomes == HD_OUTCOMES_FIXED);
}

uint64_t hd_sequence_fingerprint(const hd_execution *e)
{
    uint64_t threads[HD_MAX_THREADS] = { 0 }, sum = 0;
    bool has_events = false;
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (!is_event(op))
            continue;
        uint64_t what = hd_op_is_mail(op) ? hd_mail_message(op) : op->choice;
        has_events = true;
        threads[op->thread] = hd_hash(threads[op->thread] ^ hd_hash(op->object) ^ hd_hash(what + op->kind));
    }
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++)
        sum += hd_hash(threads[t] ^ hd_hash(t + 1));
    return has_events ? sum : 0;
}
