/* The operations of scripts: when they are enabled, and their effects. Where an effect depends on
 * the state, so does the kind: hd_script_enabled sets the kind that the operation has in the
 * current state. */
#include "base/error.h"
#include "base/map.h"
#include "target/script_inputs.h"
#include "target/script_internal.h"

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

int hd_script_enabled(hd_script *s, uint32_t id)
{
    hd_op *op = &s->views[id].pending;
    const hd_script_step *step = step_of(s, id);
    if (s->views[id].status != HD_THREAD_AT_OP)
        return 0;
    switch (op->kind) {
    case HD_LOCK:
    case HD_LOCK_FAIL:
        return try_or_block(op, !s->owners[number_of(op)], HD_LOCK, HD_LOCK_FAIL);
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
        hd_script_append(s, withdrawn);
        hd_script_make_local(s, id);
    } else if (v->status == HD_THREAD_WAITING) {
        v->waits_for = HD_WAIT_NONE;
        hd_script_make_local(s, id);
    }
    hd_script_edge(s, id, waker, HD_WAIT_COND);
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
    hd_script_append(s, unlock);
    if (s->owners[mutex] != id + 1)
        hd_script_end(s, id, HD_MISUSE, "wait with a mutex of another");
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
            hd_script_end(s, id, HD_MISUSE, "unlock by another");
        s->owners[object] = 0;
        break;
    case HD_LOCK_FAIL:
    case HD_SEM_FAIL:
        t->last = 0;
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
        hd_script_end(s, id, t->ends_as, t->ends_as == HD_FINISHED ? "" : "failed");
        break;
    default:
        break;
    }
    return true;
}

void hd_script_perform(hd_script *s, uint32_t id)
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
    if (op.flags >> HD_OP_TEST_SHIFT && s->log_count < HD_SCRIPT_LOG)
        s->operands[s->log_count] = uses_last ? last.value : step_of(s, id)->other;
    hd_script_append(s, op);
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
