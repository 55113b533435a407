#include "runtime/sched/sched_internal.h"

#include "abi/system.h"
#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/reset/fiber.h"
#include "runtime/reset/heap.h"
#include "runtime/reset/images.h"
#include "runtime/reset/rewind.h"
#include "runtime/reset/trap.h"
#include "runtime/sched/access.h"
#include "runtime/sched/blocks.h"
#include "runtime/sched/compose.h"
#include "runtime/sched/expiry.h"
#include "runtime/sched/lives.h"
#include "runtime/sched/log.h"
#include "runtime/sched/objects.h"
#include "runtime/sched/passing.h"
#include "runtime/sched/places.h"
#include "runtime/sched/send.h"
#include "runtime/sched/spin.h"
#include "runtime/sched/stacks.h"
#include "runtime/sched/unshared.h"
#include "runtime/sched/watch.h"
#include "runtime/symbolic/bounds.h"
#include "runtime/symbolic/calls.h"
#include "runtime/symbolic/lines.h"

#include <errno.h>
#include <string.h>

hd_sched_queue hd_sched_local;
uint64_t hd_process_endings[HD_MOST_PROCESSES], hd_mortal_processes;

/* Whether the current thread's next operation belongs to a step of several operations: no; it is the first, and
 * needs a decision; it is the first, and is performed at once (random schedules); it is a further one. */
static enum { BLOCK_NONE, BLOCK_BEGINS, BLOCK_FLOWS, BLOCK_GOES_ON } block;

void hd_sched_reset(void)
{
    hd_sched_local.first = hd_sched_local.count = 0;
    block = BLOCK_NONE;
    hd_compose_forget();
}

/* --- switching --------------------------------------------------------------- */

/* A place in the queue of threads with local work, which is a ring. */
static uint32_t wrapped(uint32_t at)
{
    return at < HD_MAX_THREADS ? at : at - HD_MAX_THREADS;
}

/* Threads with local work run in the order in which they got it: that order depends on the schedule alone. */
void hd_sched_make_local(hd_thread *t)
{
    if (UNLIKELY(t->view->dead))
        return; /* whatever it has waited for, its process has ended */
    t->view->status = HD_THREAD_LOCAL;
    hd_compose_stop();
    hd_sched_local.ids[wrapped(hd_sched_local.first + hd_sched_local.count++)] = t->id;
}

/* Exchanges what belongs to a thread but is in variables of the process: errno, the state of hooks, the owner mark. */
static void switch_to(hd_thread *to)
{
    hd_thread *from = hd_current;
    hd_compose_forget();
    if (from == to)
        return;
    int is_away = UNLIKELY(hd_image_parts) && !hd_images_are_in_place(to->process);
    if (is_away)
        hd_places_leave();
    from->saved_errno = errno;
    from->saved_plainly = hd_fast_state.plainly;
    hd_bounds_switch(from->id, to->id);
    if (UNLIKELY(from->process != to->process))
        hd_rewind_switch(from->process, to->process);
    hd_effects_so_far();
    hd_current = to;
    errno = to->saved_errno;
    hd_fast_state.plainly = to->saved_plainly;
    hd_fast_state.mark = hd_access_mark(to->id);
    if (is_away)
        hd_places_switch(&from->sp, to);
    else
        hd_fiber_switch(&from->sp, to->sp);
}

/* --- picking ------------------------------------------------------------------ */

static int may_perform(hd_thread *t)
{
    hd_op *op = &t->view->pending;
    return (hd_places_is_ready(t, op) || hd_op_is_freed(op)) && (!t->spin.held || t->spin.changed) && !t->view->dead;
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

/* Takes the plan's next step if it is this thread's and enabled. Operations with HD_OP_ALONE are not part of plans. */
static int follow_plan(hd_thread *t)
{
    const hd_choice *next = &hd_the_engine->planned[hd_the_engine->followed];
    hd_op *op = &t->view->pending;
    if (next->thread != t->id || (op->flags & HD_OP_ALONE) || !may_perform(t)
        || next->choice >= (op->choices > 1 ? op->choices : 1))
        return 0;
    if (op->choice != next->choice)
        op->choice = next->choice;
    hd_the_engine->followed++;
    return 1;
}

static int has_plan(void)
{
    return hd_the_engine && hd_the_engine->followed < hd_the_engine->planned_count && !hd_expiry_waits;
}

/* Is the current thread, which has published an operation, the plan's next? Then it continues. */
static int goes_on_as_planned(hd_thread *t)
{
    return has_plan() && !hd_sched_local.count && follow_plan(t);
}

/* The thread of the plan's next step; NULL: the engine decides. */
static hd_thread *pick_planned(void)
{
    uint32_t id = has_plan() ? hd_the_engine->planned[hd_the_engine->followed].thread : HD_MAX_THREADS;
    return id < *hd_rt.thread_count && hd_rt.threads[id].status == HD_THREAD_AT_OP && follow_plan(&hd_threads[id])
        ? &hd_threads[id]
        : NULL;
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
 * has stopped, or whose assumption failed, could have continued; where only servers are left, nothing more happens. */
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
    if (hd_explain_stuck_more)
        hd_explain_stuck_more();
    return hd_is_quiet() ? NULL : hd_expiry_next();
}

/* The thread that performs the next operation. If no thread can, the execution ends here: that is a deadlock, unless
 * `--depth` has stopped a thread or a signal that was sent has not been taken. */
static hd_thread *pick_next(void)
{
    hd_thread *expired = UNLIKELY(hd_expiry_waits) ? expire_if_stuck() : NULL;
    if (expired)
        return expired;
    hd_thread *planned = pick_planned();
    if (planned)
        return planned;
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
    const char *because = hd_explain_stuck_more ? hd_explain_stuck_more() : NULL;
    hd_end(HD_DEADLOCK, NULL, "%s", because ? because : "");
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
        hd_sched_local.first = wrapped(hd_sched_local.first + 1);
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

/* A thread that reaches --depth in the middle of an atomic block cannot stop there: others would see the block half
 * done. Nor can others go on behind a block that may have no end. The execution ends. */
static void check_depth_inside_step(const hd_thread *t)
{
    if (UNLIKELY(t->logged >= hd_rt.options->settings.depth) && (t->atomic_blocks || t->claimed.claim)
        && hd_exploring())
        hd_end(HD_DEPTH, t->site, "T%u does more than %u operations, and is inside an atomic block", hd_number_of(t),
            t->logged);
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

/* May the next operation continue the thread's step by composition? Not inside an atomic block, whose first operation
 * needs a decision; an access to several cells is no such block. */
static int may_compose(void)
{
    return block <= BLOCK_BEGINS && !hd_current->atomic_blocks && !hd_current->spin.armed;
}

int hd_is_for_blocks(uint8_t kind)
{
    uint8_t role = hd_kinds[hd_kinds[kind].also].role == HD_ROLE_SLEEPS ? HD_ROLE_SLEEPS : hd_kinds[kind].role;
    uint8_t outcomes = hd_kinds[kind].outcomes;
    return outcomes != HD_OUTCOMES_FIXED && outcomes != HD_OUTCOMES_MESSAGES && role != HD_ROLE_SLEEPS
        && role != HD_ROLE_WAKES_ONE && role != HD_ROLE_WAKES_ALL;
}

/* Sets the current thread's next operation. Its small fields are one store, because the log copies them with one load
 * soon afterwards. */
static inline void set_pending(const hd_op *op)
{
    hd_op *pending = &hd_current->view->pending;
    uint64_t small = hd_current->id | (uint64_t)op->kind << 16 | (uint64_t)op->mask << 24 | (uint64_t)op->flags << 48;
    _Static_assert(offsetof(hd_op, kind) == offsetof(hd_op, thread) + 2
            && offsetof(hd_op, mask) == offsetof(hd_op, kind) + 1
            && offsetof(hd_op, flags) == offsetof(hd_op, thread) + 6,
        "the small fields");
    pending->object = op->object;
    pending->site = op->site;
    pending->value = op->value;
    memcpy(&pending->thread, &small, sizeof small);
}

/* Can invisible operations continue the step that begins with this operation? As in atomic blocks, not if it chooses,
 * sleeps or wakes. */
static inline int begins_composed(const hd_op *op)
{
    return UNLIKELY(hd_composes()) && hd_compose_kinds[op->kind] & HD_COMPOSE_BEGINS;
}

/* The process of the thread is alive: its end would have come before the operation that was just performed. */
static void look_at_process(hd_thread *t)
{
    hd_op performed = t->view->pending, look = hd_process_runs(t->id, t->view->ending);
    if (hd_kinds[performed.kind].object == HD_OBJECT_ENDING)
        return;
    look.site = performed.site;
    hd_continue_step(&look);
    t->view->pending = performed;
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
    if (hd_compose_may(t) && hd_composes() && may_compose() && may_perform(t) && hd_compose(t)) {
        block = block ? BLOCK_GOES_ON : BLOCK_NONE;
        return op;
    }
    if (block > BLOCK_BEGINS && may_perform(t)) {
        check_depth_inside_step(t);
        go_on_with_step(t);
        return op;
    }
    if (block == BLOCK_GOES_ON)
        end_step_early(t);
    if (block)
        op->flags |= HD_OP_ATOMIC;
    int begins = begins_composed(op);
    if (begins)
        op->flags |= HD_OP_OPEN;
    if (block)
        block = BLOCK_GOES_ON;
    hd_spin_publish(t);
    if (!goes_on_as_planned(t))
        suspend(t, HD_THREAD_AT_OP);
    t->goes_on = !t->withdrawn && begins && !hd_compose_ends(op);
    if (t->withdrawn) {
        t->withdrawn = 0;
        block = block ? BLOCK_BEGINS : BLOCK_NONE; /* the step has not begun */
        return NULL;
    }
    t->step = *hd_rt.log_count;
    hd_log_operation(t, 0);
    if (UNLIKELY(t->mortal))
        look_at_process(t);
    hd_spin_performed(t);
    return op;
}

/* --- annotated functions -------------------------------------------------------------- */

/* Do annotations make several accesses one step? Only if races are looked for. If leaks are, the end of the process
 * between two accesses matters. */
static int claims_join(void)
{
    const hd_settings *settings = &hd_rt.options->settings;
    return settings->races && !settings->leaks && !(hd_known->signals | hd_known->cancels) && !hd_composes();
}

/* May an annotated function perform it? Locks, and the end of the process. */
static int is_for_claims(hd_op_kind kind)
{
    uint8_t class = hd_kinds[kind].object;
    return hd_objects[class].waits_for == HD_WAITS_HOLDER || class == HD_OBJECT_PROCESS;
}

static _Noreturn void refute(const char *what, const hd_site *site)
{
    hd_end(HD_ANNOTATION, site, "annotation: %s is annotated as %s, and performs an operation on %s",
        hd_current->claimed.claim->function, hd_current->claimed.claim->is_method ? "a method" : "atomic", what);
}

static int is_claimed(void)
{
    return UNLIKELY(hd_current->claimed.claim != NULL) && !hd_current->atomic_blocks && !hd_current->claim_pauses;
}

/* Is the plain access part of the call? A method's call has no part in what it accesses outside of its object. */
static int is_part_of(const hd_claimed *call, const hd_op *access)
{
    uint64_t first, end;
    if (!call->claim->is_method)
        return 1;
    hd_block_span(access, &first, &end);
    return call->object <= first && end <= call->object + call->claim->size;
}

/* The current thread is about to perform an operation that is no plain access. Inside an annotated function that is a
 * step of its own; returns whether the accesses after it are another one. */
static int leave_claim(hd_op_kind kind, const hd_site *site)
{
    if (!is_claimed())
        return 0;
    if (!is_for_claims(kind))
        refute(hd_kind_is_memory((uint8_t)kind) ? "an atomic variable" : "something other than a lock", site);
    if (!claims_join())
        return 0;
    block = BLOCK_NONE;
    return 1;
}

/* The accesses from here on are part of this call. */
static void enter_call(hd_claimed call)
{
    hd_thread *t = hd_current;
    int in_call = t->claimed.claim != NULL;
    t->claimed = call;
    if (!t->atomic_blocks && !t->claim_pauses && claims_join() && (in_call || !block))
        block = call.claim ? BLOCK_BEGINS : BLOCK_NONE;
}

hd_claimed hd_claim_begin(const hd_claim *claim, uint64_t object)
{
    hd_claimed outer = hd_current ? hd_current->claimed : (hd_claimed) { 0 };
    if (!hd_exploring())
        return outer;
    hd_compose_ask();
    if (!hd_claim_includes(&outer, claim, object))
        enter_call((hd_claimed) { claim, object });
    return outer;
}

void hd_claim_end(hd_claimed outer)
{
    if (hd_exploring() && (hd_current->claimed.claim != outer.claim || hd_current->claimed.object != outer.object))
        enter_call(outer);
}

/* --- operations ------------------------------------------------------------------------ */

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

/* The `ready` of an operation that destroys an object whose operations record its value: it records it, too. The value
 * is the object's first word. */
static int notes_value(hd_thread *t, hd_op *op)
{
    (void)t;
    op->value = *(const uint32_t *)hd_op_address(op);
    return 1;
}

static int ends_value(hd_op_kind kind)
{
    return hd_kinds[kind].role == HD_ROLE_DESTROYS && hd_objects[hd_kinds[kind].object].starts == HD_STARTS_VALUE;
}

/* The site is kept on the stack: handlers of signals may run before the operation, and other threads during it. An
 * object in the heap is checked again afterwards, because its memory may have been freed in the meantime. A futex needs
 * no memory. */
static const hd_op *perform(hd_op_kind kind, const void *object, uint64_t value, uint16_t flags, hd_ready *ready)
{
    int claimed = leave_claim(kind, hd_call_site);
    if (block && hd_exploring() && !hd_is_for_blocks((uint8_t)kind))
        hd_end(HD_MODEL_LIMIT, hd_call_site,
            "a condition variable or a choice inside an atomic block is not modelled yet");
    const hd_site *site = hd_call_site;
    poll_first(kind);
    int in_heap = hd_heap_holds(object) && hd_objects[hd_kinds[kind].object].destruction;
    if (UNLIKELY(in_heap) && hd_heap_is_freed(object))
        flags |= HD_OP_FREED;
    set_pending(&(hd_op) { .object = hd_copied_object_at((uint64_t)object),
        .site = site,
        .value = value,
        .kind = (uint8_t)kind,
        .flags = flags });
    const hd_op *op = publish(ends_value(kind) ? notes_value : ready);
    if (UNLIKELY(claimed))
        block = BLOCK_BEGINS;
    if (UNLIKELY(in_heap))
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
    if ((hd_fast_state.waits && hd_exploring()) || hd_heap_is_freed(object))
        perform(kind, object, 0, hd_fast_state.waits ? 0 : HD_OP_ALONE, NULL);
    hd_effect();
}

/* May the current thread's next operation be performed at once, as an entry of the log and nothing else? */
static inline int is_undisturbed(void)
{
    return !(hd_sched_local.count | block | hd_current->spin.armed | hd_current->mortal)
        && *hd_rt.log_count < hd_rt.log_room && hd_current->logged < hd_rt.options->settings.depth;
}

/* Random schedules need no decision at a plain access: if an access of another thread conflicts with it, that is a
 * race, which is found in either order. Every 64th entry of the log is a decision nevertheless, so that a loop
 * that waits for plain memory ends. */
static inline int flows(void)
{
    enum { DECISION_EVERY = 64 };
    return hd_rt.options->flow && !hd_rt.options->states && *hd_rt.log_count % DECISION_EVERY && is_undisturbed();
}

/* Does the log hold nothing about a plain access but the access, that is, no values, stacks, expressions, times? */
static inline int is_logged_alone(void)
{
    const hd_run_options *o = hd_rt.options;
    return !(o->values | o->stacks | hd_fast_state.shadowed | (uint32_t)hd_time_passes) && hd_fast_state.waits
        && is_undisturbed();
}

/* Is the current thread's plain access the plan's next step? Takes the step. */
static inline int flows_as_planned(void)
{
    if (!has_plan() || !is_logged_alone())
        return 0;
    const hd_choice *next = &hd_the_engine->planned[hd_the_engine->followed];
    if (next->thread != hd_current->id || next->choice)
        return 0;
    hd_the_engine->followed++;
    return 1;
}

/* Does the plain access continue its thread's step (compose.h)? A plan has no step for it. */
static inline int flows_composed(void)
{
    return hd_current->goes_on && !hd_current->atomic_blocks && is_logged_alone();
}

int hd_flow_access(hd_op_kind kind, uint64_t cell, uint8_t mask, const hd_site *site)
{
    hd_thread *t = hd_current;
    if (UNLIKELY(hd_unshared_count || hd_current->claimed.claim))
        return 0; /* the flags of the access matter */
    if (hd_composes()) {
        int flows = flows_composed();
        if (flows && !hd_compose_repeats(cell, mask, kind, site))
            hd_compose_flow(kind, cell, hd_object_at(cell), mask, site);
        return flows;
    }
    if (!flows() && !flows_as_planned())
        return 0;
    uint32_t at = *hd_rt.log_count;
    hd_op *op = &hd_rt.log[at];
    *op = (hd_op) {
        .object = hd_object_at(cell), .site = site, .thread = (uint16_t)t->id, .kind = (uint8_t)kind, .mask = mask
    };
    *hd_rt.log_count = at + 1;
    t->logged++;
    t->site = site;
    t->view->steps++;
    if (hd_rt.options->settings.discipline)
        hd_log_note_publication(t, op);
    hd_spin_note(op);
    return 1;
}

/* Notes by what check/claims.c compares the plain access with others. Returns whether the accesses after it are another
 * step: it is made in a method, and no part of its call. */
static int note_claims(hd_op *access)
{
    const hd_claimed *call = &hd_current->claimed;
    if (UNLIKELY(hd_unshared_count) && hd_unshared_is_used(access))
        access->flags |= HD_OP_UNSHARED;
    if (!UNLIKELY(call->claim != NULL))
        return 0;
    int joins = is_claimed() && claims_join(), is_part = is_part_of(call, access);
    if (is_part)
        access->flags |= joins ? HD_OP_PRIVATE | HD_OP_CLAIMED : HD_OP_PRIVATE;
    return joins && !is_part;
}

void hd_perform_access(
    hd_op_kind kind, uint64_t cell, uint8_t mask, uint64_t value, const hd_site *site, hd_ready *ready)
{
    if (hd_fast_state.waits) /* otherwise it is no operation to explorers that do not ask for such accesses */
        poll_first(kind);
    if (hd_kind_is_plain((uint8_t)kind)
        && (hd_compose_repeats(cell, mask, kind, site) || hd_flow_access(kind, cell, mask, site)))
        return;
    int plain = hd_kind_is_plain((uint8_t)kind), leaves = plain ? 0 : leave_claim(kind, site);
    hd_op op = { .object = cell,
        .site = site,
        .value = value,
        .kind = (uint8_t)kind,
        .mask = mask,
        .flags = hd_fast_state.waits ? 0 : HD_OP_ALONE };
    if (plain && note_claims(&op)) {
        leaves = 1;
        block = BLOCK_NONE;
    }
    op.object = hd_object_at(cell);
    set_pending(&op);
    publish(ready);
    if (UNLIKELY(leaves))
        block = BLOCK_BEGINS;
}

void hd_atomic_block(int begin)
{
    uint32_t *blocks = &hd_current->atomic_blocks;
    hd_compose_forget();
    if (begin && !(*blocks)++)
        block = BLOCK_BEGINS;
    else if (!begin && *blocks && !--*blocks)
        block = is_claimed() && claims_join() ? BLOCK_BEGINS : BLOCK_NONE;
}

/* A step of the runtime's inside an annotated function is a step of its own, with all its operations. */
static const uint32_t CLAIMS_PAUSE = 1u << 31; /* set in the result of hd_step_begin */

uint32_t hd_step_begin(int plain)
{
    uint32_t outer = block;
    hd_compose_stop();
    if (is_claimed() && (!plain || hd_current->claimed.claim->is_method)) {
        outer = CLAIMS_PAUSE;
        hd_current->claim_pauses = 1;
        block = BLOCK_BEGINS;
    } else if (!outer) {
        block = plain && flows() ? BLOCK_FLOWS : BLOCK_BEGINS;
    }
    return outer;
}

void hd_step_end(uint32_t outer)
{
    if (outer & CLAIMS_PAUSE) {
        hd_current->claim_pauses = 0;
        block = claims_join() ? BLOCK_BEGINS : BLOCK_NONE;
    } else if (!outer) {
        block = BLOCK_NONE;
    }
}

int hd_step_goes_on(void)
{
    return block == BLOCK_GOES_ON;
}

/* Run by hand: the current thread goes to the end of the queue of local work, and another thread performs its
 * operation, if any can. */
static void let_others_go(void)
{
    hd_sched_make_local(hd_current);
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
    if (is_claimed())
        refute(what, hd_call_site);
    if (block == BLOCK_GOES_ON && hd_exploring())
        hd_end(HD_MODEL_LIMIT, hd_call_site, "%s inside an atomic block is not modelled yet", what);
}

void hd_wait_for(hd_wait_reason reason, const void *object)
{
    hd_thread_view *v = hd_current->view;
    hd_current->goes_on = 0;
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
    hd_sched_make_local(t);
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
    hd_sched_make_local(t);
}

void hd_withdraw_blocked(hd_thread *t)
{
    note_withdrawn(t);
    t->withdrawn = 1;
}

/* --- threads -------------------------------------------------------------------- */

/* Has the process threads besides the current one that have not ended? */
static int others_live(void)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (&hd_threads[i] != hd_current && hd_threads[i].process == hd_current->process
            && hd_thread_lives(&hd_threads[i]))
            return 1;
    return 0;
}

void hd_join_process(hd_thread *t, uint32_t process)
{
    t->process = process;
    t->view->process = (uint16_t)process;
    t->mortal = hd_exploring() && (hd_mortal_processes >> process & 1);
    t->view->ending = t->mortal ? (uint64_t)&hd_process_endings[process] : 0;
    t->view->dead = 0;
}

void hd_kill_threads(uint32_t process)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++) {
        hd_thread *t = &hd_threads[i];
        if (t == hd_current || t->process != process || !hd_thread_lives(t))
            continue;
        t->view->dead = 1;
        hd_expiry_waits -= t->patient;
        t->patient = 0;
    }
}

void hd_finish_thread(void)
{
    if (!others_live())
        hd_process_last_thread_ends();
    hd_leave();
}

/* The thread's status is DONE before others run, so dispatch never returns to it. */
void hd_leave(void)
{
    hd_thread *t = hd_current;
    t->view->status = HD_THREAD_DONE;
    if (t->join_waiter_set)
        hd_wake(&hd_threads[t->join_waiter]);
    dispatch();
    __builtin_unreachable();
}
