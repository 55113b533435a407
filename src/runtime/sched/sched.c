#include "runtime/sched/sched_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/reset/fiber.h"
#include "runtime/reset/heap.h"
#include "runtime/reset/trap.h"
#include "runtime/sched/access.h"
#include "runtime/sched/expiry.h"
#include "runtime/sched/lives.h"
#include "runtime/sched/log.h"
#include "runtime/sched/objects.h"
#include "runtime/sched/send.h"
#include "runtime/sched/spin.h"
#include "runtime/sched/stacks.h"
#include "runtime/sched/watch.h"
#include "runtime/symbolic/bounds.h"
#include "runtime/symbolic/calls.h"
#include "runtime/symbolic/lines.h"

#include <errno.h>

hd_sched_queue hd_sched_local;

/* Whether the current thread's next operation belongs to a step of several operations: no; it is the first, and
 * needs a decision; it is the first, and is performed at once (random schedules); it is a further one. */
static enum { BLOCK_NONE, BLOCK_BEGINS, BLOCK_FLOWS, BLOCK_GOES_ON } block;

void hd_sched_reset(void)
{
    hd_sched_local.first = hd_sched_local.count = 0;
    block = BLOCK_NONE;
}

/* --- switching --------------------------------------------------------------- */

/* Threads with local work run in the order in which they got it: that order depends on the schedule alone. */
static void make_local(hd_thread *t)
{
    t->view->status = HD_THREAD_LOCAL;
    hd_sched_local.ids[(hd_sched_local.first + hd_sched_local.count++) % HD_MAX_THREADS] = t->id;
}

/* Exchanges what belongs to a thread but is in variables of the process: errno, the state of hooks, the owner mark. */
static void switch_to(hd_thread *to)
{
    hd_thread *from = hd_current;
    if (from == to)
        return;
    from->saved_errno = errno;
    from->saved_plainly = hd_fast_state.plainly;
    hd_bounds_switch(from->id, to->id);
    hd_effects_so_far();
    hd_current = to;
    errno = to->saved_errno;
    hd_fast_state.plainly = to->saved_plainly;
    hd_fast_state.mark = hd_access_mark(to->id);
    hd_fiber_switch(&from->sp, to->sp);
}

/* --- picking ------------------------------------------------------------------ */

static int may_perform(hd_thread *t)
{
    return (!t->ready || t->ready(t, &t->view->pending)) && (!t->spin.held || t->spin.changed);
}

int hd_thread_enabled(uint32_t id)
{
    return hd_threads[id].view->status == HD_THREAD_AT_OP && may_perform(&hd_threads[id]);
}

/* Run by hand: threads take turns. */
static int pick_in_turn(void)
{
    uint32_t count = *hd_rt.thread_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = (hd_current->id + i) % count;
        if (hd_thread_enabled(id))
            return (int)id;
    }
    return HD_PICK_NONE;
}

/* System calls of the engine are not intercepted. */
static int ask_engine(void)
{
    hd_trap_set(0);
    int id = hd_the_engine->pick(hd_the_engine->context);
    hd_trap_set(1);
    return id;
}

/* If no thread can perform an operation, a patient wait times out (expiry.h): returns its thread. A thread that --depth
 * has stopped, or whose assumption failed, could have continued. */
static hd_thread *expire_if_stuck(void)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++) {
        const hd_thread_view *v = &hd_rt.threads[i];
        if (hd_thread_enabled(i) || (v->status == HD_THREAD_WAITING && v->waits_for == HD_WAIT_ASSUMPTION))
            return NULL;
    }
    if (hd_rt.outcome->deep)
        return NULL;
    hd_send_explain_stuck();
    return hd_expiry_next();
}

/* The thread that performs the next operation. If no thread can, the execution ends here: that is a deadlock, unless
 * `--depth` has stopped a thread or a signal that was sent has not been taken. */
static hd_thread *pick_next(void)
{
    hd_thread *expired = UNLIKELY(hd_expiry_waits) ? expire_if_stuck() : NULL;
    if (expired)
        return expired;
    int id = hd_the_engine ? ask_engine() : pick_in_turn();
    if (id >= 0)
        return &hd_threads[id];
    if (id == HD_PICK_CUT)
        hd_end(HD_CUT, NULL, "cut");
    if (id == HD_PICK_DIVERGED)
        hd_end(HD_DIVERGED, NULL, "the plan does not fit");
    if (hd_rt.outcome->deep)
        hd_end(HD_DEPTH, NULL, "%u threads do more than %u operations", hd_rt.outcome->deep,
            hd_rt.options->settings.depth);
    hd_thread *reached = hd_send_explain_stuck();
    if (reached)
        return reached;
    hd_end(HD_DEADLOCK, NULL, "deadlock");
}

/* Leaves the current thread, which has published an operation, waits or has ended; returns when it is its turn
 * again. Threads with local work run first, so that every thread is at an operation, waiting or done when a
 * decision is made. `block` and `hd_call_site` belong to the running thread and are kept on its stack. */
static void dispatch(void)
{
    uint32_t own_block = block;
    const hd_site *own_site = hd_call_site;
    hd_check_valid(hd_sched_is_valid(), *hd_rt.thread_count, 0);
    block = BLOCK_NONE;
    if (hd_sched_local.count) {
        hd_thread *t = &hd_threads[hd_sched_local.ids[hd_sched_local.first]];
        hd_sched_local.first = (hd_sched_local.first + 1) % HD_MAX_THREADS;
        hd_sched_local.count--;
        switch_to(t);
    } else {
        switch_to(pick_next());
    }
    block = own_block;
    hd_call_site = own_site;
}

/* Suspends the current thread with this status until it is its turn. Run by hand, it may have to take signals in
 * between; it is then suspended again as before, unless the handler has woken it. */
static void suspend(hd_thread *t, hd_thread_status status)
{
    hd_thread_view *v = t->view;
    v->status = (uint8_t)status;
    dispatch();
    while (UNLIKELY(t->interrupted)) {
        hd_thread_view before = *v;
        hd_ready *ready = t->ready;
        v->status = HD_THREAD_LOCAL;
        t->interrupted = 0;
        hd_send_interrupt(&before);
        *v = before;
        t->ready = ready;
        if (status == HD_THREAD_WAITING && t->woken)
            break;
        dispatch();
    }
    v->status = HD_THREAD_LOCAL;
}

void hd_continue_step(const hd_op *also)
{
    hd_current->view->pending = *also;
    hd_log_operation(hd_current, HD_OP_CONTINUES);
}

/* The `ready` of a thread that has reached --depth. */
static int never(hd_thread *t, hd_op *op)
{
    (void)t;
    (void)op;
    return 0;
}

/* Inside an atomic block, an operation that may have to wait (a lock) is a try. If it fails, the failed try ends
 * the step, and the rest of the block is another step. This is the kind of the failed try; HD_NONE: there is none. */
static uint8_t failure_of(uint8_t kind)
{
    const hd_kind_facts *facts = &hd_kinds[kind];
    return facts->decided == HD_DECIDED_COUNT && facts->need != HD_NEED_NOTHING ? facts->otherwise : HD_NONE;
}

/* Performs the pending operation at once, as part of the current step. */
static void go_on_with_step(hd_thread *t)
{
    uint16_t tries = failure_of(t->view->pending.kind) ? HD_OP_TRY : 0;
    hd_log_operation(t, (block == BLOCK_FLOWS ? HD_OP_ATOMIC : HD_OP_CONTINUES) | tries);
    block = BLOCK_GOES_ON;
}

/* The pending operation is not enabled in the middle of a step. */
static void end_step_early(hd_thread *t)
{
    hd_op op = t->view->pending, try = op;
    try.kind = failure_of(op.kind);
    try.flags |= HD_OP_TRY;
    if (try.kind)
        hd_continue_step(&try);
    else if (!t->spin.held && hd_exploring())
        hd_end(HD_MODEL_LIMIT, op.site, "waiting inside an atomic block for anything but a lock is not modelled yet");
    t->view->pending = op;
}

/* Publishes the pending operation that the caller has filled in, and returns when it has been performed; NULL: it
 * was withdrawn. A further operation of a step is performed at once if it is enabled; otherwise the step ends. */
static const hd_op *publish(hd_ready *ready)
{
    hd_thread *t = hd_current;
    hd_op *op = &t->view->pending;
    t->ready = ready;
    t->site = op->site;
    if (UNLIKELY(t->logged >= hd_rt.options->settings.depth) && block <= BLOCK_BEGINS && hd_exploring()) {
        t->ready = never;
        op->flags |= HD_OP_DEEP;
        hd_rt.outcome->deep++;
    }
    if (hd_rt.options->stacks)
        hd_stacks_record(t->id, __builtin_frame_address(0));
    if (block > BLOCK_BEGINS && may_perform(t)) {
        go_on_with_step(t);
        return op;
    }
    if (block == BLOCK_GOES_ON)
        end_step_early(t);
    if (block) {
        op->flags |= HD_OP_ATOMIC;
        block = BLOCK_GOES_ON;
    }
    hd_spin_publish(t);
    suspend(t, HD_THREAD_AT_OP);
    if (t->withdrawn) {
        t->withdrawn = 0;
        return NULL;
    }
    hd_log_operation(t, 0);
    hd_spin_performed(t);
    return op;
}

/* A thread that may receive signals looks for them before each of its operations. Not inside a step, and not before
 * the look itself. */
static void poll_first(hd_op_kind kind)
{
    if (UNLIKELY(hd_known->signals | hd_known->cancels) && hd_kinds[kind].role != HD_ROLE_POLLS && !block) {
        typeof(hd_current->update) update = hd_current->update; /* of the operation; a handler has its own */
        hd_send_poll_before_operation();
        hd_current->update = update;
    }
}

/* May the operation be performed inside an atomic block? Choices, and operations that put a thread to sleep or wake
 * one, are not modelled there. */
static int is_for_blocks(hd_op_kind kind)
{
    uint8_t role = hd_kinds[hd_kinds[kind].also].role == HD_ROLE_SLEEPS ? HD_ROLE_SLEEPS : hd_kinds[kind].role;
    return hd_kinds[kind].outcomes != HD_OUTCOMES_FIXED && role != HD_ROLE_SLEEPS && role != HD_ROLE_WAKES_ONE
        && role != HD_ROLE_WAKES_ALL;
}

/* The site is kept on the stack: handlers of signals may run before the operation, and other threads during it. An
 * object in the heap is checked again afterwards, because its memory may have been freed in the meantime. A futex needs
 * no memory. */
static const hd_op *perform(hd_op_kind kind, const void *object, uint64_t value, uint8_t flags, hd_ready *ready)
{
    if (block && hd_exploring() && !is_for_blocks(kind))
        hd_end(HD_MODEL_LIMIT, hd_call_site,
            "a condition variable or a choice inside an atomic block is not modelled yet");
    const hd_site *site = hd_call_site;
    poll_first(kind);
    hd_current->view->pending = (hd_op) { .object = (uint64_t)object,
        .site = site,
        .value = value,
        .thread = (uint16_t)hd_current->id,
        .kind = (uint8_t)kind,
        .flags = flags };
    const hd_op *op = publish(ready);
    if (UNLIKELY(hd_heap_holds(object)) && hd_objects[hd_kinds[kind].object].destruction)
        hd_objects_check_again((uint8_t)kind, object, site);
    return op;
}

const hd_op *hd_perform_with(hd_op_kind kind, const void *object, uint64_t value, hd_ready *ready)
{
    return perform(kind, object, value, 0, ready);
}

const hd_op *hd_perform(hd_op_kind kind, const void *object, hd_ready *ready)
{
    return perform(kind, object, 0, 0, ready);
}

void hd_perform_among_several(hd_op_kind kind, const void *object)
{
    if (hd_fast_state.several && hd_exploring())
        perform(kind, object, 0, hd_fast_state.waits ? 0 : HD_OP_ALONE, NULL);
}

void hd_perform_life(hd_op_kind kind, const void *object)
{
    if (hd_fast_state.waits && hd_exploring())
        hd_perform(kind, object, NULL);
    hd_effect();
}

/* Random schedules need no decision at a plain access: if an access of another thread conflicts with it, that is a
 * race, which is found in either order. Every 64th entry of the log is a decision nevertheless, so that a loop
 * that waits for plain memory ends. */
static inline int flows(void)
{
    enum { DECISION_EVERY = 64 };
    uint32_t at = *hd_rt.log_count;
    return hd_rt.options->flow && !hd_rt.options->states && !(hd_sched_local.count | block | hd_current->spin.armed)
        && at % DECISION_EVERY && at < hd_rt.log_room && hd_current->logged < hd_rt.options->settings.depth;
}

int hd_flow_access(hd_op_kind kind, uint64_t cell, uint8_t mask, const hd_site *site)
{
    if (!flows())
        return 0;
    hd_thread *t = hd_current;
    uint32_t at = *hd_rt.log_count;
    hd_op *op = &hd_rt.log[at];
    *op = (hd_op) { .object = cell, .site = site, .thread = (uint16_t)t->id, .kind = (uint8_t)kind, .mask = mask };
    *hd_rt.log_count = at + 1;
    t->logged++;
    t->site = site;
    t->view->steps++;
    hd_spin_note(op);
    return 1;
}

void hd_perform_access(
    hd_op_kind kind, uint64_t cell, uint8_t mask, uint64_t value, const hd_site *site, hd_ready *ready)
{
    poll_first(kind);
    if (hd_kind_is_plain((uint8_t)kind) && hd_flow_access(kind, cell, mask, site))
        return;
    hd_current->view->pending = (hd_op) { .object = cell,
        .site = site,
        .value = value,
        .thread = (uint16_t)hd_current->id,
        .kind = (uint8_t)kind,
        .mask = mask,
        .flags = hd_fast_state.waits ? 0 : HD_OP_ALONE };
    publish(ready);
}

void hd_atomic_block(int begin)
{
    uint32_t *blocks = &hd_current->atomic_blocks;
    if (begin && !(*blocks)++)
        block = BLOCK_BEGINS;
    else if (!begin && *blocks && !--*blocks)
        block = BLOCK_NONE;
}

uint32_t hd_step_begin(int plain)
{
    uint32_t outer = block;
    if (!outer)
        block = plain && flows() ? BLOCK_FLOWS : BLOCK_BEGINS;
    return outer;
}

void hd_step_end(uint32_t outer)
{
    if (!outer)
        block = BLOCK_NONE;
}

int hd_step_goes_on(void)
{
    return block == BLOCK_GOES_ON;
}

/* Run by hand: the current thread goes to the end of the queue of local work, and another thread performs its
 * operation, if any can. */
static void let_others_go(void)
{
    make_local(hd_current);
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (hd_thread_enabled(i)) {
            switch_to(&hd_threads[i]);
            return;
        }
    dispatch();
}

void hd_yield_by_hand(void)
{
    let_others_go();
    poll_first(HD_NONE);
}

void hd_step_must_be_over(const char *what)
{
    if (block == BLOCK_GOES_ON && hd_exploring())
        hd_end(HD_MODEL_LIMIT, hd_call_site, "%s inside an atomic block is not modelled yet", what);
}

void hd_wait(hd_wait_reason reason, const void *object)
{
    hd_thread_view *v = hd_current->view;
    v->waits_for = (uint8_t)reason;
    v->wait_object = (uint64_t)object;
    v->wait_site = hd_call_site;
    if (hd_rt.options->stacks)
        hd_stacks_record(hd_current->id, __builtin_frame_address(0));
    suspend(hd_current, HD_THREAD_WAITING);
    v->waits_for = HD_WAIT_NONE;
}

void hd_wake(hd_thread *t)
{
    make_local(t);
}

static void note_withdrawn(hd_thread *t)
{
    hd_op note = t->view->pending;
    note.flags |= HD_OP_WITHDRAWN;
    hd_log_note(note);
}

void hd_withdraw(hd_thread *t)
{
    if (hd_thread_enabled(t->id))
        note_withdrawn(t);
    hd_spin_withdrawn(t);
    t->withdrawn = 1;
    make_local(t);
}

void hd_withdraw_blocked(hd_thread *t)
{
    note_withdrawn(t);
    t->withdrawn = 1;
}

/* --- threads -------------------------------------------------------------------- */

static void thread_entry(void)
{
    hd_thread *t = hd_current;
    hd_pass_to((const void *)t->start, hd_lines_load(&t->argument, sizeof t->argument, NULL));
    void *result = t->start(t->argument);
    uint32_t shadow = hd_returned_by((const void *)t->start);
    if (shadow)
        hd_lines_store(&t->result, sizeof t->result, shadow);
    hd_thread_exit(result);
}

hd_thread *hd_spawn(void *(*start)(void *), void *argument, const hd_site *site)
{
    uint32_t id = hd_current ? hd_lives_next_slot() : 0;
    if (id == HD_MAX_THREADS)
        return NULL;
    hd_lives_begin(id);
    hd_thread *t = &hd_threads[id];
    t->view->created_at = site;
    t->view->creator = hd_current ? (uint16_t)hd_current->id : 0;
    t->start = start;
    t->argument = argument;
    t->now = hd_current ? hd_current->now : 0;
    t->sp = hd_fiber_prepare(id, thread_entry);
    if (hd_current)
        t->signal_mask = hd_current->signal_mask;
    if (hd_current)
        hd_edge(t, hd_current, HD_WAIT_NONE, 0);
    if (hd_current && hd_rt.options->stacks)
        hd_stacks_record_creation(__builtin_frame_address(0));
    make_local(t);
    hd_watch_count_threads(1);
    return t;
}

/* Do threads exist besides the current one that have not ended? */
static int others_live(void)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (&hd_threads[i] != hd_current && hd_thread_lives(&hd_threads[i]))
            return 1;
    return 0;
}

/* The thread's status is DONE before others run, so dispatch never returns to it. */
void hd_finish_thread(void)
{
    hd_thread *t = hd_current;
    if (!others_live())
        hd_process_last_thread_ends();
    t->view->status = HD_THREAD_DONE;
    if (t->join_waiter_set)
        hd_wake(&hd_threads[t->join_waiter]);
    dispatch();
    __builtin_unreachable();
}
