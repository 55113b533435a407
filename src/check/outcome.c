/* Findings that follow from how the program ended: failed assertions, aborts, crashes, misuse of
 * memory or locks, and so on. */
#include "check/checks.h"

#include "base/map.h"

#include <stdio.h>
#include <string.h>

static hd_finding_kind kind_of(uint32_t outcome)
{
    switch (outcome) {
    case HD_ASSERTION:
        return HD_FINDING_ASSERTION;
    case HD_ABORT:
        return HD_FINDING_ABORT;
    case HD_USE_AFTER_FREE:
        return HD_FINDING_USE_AFTER_FREE;
    case HD_USE_AFTER_CLOSE:
        return HD_FINDING_USE_AFTER_CLOSE;
    case HD_DOUBLE_FREE:
        return HD_FINDING_DOUBLE_FREE;
    case HD_INVALID_FREE:
        return HD_FINDING_INVALID_FREE;
    case HD_HEAP_OVERFLOW:
        return HD_FINDING_HEAP_OVERFLOW;
    case HD_OUT_OF_BOUNDS:
        return HD_FINDING_OUT_OF_BOUNDS;
    case HD_STACK_OVERFLOW:
        return HD_FINDING_STACK_OVERFLOW;
    case HD_MESSAGE:
        return HD_FINDING_MESSAGE;
    case HD_ANNOTATION:
        return HD_FINDING_ANNOTATION;
    case HD_MISUSE:
        return HD_FINDING_LOCK_DISCIPLINE;
    case HD_EXIT_STATUS:
        return HD_FINDING_EXIT_STATUS;
    case HD_LEAK:
        return HD_FINDING_LEAK;
    case HD_MODEL_LIMIT:
        return HD_FINDING_MODEL_LIMIT;
    default:
        return HD_FINDING_CRASH;
    }
}

/* The last operation of the thread that ended the execution. */
static uint32_t last_entry(const hd_execution *e)
{
    for (uint32_t i = e->log_count; i-- > 0;)
        if (hd_op_is_done(&e->log[i]) && e->log[i].thread == e->outcome->thread)
            return i;
    return ~0u;
}

bool hd_check_outcome(const hd_execution *e, hd_finding *out)
{
    const hd_outcome *o = e->outcome;
    /* Deadlocks are described by deadlock.c. */
    if (!hd_outcome_is_finding(o->kind) || o->kind == HD_DEADLOCK)
        return false;
    *out = (hd_finding) { .kind = kind_of(o->kind), .entries = { last_entry(e), ~0u }, .thread = o->thread };
    snprintf(out->message, sizeof out->message, "%s", o->message);
    /* The message may contain addresses and thread numbers, so it is not part of the key. Without a
     * source position, the signal and the position of the last operation take its place. */
    uint64_t location = o->site ? hd_finding_location(o->site) : hd_hash((uint64_t)o->signal);
    if (!o->site && out->entries[0] != ~0u)
        location ^= hd_finding_location(e->log[out->entries[0]].site);
    if (o->kind == HD_EXIT_STATUS)
        location ^= hd_hash(o->exit_status);
    out->key = hd_hash(location ^ out->kind);
    return true;
}
