/* Searches by several workers (dpor/pieces.h) on scripted programs, against one worker and against dfs. The workers run
 * in this process, one execution at a time, in an order by chance. */
#include "unit/scripted.h"
#include "unit/test.h"

#include "base/map.h"
#include "dpor/pieces.h"
#include "explore/traces.h"

enum { PROGRAMS = 100, MOST = 6000, WORKERS = 4 };

typedef struct crew {
    scripted target;
    hd_pieces pieces;
    void *workers[WORKERS];
    uint32_t count;
    hd_map traces;
    uint64_t tests, blocked, twice;
} crew;

static const hd_explorer *dpor(void)
{
    return hd_explorer_find("dpor");
}

static void crew_open(crew *c, const hd_script_program *p, uint32_t count, uint32_t every)
{
    memset(c, 0, sizeof *c);
    scripted_open(&c->target, p, &hd_heap);
    hd_map_init(&c->traces, &hd_heap);
    hd_pieces_init(&c->pieces, every, &hd_heap);
    c->pieces.patient = false;
    c->pieces.divides = true;
    c->pieces.idle = every ? 1000 : 0;
    c->count = count;
    for (uint32_t i = 0; i < count; i++)
        c->workers[i] = dpor()->open(&(hd_explore_config) { .pieces = &c->pieces, .worker = i }, &hd_heap);
}

static void crew_close(crew *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        dpor()->close(c->workers[i]);
    hd_pieces_fini(&c->pieces);
    hd_map_fini(&c->traces);
    scripted_close(&c->target);
}

static void count(crew *c, const hd_execution *e)
{
    if (e->outcome->kind == HD_CUT) {
        c->blocked++;
        return;
    }
    uint64_t *seen = hd_map_put(&c->traces, hd_trace_fingerprint(e, &hd_heap));
    c->twice += *seen;
    *seen = 1;
    c->tests++;
}

static void run_crew(crew *c, uint64_t seed)
{
    hd_rng rng;
    hd_rng_seed(&rng, seed);
    while (!hd_pieces_are_explored(&c->pieces) && !c->pieces.over && c->tests < MOST) {
        hd_plan plan;
        void *worker = c->workers[hd_rng_below(&rng, c->count)];
        if (!dpor()->next(worker, &plan))
            continue;
        hd_execution e = hd_target_run(&c->target.target, &plan);
        CHECK(dpor()->learn(worker, &e));
        CHECK(hd_pieces_are_valid(&c->pieces));
        count(c, &e);
    }
}

static uint64_t pieces_taken;

/* False: the program is too large, or the search was refused. */
static bool compare(const hd_script_program *p, uint64_t seed, uint32_t workers, uint32_t every)
{
    static exploration alone;
    static crew c;
    memset(&alone, 0, sizeof alone);
    alone.limit = MOST;
    explore(&alone, p, "dpor", &hd_heap);
    if (alone.end != HD_END_COMPLETE)
        return false;
    crew_open(&c, p, workers, every);
    run_crew(&c, seed);
    bool refused = c.pieces.refused;
    if (!refused && (c.tests != alone.counts.tests || c.blocked != alone.counts.blocked || c.twice))
        hd_test_failed(__FILE__, __LINE__,
            "seed %llu, %u workers, every %u: %llu tests instead of %llu, %llu blocked instead of %llu, %llu twice",
            (unsigned long long)seed, workers, every, (unsigned long long)c.tests,
            (unsigned long long)alone.counts.tests, (unsigned long long)c.blocked,
            (unsigned long long)alone.counts.blocked, (unsigned long long)c.twice);
    pieces_taken += c.pieces.taken;
    crew_close(&c);
    return !refused;
}

static void compare_many(uint32_t features)
{
    uint32_t compared = 0;
    pieces_taken = 0;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        hd_script_program p;
        draw_program(&p, seed, features);
        for (uint32_t workers = 1; workers <= WORKERS; workers++)
            for (uint32_t every = 0; every <= 3; every += 3)
                compared += compare(&p, seed, workers, every);
    }
    CHECK(compared > PROGRAMS * WORKERS);
    CHECK(pieces_taken > 2 * compared);
}

TEST(workers_together_run_each_trace_once)
{
    compare_many(0);
}

TEST(also_in_programs_that_end_early)
{
    compare_many(DRAW_EXITS);
    compare_many(DRAW_ASSERTIONS);
}

TEST(also_in_programs_with_read_locks)
{
    compare_many(DRAW_RWLOCKS);
}

TEST(also_in_larger_programs)
{
    compare_many(DRAW_MANY);
}
