#include "runtime/sched/expiry.h"

#include "runtime/sched/log.h"
#include "runtime/sched/passing.h"
#include "runtime/sched/spin.h"

#include <time.h>

uint32_t hd_expiry_waits;

void hd_expiry_reset(void)
{
    hd_expiry_waits = 0;
}

/* Has the current thread's wait timed out as often as it may at any time? A `choice` other than 0 is a spurious
 * wake-up. */
static int is_used_up(hd_op_kind timeout, const void *object)
{
    uint32_t left = hd_rt.options->settings.timeouts;
    for (uint32_t i = *hd_rt.log_count; left && i-- > 0;) {
        const hd_op *op = &hd_rt.log[i];
        if (hd_edge_starts(op) && op->thread == hd_current->id)
            break; /* before that, the slot had another thread */
        left -= op->thread == hd_current->id && op->kind == timeout && hd_op_address(op) == (uint64_t)object
            && op->site == hd_call_site && !op->choice && !(op->flags & HD_OP_WITHDRAWN);
    }
    return !left;
}

int hd_expiry_is_patient(hd_op_kind timeout, const void *object)
{
    if (!hd_exploring() || hd_rt.options->settings.timeouts == HD_TIMEOUTS_ANY || hd_current->atomic_blocks
        || !is_used_up(timeout, object))
        return 0;
    hd_rt.outcome->patient = 1;
    return 1;
}

static uint64_t in_nanoseconds(const struct timespec *t)
{
    return t->tv_sec < 0 ? 0 : (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_nsec;
}

void hd_expiry_begin(const struct timespec *until)
{
    hd_current->patient = 1;
    hd_current->expired = 0;
    hd_current->expires = in_nanoseconds(until);
    hd_expiry_waits++;
}

uint64_t hd_expiry_limit(const struct timespec *until)
{
    uint64_t start = (uint64_t)HD_EPOCH * 1000000000, at = until ? in_nanoseconds(until) : hd_time_never;
    return !until ? hd_time_never : at > start ? at - start : 0;
}

void hd_expiry_begin_at(uint64_t limit)
{
    hd_expiry_begin(&(struct timespec) { HD_EPOCH + (int64_t)(limit / 1000000000), (long)(limit % 1000000000) });
}

int hd_expiry_end(void)
{
    hd_thread *t = hd_current;
    t->patient = 0;
    hd_expiry_waits--;
    for (uint32_t i = 0; t->expired && i < *hd_rt.thread_count; i++)
        if (i != t->id && hd_rt.threads[i].status != HD_THREAD_UNUSED)
            hd_edge(t, &hd_threads[i], HD_WAIT_TIME, 0);
    return t->expired;
}

static int may_expire(const hd_thread *t)
{
    return t->patient && !t->expired && (!t->spin.held || t->spin.in_call);
}

hd_thread *hd_expiry_next(void)
{
    hd_thread *first = NULL;
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (may_expire(&hd_threads[i]) && (!first || hd_threads[i].expires < first->expires))
            first = &hd_threads[i];
    if (!first)
        return NULL;
    first->expired = 1;
    hd_rt.outcome->expired = 1;
    if (first->spin.in_call)
        hd_spin_give_up(first);
    else if (first->view->status == HD_THREAD_AT_OP)
        hd_withdraw_blocked(first);
    return first;
}

/* The try that follows a time-out fails: no other thread has run since. */
const hd_op *hd_perform_until(
    hd_op_kind kind, const void *object, const struct timespec *until, hd_ready *blocks, hd_ready *tries)
{
    const hd_site *site = hd_call_site;
    if (until && hd_expiry_is_patient(hd_kinds[kind].otherwise, object)) {
        hd_expiry_begin(until);
        const hd_op *op = hd_perform(kind, object, blocks);
        if (!hd_expiry_end())
            return op;
        hd_call_site = site;
    }
    return hd_perform(kind, object, tries);
}
