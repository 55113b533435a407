/* The unfolding explorers on scripted programs: the same local states and the
 * same findings as every schedule gives, with exact counts. */
#include "unit/everything.h"

#include <stdlib.h>

enum { PROGRAMS = 100, BACKTRACKED = 100, DFS_LIMIT = 3000 };

static const char *const nets[] = { "unfold", "naive", "contextual" };
enum { NETS = sizeof nets / sizeof *nets };

/* False: too large for dfs. */
static bool compare(const hd_script_program *p, uint64_t seed)
{
    static exploration dfs, net;
    memset(&dfs, 0, sizeof dfs);
    dfs.limit = DFS_LIMIT;
    explore(&dfs, p, "dfs", &hd_heap);
    if (dfs.end != HD_END_COMPLETE)
        return false;
    for (uint32_t i = 0; i < NETS; i++) {
        memset(&net, 0, sizeof net);
        net.limit = 4 * DFS_LIMIT;
        net.seed = 1 + seed % 3;
        explore(&net, p, nets[i], &hd_heap);
        if (net.end != HD_END_COMPLETE || net.counts.locals != dfs.counts.locals
            || net.counts.local_sum != dfs.counts.local_sum)
            hd_test_failed(__FILE__, __LINE__,
                "seed %llu: %s ends as %d with %llu local states in %llu tests, dfs has %llu", (unsigned long long)seed,
                nets[i], net.end, (unsigned long long)net.counts.locals, (unsigned long long)net.counts.tests,
                (unsigned long long)dfs.counts.locals);
        check_findings(&dfs, &net, nets[i], seed);
    }
    return true;
}

static void compare_many(uint64_t first, uint32_t features)
{
    hd_script_program p;
    uint32_t compared = 0;
    const char *more = getenv("HEDDLE_UNIT_PROGRAMS");
    uint64_t count = more ? strtoull(more, NULL, 10) : PROGRAMS;
    for (uint64_t seed = first; seed < first + count; seed++) {
        draw_program(&p, seed, features);
        compared += compare(&p, seed);
    }
    CHECK(compared > count * 2 / 3);
}

TEST(nets_reach_the_local_states_of_random_programs)
{
    compare_many(1, 0);
    compare_many(1, DRAW_RWLOCKS);
}

TEST(nets_reach_the_local_states_of_programs_that_end_early)
{
    compare_many(1, DRAW_EXITS);
    compare_many(1, DRAW_ASSERTIONS);
}

TEST(nets_reach_the_local_states_of_programs_with_inputs)
{
    compare_many(1, DRAW_INPUTS);
    compare_many(1, DRAW_INPUTS | DRAW_EXITS);
    compare_many(1, DRAW_INPUTS | DRAW_ASSERTIONS);
}

/* The explorers to compare with: dpor-sleep reaches every final state if no step
 * has several outcomes, flip none that there is not. */
static bool compare_backtracking(const hd_script_program *p, uint64_t seed)
{
    static exploration dfs, sleep, flip;
    memset(&dfs, 0, sizeof dfs);
    memset(&sleep, 0, sizeof sleep);
    memset(&flip, 0, sizeof flip);
    dfs.limit = DFS_LIMIT;
    sleep.limit = flip.limit = 10 * DFS_LIMIT;
    sleep.seed = seed;
    explore(&dfs, p, "dfs", &hd_heap);
    if (dfs.end != HD_END_COMPLETE)
        return false;
    explore(&sleep, p, "dpor-sleep", &hd_heap);
    explore(&flip, p, "flip", &hd_heap);
    bool same = sleep.counts.states == dfs.counts.states && sleep.counts.state_sum == dfs.counts.state_sum;
    if (sleep.end == HD_END_EXHAUSTED ? sleep.counts.states > dfs.counts.states : !same)
        hd_test_failed(__FILE__, __LINE__, "seed %llu: dpor-sleep ends as %d with %llu states, dfs has %llu",
            (unsigned long long)seed, sleep.end, (unsigned long long)sleep.counts.states,
            (unsigned long long)dfs.counts.states);
    if (sleep.end == HD_END_COMPLETE)
        check_findings(&dfs, &sleep, "dpor-sleep", seed);
    CHECK_INT(flip.end, HD_END_EXHAUSTED);
    CHECK(flip.counts.states <= dfs.counts.states);
    return true;
}

TEST(backtracking_explorers)
{
    hd_script_program p;
    uint32_t compared = 0;
    for (uint64_t seed = 1; seed <= BACKTRACKED; seed++) {
        draw_program(&p, seed, 0);
        compared += compare_backtracking(&p, seed);
    }
    CHECK(compared > BACKTRACKED * 2 / 3);
}
