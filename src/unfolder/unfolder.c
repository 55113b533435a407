
#include "explore/minimise.h"
#include "unfolder/unfolder_internal.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

/* The bound of the search for blocked states: visits of events, and more for each event of the net. */
enum { LOOKS = 20000000, LOOKS_PER_EVENT = 20 };

static void forget_rest(hd_unfolder *x)
{
    hd_vec_clear(&x->avoided);
    x->untested = 0;
    x->untested_before = UINT32_MAX;
    hd_map_clear(&x->deadlocks);
    hd_vec_clear(&x->blocked);
    x->blocked_at = 0;
    x->searched = 0;
    x->pair_event = 0;
    x->pair_looker = 0;
}

static void *open(const hd_explore_config *config, hd_memory *memory, hd_net net)
{
    hd_unfolder *x = hd_alloc(memory, sizeof *x);
    x->memory = x->last.memory = x->aim.memory = x->prefix.memory = x->labels.memory = memory;
    x->net = net;
    x->u = hd_unfold_open(net, memory);
    x->random = config->seed != 1; /* seed 1: the newest target first, which shares the longest prefix */
    x->literals.memory = x->moments.memory = x->refused.memory = x->avoided.memory = memory;
    hd_accesses_init(&x->accesses, memory);
    hd_feasibility_init(&x->feasibility, &config->solver, memory);
    hd_rng_seed(&x->rng, config->seed);
    hd_trace_init(&x->trace, memory, config->races);
    x->trace.sync_only = true;
    hd_map_init(&x->rounds, memory);
    hd_map_init(&x->label_of, memory);
    hd_map_init(&x->members, memory);
    hd_map_init(&x->deadlocks, memory);
    x->blocked.memory = x->lookers.memory = memory;
    hd_map_init(&x->raced, memory);
    forget_rest(x);
    return x;
}

static void *unfold_open(const hd_explore_config *config, hd_memory *memory)
{
    return open(config, memory, HD_NET_REPLICATED);
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
    hd_unfolder *x = self;
    hd_unfold_close(x->u);
    hd_accesses_fini(&x->accesses);
    hd_feasibility_fini(&x->feasibility);
    hd_vec_fini(&x->literals);
    hd_vec_fini(&x->refused);
    hd_vec_fini(&x->avoided);
    hd_vec_fini(&x->moments);
    hd_trace_fini(&x->trace);
    hd_vec_fini(&x->last);
    hd_vec_fini(&x->aim);
    hd_vec_fini(&x->prefix);
    hd_vec_fini(&x->labels);
    hd_map_fini(&x->label_of);
    hd_map_fini(&x->rounds);
    hd_map_fini(&x->members);
    hd_map_fini(&x->deadlocks);
    hd_vec_fini(&x->blocked);
    hd_vec_fini(&x->drawing);
    hd_vec_fini(&x->lookers);
    hd_map_fini(&x->raced);
    hd_release(x->memory, x, sizeof *x);
}

/* Plans the smallest configuration with the events, if it is feasible together with the literals in `avoided`. */
static bool aim_at(hd_unfolder *x, const uint32_t *events, uint32_t count)
{
    hd_unfold_set way = { .memory = x->memory };
    bool possible = hd_unfold_configuration(x->u, events, count, &way);
    if (possible) {
        hd_unfold_sides_of(x->u, way.items, way.count, &x->literals);
        for (size_t i = 0; i < x->avoided.count; i++)
            hd_vec_push(&x->literals, x->avoided.items[i]);
        possible = hd_feasibility_permits(&x->feasibility, x->literals.items, x->literals.count, true);
    }
    if (possible) {
        hd_unfold_schedule_of(x->u, way.items, way.count, &x->aim);
        x->sure = (uint32_t)x->aim.count;
    }
    hd_vec_fini(&way);
    return possible;
}

/* --- blocked states ---------------------------------------------------------------------------- */

static void search_blocked(hd_unfolder *x)
{
    hd_unfold_judge judge = hd_unfolder_judge(x);
    x->searched = hd_unfold_steps(x->u);
    uint64_t effort = LOOKS + (uint64_t)LOOKS_PER_EVENT * x->searched;
    x->gave_up = !hd_unfold_find_deadlocks(x->u, effort, &judge, &x->deadlocks, &x->blocked);
    x->blocked_at = 0;
}

static bool next_blocked(hd_unfolder *x)
{
    if (x->blocked_at == x->blocked.count && x->searched != hd_unfold_steps(x->u))
        search_blocked(x);
    while (x->blocked_at < x->blocked.count) {
        const uint32_t *events = &x->blocked.items[x->blocked_at];
        x->blocked_at += 1 + events[0];
        if (aim_at(x, events + 1, events[0]))
            return true;
    }
    return false;
}

/* --- racing pairs ----------------------------------------------------------------------------
 *
 * In the contextual net the reads before a write are not its causes. So both may be covered without an execution that
 * has both, and the race is not seen. Such pairs are executed together at the end. In the other nets the reads are
 * causes. */

static uint64_t pair_of(const hd_op *read, const hd_op *write)
{
    return hd_hash(hd_hash((uint64_t)(uintptr_t)read->site) ^ (uint64_t)(uintptr_t)write->site);
}

static void note_races(hd_unfolder *x)
{
    for (size_t i = 0; i < x->trace.new_races.count; i++) {
        const hd_op *a = &x->trace.ops.items[x->trace.new_races.items[i].first];
        const hd_op *b = &x->trace.ops.items[x->trace.new_races.items[i].second];
        *hd_map_put(&x->raced, pair_of(a, b)) = 1;
    }
}

/* A label has only the first operation of a block, so any pair with a block may race. */
static bool is_block(const hd_op *op)
{
    return op->flags & HD_OP_ATOMIC;
}

/* May they race, and has no execution shown it? */
static bool may_race(const hd_unfolder *x, const hd_op *read, const hd_op *write)
{
    if (is_block(read) || is_block(write))
        return read->thread != write->thread;
    return !hd_map_get(&x->raced, pair_of(read, write)) && read->thread != write->thread
        && hd_kind_is_memory(write->kind) && hd_kind_is_memory(read->kind)
        && (hd_kind_is_plain(read->kind) || hd_kind_is_plain(write->kind));
}

/* The next event and an event that looked at the same condition before it which may race. */
static bool next_pair(hd_unfolder *x)
{
    bool found = false;
    for (; !found && x->pair_event < hd_unfold_count(x->u); x->pair_event += !found) {
        if (!hd_unfold_is_event(x->u, x->pair_event) || hd_unfold_get(x->u, x->pair_event).automatic)
            continue;
        const hd_op *write = &x->labels.items[hd_unfold_get(x->u, x->pair_event).label];
        hd_unfold_lookers(x->u, x->pair_event, &x->lookers);
        for (; !found && x->pair_looker < x->lookers.count; x->pair_looker++) {
            uint32_t both[] = { x->lookers.items[x->pair_looker], x->pair_event };
            const hd_op *read = &x->labels.items[hd_unfold_get(x->u, both[0]).label];
            found = may_race(x, read, write) && aim_at(x, both, 2);
        }
        x->pair_looker = found ? x->pair_looker : 0;
    }
    return found;
}

/* --- events without a test -----------------------------------------------------------------------
 *
 * An execution in which an assumption fails is not a test, but it may be the only one with some event of another
 * thread. The event is tried again with inputs for which the failed assumptions hold, until none fails or there are no
 * such inputs. */

/* The last execution led to the event but is no test: avoid its failed assumptions, too. */
static bool try_again(hd_unfolder *x)
{
    for (size_t i = 0; i < x->refused.count; i++)
        hd_vec_push(&x->avoided, ((hd_unfold_literal) { x->refused.items[i].side, false }));
    return x->refused.count && aim_at(x, &x->untested, 1);
}

static uint32_t find_untested(hd_unfolder *x)
{
    uint32_t e = x->untested_before < hd_unfold_count(x->u) ? x->untested_before : hd_unfold_count(x->u);
    while (--e && (!hd_unfold_is_event(x->u, e) || hd_unfold_is_tested(x->u, e)))
        ;
    x->untested_before = e ? e : 1;
    return e;
}

static bool next_untested(hd_unfolder *x)
{
    bool found = x->untested && !hd_unfold_is_tested(x->u, x->untested) && try_again(x);
    while (!found) {
        if (x->untested)
            hd_unfold_give_up(x->u, x->untested);
        hd_vec_clear(&x->avoided);
        x->untested = find_untested(x);
        if (!x->untested)
            return false;
        found = aim_at(x, &x->untested, 1);
    }
    return true;
}

/* --- the next execution -------------------------------------------------------------------- */

static bool find_next(hd_unfolder *x)
{
    hd_unfold_order_of_targets order = x->random ? HD_TARGETS_RANDOM : HD_TARGETS_LAST;
    hd_unfold_judge judge = hd_unfolder_judge(x);
    return !x->started || hd_unfold_next(x->u, order, &x->rng, &judge, &x->aim, &x->sure) || next_blocked(x)
        || (x->net == HD_NET_CONTEXTUAL && x->trace.races && next_pair(x)) || next_untested(x);
}

static bool unfold_next(void *self, hd_plan *plan)
{
    hd_unfolder *x = self;
    hd_vec_clear(&x->prefix);
    if (x->mortal || !find_next(x))
        return false;
    x->started = true;
    uint32_t sure = 0;
    /* Steps that are not part of plans happen by themselves; they are left out of the prefix. */
    for (size_t i = 0; i < x->aim.count; i++) {
        bool planned = i >= x->sure || !(x->labels.items[x->aim.items[i].label].flags & HD_OP_ALONE);
        if (planned)
            hd_vec_push(&x->prefix, ((hd_choice) { x->aim.items[i].thread, x->aim.items[i].choice }));
        sure += planned && i < x->sure;
    }
    x->sure = sure;
    const hd_given_list *given = hd_feasibility_inputs(&x->feasibility);
    *plan = (hd_plan) { .given = given->items,
        .given_count = (uint32_t)given->count,
        .prefix = x->prefix.items,
        .prefix_count = (uint32_t)x->prefix.count,
        .tail = HD_TAIL_PATIENT,
        .forgiving = true };
    return true;
}

static const char *unfold_unfinished(void *self)
{
    const hd_unfolder *x = self;
    if (x->mortal)
        return "processes that end before their threads are explored by dpor alone";
    return x->gave_up
        ? "not all blocked states were looked for: there are too many (--explore=dpor needs no such search)"
        : NULL;
}

/* --- learning ----------------------------------------------------------------------------------------- */

static uint64_t way_after(uint64_t way, const hd_op *branch)
{
    return hd_hash(way ^ hd_hash((uint64_t)(uintptr_t)branch->site ^ (uint64_t)branch->thread << 48) ^ branch->value);
}

/* Up to here, the execution is the same as the last one. */
static void note_common(hd_unfolder *x, uint32_t step, uint32_t entry)
{
    x->common = step;
    x->differs = step ? entry : 0;
}

/* Replaces the last execution's steps, and finds the common prefix. */
static void take_steps(hd_unfolder *x, const hd_execution *e)
{
    uint32_t count = 0;
    uint64_t way = 0;
    bool same = true;
    note_common(x, 0, 0);
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (op->kind == HD_BRANCH)
            way = way_after(way, op);
        if (op->kind == HD_BRANCH || !hd_op_is_done(op) || (op->flags & HD_OP_CONTINUES))
            continue;
        bool known = count < x->last.count;
        hd_unfolder_step *step = known ? &x->last.items[count] : hd_vec_add(&x->last);
        same = same && known && count <= x->trace.steps.count && step->way == way;
        if (same)
            note_common(x, count, i);
        same = same && step->thread == op->thread && step->choice == op->choice;
        *step = (hd_unfolder_step) { op->thread, op->choice, (op->flags & HD_OP_ALONE) != 0, i, way };
        count++;
    }
    x->last.count = count;
}

/* Known events must happen as planned: otherwise the program is not deterministic. Predictions may fail. */
static bool begins_as_planned(const hd_unfolder *x)
{
    uint32_t step = 0;
    for (size_t i = 0; i < x->last.count && step < x->sure; i++)
        if (!x->last.items[i].alone && x->last.items[i].thread != x->prefix.items[step++].thread)
            return false;
    return step == x->sure;
}

/* Keeps what this execution has in common with the last one. */
static bool extend_trace(hd_unfolder *x, const hd_execution *e)
{
    hd_trace_cut(&x->trace, x->common);
    return hd_trace_extend(&x->trace, e);
}

/* Discards the net: an assumption that it was built on turned out to be wrong. */
static void start_over(hd_unfolder *x)
{
    x->comparisons += hd_unfold_comparisons(x->u);
    hd_unfold_close(x->u);
    x->u = hd_unfold_open(x->net, x->memory);
    hd_accesses_forget_numbers(&x->accesses);
    hd_feasibility_forget(&x->feasibility);
    hd_vec_clear(&x->labels);
    hd_map_clear(&x->label_of);
    hd_vec_clear(&x->moments);
    x->contradicted = false;
    forget_rest(x);
}

static void follow(hd_unfolder *x, const hd_execution *e)
{
    if (!x->labels.count)
        hd_vec_push(&x->labels, ((hd_op) { 0 }));
    hd_unfolder_follow(x, e);
}

static bool unfold_learn(void *self, const hd_execution *e)
{
    hd_unfolder *x = self;
    x->followed += e->log_count;
    for (uint32_t i = 0; i < e->thread_count; i++)
        x->mortal |= e->threads[i].ending != 0;
    if (x->mortal)
        return true;
    take_steps(x, e);
    if (!begins_as_planned(x) || !extend_trace(x, e))
        return false;
    note_races(x);
    hd_feasibility_begin(&x->feasibility, e);
    bool whole = hd_accesses_learn(&x->accesses, e, x->differs);
    if (!hd_unfolder_find_ends(x, e) || !whole)
        start_over(x);
    follow(x, e);
    /* Each contradiction marks another step as changing, so this ends. */
    while (x->contradicted) {
        start_over(x);
        follow(x, e);
    }
    return true;
}

static const hd_trace *unfold_trace(void *self)
{
    return &((hd_unfolder *)self)->trace;
}

static hd_path *unfold_path(void *self)
{
    return &((hd_unfolder *)self)->feasibility.path;
}

static double unfold_progress(void *self)
{
    const hd_unfolder *x = self;
    double done = hd_unfold_steps(x->u), left = (double)hd_unfold_targets(x->u);
    return done / (done + left);
}

static hd_kept unfold_kept(void *self)
{
    const hd_unfolder *x = self;
    return (hd_kept) { hd_unfold_steps(x->u), hd_unfold_size(x->u) };
}

static uint32_t unfold_beside(void *self)
{
    size_t aims = hd_unfold_aims(((const hd_unfolder *)self)->u);
    return aims ? (uint32_t)aims - 1 : 0;
}

/* Measured: to follow an operation takes FOLLOW times as long as to run it; COMPARISONS take as long as to run one. */
static uint64_t unfold_work(void *self)
{
    enum { FOLLOW = 4, COMPARISONS = 16 };
    const hd_unfolder *x = self;
    return FOLLOW * x->followed + (x->comparisons + hd_unfold_comparisons(x->u)) / COMPARISONS;
}

/* --- drawing ----------------------------------------------------------------------------------------- */

static const char *file_of(const hd_site *site)
{
    const char *slash = site ? strrchr(site->file, '/') : NULL;
    return !site ? "?" : slash ? slash + 1 : site->file;
}

static void name_event(void *context, uint32_t label, char *name, size_t size)
{
    const hd_op *op = &((hd_unfolder *)context)->labels.items[label];
    unsigned line = op->site ? op->site->line : 0;
    if (op->kind == HD_BRANCH)
        snprintf(name, size, "%s: %lld\\n%s:%u", hd_op_text(op->kind), (long long)op->value, file_of(op->site), line);
    else
        snprintf(name, size, "%s\\n%s:%u", hd_op_text(op->kind), file_of(op->site), line);
}

static void name_object(void *context, uint32_t object, char *name, size_t size)
{
    (void)context;
    snprintf(name, size, "o%u", object);
}

static const char *unfold_draw(void *self, uint32_t most, size_t *size)
{
    hd_unfolder *x = self;
    hd_unfold_namer namer = { x, name_event, name_object };
    x->drawing.memory = x->memory;
    hd_unfold_draw(x->u, most, &namer, &x->drawing);
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
        .path = unfold_path, \
        .unfinished = unfold_unfinished, \
        .draw = unfold_draw, \
        .unfolds = true, \
        .kept = unfold_kept, \
        .beside = unfold_beside, \
        .work = unfold_work, \
        .local_states = true, \
        .sees_joins = true }

UNFOLDING(unfold);
UNFOLDING(naive);
UNFOLDING(contextual);
