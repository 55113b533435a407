#include "runtime/sched/sched_internal.h"

#include "runtime/sched/expiry.h"

#include <string.h>

static hd_thread *thread_of(uint64_t id)
{
    return id < *hd_rt.thread_count ? &hd_threads[id] : NULL;
}

/* Sets `queued` for the threads in the queue. */
static int queue_is_valid(uint8_t *queued)
{
    const hd_sched_queue *q = &hd_sched_local;
    if (q->first >= HD_MAX_THREADS || q->count > HD_MAX_THREADS)
        return 0;
    for (uint32_t i = 0; i < q->count; i++) {
        uint32_t id = q->ids[(q->first + i) % HD_MAX_THREADS];
        if (!thread_of(id) || queued[id]++)
            return 0;
    }
    return 1;
}

/* A thread waits for something that exists and that knows of it. */
static int wait_is_valid(const hd_thread *t)
{
    const hd_thread_view *v = t->view;
    const hd_thread *joined = thread_of(v->wait_object);
    int waits_there = t->waits_on == (const void *)v->wait_object && t->waits_on && !t->woken;
    switch (v->waits_for) {
    case HD_WAIT_JOIN:
        return joined && hd_thread_lives(joined) && joined->join_waiter_set && joined->join_waiter == t->id;
    case HD_WAIT_COND:
        return waits_there && t->waits_with;
    case HD_WAIT_BARRIER:
    case HD_WAIT_FUTEX:
        return waits_there && !t->waits_with;
    default:
        return v->waits_for == HD_WAIT_ASSUMPTION || v->waits_for == HD_WAIT_LOOP || v->waits_for == HD_WAIT_CRASH
            || v->waits_for == HD_WAIT_SIGNAL;
    }
}

static int status_is_valid(const hd_thread *t, int queued)
{
    const hd_op *op = &t->view->pending;
    switch (t->view->status) {
    case HD_THREAD_UNUSED:
        return !queued && !t->start && t != hd_current;
    case HD_THREAD_LOCAL:
        return queued || t == hd_current;
    case HD_THREAD_AT_OP:
        return !queued && op->thread == t->id && op->kind != HD_NONE && op->kind < HD_OP_KINDS;
    case HD_THREAD_WAITING:
        return !queued && wait_is_valid(t);
    default:
        return t->view->status == HD_THREAD_DONE && !queued && !t->waits_on && !t->waits_with;
    }
}

/* Run by hand, a thread that joins another may be interrupted: it need not be waiting. */
static int joiner_is_valid(const hd_thread *t)
{
    const hd_thread *waiter = thread_of(t->join_waiter);
    if (!t->join_waiter_set || !hd_thread_lives(t))
        return 1;
    return waiter && hd_thread_lives(waiter) && (!hd_exploring() || waiter->view->status == HD_THREAD_WAITING);
}

static int current_is_valid(void)
{
    uint64_t offset = (uint64_t)__builtin_frame_address(0) - HD_STACK_BASE;
    return hd_current && hd_current == thread_of(hd_current->id) && offset / HD_STACK_SPAN == hd_current->stack;
}

int hd_sched_is_valid(void)
{
    uint8_t queued[HD_MAX_THREADS] = { 0 };
    uint32_t patient = 0;
    if (*hd_rt.thread_count > HD_MAX_THREADS || !current_is_valid() || !queue_is_valid(queued))
        return 0;
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++) {
        const hd_thread *t = &hd_threads[i];
        patient += t->patient;
        if (t->id != i || t->view != &hd_rt.threads[i] || !status_is_valid(t, queued[i]) || !joiner_is_valid(t))
            return 0;
    }
    return patient == hd_expiry_waits;
}
