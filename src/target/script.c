/* The interpreter of scripts.
 *
 * Where the effect of an operation depends on the state, so does its kind: `enabled` sets the kind that the
 * operation has in the current state. */
#include "base/error.h"
#include "base/map.h"
#include "target/script_internal.h"

#include <stdio.h>
#include <string.h>

/* Addresses of objects: a range per class; APART bytes from one object to the next. */
enum { CELLS = 0x1000, MUTEXES = 0x2000, CONDITIONS = 0x3000, SEMAPHORES = 0x4000, RWLOCKS = 0x5000, APART = 8 };

/* Phases of a wait on a condition. */
enum { BEGINS, SLEEPS, TAKES_BACK };

static const hd_script_step *step_of(const hd_script *s, uint32_t id)
{
    return &s->program.threads[id][s->threads[id].at];
}

static uint32_t number_of(const hd_op *op)
{
    return (uint32_t)(op->object & 0xfff) / APART;
}

/* The bound script: the functions of hd_runtime have no context argument. */
static hd_script *bound;

static void end_run(hd_script *s, uint32_t id, uint32_t kind, const char *message)
{
    /* An execution in which an assumption failed is no test, no matter how it ends. */
    if (s->assumption_failed && kind != HD_CUT && kind != HD_DIVERGED)
        kind = HD_ASSUMED;
    s->outcome.kind = kind;
    s->outcome.thread = (uint16_t)id;
    s->outcome.site = kind == HD_FINISHED ? NULL : &s->sites[id][s->threads[id].at];
    snprintf(s->outcome.message, sizeof s->outcome.message, "%s", message);
    s->ended = 1;
}

static void append(hd_script *s, hd_op op)
{
    if (s->log_count >= s->options.settings.depth || s->log_count >= HD_SCRIPT_LOG)
        end_run(s, op.thread, HD_DEPTH, "too many operations");
    else
        s->log[s->log_count++] = op;
}

static void make_local(hd_script *s, uint32_t id)
{
    s->views[id].status = HD_THREAD_LOCAL;
    s->local[(s->local_first + s->local_count++) % HD_SCRIPT_THREADS] = id;
}

static void add_edge(hd_script *s, uint32_t to, uint32_t from, hd_wait_reason reason)
{
    append(s, (hd_op) { .kind = HD_EDGE, .thread = (uint16_t)to, .object = from, .mask = (uint8_t)reason });
}

/* --- enabledness --------------------------------------------------------------------- */

static int64_t sum_of(const hd_script *s, const hd_op *op)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < 8; i++)
        if (op->mask >> i & 1)
            sum += s->cells[number_of(op)][i];
    return sum;
}

static uint64_t bytes_of(const hd_script *s, const hd_op *op)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < 8; i++)
        if (op->mask >> i & 1)
            bytes |= (uint64_t)s->cells[number_of(op)][i] << 8 * i;
    return bytes;
}

static uint32_t byte_of(const hd_op *op)
{
    return (uint32_t)__builtin_ctz(op->mask);
}

/* Would the update change its cell in the current state? */
static bool changes(const hd_script *s, const hd_op *op, const hd_script_step *step)
{
    uint8_t last = (uint8_t)s->threads[op->thread].last;
    if (step->code == HD_DO_ADD)
        return (uint8_t)step->value != 0;
    if (step->code == HD_DO_ADD_LAST)
        return last != 0;
    if (step->code == HD_DO_SWAP)
        return last != s->cells[number_of(op)][byte_of(op)];
    bool same = true;
    for (uint32_t i = 0; i < 8; i++)
        same &= !(op->mask >> i & 1) || s->cells[number_of(op)][i] == (uint8_t)step->value;
    return sum_of(s, op) == step->other && !same;
}

/* The test that decides whether the update changes anything (hd_update_test), so that explorers can
 * evaluate it in other states. An update of several bytes compares their sum, for which there is no
 * test: 0. */
static uint16_t test_of(const hd_op *op, const hd_script_step *step, bool inputs)
{
    bool one_byte = (op->mask & (op->mask - 1)) == 0;
    if (step->code == HD_DO_ADD_LAST)
        return HD_OP_FIXED | HD_CHANGES_UNLESS_ZERO << HD_OP_TEST_SHIFT;
    if (step->code == HD_DO_SWAP)
        return HD_CHANGES_UNLESS_EQUAL << HD_OP_TEST_SHIFT;
    if (step->code == HD_DO_ADD)
        return HD_OP_FIXED;
    if (one_byte && step->other == (uint8_t)step->value)
        return inputs ? 0 : HD_OP_FIXED;
    return one_byte ? HD_CHANGES_IF_EQUAL << HD_OP_TEST_SHIFT : 0;
}

static bool waits(const hd_script *s, uint32_t id, const hd_op *op)
{
    return s->threads[id].waits_on == number_of(op) + 1 && !s->threads[id].woken;
}

static uint8_t count_waiters(const hd_script *s, const hd_op *op)
{
    uint8_t count = 0;
    for (uint32_t i = 0; i < s->thread_count; i++)
        count += waits(s, i, op);
    return count;
}

/* A try never blocks: its kind says whether it succeeds. Other operations are disabled instead. */
static int try_or_block(hd_op *op, bool possible, uint8_t kind, uint8_t failed)
{
    if (!(op->flags & HD_OP_TRY))
        return possible;
    op->kind = possible ? kind : failed;
    return 1;
}

static int is_enabled(hd_script *s, uint32_t id)
{
    hd_op *op = &s->views[id].pending;
    const hd_script_step *step = step_of(s, id);
    if (s->views[id].status != HD_THREAD_AT_OP)
        return 0;
    switch (op->kind) {
    case HD_LOCK:
    case HD_LOCK_FAIL:
        return try_or_block(op, !s->owners[number_of(op)], HD_LOCK, HD_LOCK_FAIL);
    case HD_RDLOCK:
    case HD_WRLOCK:
        return hd_need_is_met(hd_kinds[op->kind].need, s->rwlocks[number_of(op)]);
    case HD_SEM_WAIT:
    case HD_SEM_FAIL:
        op->value = s->semaphores[number_of(op)];
        return try_or_block(op, op->value > 0, HD_SEM_WAIT, HD_SEM_FAIL);
    case HD_SEM_POST:
        op->value = s->semaphores[number_of(op)];
        return 1;
    case HD_RMW:
    case HD_RMW_SAME:
        /* Whether an update changes its cell decides with what it conflicts. */
        op->kind = changes(s, op, step) ? HD_RMW : HD_RMW_SAME;
        op->flags |= test_of(op, step, s->input_count);
        return 1;
    case HD_COND_SIGNAL:
    case HD_COND_BROADCAST:
    case HD_COND_NOBODY:
    case HD_COND_BROADCAST_NOBODY: {
        uint8_t waiters = count_waiters(s, op), kind = step->code == HD_DO_SIGNAL ? HD_COND_SIGNAL : HD_COND_BROADCAST;
        op->kind = waiters ? kind : hd_kinds[kind].otherwise;
        /* A signal has one outcome per waiter. */
        op->choices = kind == HD_COND_SIGNAL ? waiters : 0;
        return 1;
    }
    default:
        return 1;
    }
}

/* --- operations -------------------------------------------------------------------------- */

static void put(hd_script *s, const hd_op *op, uint32_t byte, hd_script_value v)
{
    uint32_t cell = number_of(op);
    s->cells[cell][byte] = (uint8_t)v.value;
    s->cell_exprs[cell][byte] = v.expr;
    s->cell_inputs[cell][byte] = v.from_input;
}

static void write_cell(hd_script *s, const hd_op *op, uint8_t value, bool add)
{
    hd_script_value by = { .value = value };
    for (uint32_t i = 0; i < 8; i++)
        if (op->mask >> i & 1)
            put(s, op, i, add ? hd_script_sum(s, hd_script_held(s, number_of(op), i), by) : by);
}

static bool holds_inputs(const hd_script *s, const hd_op *op)
{
    bool any = false;
    for (uint32_t i = 0; i < 8; i++)
        any |= (op->mask >> i & 1) && s->cell_inputs[number_of(op)][i];
    return any;
}

/* Sets `last` to the sum of the bytes. A sum of several bytes is not tracked as an expression. */
static void give_sum(hd_script *s, uint32_t id, const hd_op *op)
{
    if (!holds_inputs(s, op)) {
        s->threads[id].last = sum_of(s, op);
        return;
    }
    hd_assert(op->mask == 1u << byte_of(op));
    hd_script_give(s, id, hd_script_held(s, number_of(op), byte_of(op)));
}

/* Wakes a waiter. A timed wait has published its timeout: it is withdrawn, and the log keeps it as
 * an operation that could have been performed here. */
static void wake(hd_script *s, uint32_t id, uint32_t waker)
{
    hd_thread_view *v = &s->views[id];
    s->threads[id].woken = 1;
    if (v->status == HD_THREAD_AT_OP && v->pending.kind == HD_COND_TIMEOUT) {
        hd_op withdrawn = v->pending;
        withdrawn.flags |= HD_OP_WITHDRAWN;
        append(s, withdrawn);
        make_local(s, id);
    } else if (v->status == HD_THREAD_WAITING) {
        v->waits_for = HD_WAIT_NONE;
        make_local(s, id);
    }
    add_edge(s, id, waker, HD_WAIT_COND);
}

static void wake_waiters(hd_script *s, uint32_t id, const hd_op *op)
{
    /* The outcome of a signal is the index of the waiter that it wakes. */
    uint32_t skip = op->kind == HD_COND_SIGNAL ? op->choice : 0;
    for (uint32_t i = 0; i < s->thread_count; i++) {
        if (!waits(s, i, op) || (op->kind == HD_COND_SIGNAL && skip-- > 0))
            continue;
        wake(s, i, id);
        if (op->kind == HD_COND_SIGNAL)
            return;
    }
}

static void update_cell(hd_script *s, uint32_t id, const hd_op *op, const hd_script_step *step)
{
    hd_script_value held = hd_script_held(s, number_of(op), byte_of(op));
    if (step->code == HD_DO_ADD) {
        give_sum(s, id, op);
        write_cell(s, op, (uint8_t)step->value, true);
        return;
    }
    bool same = sum_of(s, op) == step->other;
    if (holds_inputs(s, op))
        hd_script_compare(s, id, held, (hd_script_value) { .value = step->other });
    if (same && op->kind == HD_RMW)
        write_cell(s, op, (uint8_t)step->value, false);
    s->threads[id].last = same;
}

/* An update whose operand is `last`. Whether it changes its byte may depend on inputs: that is a
 * branch inside the step. */
static void update_with_last(hd_script *s, uint32_t id, const hd_op *op, hd_script_value last)
{
    hd_script_value held = hd_script_held(s, number_of(op), byte_of(op));
    bool adds = step_of(s, id)->code == HD_DO_ADD_LAST;
    if (op->kind == HD_RMW)
        put(s, op, byte_of(op), adds ? hd_script_sum(s, held, last) : last);
    if (!adds)
        hd_script_compare(s, id, last, held);
    else if (last.from_input)
        hd_script_compare(s, id, last, (hd_script_value) { 0 });
    hd_script_give(s, id, held);
}

/* Waiting and releasing the mutex are one step: two log entries, the second with HD_OP_CONTINUES. */
static void begin_wait(hd_script *s, uint32_t id, uint32_t condition)
{
    hd_script_thread *t = &s->threads[id];
    uint32_t mutex = step_of(s, id)->other;
    hd_op unlock = s->views[id].pending;
    unlock.kind = HD_UNLOCK;
    unlock.object = MUTEXES + mutex * APART;
    unlock.flags |= HD_OP_CONTINUES;
    append(s, unlock);
    if (s->owners[mutex] != id + 1)
        end_run(s, id, HD_MISUSE, "wait with a mutex of another");
    s->owners[mutex] = 0;
    t->waits_on = (uint8_t)(condition + 1);
    t->woken = 0;
    t->last = 0;
    t->phase = SLEEPS;
}

/* Performs the operation's effect. True: the instruction is complete. */
static bool take_effect(hd_script *s, uint32_t id, const hd_op *op, hd_script_value last)
{
    hd_script_thread *t = &s->threads[id];
    const hd_script_step *step = step_of(s, id);
    uint32_t object = number_of(op);
    bool in_wait = step->code == HD_DO_WAIT || step->code == HD_DO_TIMEDWAIT;
    switch (op->kind) {
    case HD_READ:
    case HD_LOAD:
        give_sum(s, id, op);
        break;
    case HD_WRITE:
    case HD_STORE:
        if (step->code == HD_DO_PUT)
            put(s, op, byte_of(op), last);
        else
            write_cell(s, op, (uint8_t)step->value, false);
        break;
    case HD_RMW:
    case HD_RMW_SAME:
        if (step->code == HD_DO_SWAP || step->code == HD_DO_ADD_LAST)
            update_with_last(s, id, op, last);
        else
            update_cell(s, id, op, step);
        break;
    case HD_LOCK:
        s->owners[object] = (uint8_t)(id + 1);
        if (!in_wait)
            t->last = 1;
        else
            t->phase = BEGINS;
        break;
    case HD_UNLOCK:
        if (s->owners[object] != id + 1)
            end_run(s, id, HD_MISUSE, "unlock by another");
        s->owners[object] = 0;
        break;
    case HD_LOCK_FAIL:
    case HD_SEM_FAIL:
        t->last = 0;
        break;
    case HD_RDLOCK:
    case HD_WRLOCK:
    case HD_RDUNLOCK:
    case HD_WRUNLOCK:
        s->rwlocks[object] += hd_kinds[op->kind].adds;
        break;
    case HD_SEM_WAIT:
        s->semaphores[object]--;
        t->last = 1;
        break;
    case HD_SEM_POST:
        s->semaphores[object]++;
        break;
    case HD_COND_WAIT:
        begin_wait(s, id, object);
        return false;
    case HD_COND_TIMEOUT:
        t->waits_on = 0;
        t->last = 1;
        return false;
    case HD_COND_SIGNAL:
    case HD_COND_BROADCAST:
        wake_waiters(s, id, op);
        break;
    case HD_CHOOSE:
        t->last = op->choice;
        break;
    case HD_EXIT:
        end_run(s, id, t->ends_as, t->ends_as == HD_FINISHED ? "" : "failed");
        break;
    default:
        break;
    }
    return true;
}

static void perform(hd_script *s, uint32_t id)
{
    hd_script_thread *t = &s->threads[id];
    hd_op op = s->views[id].pending;
    uint8_t code = step_of(s, id)->code;
    bool uses_last = code == HD_DO_PUT || code == HD_DO_SWAP || code == HD_DO_ADD_LAST;
    bool in_memory = op.kind >= HD_READ && op.kind <= HD_RMW_SAME;
    hd_script_value last = uses_last && in_memory ? hd_script_last(s, id) : (hd_script_value) { 0 };
    if (in_memory)
        op.value = bytes_of(s, &op);
    if (in_memory && (holds_inputs(s, &op) || (op.kind >= HD_RMW && last.from_input)))
        op.flags |= HD_OP_FROM_INPUTS;
    /* Explorers need the operand to evaluate the test in other states. */
    if (hd_op_test(&op) && s->log_count < HD_SCRIPT_LOG)
        s->operands[s->log_count] = uses_last ? last.value : step_of(s, id)->other;
    append(s, op);
    if (s->ended)
        return;
    s->views[id].status = HD_THREAD_LOCAL;
    /* Operations of an atomic block count as one step. */
    s->views[id].steps += !(op.flags & HD_OP_CONTINUES);
    /* Values that depend on inputs are not part of the history. */
    if (t->from_input)
        t->last = 0;
    t->expr = 0;
    t->from_input = 0;
    bool done = take_effect(s, id, &op, last);
    t->history = hd_hash(t->history ^ (t->from_input ? 0 : (uint64_t)t->last) ^ (uint64_t)t->at << 32);
    if (done && !s->ended)
        t->at++;
}

/* --- local steps ----------------------------------------------------------------------- */

/* Are there other threads that have not been joined (`unjoined`), or that have not ended? */
static bool others_left(const hd_script *s, uint32_t id, bool unjoined)
{
    for (uint32_t i = 0; i < s->thread_count; i++)
        if (i != id && s->views[i].status != HD_THREAD_UNUSED
            && (unjoined ? !s->threads[i].joined : s->views[i].status != HD_THREAD_DONE))
            return true;
    return false;
}

/* Inside an atomic block, an operation that is enabled is performed at once, as part of the step.
 * One that is not enabled is logged as a failed try and opens a new step. */
static void continue_block(hd_script *s, uint32_t id)
{
    hd_op *op = &s->views[id].pending;
    uint8_t failed = op->kind == HD_LOCK ? HD_LOCK_FAIL : op->kind == HD_SEM_WAIT ? HD_SEM_FAIL : 0;
    /* Still inside the step: no decision is needed. */
    if (s->threads[id].in_step && is_enabled(s, id)) {
        op->flags |= HD_OP_CONTINUES | (failed ? HD_OP_TRY : 0);
        perform(s, id);
        return;
    }
    if (s->threads[id].in_step) {
        hd_op try = *op;
        try.kind = failed;
        try.flags |= HD_OP_CONTINUES | HD_OP_TRY;
        append(s, try);
    }
    op->flags |= HD_OP_ATOMIC;
    s->threads[id].in_step = 1;
}

static void publish(hd_script *s, uint32_t id, uint8_t kind, uint64_t object, uint8_t flags)
{
    const hd_script_step *step = step_of(s, id);
    s->views[id].pending = (hd_op) { .object = object,
        .site = &s->sites[id][s->threads[id].at],
        .thread = (uint16_t)id,
        .kind = kind,
        .mask = object / 0x1000 == CELLS / 0x1000 ? step->mask : 0,
        .choices = kind == HD_CHOOSE ? (uint8_t)step->value : 0,
        .flags = flags };
    if (s->options.alone && kind <= HD_RMW_SAME && !others_left(s, id, true))
        s->views[id].pending.flags |= HD_OP_ALONE;
    s->views[id].status = HD_THREAD_AT_OP;
    if (s->threads[id].blocks)
        continue_block(s, id);
}

static void wait_for(hd_script *s, uint32_t id, uint8_t reason, uint64_t object)
{
    hd_thread_view *v = &s->views[id];
    v->status = HD_THREAD_WAITING;
    v->waits_for = reason;
    v->wait_object = object;
    v->wait_site = &s->sites[id][s->threads[id].at];
}

/* While other threads have not been joined, ending the process is an operation, HD_EXIT, which
 * conflicts with everything: those threads may or may not get further before it. */
static void end_process(hd_script *s, uint32_t id, uint32_t kind, const char *message)
{
    if (others_left(s, id, true)) {
        s->threads[id].ends_as = (uint8_t)kind;
        publish(s, id, HD_EXIT, 0, 0);
    } else {
        end_run(s, id, kind, message);
    }
}

static void finish(hd_script *s, uint32_t id)
{
    if (id == 0 || step_of(s, id)->code == HD_DO_EXIT) {
        end_process(s, id, HD_FINISHED, "");
        /* The last thread ends the program. */
    } else if (!others_left(s, id, false)) {
        end_run(s, id, HD_FINISHED, "");
    } else {
        s->views[id].status = HD_THREAD_DONE;
        if (s->threads[id].joiner)
            make_local(s, s->threads[id].joiner - 1u);
    }
}

static void create(hd_script *s, uint32_t creator, uint32_t id)
{
    hd_assert(id < HD_SCRIPT_THREADS && s->views[id].status == HD_THREAD_UNUSED);
    s->views[id].creator = (uint16_t)creator;
    s->views[id].created_at = &s->sites[creator][s->threads[creator].at];
    if (s->thread_count <= id)
        s->thread_count = id + 1;
    if (id != creator)
        add_edge(s, id, creator, HD_WAIT_NONE);
    make_local(s, id);
}

/* True: the join is done. */
static bool join(hd_script *s, uint32_t id, uint32_t other)
{
    if (s->views[other].status != HD_THREAD_DONE) {
        s->threads[other].joiner = (uint8_t)(id + 1);
        wait_for(s, id, HD_WAIT_JOIN, other);
        return false;
    }
    s->views[id].waits_for = HD_WAIT_NONE;
    s->threads[other].joined = 1;
    add_edge(s, id, other, HD_WAIT_JOIN);
    return true;
}

/* The phases of a wait: BEGINS publishes the wait itself, SLEEPS waits for a wake-up (or publishes
 * the timeout), TAKES_BACK locks the mutex again. */
static void continue_wait(hd_script *s, uint32_t id)
{
    hd_script_thread *t = &s->threads[id];
    const hd_script_step *step = step_of(s, id);
    uint64_t condition = CONDITIONS + step->object * APART, mutex = MUTEXES + step->other * APART;
    if (t->phase == SLEEPS && (t->woken || t->last))
        t->phase = TAKES_BACK;
    if (t->phase == BEGINS) {
        publish(s, id, HD_COND_WAIT, condition, 0);
        s->views[id].pending.value = mutex;
    } else if (t->phase == TAKES_BACK) {
        publish(s, id, HD_LOCK, mutex, 0);
    } else if (step->code == HD_DO_TIMEDWAIT) {
        publish(s, id, HD_COND_TIMEOUT, condition, 0);
    } else {
        wait_for(s, id, HD_WAIT_COND, condition);
    }
}

/* The operation of each instruction that publishes one. Kinds are those of the successful case;
 * is_enabled adapts them to the state. */
static const struct {
    uint8_t kind, flags;
    uint16_t objects;
} operations[] = {
    [HD_DO_READ] = { HD_READ, 0, CELLS },
    [HD_DO_WRITE] = { HD_WRITE, 0, CELLS },
    [HD_DO_LOAD] = { HD_LOAD, 0, CELLS },
    [HD_DO_STORE] = { HD_STORE, 0, CELLS },
    [HD_DO_ADD] = { HD_RMW, 0, CELLS },
    [HD_DO_SWAP_IF] = { HD_RMW, 0, CELLS },
    [HD_DO_PUT] = { HD_STORE, 0, CELLS },
    [HD_DO_SWAP] = { HD_RMW, 0, CELLS },
    [HD_DO_ADD_LAST] = { HD_RMW, 0, CELLS },
    [HD_DO_LOCK] = { HD_LOCK, 0, MUTEXES },
    [HD_DO_TRYLOCK] = { HD_LOCK, HD_OP_TRY, MUTEXES },
    [HD_DO_UNLOCK] = { HD_UNLOCK, 0, MUTEXES },
    [HD_DO_RDLOCK] = { HD_RDLOCK, 0, RWLOCKS },
    [HD_DO_WRLOCK] = { HD_WRLOCK, 0, RWLOCKS },
    [HD_DO_RDUNLOCK] = { HD_RDUNLOCK, 0, RWLOCKS },
    [HD_DO_WRUNLOCK] = { HD_WRUNLOCK, 0, RWLOCKS },
    [HD_DO_SEM_WAIT] = { HD_SEM_WAIT, 0, SEMAPHORES },
    [HD_DO_SEM_TRY] = { HD_SEM_WAIT, HD_OP_TRY, SEMAPHORES },
    [HD_DO_SEM_POST] = { HD_SEM_POST, 0, SEMAPHORES },
    [HD_DO_SIGNAL] = { HD_COND_SIGNAL, 0, CONDITIONS },
    [HD_DO_BROADCAST] = { HD_COND_BROADCAST, 0, CONDITIONS },
    [HD_DO_CHOOSE] = { HD_CHOOSE, 0, 0 },
};

static void do_local(hd_script *s, uint32_t id)
{
    hd_script_thread *t = &s->threads[id];
    const hd_script_step *step = step_of(s, id);
    switch (step->code) {
    case HD_DO_END:
    case HD_DO_EXIT:
        finish(s, id);
        return;
    case HD_DO_WAIT:
    case HD_DO_TIMEDWAIT:
        continue_wait(s, id);
        return;
    case HD_DO_CREATE:
        create(s, id, step->object);
        break;
    case HD_DO_JOIN:
        if (!join(s, id, step->object))
            return;
        break;
    case HD_DO_JUMP_IF:
    case HD_DO_JUMP_UNLESS:
        /* Minus one: `at` is incremented below. */
        if (hd_script_last_is(s, id, step->value, 0) == (step->code == HD_DO_JUMP_IF))
            t->at = (uint8_t)(step->object - 1);
        break;
    case HD_DO_ASSERT:
        if (!hd_script_last_is(s, id, step->value, 0)) {
            end_process(s, id, HD_ASSERTION, "failed");
            return;
        }
        break;
    case HD_DO_ASSUME:
        if (!hd_script_last_is(s, id, step->value, HD_OP_ASSUMED)) {
            /* The thread stops, the others go on; end_run then turns the outcome into HD_ASSUMED. */
            s->assumption_failed = 1;
            wait_for(s, id, HD_WAIT_ASSUMPTION, 0);
            return;
        }
        break;
    case HD_DO_BEGIN:
        t->blocks++;
        break;
    case HD_DO_FINISH:
        /* The step ends with the outermost block. */
        t->in_step &= --t->blocks > 0;
        break;
    case HD_DO_STOP:
        end_run(s, id, (uint32_t)step->value, "stopped");
        break;
    case HD_DO_COUNT_RUNS:
        t->last = s->runs;
        break;
    default:
        if (hd_script_compute(s, id, step))
            break;
        publish(s, id, operations[step->code].kind, operations[step->code].objects + step->object * APART,
            operations[step->code].flags);
        return;
    }
    t->at++;
}

static void run_locally(hd_script *s, uint32_t id)
{
    while (!s->ended && s->views[id].status == HD_THREAD_LOCAL)
        do_local(s, id);
}

/* --- one run ------------------------------------------------------------------------------ */

/* Takes the plan's next step without asking the engine, if it is enabled. */
static int follow_plan(hd_script *s)
{
    hd_engine *e = s->engine;
    const hd_choice *next = &e->planned[e->followed];
    if (e->followed >= e->planned_count || next->thread >= s->thread_count || !is_enabled(s, next->thread)
        || next->choice > (s->views[next->thread].pending.choices ? s->views[next->thread].pending.choices - 1 : 0))
        return HD_PICK_NONE;
    s->views[next->thread].pending.choice = next->choice;
    e->followed++;
    return next->thread;
}

static void pick(hd_script *s)
{
    int id = follow_plan(s);
    if (id < 0)
        id = s->engine->pick(s->engine->context);
    if (id >= 0) {
        perform(s, (uint32_t)id);
        run_locally(s, (uint32_t)id);
    } else if (id == HD_PICK_CUT) {
        end_run(s, 0, HD_CUT, "cut");
    } else if (id == HD_PICK_DIVERGED) {
        end_run(s, 0, HD_DIVERGED, "the plan does not fit");
    } else {
        end_run(s, 0, HD_DEADLOCK, "deadlock");
    }
}

/* A hash of the final state, without values that depend on inputs: those differ from input to input. */
static uint64_t final_state(const hd_script *s)
{
    uint64_t state = 1;
    for (uint32_t i = 0; i < HD_SCRIPT_OBJECTS; i++)
        for (uint32_t k = 0; k < 8; k++)
            state = hd_hash(state ^ (s->cell_inputs[i][k] ? 256u : s->cells[i][k]));
    state = hd_hash_bytes(s->semaphores, sizeof s->semaphores, state);
    state = hd_hash_bytes(s->owners, sizeof s->owners, state);
    state = hd_hash_bytes(s->rwlocks, sizeof s->rwlocks, state);
    for (uint32_t i = 0; i < s->thread_count; i++)
        state = hd_hash(state ^ s->threads[i].history) + s->views[i].status;
    return state;
}

static int enabled(uint32_t id)
{
    return is_enabled(bound, id);
}

static void run(void)
{
    hd_script *s = bound;
    memset(s->threads, 0, sizeof s->threads);
    memset(s->cells, 0, sizeof s->cells);
    memset(s->cell_exprs, 0, sizeof s->cell_exprs);
    memset(s->cell_inputs, 0, sizeof s->cell_inputs);
    memset(s->owners, 0, sizeof s->owners);
    memset(s->rwlocks, 0, sizeof s->rwlocks);
    memset(s->views, 0, sizeof s->views);
    memset(&s->outcome, 0, sizeof s->outcome);
    for (uint32_t i = 0; i < HD_SCRIPT_OBJECTS; i++)
        s->semaphores[i] = s->program.semaphores[i];
    s->thread_count = s->log_count = s->local_first = s->local_count = s->ended = s->assumption_failed = 0;
    s->runs++;
    hd_script_forget_inputs(s);
    create(s, 0, 0);
    while (!s->ended) {
        /* All threads run to their next operation before a decision is made, so the state at a
         * decision is well defined. */
        if (!s->local_count) {
            pick(s);
            continue;
        }
        uint32_t id = s->local[s->local_first];
        s->local_first = (s->local_first + 1) % HD_SCRIPT_THREADS;
        s->local_count--;
        run_locally(s, id);
    }
    for (uint32_t i = 0; i < s->thread_count; i++)
        s->views[i].enabled = (uint8_t)is_enabled(s, i);
    s->outcome.state = final_state(s);
}

void hd_script_init(hd_script *s, const hd_script_program *program)
{
    memset(s, 0, sizeof *s);
    s->program = *program;
    s->options.settings.depth = HD_SCRIPT_LOG;
    s->runtime = (hd_runtime) { .threads = s->views,
        .thread_count = &s->thread_count,
        .log = s->log,
        .log_count = &s->log_count,
        .log_room = HD_SCRIPT_LOG,
        .operands = s->operands,
        .outcome = &s->outcome,
        .options = &s->options,
        .exprs = s->exprs,
        .expr_count = &s->expr_count,
        .inputs = s->inputs,
        .input_count = &s->input_count,
        .given = s->given,
        .given_count = &s->given_count,
        .enabled = enabled,
        .run = run };
    for (uint32_t t = 0; t < HD_SCRIPT_THREADS; t++)
        for (uint32_t i = 0; i < HD_SCRIPT_STEPS; i++)
            s->sites[t][i] = (hd_site) { .file = "script", .function = "thread", .line = t * 100 + i, .column = 1 };
    bound = s;
}
