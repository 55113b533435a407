/* Depth-first search: every schedule and every path, without reduction (docs/algorithms/dfs.md). Slow and simple: tests
 * compare the other explorers with it. A level is a step of the last execution; the branches after a level's step come
 * between that level and the next. */
#include "base/vec.h"
#include "explore/explorer.h"

#include "base/error.h"

/* The alternatives at one step of the last execution, and the one taken. */
typedef struct level {
    uint32_t first, count, taken;
    uint32_t step; /* of the trace */
} level;

typedef struct dfs {
    hd_memory *memory;
    hd_vec(level) levels;
    hd_vec(hd_choice) choices; /* of all levels */
    hd_vec(hd_choice) prefix;
    hd_trace trace;
    hd_path path;
    bool started;
} dfs;

static void *dfs_open(const hd_explore_config *config, hd_memory *memory)
{
    dfs *d = hd_alloc(memory, sizeof *d);
    d->memory = d->levels.memory = d->choices.memory = d->prefix.memory = memory;
    hd_trace_init(&d->trace, memory, config->races);
    hd_path_init(&d->path, &config->solver, memory);
    return d;
}

/* Moves to the next alternative of the last level or branch that has one, and drops those after it; false: none has. */
static bool advance(dfs *d)
{
    while (!hd_path_flip(&d->path, d->levels.count ? hd_vec_last(&d->levels)->step + 1 : 0)) {
        if (!d->levels.count)
            return false;
        level *l = hd_vec_last(&d->levels);
        if (l->taken + 1 < l->count) {
            l->taken++;
            return true;
        }
        d->choices.count = l->first;
        d->levels.count--;
    }
    return true;
}

static bool dfs_next(void *self, hd_plan *plan)
{
    dfs *d = self;
    if (d->started && !advance(d))
        return false;
    d->started = true;
    hd_vec_clear(&d->prefix);
    for (size_t i = 0; i < d->levels.count; i++)
        hd_vec_push(&d->prefix, d->choices.items[d->levels.items[i].first + d->levels.items[i].taken]);
    *plan = (hd_plan) { .given = d->path.given.items,
        .given_count = (uint32_t)d->path.given.count,
        .prefix = d->prefix.items,
        .prefix_count = (uint32_t)d->prefix.count,
        .tail = HD_TAIL_FIRST,
        .alternatives = true };
    return true;
}

/* The tail continues with the same thread, so the choice taken need not be the first one: it is moved to the front of
 * its level. */
static void add_level(dfs *d, const hd_execution *e, const hd_alternatives *a, uint32_t step)
{
    const hd_op *op = &d->trace.ops.items[d->trace.items.items[d->trace.steps.items[step]].access];
    level *l = hd_vec_add(&d->levels);
    *l = (level) { .first = (uint32_t)d->choices.count, .count = a->count, .step = step };
    for (uint32_t i = 0; i < a->count; i++)
        hd_vec_push(&d->choices, e->choices[a->first + i]);
    for (uint32_t i = 0; i < a->count; i++) {
        hd_choice *c = &d->choices.items[l->first + i];
        if (c->thread == op->thread && c->choice == op->choice) {
            hd_choice taken = *c;
            *c = d->choices.items[l->first];
            d->choices.items[l->first] = taken;
            return;
        }
    }
    hd_panic("the step taken is not among its alternatives");
}

/* The first step from `step` on that was a scheduling decision. */
static uint32_t next_picked(const dfs *d, uint32_t step)
{
    while (step < d->trace.steps.count && d->trace.items.items[d->trace.steps.items[step]].flags & HD_OP_ALONE)
        step++;
    return step;
}

static bool dfs_learn(void *self, const hd_execution *e)
{
    dfs *d = self;
    uint32_t shared = d->levels.count ? hd_vec_last(&d->levels)->step : 0;
    uint32_t step = d->levels.count ? shared + 1 : 0;
    hd_trace_cut(&d->trace, shared);
    if (!hd_trace_extend(&d->trace, e) || !hd_path_extend(&d->path, e))
        return false;
    for (uint32_t i = 0; i < e->alternative_steps; i++, step++) {
        step = next_picked(d, step);
        if (step >= d->trace.steps.count)
            break; /* the thread was picked, but the run ended before it performed its operation */
        add_level(d, e, &e->alternatives[i], step);
    }
    return true;
}

static void dfs_close(void *self)
{
    dfs *d = self;
    hd_vec_fini(&d->levels);
    hd_vec_fini(&d->choices);
    hd_vec_fini(&d->prefix);
    hd_trace_fini(&d->trace);
    hd_path_fini(&d->path);
    hd_release(d->memory, d, sizeof *d);
}

static const hd_trace *dfs_trace(void *self)
{
    return &((dfs *)self)->trace;
}

static hd_path *dfs_path(void *self)
{
    return &((dfs *)self)->path;
}

/* The share of the tree to the left of the current path, if all branches are equally large. */
static double dfs_progress(void *self)
{
    const dfs *d = self;
    double done = 0, share = 1;
    for (size_t i = 0; i < d->levels.count; i++) {
        share /= d->levels.items[i].count;
        done += share * d->levels.items[i].taken;
    }
    return done;
}

const hd_explorer hd_explorer_dfs = { .name = "dfs",
    .exhaustive = true,
    .open = dfs_open,
    .next = dfs_next,
    .learn = dfs_learn,
    .close = dfs_close,
    .trace = dfs_trace,
    .progress = dfs_progress,
    .path = dfs_path,
    .every_schedule = true,
    .sees_joins = true };
