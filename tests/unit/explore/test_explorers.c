/* The explorers against each other, on scripted programs. */
#include "unit/scripted.h"
#include "unit/test.h"

#include "base/map.h"
#include "explore/traces.h"

#include <stdlib.h>

enum { PROGRAMS = 250, DFS_LIMIT = 6000 };

static bool has_key(const exploration *x, uint64_t key)
{
    for (uint32_t i = 0; i < x->finding_count; i++)
        if (x->findings[i].key == key)
            return true;
    return false;
}

static void check_same_findings(const exploration *a, const exploration *b, uint64_t seed)
{
    for (uint32_t i = 0; i < a->finding_count; i++)
        if (!has_key(b, a->findings[i].key))
            hd_test_failed(__FILE__, __LINE__, "seed %llu: dfs finds '%s', dpor does not", (unsigned long long)seed,
                a->findings[i].message);
    for (uint32_t i = 0; i < b->finding_count; i++)
        if (!has_key(a, b->findings[i].key))
            hd_test_failed(__FILE__, __LINE__, "seed %llu: dpor finds '%s', dfs does not", (unsigned long long)seed,
                b->findings[i].message);
}

/* dpor takes operations whose effect depends on the state for the strongest
 * that they can be when it moves them, and a branch for one outcome never counts
 * as commuting: such programs may have executions that are begun in vain. */
static bool may_block(const hd_script_program *p)
{
    for (uint32_t t = 0; t < HD_SCRIPT_THREADS; t++)
        for (uint32_t i = 0; p->threads[t][i].code; i++)
            switch (p->threads[t][i].code) {
            case HD_DO_CHOOSE:
            case HD_DO_SWAP_IF:
            case HD_DO_ADD:
            case HD_DO_TRYLOCK:
            case HD_DO_SEM_TRY:
            case HD_DO_SIGNAL:
            case HD_DO_BROADCAST:
                return true;
            default:
                break;
            }
    return false;
}

typedef enum strictness { EXACT, SAME_FINDINGS } strictness;

/* False: too large for dfs. */
static bool compare(const hd_script_program *p, uint64_t seed, strictness how)
{
    static exploration dfs, dpor;
    memset(&dfs, 0, sizeof dfs);
    memset(&dpor, 0, sizeof dpor);
    dfs.limit = DFS_LIMIT;
    dpor.limit = DFS_LIMIT;
    explore(&dfs, p, "dfs", &hd_heap);
    if (dfs.end != HD_END_COMPLETE)
        return false;
    explore(&dpor, p, "dpor", &hd_heap);
    bool exact = dpor.counts.tests == dfs.counts.traces && (!dpor.counts.blocked || may_block(p))
        && dpor.counts.states == dfs.counts.states && dpor.counts.state_sum == dfs.counts.state_sum;
    if (dpor.end != HD_END_COMPLETE || (how == EXACT && !exact))
        hd_test_failed(__FILE__, __LINE__,
            "seed %llu: dfs %llu tests, %llu traces, %llu states; dpor end %d, %llu tests, %llu blocked, %llu states "
            "%s",
            (unsigned long long)seed, (unsigned long long)dfs.counts.tests, (unsigned long long)dfs.counts.traces,
            (unsigned long long)dfs.counts.states, dpor.end, (unsigned long long)dpor.counts.tests,
            (unsigned long long)dpor.counts.blocked, (unsigned long long)dpor.counts.states, dpor.notice);
    check_same_findings(&dfs, &dpor, seed);
    return true;
}

static void compare_many(uint64_t first, uint32_t features, strictness how)
{
    hd_script_program p;
    uint32_t compared = 0;
    const char *more = getenv("HEDDLE_UNIT_PROGRAMS");
    uint64_t count = more ? strtoull(more, NULL, 10) : PROGRAMS;
    for (uint64_t seed = first; seed < first + count; seed++) {
        draw_program(&p, seed, features);
        compared += compare(&p, seed, how);
    }
    CHECK(compared > count * 2 / 3);
}

TEST(dpor_runs_each_trace_of_random_programs_once)
{
    compare_many(1, 0, EXACT);
}

/* Ending the process, well or not, is an operation like any other. */
TEST(dpor_is_as_exact_for_programs_that_end_early)
{
    compare_many(1, DRAW_EXITS, EXACT);
    compare_many(1, DRAW_ASSERTIONS, EXACT);
}

/* Executions of one trace end in the same state: otherwise operations commute
 * that must not. */
TEST(equal_traces_end_in_equal_states)
{
    static scripted s;
    const hd_explorer *x = hd_explorer_find("dfs");
    for (uint64_t seed = 1000; seed < 1100; seed++) {
        hd_script_program p;
        hd_plan plan;
        hd_map states;
        draw_program(&p, seed, DRAW_EXITS);
        scripted_open(&s, &p, &hd_heap);
        hd_map_init(&states, &hd_heap);
        void *dfs = x->open(&(hd_explore_config) { .races = false }, &hd_heap);
        for (uint32_t n = 0; n < 2000 && x->next(dfs, &plan); n++) {
            hd_execution e = hd_target_run(&s.target, &plan);
            CHECK(x->learn(dfs, &e));
            uint64_t *state = hd_map_put(&states, hd_trace_fingerprint(&e, &hd_heap));
            if (*state && *state != e.outcome->state)
                hd_test_failed(__FILE__, __LINE__, "seed %llu: two states", (unsigned long long)seed);
            *state = e.outcome->state;
        }
        x->close(dfs);
        hd_map_fini(&states);
        scripted_close(&s);
    }
}
