/* Explorers that draw schedules at random, each independent of the others:
 * `random` picks any enabled thread at every step; `pct` (Burckhardt et al.,
 * 2010) gives threads random priorities and lowers one at d-1 random moments,
 * which finds a bug of depth d among n threads and k steps with probability at
 * least 1 / (n k^(d-1)) in every run. They never know that they are done. */
#include "explore/explorer.h"

#include "base/rng.h"
#include "event/scan.h"

typedef struct sampling {
    hd_memory *memory;
    hd_rng rng;
    hd_trace trace; /* of the last execution, if something may race in it */
    hd_scan scan;
    hd_tail tail;
    uint32_t pct_depth, longest;
    bool raced; /* a race was found: now plain accesses matter */
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
    hd_scan_init(&s->scan, memory);
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

static bool next(void *self, hd_plan *plan)
{
    sampling *s = self;
    *plan = (hd_plan) { .tail = s->tail,
        .seed = hd_rng_next(&s->rng),
        .pct_depth = s->pct_depth,
        .pct_length = s->longest,
        .flows = s->trace.races && !s->raced };
    return true;
}

static bool learn(void *self, const hd_execution *e)
{
    sampling *s = self;
    if (e->picks > s->longest)
        s->longest = e->picks;
    hd_trace_cut(&s->trace, 0);
    hd_vec_clear(&s->trace.new_races);
    if (!s->trace.races || !hd_scan_may_race(&s->scan, e))
        return true;
    bool fits = hd_trace_extend(&s->trace, e);
    s->raced |= s->trace.new_races.count > 0;
    return fits;
}

static void close(void *self)
{
    sampling *s = self;
    hd_trace_fini(&s->trace);
    hd_scan_fini(&s->scan);
    hd_release(s->memory, s, sizeof *s);
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

const hd_explorer hd_explorer_random = { .name = "random",
    .exhaustive = false,
    .open = random_open,
    .next = next,
    .learn = learn,
    .close = close,
    .trace = trace,
    .progress = progress };
const hd_explorer hd_explorer_pct = { .name = "pct",
    .exhaustive = false,
    .open = pct_open,
    .next = next,
    .learn = learn,
    .close = close,
    .trace = trace,
    .progress = progress };
