#include "base/error.h"
#include "base/map.h"
#include "target/script_inputs.h"
#include "target/script_internal.h"

#include <stdio.h>
#include <string.h>

/* The bound script: the functions of hd_runtime have no context argument. */
static hd_script *bound;

void hd_script_end(hd_script *s, uint32_t id, uint32_t kind, const char *message)
{
    /* An execution in which an assumption failed is no test, however it ends. */
    if (s->assumed_otherwise && kind != HD_CUT && kind != HD_DIVERGED)
        kind = HD_ASSUMED;
    s->outcome.kind = kind;
    s->outcome.thread = (uint16_t)id;
    s->outcome.site = kind == HD_FINISHED ? NULL : &s->sites[id][s->threads[id].at];
    snprintf(s->outcome.message, sizeof s->outcome.message, "%s", message);
    s->ended = 1;
}

void hd_script_append(hd_script *s, hd_op op)
{
    if (s->log_count >= s->options.settings.depth || s->log_count >= HD_SCRIPT_LOG)
        hd_script_end(s, op.thread, HD_DEPTH, "too many operations");
    else
        s->log[s->log_count++] = op;
}

void hd_script_make_local(hd_script *s, uint32_t id)
{
    s->views[id].status = HD_THREAD_LOCAL;
    s->local[(s->local_first + s->local_count++) % HD_SCRIPT_THREADS] = id;
}

void hd_script_edge(hd_script *s, uint32_t to, uint32_t from, hd_wait_reason reason)
{
    hd_script_append(s, (hd_op) { .kind = HD_EDGE, .thread = (uint16_t)to, .object = from, .mask = (uint8_t)reason });
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
static void go_on_with_block(hd_script *s, uint32_t id)
{
    hd_op *op = &s->views[id].pending;
    uint8_t failed = op->kind == HD_LOCK ? HD_LOCK_FAIL : op->kind == HD_SEM_WAIT ? HD_SEM_FAIL : 0;
    /* Still inside the step: no decision is needed. */
    if (s->threads[id].in_step && hd_script_enabled(s, id)) {
        op->flags |= HD_OP_CONTINUES | (failed ? HD_OP_TRY : 0);
        hd_script_perform(s, id);
        return;
    }
    if (s->threads[id].in_step) {
        hd_op try = *op;
        try.kind = failed;
        try.flags |= HD_OP_CONTINUES | HD_OP_TRY;
        hd_script_append(s, try);
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
        go_on_with_block(s, id);
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
        hd_script_end(s, id, kind, message);
    }
}

static void finish(hd_script *s, uint32_t id)
{
    if (id == 0 || step_of(s, id)->code == HD_DO_EXIT) {
        end_process(s, id, HD_FINISHED, "");
        /* The last thread ends the program. */
    } else if (!others_left(s, id, false)) {
        hd_script_end(s, id, HD_FINISHED, "");
    } else {
        s->views[id].status = HD_THREAD_DONE;
        if (s->threads[id].joiner)
            hd_script_make_local(s, s->threads[id].joiner - 1u);
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
        hd_script_edge(s, id, creator, HD_WAIT_NONE);
    hd_script_make_local(s, id);
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
    hd_script_edge(s, id, other, HD_WAIT_JOIN);
    return true;
}

/* The phases of a wait: BEGINS publishes the wait itself, SLEEPS waits for a wake-up (or publishes
 * the timeout), TAKES_BACK locks the mutex again. */
static void go_on_waiting(hd_script *s, uint32_t id)
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
 * hd_script_enabled adapts them to the state. */
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
        go_on_waiting(s, id);
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
            /* The thread stops, the others go on; hd_script_end then turns the outcome into HD_ASSUMED. */
            s->assumed_otherwise = 1;
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
        hd_script_end(s, id, (uint32_t)step->value, "stopped");
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

static void pick(hd_script *s)
{
    int id = s->engine->pick(s->engine->context);
    if (id >= 0) {
        hd_script_perform(s, (uint32_t)id);
        run_locally(s, (uint32_t)id);
    } else if (id == HD_PICK_CUT) {
        hd_script_end(s, 0, HD_CUT, "cut");
    } else if (id == HD_PICK_DIVERGED) {
        hd_script_end(s, 0, HD_DIVERGED, "the plan does not fit");
    } else {
        hd_script_end(s, 0, HD_DEADLOCK, "deadlock");
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
    for (uint32_t i = 0; i < s->thread_count; i++)
        state = hd_hash(state ^ s->threads[i].history) + s->views[i].status;
    return state;
}

static int enabled(uint32_t id)
{
    return hd_script_enabled(bound, id);
}

static void run(void)
{
    hd_script *s = bound;
    memset(s->threads, 0, sizeof s->threads);
    memset(s->cells, 0, sizeof s->cells);
    memset(s->cell_exprs, 0, sizeof s->cell_exprs);
    memset(s->cell_inputs, 0, sizeof s->cell_inputs);
    memset(s->owners, 0, sizeof s->owners);
    memset(s->views, 0, sizeof s->views);
    memset(&s->outcome, 0, sizeof s->outcome);
    for (uint32_t i = 0; i < HD_SCRIPT_OBJECTS; i++)
        s->semaphores[i] = s->program.semaphores[i];
    s->thread_count = s->log_count = s->local_first = s->local_count = s->ended = s->assumed_otherwise = 0;
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
        s->views[i].enabled = (uint8_t)hd_script_enabled(s, i);
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
