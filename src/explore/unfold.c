/* Unfoldings (docs/algorithms/unfold.md): tests that reach every local state of
 * every thread. Each execution is followed through the unfolding; what it could
 * have come to otherwise becomes a target; the next execution leads to a target,
 * and to as many others as fit beside it. */
#include "explore/accesses.h"
#include "explore/explorer.h"
#include "explore/minimise.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

enum { SEARCH_EFFORT = 4000000 };

typedef struct unfold {
    hd_memory *memory;
    hd_net net;
    hd_unfolding *u;
    hd_accesses accesses;
    hd_rng rng;
    hd_trace trace;
    hd_schedule last, now; /* of the last execution and of this one */
    hd_unfold_schedule aim;
    hd_vec(hd_choice) prefix;
    hd_vec(hd_op) labels;
    uint32_t sure; /* steps of the prefix that must be as planned */
    hd_map ends; /* events behind which their thread only joins others and looks at nothing */
    hd_map rounds; /* of this execution: barrier and thread → arrivals */
    hd_map members; /* of barriers: threads, as two words */
    hd_map deadlocks; /* known ones */
    hd_unfold_set blocked; /* found, to be run: counts and events */
    size_t blocked_at;
    uint32_t searched; /* steps that there were at the last search */
    bool gave_up; /* searching */
    uint64_t missed; /* executions that did not reach their target */
    hd_map raced; /* pairs of places that are known to race */
    hd_unfold_set lookers;
    uint32_t pair_event; /* how far pairs have been looked at */
    size_t pair_looker;
    hd_unfold_text drawing;
    bool started, random;
    bool inputs; /* ways depend on inputs */
} unfold;

static void *open(const hd_explore_config *config, hd_memory *memory, hd_net net)
{
    unfold *x = hd_alloc(memory, sizeof *x);
    x->memory = x->last.memory = x->now.memory = x->aim.memory = x->prefix.memory = x->labels.memory = memory;
    x->net = net;
    x->u = hd_unfold_open(net, memory);
    x->random = config->seed != 1;
    hd_accesses_init(&x->accesses, memory);
    hd_rng_seed(&x->rng, config->seed);
    hd_trace_init(&x->trace, memory, config->races);
    x->trace.sync_only = true;
    hd_map_init(&x->ends, memory);
    hd_map_init(&x->rounds, memory);
    hd_map_init(&x->members, memory);
    hd_map_init(&x->deadlocks, memory);
    x->blocked.memory = x->lookers.memory = memory;
    hd_map_init(&x->raced, memory);
    return x;
}

static void *unfold_open(const hd_explore_config *config, hd_memory *memory)
{
    return open(config, memory, HD_NET_PLACES);
}

static void *naive_open(const hd_explore_config *config, hd_memory *memory)
{
    return open(config, memory, HD_NET_NAIVE);
}

static void *contextual_open(const hd_explore_config *config, hd_memory *memory)
{
    return open(config, memory, HD_NET_CONTEXTUAL);
}

static void unfold_close(void *self)
{
    unfold *x = self;
    hd_unfold_close(x->u);
    hd_accesses_fini(&x->accesses);
    hd_trace_fini(&x->trace);
    hd_vec_fini(&x->last);
    hd_vec_fini(&x->now);
    hd_vec_fini(&x->aim);
    hd_vec_fini(&x->prefix);
    hd_vec_fini(&x->labels);
    hd_map_fini(&x->ends);
    hd_map_fini(&x->rounds);
    hd_map_fini(&x->members);
    hd_map_fini(&x->deadlocks);
    hd_vec_fini(&x->blocked);
    hd_vec_fini(&x->drawing);
    hd_vec_fini(&x->lookers);
    hd_map_fini(&x->raced);
    hd_release(x->memory, x, sizeof *x);
}

/* --- the next execution -------------------------------------------------------------------- */

/* All targets are reached: what remains is to find blocked states, and to show
 * each of them. */
static bool next_blocked(unfold *x)
{
    if (x->blocked_at == x->blocked.count && x->searched != hd_unfold_steps(x->u)) {
        x->searched = hd_unfold_steps(x->u);
        x->gave_up = !hd_unfold_find_deadlocks(x->u, SEARCH_EFFORT, &x->deadlocks, &x->blocked);
        x->blocked_at = 0;
    }
    if (x->blocked_at == x->blocked.count)
        return false;
    const uint32_t *events = &x->blocked.items[x->blocked_at];
    hd_unfold_set way = { .memory = x->memory };
    bool possible = hd_unfold_configuration(x->u, events + 1, events[0], &way);
    x->blocked_at += 1 + events[0];
    hd_unfold_schedule_of(x->u, way.items, possible ? way.count : 0, &x->aim);
    x->sure = (uint32_t)x->aim.count;
    hd_vec_fini(&way);
    return possible || next_blocked(x);
}

/* --- pairs that race -------------------------------------------------------------------------
 *
 * In the contextual net a write has no reads among its causes: that both are
 * covered does not say that any execution had both. */

static uint64_t pair_of(const hd_op *read, const hd_op *write)
{
    return hd_hash(hd_hash((uint64_t)(uintptr_t)read->site) ^ (uint64_t)(uintptr_t)write->site);
}

static void note_races(unfold *x)
{
    for (size_t i = 0; i < x->trace.new_races.count; i++) {
        const hd_op *a = &x->trace.ops.items[x->trace.new_races.items[i].first];
        const hd_op *b = &x->trace.ops.items[x->trace.new_races.items[i].second];
        *hd_map_put(&x->raced, pair_of(a, b)) = 1;
    }
}

static bool may_race(const hd_op *read, const hd_op *write)
{
    return read->thread != write->thread && hd_op_class(write->kind) == HD_OBJECT_MEMORY
        && hd_op_class(read->kind) == HD_OBJECT_MEMORY && (read->kind == HD_READ || write->kind == HD_WRITE);
}

/* The next event and one that looked before it that could race and have not. */
static bool next_pair(unfold *x)
{
    hd_unfold_set way = { .memory = x->memory };
    bool found = false;
    for (; !found && x->pair_event < hd_unfold_count(x->u); x->pair_event += !found) {
        if (!hd_unfold_is_event(x->u, x->pair_event) || hd_unfold_get(x->u, x->pair_event).automatic)
            continue;
        const hd_op *write = &x->labels.items[hd_unfold_get(x->u, x->pair_event).label];
        hd_unfold_lookers(x->u, x->pair_event, &x->lookers);
        for (; !found && x->pair_looker < x->lookers.count; x->pair_looker++) {
            uint32_t both[] = { x->lookers.items[x->pair_looker], x->pair_event };
            const hd_op *read = &x->labels.items[hd_unfold_get(x->u, both[0]).label];
            found = may_race(read, write) && !hd_map_get(&x->raced, pair_of(read, write))
                && hd_unfold_configuration(x->u, both, 2, &way);
        }
        x->pair_looker = found ? x->pair_looker : 0;
    }
    hd_unfold_schedule_of(x->u, way.items, found ? way.count : 0, &x->aim);
    x->sure = (uint32_t)x->aim.count;
    hd_vec_fini(&way);
    return found;
}

static bool find_next(unfold *x)
{
    hd_unfold_order_of_targets order = x->random ? HD_TARGETS_RANDOM : HD_TARGETS_LAST;
    return !x->started || hd_unfold_next(x->u, order, &x->rng, &x->aim, &x->sure) || next_blocked(x)
        || (x->net == HD_NET_CONTEXTUAL && x->trace.races && next_pair(x));
}

static bool unfold_next(void *self, hd_plan *plan)
{
    unfold *x = self;
    hd_vec_clear(&x->prefix);
    if (!find_next(x))
        return false;
    x->started = true;
    uint32_t sure = 0;
    for (size_t i = 0; i < x->aim.count; i++) {
        bool planned = i >= x->sure || !(x->labels.items[x->aim.items[i].label].flags & HD_OP_ALONE);
        if (planned)
            hd_vec_push(&x->prefix, ((hd_choice) { x->aim.items[i].thread, x->aim.items[i].choice }));
        sure += planned && i < x->sure;
    }
    x->sure = sure;
    *plan = (hd_plan) {
        .prefix = x->prefix.items, .prefix_count = (uint32_t)x->prefix.count, .tail = HD_TAIL_PATIENT, .forgiving = true
    };
    return true;
}

static const char *unfold_unfinished(void *self)
{
    const unfold *x = self;
    if (x->inputs)
        return "this explorer does not look for other inputs yet: the program's ways with those it ran with are "
               "explored";
    return x->gave_up ? "not all blocked states were looked for: there are too many" : NULL;
}

/* --- what a thread does at its end ------------------------------------------------------------- */

static bool looks_at_nothing(uint8_t kind)
{
    return kind == HD_WRITE || kind == HD_STORE;
}

static bool is_note(const hd_op *op)
{
    return op->kind == HD_EDGE || op->kind == HD_BRANCH || (op->flags & HD_OP_WITHDRAWN);
}

/* Per thread, the first entry of the log from which on it only joins others
 * and, alone, looks at nothing: whatever happened before, it does the same.
 * That need not be tested for every history. */
static void find_ends(const hd_execution *e, uint32_t *ends)
{
    for (uint32_t t = 0; t < e->thread_count; t++) {
        ends[t] = e->log_count;
        if (e->threads[t].status == HD_THREAD_AT_OP || e->threads[t].status == HD_THREAD_WAITING)
            continue;
        for (uint32_t i = e->log_count; i-- > 0;) {
            const hd_op *op = &e->log[i];
            if (op->thread != t)
                continue;
            bool joins = op->kind == HD_EDGE && op->mask == HD_WAIT_JOIN && !op->value;
            bool idle = op->kind != HD_EDGE && (op->flags & HD_OP_ALONE) && looks_at_nothing(op->kind);
            if (!joins && !idle)
                break;
            ends[t] = i;
        }
    }
}

/* --- following an execution ----------------------------------------------------------------------- */

static uint32_t round_of(unfold *x, uint64_t barrier, uint32_t thread)
{
    uint64_t *round = hd_map_put(&x->rounds, hd_hash(barrier) ^ thread);
    return (uint32_t)*round;
}

static void note_arrival(unfold *x, const hd_op *op)
{
    ++*hd_map_put(&x->rounds, hd_hash(op->object) ^ op->thread);
    *hd_map_put(&x->members, op->object + op->thread / 64) |= 1ull << op->thread % 64;
    hd_unfold_reach(x->u, op->thread,
        hd_accesses_arrival(&x->accesses, x->u, op->object, op->thread, round_of(x, op->object, op->thread)));
}

static const hd_op *op_at(const unfold *x, uint16_t thread)
{
    return &x->labels.items[hd_unfold_get(x->u, hd_unfold_at(x->u, thread)).label];
}

/* The other thread's last step was its arrival at the barrier. */
static uint32_t arrival_of(unfold *x, uint64_t barrier, uint32_t thread)
{
    return hd_accesses_arrival(&x->accesses, x->u, barrier, thread, round_of(x, barrier, thread));
}

static uint32_t place_of(const hd_site *site)
{
    return (uint32_t)hd_hash((uint64_t)(uintptr_t)site);
}

/* It sleeps until somebody wakes it, unless its time may run out. */
static void mark_waiting(unfold *x, uint16_t thread)
{
    const hd_op *op = op_at(x, thread);
    if (op->kind == HD_COND_WAIT && !hd_unfold_has_wish(x->u, thread))
        hd_unfold_mark_stop(x->u, thread, HD_STOP_WAITS, place_of(op->site));
}

static void follow_edge(unfold *x, const hd_op *op, uint64_t *barriers)
{
    uint16_t from = (uint16_t)op->object;
    if (op->mask == HD_WAIT_JOIN) {
        uint32_t end = hd_accesses_end_of(&x->accesses, x->u, from);
        hd_unfold_reach(x->u, from, end);
        hd_unfold_await(x->u, op->thread, end);
    } else if (op->mask == HD_WAIT_BARRIER && barriers[from]) {
        hd_unfold_await(x->u, op->thread, arrival_of(x, barriers[from], from));
    } else {
        if (op->mask == HD_WAIT_COND)
            mark_waiting(x, op->thread);
        hd_unfold_order(x->u, op->thread, from);
    }
}

static uint32_t label_of(unfold *x, const hd_op *op)
{
    hd_vec_push(&x->labels, *op);
    return (uint32_t)x->labels.count - 1;
}

/* Follows the step that begins at entry `i`. */
static void follow_step(unfold *x, const hd_execution *e, uint32_t i, uint64_t *barriers)
{
    const hd_op *op = &e->log[i];
    uint32_t count = 1;
    while (i + count < e->log_count && (is_note(&op[count]) || (op[count].flags & HD_OP_CONTINUES)))
        count++;
    hd_accesses_translate(&x->accesses, x->u, op, count);
    if (op->kind == HD_EXIT)
        hd_unfold_mark_stop(x->u, op->thread, HD_STOP_NEUTRAL, 0);
    bool is_new;
    hd_unfold_step(x->u, op->thread, x->accesses.step.items, (uint32_t)x->accesses.step.count, op->choice, op->choices,
        label_of(x, op), &is_new);
    if (!is_new)
        x->labels.count--;
    barriers[op->thread] = op->kind == HD_BARRIER_ARRIVE ? op->object : 0;
    if (op->kind == HD_BARRIER_ARRIVE)
        note_arrival(x, op);
}

static void wish_for(unfold *x, const hd_op *op)
{
    hd_accesses_translate(&x->accesses, x->u, op, 1);
    hd_unfold_wish(x->u, op->thread, &x->accesses.step.items[0], op->kind == HD_CHOOSE ? op->choices : 0);
}

static void follow_log(unfold *x, const hd_execution *e, const uint32_t *ends)
{
    uint64_t barriers[HD_MAX_THREADS] = { 0 };
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (i >= ends[op->thread])
            continue;
        if (op->kind == HD_BRANCH)
            x->inputs = true;
        else if (op->kind == HD_EDGE)
            follow_edge(x, op, barriers);
        else if (op->flags & HD_OP_WITHDRAWN)
            wish_for(x, op);
        else if (!(op->flags & HD_OP_CONTINUES))
            follow_step(x, e, i, barriers);
    }
}

/* Of the barrier that the thread waits at, another's arrival that it waits for. */
static void left_at_barrier(unfold *x, uint16_t thread, uint64_t barrier)
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

static void mark_stops(unfold *x, const hd_execution *e, uint16_t t)
{
    const hd_thread_view *v = &e->threads[t];
    if (v->status == HD_THREAD_DONE)
        hd_unfold_mark_stop(x->u, t, HD_STOP_ENDS, 0);
    else if (v->status == HD_THREAD_WAITING && v->waits_for == HD_WAIT_COND)
        mark_waiting(x, t);
    else if (v->status == HD_THREAD_AT_OP && (v->pending.flags & HD_OP_SPUN) && !v->enabled)
        hd_unfold_mark_stop(x->u, t, HD_STOP_WAITS, place_of(v->pending.site));
    else if (v->status != HD_THREAD_UNUSED && hd_map_get(&x->ends, hd_unfold_at(x->u, t)))
        hd_unfold_mark_stop(x->u, t, HD_STOP_NEUTRAL, 0);
}

static void follow_rest(unfold *x, const hd_execution *e, const uint32_t *ends)
{
    for (uint16_t t = 0; t < e->thread_count; t++) {
        const hd_thread_view *v = &e->threads[t];
        if (v->status == HD_THREAD_DONE)
            hd_unfold_reach(x->u, t, hd_accesses_end_of(&x->accesses, x->u, t));
        else if (hd_thread_wants_more(v))
            wish_for(x, &v->pending);
        else if (v->status == HD_THREAD_WAITING && v->waits_for == HD_WAIT_BARRIER
            && op_at(x, t)->kind == HD_BARRIER_ARRIVE)
            left_at_barrier(x, t, v->wait_object);
        else if (v->status == HD_THREAD_WAITING && v->waits_for == HD_WAIT_JOIN
            && !hd_map_get(&x->ends, hd_unfold_at(x->u, t)))
            hd_unfold_left_waiting(x->u, t, hd_accesses_end_of(&x->accesses, x->u, (uint32_t)v->wait_object));
        if (ends[t] < e->log_count)
            hd_map_put(&x->ends, hd_unfold_at(x->u, t));
        mark_stops(x, e, t);
    }
}

/* --- learning ----------------------------------------------------------------------------------------- */

static bool begins_as_planned(const unfold *x, const hd_execution *e)
{
    uint32_t step = 0;
    for (uint32_t i = 0; i < e->log_count && step < x->sure; i++) {
        const hd_op *op = &e->log[i];
        if (is_note(op) || (op->flags & (HD_OP_CONTINUES | HD_OP_ALONE)))
            continue;
        if (op->thread != x->prefix.items[step++].thread)
            return false;
    }
    return step == x->sure;
}

static void take_schedule(unfold *x, const hd_execution *e)
{
    hd_vec_clear(&x->now);
    for (uint32_t i = 0; i < e->log_count; i++)
        if (!is_note(&e->log[i]) && !(e->log[i].flags & HD_OP_CONTINUES))
            hd_vec_push(&x->now, ((hd_choice) { e->log[i].thread, e->log[i].choice }));
}

/* Keeps what this execution has in common with the last one. */
static bool extend_trace(unfold *x, const hd_execution *e)
{
    uint32_t same = 0;
    while (same < x->now.count && same < x->last.count && same < x->trace.steps.count
        && x->now.items[same].thread == x->last.items[same].thread
        && x->now.items[same].choice == x->last.items[same].choice)
        same++;
    hd_trace_cut(&x->trace, same);
    hd_schedule spare = x->last;
    x->last = x->now;
    x->now = spare;
    return hd_trace_extend(&x->trace, e);
}

/* What was unfolded rests on something that is not so. */
static void start_over(unfold *x)
{
    hd_unfold_close(x->u);
    x->u = hd_unfold_open(x->net, x->memory);
    hd_accesses_forget_numbers(&x->accesses);
    hd_map_clear(&x->ends);
    hd_vec_clear(&x->labels);
    hd_map_clear(&x->deadlocks);
    hd_vec_clear(&x->blocked);
    x->blocked_at = 0;
    x->searched = 0;
    x->pair_event = 0;
    x->pair_looker = 0;
}

static bool unfold_learn(void *self, const hd_execution *e)
{
    unfold *x = self;
    uint32_t ends[HD_MAX_THREADS];
    take_schedule(x, e);
    if (!begins_as_planned(x, e) || !extend_trace(x, e))
        return false;
    note_races(x);
    if (!hd_accesses_learn(&x->accesses, e))
        start_over(x);
    if (!x->labels.count)
        hd_vec_push(&x->labels, ((hd_op) { 0 }));
    find_ends(e, ends);
    hd_map_clear(&x->rounds);
    hd_unfold_return(x->u, 0);
    follow_log(x, e, ends);
    follow_rest(x, e, ends);
    x->missed += !hd_unfold_finish(x->u);
    return true;
}

static const hd_trace *unfold_trace(void *self)
{
    return &((unfold *)self)->trace;
}

static double unfold_progress(void *self)
{
    const unfold *x = self;
    double done = hd_unfold_steps(x->u), left = (double)hd_unfold_targets(x->u);
    return done / (done + left);
}

/* --- drawing ----------------------------------------------------------------------------------------- */

static const char *file_of(const hd_site *site)
{
    const char *slash = site ? strrchr(site->file, '/') : NULL;
    return !site ? "?" : slash ? slash + 1 : site->file;
}

static void name_event(void *context, uint32_t label, char *name, size_t size)
{
    const hd_op *op = &((unfold *)context)->labels.items[label];
    snprintf(name, size, "%s\\n%s:%u", hd_op_text(op->kind), file_of(op->site), op->site ? op->site->line : 0);
}

static void name_object(void *context, uint32_t object, char *name, size_t size)
{
    (void)context;
    snprintf(name, size, "o%u", object);
}

static const char *unfold_draw(void *self, size_t *size)
{
    unfold *x = self;
    hd_unfold_namer namer = { x, name_event, name_object };
    x->drawing.memory = x->memory;
    hd_unfold_draw(x->u, &namer, &x->drawing);
    *size = x->drawing.count;
    return x->drawing.items;
}

#define UNFOLDING(title) \
    const hd_explorer hd_explorer_##title = { .name = #title, \
        .exhaustive = true, \
        .open = title##_open, \
        .next = unfold_next, \
        .learn = unfold_learn, \
        .close = unfold_close, \
        .trace = unfold_trace, \
        .progress = unfold_progress, \
        .unfinished = unfold_unfinished, \
        .draw = unfold_draw, \
        .sees_joins = true }

UNFOLDING(unfold);
UNFOLDING(naive);
UNFOLDING(contextual);
