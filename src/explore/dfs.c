/* Depth-first search: every schedule and every path, without reduction (docs/algorithms/dfs.md). Slow and simple: tests
 * compare the other explorers with it. A level is a step of the last execution; the branches after a level's step come
 * between that level and the next.
 *
 * Schedules may be bounded. Each step then has a *cost*:
 *
 *   preemptions   1 for a step of another thread than the last one although that is enabled
 *                 (docs/algorithms/preempt.md)
 *   delays        the number of enabled threads that are passed over, from the last one on in cyclic order
 *                 (docs/algorithms/delay.md)
 *
 * The step that the tail takes costs nothing: it is the *favourite*'s. The search runs the schedules of cost 0, then
 * those up to 1, and so on up to the bound given, or until no schedule has exceeded the bound: then every schedule has
 * been run.
 *
 * preempt and delay do not search twice from the same state (visited.h); dfs with a bound does, for comparison. */
#include "base/vec.h"
#include "explore/explorer.h"
#include "explore/visited.h"

#include "base/error.h"

/* States that are remembered: a hunter, which has no bound of its own, must not fill the memory that the explorers
 * need. */
enum { MOST_STATES = 1 << 21, MOST_HUNTING = 1 << 17 };

/* The alternatives at one step of the last execution, and the one taken. */
typedef struct level {
    uint32_t first, count, taken;
    uint32_t step; /* of the trace */
    uint32_t cost; /* of the steps before it */
    int favourite; /* the thread whose step costs nothing, or HD_NO_FAVOURITE: any thread's does */
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
    hd_bounded bounded;
    uint32_t bound, most; /* of the current search, and of the last */
    bool exceeded; /* the bound has excluded a schedule */
    uint32_t finished; /* searches, with bounds from 0 on */
    bool reduces; /* no second search from the same state */
    hd_visited visited;
} dfs;

static dfs *open(const hd_explore_config *config, hd_memory *memory)
{
    dfs *d = hd_alloc(memory, sizeof *d);
    d->memory = d->levels.memory = d->choices.memory = d->prefix.memory = memory;
    hd_trace_init(&d->trace, memory, config->races);
    hd_path_init(&d->path, &config->solver, memory);
    hd_visited_init(&d->visited, config->bounded ? MOST_STATES : MOST_HUNTING, memory);
    d->bounded = config->bounded;
    d->most = config->bounded ? config->most : UINT32_MAX;
    return d;
}

static void *dfs_open(const hd_explore_config *config, hd_memory *memory)
{
    dfs *d = open(config, memory);
    d->bound = d->bounded ? 0 : UINT32_MAX;
    d->composes = config->compose;
    return d;
}

/* Inside a composed step there is no preemption, so a claim about preemptions would be wrong. */
static void *bounded_open(const hd_explore_config *config, hd_bounded by, hd_memory *memory)
{
    dfs *d = open(config, memory);
    d->bounded = by;
    d->reduces = true;
    return d;
}

static void *preempt_open(const hd_explore_config *config, hd_memory *memory)
{
    return bounded_open(config, HD_BOUNDED_PREEMPTIONS, memory);
}

static void *delay_open(const hd_explore_config *config, hd_memory *memory)
{
    return bounded_open(config, HD_BOUNDED_DELAYS, memory);
}

/* --- cost -------------------------------------------------------------------------------- */

/* The place of a thread in the cyclic order that begins with `first`. */
static uint32_t place_of(uint32_t thread, uint32_t first)
{
    return thread >= first ? thread - first : thread + HD_MAX_THREADS - first;
}

/* The enabled threads whose place in the cyclic order is before that of `thread`. */
static uint32_t passed_over(const dfs *d, const level *l, uint32_t thread)
{
    uint32_t count = 0, first = (uint32_t)l->favourite;
    for (uint32_t i = l->first; i < l->first + l->count; i++) {
        hd_choice c = d->choices.items[i];
        count += c.choice == 0 && place_of(c.thread, first) < place_of(thread, first);
    }
    return count;
}

static uint32_t cost_of(const dfs *d, const level *l, uint32_t alternative)
{
    uint32_t thread = d->choices.items[l->first + alternative].thread;
    if (l->favourite == HD_NO_FAVOURITE)
        return 0;
    return d->bounded == HD_BOUNDED_DELAYS ? passed_over(d, l, thread) : thread != (uint32_t)l->favourite;
}

/* The most that the favourite can change in the cost of one step. */
static uint32_t detour(const dfs *d, const level *l)
{
    uint32_t threads = 0;
    for (uint32_t i = l->first; i < l->first + l->count; i++)
        threads += d->choices.items[i].choice == 0;
    return d->bounded == HD_BOUNDED_DELAYS ? threads - 1 : 1;
}

/* The thread whose step costs nothing, after a step of thread `last` (-1: at the beginning). */
static int favourite_of(const dfs *d, const level *l, int last)
{
    int best = HD_NO_FAVOURITE;
    uint32_t from = last < 0 ? 0 : (uint32_t)last;
    for (uint32_t i = l->first; i < l->first + l->count; i++) {
        uint32_t thread = d->choices.items[i].thread;
        bool nearer = best == HD_NO_FAVOURITE || place_of(thread, from) < place_of((uint32_t)best, from);
        if (d->bounded == HD_BOUNDED_DELAYS ? nearer : d->bounded && (int)thread == last)
            best = (int)thread;
    }
    return best;
}

/* --- the next schedule --------------------------------------------------------------------- */

/* Moves to the level's next alternative within the bound; false: there is none. */
static bool take_next(dfs *d, level *l)
{
    while (++l->taken < l->count) {
        if (l->cost + cost_of(d, l, l->taken) <= d->bound)
            return true;
        d->exceeded = true;
    }
    return false;
}

static void drop_level(dfs *d)
{
    d->choices.count = hd_vec_last(&d->levels)->first;
    d->levels.count--;
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
        drop_level(d);
    }
    return true;
}

/* Searches again with a greater bound; false: there is none, or nothing was excluded. */
static bool widen(dfs *d)
{
    d->finished = d->bounded ? d->bound + 1 : 0;
    if (!d->exceeded || d->bound == d->most)
        return false;
    d->bound++;
    d->exceeded = false;
    hd_trace_cut(&d->trace, 0);
    hd_path_clear(&d->path);
    hd_visited_clear(&d->visited);
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
    const level *before = l > d->levels.items ? l - 1 : NULL;
    *l = (level) { .first = (uint32_t)d->choices.count, .count = a->count, .step = step };
    for (uint32_t i = 0; i < a->count; i++)
        hd_vec_push(&d->choices, e->choices[a->first + i]);
    l->cost = before ? before->cost + cost_of(d, before, before->taken) : 0;
    l->favourite = favourite_of(d, l, before ? thread_of(d, before) : -1);
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

/* Can the search go another way from the level than the one that it has taken? */
static bool branches(const dfs *d, const level *l)
{
    for (uint32_t i = 1; i < l->count; i++)
        if (l->cost + cost_of(d, l, i) <= d->bound)
            return true;
    return false;
}

/* Has everything been run that can follow the last level? Where there is one way only, that has just been run. */
static bool is_known(dfs *d)
{
    const level *l = hd_vec_last(&d->levels);
    return d->reduces && branches(d, l) && !hd_visited_enter(&d->visited, l->step, l->favourite, l->cost, detour(d, l));
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
    /* A trace does not tell which sides branches on inputs took, so with inputs each schedule is searched on its own.
     */
    d->reduces &= !e->input_count;
    if (d->reduces)
        hd_visited_extend(&d->visited, &d->trace, shared);
    for (uint32_t i = 0; i < e->alternative_steps; i++, step++) {
        step = next_picked(d, step);
        if (step >= d->trace.steps.count)
            break; /* the thread was picked, but the run ended before it performed its operation */
        add_level(d, e, &e->alternatives[i], step);
        if (is_known(d)) {
            drop_level(d);
            break;
        }
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
    hd_visited_fini(&d->visited);
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

/* A branch that is not explored may lead to schedules within the bound. */
static hd_bound_reached reached(void *self)
{
    const dfs *d = self;
    bool known = !d->path.followed.count && !d->path.unsolved.count;
    return (hd_bound_reached) { .by = d->bounded, .finished = known ? d->finished : 0, .more = d->exceeded };
}

/* dfs needs no names of threads that are the same in all executions; the others compare traces. */
#define DFS(title, every) \
    const hd_explorer hd_explorer_##title = { .name = #title, \
        .exhaustive = true, \
        .open = title##_open, \
        .next = dfs_next, \
        .learn = dfs_learn, \
        .close = dfs_close, \
        .trace = dfs_trace, \
        .progress = dfs_progress, \
        .path = dfs_path, \
        .reached = reached, \
        .every_schedule = every, \
        .sees_joins = true }

DFS(dfs, true);
DFS(preempt, false);
DFS(delay, false);
