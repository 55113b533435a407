/* Unfoldings (docs/algorithms/unfold.md): tests that reach every local state of
 * every thread. Each execution is followed through the unfolding; what it could
 * have come to otherwise becomes a target; the next execution leads to a target,
 * and to as many others as fit beside it. */
#include "explore/minimise.h"
#include "unfolder/unfolder_internal.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

typedef hd_unfolder unfold;

static void *open(const hd_explore_config *config, hd_memory *memory, hd_net net)
{
    unfold *x = hd_alloc(memory, sizeof *x);
    x->memory = x->last.memory = x->aim.memory = x->prefix.memory = x->labels.memory = memory;
    x->net = net;
    x->u = hd_unfold_open(net, memory);
    x->random = config->seed != 1;
    x->literals.memory = x->moments.memory = x->refused.memory = x->avoided.memory = memory;
    hd_accesses_init(&x->accesses, memory);
    hd_claims_init(&x->claims, &config->solver, memory);
    hd_rng_seed(&x->rng, config->seed);
    hd_trace_init(&x->trace, memory, config->races);
    x->trace.sync_only = true;
    hd_map_init(&x->rounds, memory);
    hd_map_init(&x->label_of, memory);
    hd_map_init(&x->members, memory);
    hd_map_init(&x->deadlocks, memory);
    x->blocked.memory = x->lookers.memory = memory;
    hd_map_init(&x->raced, memory);
    hd_unfolder_forget_rest(x);
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
    unfold *x = self;
    hd_unfold_close(x->u);
    hd_accesses_fini(&x->accesses);
    hd_claims_fini(&x->claims);
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

/* --- the next execution -------------------------------------------------------------------- */

static bool find_next(unfold *x)
{
    hd_unfold_order_of_targets order = x->random ? HD_TARGETS_RANDOM : HD_TARGETS_LAST;
    hd_unfold_judge judge = hd_unfolder_judge(x);
    return !x->started || hd_unfold_next(x->u, order, &x->rng, &judge, &x->aim, &x->sure) || hd_unfolder_next_blocked(x)
        || (x->net == HD_NET_CONTEXTUAL && x->trace.races && hd_unfolder_next_pair(x)) || hd_unfolder_next_untested(x);
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
    const hd_given_list *given = hd_claims_inputs(&x->claims);
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
    return ((const unfold *)self)->gave_up
        ? "not all blocked states were looked for: there are too many (--explore=dpor needs no such search)"
        : NULL;
}

/* --- learning ----------------------------------------------------------------------------------------- */

static uint64_t way_after(uint64_t way, const hd_op *branch)
{
    return hd_hash(way ^ hd_hash((uint64_t)(uintptr_t)branch->site ^ (uint64_t)branch->thread << 48) ^ branch->value);
}

/* Up to here, all that happened is the same as in the last execution. */
static void note_common(unfold *x, uint32_t step, uint32_t entry)
{
    x->common = step;
    x->differs = step ? entry : 0;
}

/* The execution's steps take the place of the last one's. */
static void take_steps(unfold *x, const hd_execution *e)
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

static bool begins_as_planned(const unfold *x)
{
    uint32_t step = 0;
    for (size_t i = 0; i < x->last.count && step < x->sure; i++)
        if (!x->last.items[i].alone && x->last.items[i].thread != x->prefix.items[step++].thread)
            return false;
    return step == x->sure;
}

/* Keeps what this execution has in common with the last one. */
static bool extend_trace(unfold *x, const hd_execution *e)
{
    hd_trace_cut(&x->trace, x->common);
    return hd_trace_extend(&x->trace, e);
}

/* What was unfolded rests on something that is not so. */
static void start_over(unfold *x)
{
    hd_unfold_close(x->u);
    x->u = hd_unfold_open(x->net, x->memory);
    hd_accesses_forget_numbers(&x->accesses);
    hd_claims_forget(&x->claims);
    hd_vec_clear(&x->labels);
    hd_map_clear(&x->label_of);
    hd_vec_clear(&x->moments);
    x->contradicted = false;
    hd_unfolder_forget_rest(x);
}

static void follow(unfold *x, const hd_execution *e)
{
    if (!x->labels.count)
        hd_vec_push(&x->labels, ((hd_op) { 0 }));
    hd_unfolder_follow(x, e);
}

static bool unfold_learn(void *self, const hd_execution *e)
{
    unfold *x = self;
    take_steps(x, e);
    if (!begins_as_planned(x) || !extend_trace(x, e))
        return false;
    hd_unfolder_note_races(x);
    hd_claims_begin(&x->claims, e);
    bool whole = hd_accesses_learn(&x->accesses, e, x->differs);
    if (!hd_unfolder_find_ends(x, e) || !whole)
        start_over(x);
    follow(x, e);
    while (x->contradicted) {
        start_over(x);
        follow(x, e);
    }
    return true;
}

static const hd_trace *unfold_trace(void *self)
{
    return &((unfold *)self)->trace;
}

static hd_path *unfold_path(void *self)
{
    return &((unfold *)self)->claims.path;
}

static double unfold_progress(void *self)
{
    const unfold *x = self;
    double done = hd_unfold_steps(x->u), left = (double)hd_unfold_targets(x->u);
    return done / (done + left);
}

static hd_kept unfold_kept(void *self)
{
    const unfold *x = self;
    return (hd_kept) { hd_unfold_steps(x->u), hd_unfold_size(x->u) };
}

static uint32_t unfold_beside(void *self)
{
    size_t aims = hd_unfold_aims(((const unfold *)self)->u);
    return aims ? (uint32_t)aims - 1 : 0;
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
        .path = unfold_path, \
        .unfinished = unfold_unfinished, \
        .draw = unfold_draw, \
        .kept = unfold_kept, \
        .beside = unfold_beside, \
        .local_states = true, \
        .sees_joins = true }

UNFOLDING(unfold);
UNFOLDING(naive);
UNFOLDING(contextual);
