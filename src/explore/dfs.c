/* Depth-first search: every schedule and every path, without reduction (docs/algorithms/dfs.md). Slow and simple: tests
 * compare the other explorers with it. A level is a step of the last execution; the branches after a level's step come
 * between that level and the next.
 *
 * preempt is the same search with a bound on preemptions: steps of another thread than the last one although that is
 * enabled (docs/algorithms/preempt.md). It searches with bound 0, then 1, and so on up to the one given, or until no
 * schedule has exceeded the bound: then every schedule has been run. */
#include "base/vec.h"
#include "explore/explorer.h"

#include "base/error.h"

/* The alternatives at one step of the last execution, and the one taken. */
typedef struct level {
    uint32_t first, count, taken;
    uint32_t step; /* of the trace */
    uint32_t preemptions; /* before this step */
    int last; /* the thread of the step before, if it is enabled; -1: a step of any thread is no preemption */
} level;

typedef struct dfs {
    hd_memory *memory;
    hd_vec(level) levels;
    hd_vec(hd_choice) choices; /* of all levels */
    hd_vec(hd_choice) prefix;
    hd_trace trace;
    hd_path path;
    bool started;
    bool composes; /* steps are composed: every schedule of them */
    uint32_t bound, most; /* preemptions of the current search, and of the last */
    bool exceeded; /* the bound has excluded a schedule */
} dfs;

static dfs *open(const hd_explore_config *config, hd_memory *memory)
{
    dfs *d = hd_alloc(memory, sizeof *d);
    d->memory = d->levels.memory = d->choices.memory = d->prefix.memory = memory;
    hd_trace_init(&d->trace, memory, config->races);
    hd_path_init(&d->path, &config->solver, memory);
    d->composes = config->compose;
    return d;
}

static void *dfs_open(const hd_explore_config *config, hd_memory *memory)
{
    dfs *d = open(config, memory);
    d->bound = d->most = UINT32_MAX;
    return d;
}

static void *preempt_open(const hd_explore_config *config, hd_memory *memory)
{
    dfs *d = open(config, memory);
    d->most = config->preemptions;
    return d;
}

static bool preempts(const dfs *d, const level *l, uint32_t alternative)
{
    return l->last >= 0 && d->choices.items[l->first + alternative].thread != l->last;
}

/* Moves to the level's next alternative within the bound; false: there is none. */
static bool take_next(dfs *d, level *l)
{
    while (++l->taken < l->count) {
        if (l->preemptions + preempts(d, l, l->taken) <= d->bound)
            return true;
        d->exceeded = true;
    }
    return false;
}

/* Moves to the next alternative of the last level or branch that has one, and drops those after it; false: none has. */
static bool advance(dfs *d)
{
    while (!hd_path_flip(&d->path, d->levels.count ? hd_vec_last(&d->levels)->step + 1 : 0)) {
        if (!d->levels.count)
            return false;
        level *l = hd_vec_last(&d->levels);
        if (take_next(d, l))
            return true;
        d->choices.count = l->first;
        d->levels.count--;
    }
    return true;
}

/* Searches again with a greater bound; false: there is none, or nothing was excluded. */
static bool widen(dfs *d)
{
    if (!d->exceeded || d->bound == d->most)
        return false;
    d->bound++;
    d->exceeded = false;
    hd_trace_cut(&d->trace, 0);
    hd_path_clear(&d->path);
    return true;
}

static bool dfs_next(void *self, hd_plan *plan)
{
    dfs *d = self;
    if (d->started && !advance(d) && !widen(d))
        return false;
    d->started = true;
    hd_vec_clear(&d->prefix);
    for (size_t i = 0; i < d->levels.count; i++)
        hd_vec_push(&d->prefix, d->choices.items[d->levels.items[i].first + d->levels.items[i].taken]);
    *plan = (hd_plan) { .given = d->path.given.items,
        .given_count = (uint32_t)d->path.given.count,
        .prefix = d->prefix.items,
        .prefix_count = (uint32_t)d->prefix.count,
        .composes = d->composes,
        .tail = HD_TAIL_FIRST,
        .alternatives = true };
    return true;
}

static uint16_t thread_of(const dfs *d, const level *l)
{
    return d->choices.items[l->first + l->taken].thread;
}

/* The tail continues with the same thread, so the choice taken need not be the first one: it is moved to the front of
 * its level. */
static void add_level(dfs *d, const hd_execution *e, const hd_alternatives *a, uint32_t step)
{
    const hd_op *op = &d->trace.ops.items[d->trace.items.items[d->trace.steps.items[step]].access];
    level *l = hd_vec_add(&d->levels);
    *l = (level) { .first = (uint32_t)d->choices.count, .count = a->count, .step = step, .last = -1 };
    if (l > d->levels.items) {
        const level *before = l - 1;
        l->preemptions = before->preemptions + preempts(d, before, before->taken);
    }
    for (uint32_t i = 0; i < a->count; i++) {
        hd_vec_push(&d->choices, e->choices[a->first + i]);
        if (l > d->levels.items && e->choices[a->first + i].thread == thread_of(d, l - 1))
            l->last = e->choices[a->first + i].thread;
    }
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

static const char *unfinished(void *self)
{
    return ((const dfs *)self)->exceeded ? "schedules with more preemptions than --preemptions permits were left out"
                                         : NULL;
}

#define DFS(title) \
    const hd_explorer hd_explorer_##title = { .name = #title, \
        .exhaustive = true, \
        .open = title##_open, \
        .next = dfs_next, \
        .learn = dfs_learn, \
        .close = dfs_close, \
        .trace = dfs_trace, \
        .progress = dfs_progress, \
        .path = dfs_path, \
        .unfinished = unfinished, \
        .every_schedule = true, \
        .sees_joins = true }

DFS(dfs);
DFS(preempt);
