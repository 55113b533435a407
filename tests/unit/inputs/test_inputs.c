/* Exploring inputs and schedules together, on scripted programs: against trying
 * all inputs one after the other. */
#include "unit/everything.h"

#include <stdlib.h>

enum { PROGRAMS = 200, LIMIT = 4000, MOST_BITS = 8 };

/* --- comparing ----------------------------------------------------------------------------- */

static uint64_t total_blocked, total_tests, total_queries;

/* What a compare-and-swap does elsewhere is not always known. */
static bool is_exact(const hd_script_program *p)
{
    for (uint32_t t = 0; t < HD_SCRIPT_THREADS; t++)
        for (uint32_t i = 0; p->threads[t][i].code; i++)
            if (p->threads[t][i].code == HD_DO_SWAP_IF)
                return false;
    return true;
}

static bool compare(const hd_script_program *p, uint64_t seed, const char *explorer)
{
    static exploration x;
    everything all = { .limit = LIMIT, .most_bits = MOST_BITS };
    memset(&x, 0, sizeof x);
    x.limit = 4 * LIMIT;
    try_everything(&all, p);
    bool compared = !all.too_large;
    if (compared) {
        explore(&x, p, explorer, &hd_heap);
        bool dpor = !strcmp(explorer, "dpor");
        uint64_t ways = dpor ? x.counts.tests : x.counts.traces;
        if (x.end != HD_END_COMPLETE || ways != all.ways.count || x.counts.states != all.states.count
            || x.counts.state_sum != all.state_sum || x.counts.solver.unknown || x.counts.followed
            || (x.counts.blocked && is_exact(p)))
            hd_test_failed(__FILE__, __LINE__,
                "seed %llu: all inputs and schedules: %zu ways, %zu states; %s: end %d, %llu tests, %llu blocked, %llu "
                "ways, %llu states %s",
                (unsigned long long)seed, all.ways.count, all.states.count, explorer, x.end,
                (unsigned long long)x.counts.tests, (unsigned long long)x.counts.blocked, (unsigned long long)ways,
                (unsigned long long)x.counts.states, x.notice);
        total_blocked += x.counts.blocked;
        total_tests += x.counts.tests;
        total_queries += x.counts.solver.queries;
    }
    forget_everything(&all);
    return compared;
}

static void compare_many(const char *explorer, uint64_t first, uint32_t features)
{
    hd_script_program p;
    uint32_t compared = 0;
    const char *more = getenv("HEDDLE_UNIT_PROGRAMS");
    uint64_t count = more ? strtoull(more, NULL, 10) : PROGRAMS;
    total_blocked = total_tests = total_queries = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        draw_program(&p, seed, features | DRAW_INPUTS);
        compared += compare(&p, seed, explorer);
    }
    printf("%s: %u programs compared, %llu tests, %llu blocked, %llu queries\n", explorer, compared,
        (unsigned long long)total_tests, (unsigned long long)total_blocked, (unsigned long long)total_queries);
    CHECK(compared > count / 2);
    CHECK(total_queries > 0);
}

TEST(dfs_explores_all_inputs_and_schedules)
{
    compare_many("dfs", 1, 0);
}

TEST(dpor_explores_each_trace_and_path_once)
{
    compare_many("dpor", 1, 0);
}

TEST(dpor_explores_inputs_of_programs_that_end_early)
{
    compare_many("dpor", 5000, DRAW_EXITS);
    compare_many("dpor", 5000, DRAW_ASSERTIONS);
}

/* How many tests dpor needs if all terms that it does not keep are forgotten before each. */
static uint64_t count_forgetting(const hd_script_program *p)
{
    static scripted s;
    const hd_explorer *x = hd_explorer_find("dpor");
    hd_plan plan;
    uint64_t tests = 0;
    hd_explore_config config = { .solver = { .path = "build/lib/heddle/solve", .milliseconds = 2000, .few_bits = 8 } };
    scripted_open(&s, p, &hd_heap);
    void *dpor = x->open(&config, &hd_heap);
    while (x->next(dpor, &plan)) {
        hd_execution e = hd_target_run(&s.target, &plan);
        x->path(dpor)->most_terms = 0;
        CHECK(x->learn(dpor, &e));
        tests += hd_outcome_is_test(e.outcome->kind);
    }
    x->close(dpor);
    scripted_close(&s);
    return tests;
}

TEST(dpor_keeps_the_terms_that_it_needs)
{
    hd_script_program p;
    uint32_t compared = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        everything all = { .limit = LIMIT, .most_bits = MOST_BITS };
        draw_program(&p, seed, DRAW_INPUTS);
        try_everything(&all, &p);
        if (!all.too_large)
            CHECK_INT(count_forgetting(&p), all.ways.count);
        compared += !all.too_large;
        forget_everything(&all);
    }
    CHECK(compared > 30);
}

/* A sequence that follows a step of which it is not known where it leads must not
 * be planned beside others that follow the same step and know. */
TEST(dpor_keeps_sequences_behind_a_branch_apart_from_those_that_do_not_know_it)
{
    hd_script_program p = { .threads = { { INPUT(1), SET(1), CREATE(1), CREATE(2), CREATE(3), WRITE(1, 1, 0) },
                                { SIGNAL(0) },
                                { { .code = HD_DO_SWAP_IF, .object = 1, .mask = 3, .other = 1, .value = 2 } },
                                { READ(1, 1), GET(1), JUMP_UNLESS(1, 3) } } };
    total_tests = total_blocked = 0;
    CHECK(compare(&p, 0, "dpor"));
    CHECK_INT(total_tests, 30);
    CHECK_INT(total_blocked, 0);
}
