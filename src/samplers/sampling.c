/* Explorers that draw schedules at random, each independent of the others: `random` picks any enabled thread at every
 * step; `pct` (Burckhardt et al., 2010) gives threads random priorities and lowers one at d-1 random moments, which
 * finds a bug of depth d among n threads and k steps with probability at least 1 / (n k^(d-1)) in every run; `pos`
 * (Yuan et al., 2018) gives operations random priorities; `surw` (Zhao et al., 2025) draws any order of the operations
 * on one object with the same probability. See random.md, pct.md, pos.md and surw.md in docs/algorithms.
 *
 * Inputs: half of the runs take a side of a branch that no run has taken yet, the others a random schedule with the
 * inputs of an earlier run. With inputs and one thread there is no schedule to draw: every side is taken once, and then
 * they are done. Otherwise they cannot know that everything has been explored. */
#include "explore/explorer.h"
#include "samplers/interest.h"
#include "samplers/sides.h"

#include "event/scan.h"

enum { MOST_KEPT = 64, MOST_SIDES = 256, INTEREST_EVERY = 16 };

typedef struct sampling {
    hd_memory *memory;
    hd_rng rng;
    hd_trace trace; /* of the last execution, if the scan says that accesses may race in it */
    hd_scan *scan;
    hd_path path;
    hd_sides *sides;
    hd_side side; /* of the current run; empty: a random schedule */
    hd_vec(hd_given_list) kept; /* inputs of some of the runs so far */
    bool asked, concurrent; /* the program asked for inputs; it had scheduling decisions */
    hd_tail tail;
    uint32_t pct_depth, longest;
    hd_interest *interest; /* surw alone */
    uint64_t runs;
    bool raced; /* a race was found: from now on, plain accesses are scheduling decisions */
} sampling;

static void *open(const hd_explore_config *config, hd_memory *memory, hd_tail tail)
{
    sampling *s = hd_alloc(memory, sizeof *s);
    s->memory = memory;
    s->tail = tail;
    s->pct_depth = config->pct_depth;
    hd_rng_seed(&s->rng, config->seed);
    hd_trace_init(&s->trace, memory, config->races);
    s->trace.sync_only = true;
    s->kept.memory = memory;
    hd_path_init(&s->path, &config->solver, memory);
    s->sides = hd_sides_open(memory);
    s->scan = hd_scan_open(memory);
    s->interest = tail == HD_TAIL_SURW ? hd_interest_open(memory) : NULL;
    return s;
}

static void *random_open(const hd_explore_config *config, hd_memory *memory)
{
    return open(config, memory, HD_TAIL_RANDOM);
}

static void *pct_open(const hd_explore_config *config, hd_memory *memory)
{
    return open(config, memory, HD_TAIL_PCT);
}

static void *pos_open(const hd_explore_config *config, hd_memory *memory)
{
    return open(config, memory, HD_TAIL_POS);
}

static void *surw_open(const hd_explore_config *config, hd_memory *memory)
{
    return open(config, memory, HD_TAIL_SURW);
}

/* Inputs to go with a random schedule. */
static const hd_given_list *some_inputs(sampling *s)
{
    return s->kept.count ? &s->kept.items[hd_rng_below(&s->rng, s->kept.count)] : &s->path.given;
}

/* Are plain accesses no scheduling decisions? With inputs, prefixes name every step. */
static bool flows(const sampling *s)
{
    return s->trace.races && !s->raced && !s->asked;
}

static bool next(void *self, hd_plan *plan)
{
    sampling *s = self;
    bool alone = s->asked && !s->concurrent;
    hd_side_release(&s->side, s->memory);
    bool aside = hd_sides_count(s->sides) && (alone || hd_rng_below(&s->rng, 2))
        && hd_sides_take(s->sides, alone ? NULL : &s->rng, &s->side);
    if (alone && !aside)
        return false;
    *plan = (hd_plan) { .tail = s->tail,
        .seed = hd_rng_next(&s->rng),
        .pct_depth = s->pct_depth,
        .pct_length = s->longest,
        .flows = flows(s) };
    const hd_given_list *inputs = some_inputs(s);
    plan->given = aside ? s->side.given : inputs->items;
    plan->given_count = aside ? s->side.given_count : (uint32_t)inputs->count;
    plan->prefix = s->side.prefix;
    plan->prefix_count = s->side.prefix_count;
    if (s->interest)
        hd_interest_plan(s->interest, &s->rng, plan);
    return true;
}

/* Keeps the inputs of a run that took a new side; when there is no room left, it replaces a random one. */
static void keep_inputs(sampling *s)
{
    hd_given_list *into;
    if (!s->side.given)
        return;
    if (s->kept.count < MOST_KEPT) {
        into = hd_vec_add(&s->kept);
        *into = (hd_given_list) { .memory = s->memory };
    } else {
        into = &s->kept.items[hd_rng_below(&s->rng, MOST_KEPT)];
    }
    hd_vec_clear(into);
    for (size_t i = 0; i < s->path.given.count; i++)
        hd_vec_push(into, s->path.given.items[i]);
}

static bool is_concurrent(const hd_execution *e)
{
    for (uint32_t i = 0; i < e->log_count; i++)
        if (e->log[i].choices > 1)
            return true;
    return e->thread_count > 1;
}

static bool learn(void *self, const hd_execution *e)
{
    sampling *s = self;
    if (e->picks > s->longest)
        s->longest = e->picks;
    if (s->interest && s->runs++ % INTEREST_EVERY == 0)
        hd_interest_learn(s->interest, e, flows(s));
    s->asked = s->asked || e->input_count;
    s->concurrent = s->concurrent || is_concurrent(e);
    hd_path_clear(&s->path);
    if (!hd_path_extend(&s->path, e))
        return false;
    if (s->path.branches.count)
        hd_sides_learn(s->sides, &s->path, e, s->concurrent ? MOST_SIDES : SIZE_MAX);
    keep_inputs(s);
    hd_trace_cut(&s->trace, 0);
    hd_vec_clear(&s->trace.new_races);
    if (!s->trace.races || !hd_scan_may_race(s->scan, e))
        return true;
    bool fits = hd_trace_extend(&s->trace, e);
    s->raced |= s->trace.new_races.count > 0;
    return fits;
}

static void close(void *self)
{
    sampling *s = self;
    hd_trace_fini(&s->trace);
    hd_path_fini(&s->path);
    hd_sides_close(s->sides);
    hd_side_release(&s->side, s->memory);
    for (size_t i = 0; i < s->kept.count; i++)
        hd_vec_fini(&s->kept.items[i]);
    hd_vec_fini(&s->kept);
    hd_scan_close(s->scan);
    if (s->interest)
        hd_interest_close(s->interest);
    hd_release(s->memory, s, sizeof *s);
}

static hd_path *path(void *self)
{
    return &((sampling *)self)->path;
}

static const hd_trace *trace(void *self)
{
    return &((sampling *)self)->trace;
}

static double progress(void *self)
{
    (void)self;
    return -1;
}

#define SAMPLER(title) \
    const hd_explorer hd_explorer_##title = { .name = #title, \
        .exhaustive = false, \
        .open = title##_open, \
        .next = next, \
        .learn = learn, \
        .close = close, \
        .trace = trace, \
        .progress = progress, \
        .path = path }

SAMPLER(random);
SAMPLER(pct);
SAMPLER(pos);
SAMPLER(surw);
