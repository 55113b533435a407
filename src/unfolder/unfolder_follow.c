/* Following an execution through the net: which of its log entries are steps, orders, awaits, branches and wishes, and
 * which are left out because they make no difference. */
#include "unfolder/unfolder_internal.h"

#include "abi/lives.h"
#include <string.h>

/* --- the ends of threads ----------------------------------------------------------------------- */

static bool is_join(const hd_op *op)
{
    return op->kind == HD_EDGE && op->mask == HD_WAIT_JOIN;
}

/* The *end* of a thread begins at the first entry of the log from which on it only joins other threads or, as the only
 * thread, writes. It does the same whatever happened before, so it is left out of the net and not tested for every
 * history ("Joins carry no data" in docs/algorithms/unfold.md). Exceptions: a thread that is joined by one that may
 * continue afterwards, or that starts another; there, what it waited for precedes the steps of others. */
static void find_ends(hd_unfolder *x, const hd_execution *e)
{
    bool sought[HD_MAX_THREADS];
    uint32_t left = 0;
    for (uint32_t t = 0; t < e->thread_count; t++) {
        x->ends[t] = e->log_count;
        uint8_t status = e->threads[t].status;
        sought[t] =
            status != HD_THREAD_AT_OP && status != HD_THREAD_WAITING && status != HD_THREAD_UNUSED && !x->awaited[t];
        left += sought[t];
    }
    for (uint32_t i = e->log_count; i-- > 0 && left;) {
        const hd_op *op = &e->log[i];
        if (hd_edge_starts(op) && sought[op->object]) {
            sought[op->object] = false;
            left--;
        }
        bool idle = op->kind != HD_EDGE && (op->flags & HD_OP_ALONE) && hd_kinds[op->kind].effect == HD_EFFECT_WRITES;
        if (!sought[op->thread])
            continue;
        sought[op->thread] = idle || (is_join(op) && !hd_edge_takes_result(op));
        left -= !sought[op->thread];
        if (sought[op->thread])
            x->ends[op->thread] = i;
    }
}

/* Returns whether it is new. Clears *fits if the net was built without the thread's end. */
static bool note_awaited(hd_unfolder *x, uint64_t thread, bool *fits)
{
    bool is_new = !x->awaited[thread];
    x->awaited[thread] = true;
    *fits &= !is_new || !x->cut[thread];
    return is_new;
}

bool hd_unfolder_find_ends(hd_unfolder *x, const hd_execution *e)
{
    bool fits = true, changed;
    for (uint32_t t = 0; t < e->thread_count; t++)
        if (e->threads[t].status == HD_THREAD_WAITING && e->threads[t].waits_for == HD_WAIT_JOIN)
            note_awaited(x, e->threads[t].wait_object, &fits);
    /* A join before the end of its thread makes the joined thread awaited; then that one's end is in the net, and its
     * own joins come before it. */
    do {
        changed = false;
        find_ends(x, e);
        for (uint32_t i = 0; i < e->log_count; i++)
            if (is_join(&e->log[i]) && i < x->ends[e->log[i].thread])
                changed |= note_awaited(x, e->log[i].object, &fits);
    } while (changed);
    return fits;
}

/* --- following an execution ----------------------------------------------------------------------- */

static bool begins_step(const hd_op *op)
{
    return hd_op_is_done(op) && !(op->flags & HD_OP_CONTINUES);
}

static bool arrives(const hd_op *op)
{
    return hd_kinds[op->kind].role == HD_ROLE_ARRIVES;
}

static uint32_t round_of(hd_unfolder *x, uint64_t barrier, uint32_t thread)
{
    uint64_t *round = hd_map_put(&x->rounds, hd_hash(barrier) ^ thread);
    return (uint32_t)*round;
}

static void note_arrival(hd_unfolder *x, const hd_op *op)
{
    ++*hd_map_put(&x->rounds, hd_hash(op->object) ^ op->thread);
    *hd_map_put(&x->members, op->object + op->thread / 64) |= 1ull << op->thread % 64;
    hd_unfold_reach(x->u, op->thread,
        hd_accesses_arrival(&x->accesses, x->u, op->object, op->thread, round_of(x, op->object, op->thread)));
}

static const hd_op *op_at(const hd_unfolder *x, uint16_t thread)
{
    return &x->labels.items[hd_unfold_get(x->u, hd_unfold_at(x->u, thread)).label];
}

/* The arrival that was the other thread's last step. */
static uint32_t arrival_of(hd_unfolder *x, uint64_t barrier, uint32_t thread)
{
    return hd_accesses_arrival(&x->accesses, x->u, barrier, thread, round_of(x, barrier, thread));
}

static uint32_t key_of(const hd_site *site)
{
    return (uint32_t)hd_hash((uint64_t)(uintptr_t)site);
}

/* The thread sleeps until another wakes it, unless it has a time limit. */
static void mark_waiting(hd_unfolder *x, uint16_t thread)
{
    const hd_op *op = op_at(x, thread);
    bool sleeps = hd_kinds[op->kind].role == HD_ROLE_SLEEPS || hd_kinds[hd_kinds[op->kind].also].role == HD_ROLE_SLEEPS;
    if (sleeps && !hd_unfold_has_wish(x->u, thread))
        hd_unfold_mark_stop(x->u, thread, HD_STOP_WAITS, key_of(op->site));
}

static void follow_edge(hd_unfolder *x, const hd_op *op, uint64_t *barriers)
{
    uint16_t from = (uint16_t)op->object;
    if (op->mask == HD_WAIT_JOIN && hd_unfold_is_at_end(x->u, op->thread))
        return;
    if (hd_edge_starts(op) && hd_edge_life(op)) /* without this start, the thread would have stayed at its end */
        hd_unfold_mark_stop(x->u, op->thread, HD_STOP_ENDS, 0);
    if (op->mask == HD_WAIT_JOIN) {
        uint32_t end = hd_accesses_end_of(&x->accesses, x->u, from, hd_edge_life(op));
        hd_unfold_reach(x->u, from, end);
        hd_unfold_await(x->u, op->thread, end);
    } else if (op->mask == HD_WAIT_BARRIER && barriers[from]) {
        hd_unfold_await(x->u, op->thread, arrival_of(x, barriers[from], from));
    } else {
        if (hd_wait_is_sleep(op->mask))
            mark_waiting(x, op->thread);
        hd_unfold_order(x->u, op->thread, from);
    }
}

/* Events of the same operation of the program share one label. */
static uint32_t label_of(hd_unfolder *x, const hd_op *op)
{
    hd_op what = *op;
    if (hd_kinds[op->kind].decided == HD_DECIDED_VALUE && hd_accesses_is_undecided(&x->accesses, op))
        what.kind = hd_kind_strongest(op->kind);
    uint64_t side = op->kind == HD_BRANCH ? op->value : 0;
    uint64_t key = hd_hash((uint64_t)what.thread << 32 | (uint64_t)what.kind << 16 | what.flags) ^ side;
    uint64_t *label = hd_map_put(&x->label_of, hd_hash(hd_hash(key) ^ (uint64_t)(uintptr_t)what.site));
    if (!*label) {
        *label = x->labels.count;
        hd_vec_push(&x->labels, what);
    }
    return (uint32_t)*label;
}

/* An assumption that fails: its thread ends there. */
static bool is_refused(const hd_op *branch)
{
    return (branch->flags & HD_OP_ASSUMED) && !branch->value;
}

static void note_side(hd_unfolder *x, uint32_t side, const hd_execution *e, uint32_t entry)
{
    hd_feasibility_add(&x->feasibility, side, &e->log[entry]);
    if (is_refused(&e->log[entry]))
        hd_vec_push(&x->refused, ((hd_unfolder_refusal) { side, entry }));
}

/* The branches inside the step that was translated last. */
static void note_sides(hd_unfolder *x, const hd_execution *e, uint32_t first)
{
    for (size_t i = 0; i < x->accesses.step.count; i++) {
        const hd_unfold_access *a = &x->accesses.step.items[i];
        if (a->branches)
            note_side(x, a->side, e, first + a->key);
    }
}

/* Follows the step that begins at entry `i`, with the branches inside it. */
static void follow_step(hd_unfolder *x, const hd_execution *e, uint32_t i, uint64_t *barriers)
{
    const hd_op *op = &e->log[i];
    uint32_t count = 1;
    while (i + count < e->log_count && (!hd_op_is_done(&op[count]) || (op[count].flags & HD_OP_CONTINUES)))
        count++;
    hd_accesses_translate(&x->accesses, x->u, op, count, e);
    bool exits = hd_vec_last(&x->accesses.step)->exits;
    if (exits)
        hd_unfold_mark_stop(x->u, op->thread, HD_STOP_LEFT, 0);
    hd_unfold_step(x->u, op->thread, x->accesses.step.items, (uint32_t)x->accesses.step.count, op->choice, op->choices,
        label_of(x, op));
    note_sides(x, e, i);
    if (exits && hd_outcome_is_exit(e->outcome->kind))
        hd_unfold_mark_stop(x->u, op->thread, HD_STOP_EXITS, 0);
    if (hd_unfold_is_contradicted(x->u) && !x->contradicted)
        x->contradicted = hd_accesses_mark_changing(&x->accesses, op);
    barriers[op->thread] = arrives(op) ? op->object : 0;
    if (arrives(op))
        note_arrival(x, op);
}

/* A failed assumption is no event, but its side is known. */
static void follow_branch(hd_unfolder *x, const hd_execution *e, const hd_op *op)
{
    hd_unfold_access branch = hd_accesses_branch(op, e);
    hd_unfold_branch(x->u, op->thread, &branch, !is_refused(op), label_of(x, op));
    note_side(x, branch.side, e, (uint32_t)(op - e->log));
}

/* The thread's next operation, which was not performed. A step that would end a waiting loop also reads the loop's
 * objects. */
static void wish_for(hd_unfolder *x, const hd_execution *e, const hd_op *op)
{
    hd_op ops[1 + HD_MOST_LOOKS] = { *op };
    uint32_t count = 1;
    if ((op->flags & HD_OP_SPUN) && !(op->flags & HD_OP_WITHDRAWN) && e->looks)
        for (; count <= e->threads[op->thread].look_count; count++) {
            ops[count] = e->looks[op->thread][count - 1];
            ops[count].flags |= HD_OP_CONTINUES;
        }
    hd_accesses_translate(&x->accesses, x->u, ops, count, e);
    hd_unfold_wish(x->u, op->thread, x->accesses.step.items, (uint32_t)x->accesses.step.count,
        hd_kinds[op->kind].outcomes == HD_OUTCOMES_FIXED ? op->choices : 0);
}

static uint32_t first_end_of(const hd_unfolder *x, const hd_execution *e)
{
    uint32_t first = e->log_count;
    for (uint32_t t = 0; t < e->thread_count; t++)
        first = x->ends[t] < first ? x->ends[t] : first;
    return first;
}

/* The common prefix with the last execution need not be followed again: up to the first step that differs, or before
 * which the end of a thread begins in either. Returns that step's entry in the log; the net has been moved back to it.
 */
static uint32_t return_to_difference(hd_unfolder *x, const hd_execution *e)
{
    uint32_t first_end = first_end_of(x, e), most = first_end < x->first_end ? first_end : x->first_end;
    uint32_t kept = x->common < x->moments.count ? x->common : 0;
    while (kept && x->last.items[kept].entry > most)
        kept--;
    hd_unfold_return(x->u, kept ? x->moments.items[kept] : 0);
    x->moments.count = kept;
    x->first_end = first_end;
    return kept ? x->last.items[kept].entry : 0;
}

/* Counts the arrivals at barriers before entry `end` again. */
static void recall_barriers(hd_unfolder *x, const hd_execution *e, uint32_t end, uint64_t *barriers)
{
    hd_map_clear(&x->rounds);
    for (uint32_t i = 0; i < end && x->members.count; i++) {
        const hd_op *op = &e->log[i];
        if (!begins_step(op))
            continue;
        barriers[op->thread] = arrives(op) ? op->object : 0;
        if (arrives(op))
            ++*hd_map_put(&x->rounds, hd_hash(op->object) ^ op->thread);
    }
}

static void follow_log(hd_unfolder *x, const hd_execution *e)
{
    uint64_t barriers[HD_MAX_THREADS];
    memset(barriers, 0, e->thread_count * sizeof *barriers);
    uint32_t from = return_to_difference(x, e);
    recall_barriers(x, e, from, barriers);
    while (x->refused.count && hd_vec_last(&x->refused)->entry >= from)
        x->refused.count--;
    for (uint32_t i = from; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (begins_step(op))
            hd_vec_push(&x->moments, hd_unfold_moment(x->u));
        if (i >= x->ends[op->thread])
            continue;
        if (hd_op_is_inside(op))
            continue; /* follow_step has added it */
        if (op->kind == HD_BRANCH)
            follow_branch(x, e, op);
        else if (op->kind == HD_EDGE)
            follow_edge(x, op, barriers);
        else if (op->flags & HD_OP_WITHDRAWN)
            wish_for(x, e, op);
        else if (!(op->flags & HD_OP_CONTINUES))
            follow_step(x, e, i, barriers);
    }
}

/* The thread waits at a barrier for the others; one of them is enough to show that it is blocked. */
static void left_at_barrier(hd_unfolder *x, uint16_t thread, uint64_t barrier)
{
    uint32_t round = round_of(x, barrier, thread);
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++) {
        uint64_t *members = hd_map_get(&x->members, barrier + t / 64);
        if (t != thread && members && (*members >> t % 64 & 1)) {
            hd_unfold_left_waiting(x->u, thread, hd_accesses_arrival(&x->accesses, x->u, barrier, t, round));
            return;
        }
    }
}

static void mark_stops(hd_unfolder *x, const hd_execution *e, uint16_t t)
{
    const hd_thread_view *v = &e->threads[t];
    if (v->status == HD_THREAD_DONE)
        hd_unfold_mark_stop(x->u, t, HD_STOP_ENDS, 0);
    else if (v->status == HD_THREAD_WAITING && hd_wait_is_sleep(v->waits_for))
        mark_waiting(x, t);
    else if (v->status == HD_THREAD_WAITING && v->waits_for == HD_WAIT_LOOP)
        hd_unfold_mark_stop(x->u, t, HD_STOP_WAITS, key_of(v->wait_site));
    else if (v->status == HD_THREAD_AT_OP && (v->pending.flags & HD_OP_SPUN) && !v->enabled)
        hd_unfold_mark_stop(x->u, t, HD_STOP_WAITS, key_of(v->pending.site));
    else if (v->status != HD_THREAD_UNUSED && hd_unfold_is_at_end(x->u, t))
        hd_unfold_mark_stop(x->u, t, HD_STOP_NEUTRAL, 0);
}

static bool has_ended_process(const hd_execution *e, uint16_t t)
{
    const hd_op *last = e->log_count ? &e->log[e->log_count - 1] : NULL;
    return last && hd_kind_exits(last->kind) && last->thread == t;
}

static uint32_t end_awaited_by(hd_unfolder *x, const hd_execution *e, const hd_thread_view *joiner)
{
    uint32_t joined = (uint32_t)joiner->wait_object;
    return hd_accesses_end_of(&x->accesses, x->u, joined, e->threads[joined].life);
}

/* What the threads were doing when the execution ended. */
static void follow_rest(hd_unfolder *x, const hd_execution *e)
{
    for (uint16_t t = 0; t < e->thread_count; t++) {
        const hd_thread_view *v = &e->threads[t];
        if (has_ended_process(e, t))
            continue;
        if (v->status == HD_THREAD_DONE)
            hd_unfold_reach(x->u, t, hd_accesses_end_of(&x->accesses, x->u, t, v->life));
        else if (hd_thread_wants_more(v))
            wish_for(x, e, &v->pending);
        else if (v->status == HD_THREAD_WAITING && v->waits_for == HD_WAIT_BARRIER && arrives(op_at(x, t)))
            left_at_barrier(x, t, v->wait_object);
        else if (v->status == HD_THREAD_WAITING && v->waits_for == HD_WAIT_JOIN && !hd_unfold_is_at_end(x->u, t))
            hd_unfold_left_waiting(x->u, t, end_awaited_by(x, e, v));
        if (x->ends[t] < e->log_count) {
            hd_unfold_mark_end(x->u, t);
            hd_unfold_mark_stop(x->u, t, HD_STOP_NEUTRAL, 0);
            x->cut[t] = true;
        }
        mark_stops(x, e, t);
    }
}

void hd_unfolder_follow(hd_unfolder *x, const hd_execution *e)
{
    uint32_t side;
    follow_log(x, e);
    follow_rest(x, e);
    if (hd_outcome_is_test(e->outcome->kind))
        hd_unfold_mark_tested(x->u);
    if (e->outcome->kind == HD_DEADLOCK)
        hd_unfold_mark_blocked(x->u);
    bool reached = hd_unfold_finish(x->u, &side);
    x->missed += !reached;
    if (!reached && side)
        hd_feasibility_missed(&x->feasibility, x->u, side, hd_outcome_is_finding(e->outcome->kind));
}
