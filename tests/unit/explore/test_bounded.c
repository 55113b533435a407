/* Searches of schedules within a bound: of preemptions, and of delays. */
#include "unit/scripted.h"
#include "unit/test.h"

static bool is_left(const uint32_t left[3], int thread)
{
    return thread >= 0 && left[thread];
}

/* What a step of thread `i` costs after one of thread `last` (-1: at the beginning). */
static uint32_t cost(const uint32_t left[3], int last, int i, hd_bounded by)
{
    uint32_t passed = 0;
    if (by == HD_BOUNDED_PREEMPTIONS)
        return is_left(left, last) && i != last;
    for (int t = last < 0 ? 0 : last; t != i; t = (t + 1) % 3)
        passed += is_left(left, t);
    return passed;
}

/* The number of schedules of threads with `left` operations and of a cost up to `bound`. */
static uint32_t schedules(uint32_t left[3], int last, uint32_t bound, hd_bounded by)
{
    uint32_t sum = 0, all = left[0] + left[1] + left[2];
    if (!all)
        return 1;
    for (int i = 0; i < 3; i++) {
        uint32_t step = cost(left, last, i, by);
        if (!left[i] || step > bound)
            continue;
        left[i]--;
        sum += schedules(left, i, bound - step, by);
        left[i]++;
    }
    return sum;
}

static const hd_script_program three = { .threads = {
                                             MAIN_OF_3,
                                             { WRITE(0, 1, 1), WRITE(0, 1, 2) },
                                             { WRITE(0, 1, 3) },
                                             { WRITE(0, 1, 4), WRITE(0, 1, 5) },
                                         } };

static void search(exploration *x, const hd_script_program *p, const char *explorer, hd_bounded by, uint32_t most)
{
    uint64_t limit = x->limit;
    memset(x, 0, sizeof *x);
    x->limit = limit;
    x->bounded = by;
    x->most = most;
    explore(x, p, explorer, &hd_heap);
}

/* Each bound repeats the schedules of the bounds below it. */
static void check_counts(hd_bounded by)
{
    static exploration x;
    uint32_t left[3] = { 2, 1, 2 }, expected = 0, before = 0;
    for (uint32_t most = 0; before < 30; most++) {
        uint32_t within = schedules(left, -1, most, by);
        expected += within;
        search(&x, &three, "dfs", by, most);
        CHECK_INT(x.counts.tests, expected);
        CHECK_INT(x.counts.traces, within); /* no two operations commute */
        CHECK_INT(x.end, within == 30 ? HD_END_COMPLETE : HD_END_BOUNDED);
        CHECK_INT(x.counts.reached.finished, most + 1);
        CHECK_INT(x.counts.reached.more, within < 30);
        before = within;
    }
    CHECK(before == 30);
}

TEST(dfs_runs_every_schedule_within_the_bound)
{
    uint32_t left[3] = { 2, 1, 2 };
    CHECK_INT(schedules(left, -1, 5, HD_BOUNDED_PREEMPTIONS), 30);
    CHECK_INT(schedules(left, -1, 0, HD_BOUNDED_PREEMPTIONS), 6);
    CHECK_INT(schedules(left, -1, 0, HD_BOUNDED_DELAYS), 1);
    check_counts(HD_BOUNDED_PREEMPTIONS);
    check_counts(HD_BOUNDED_DELAYS);
}

/* --- the reduction against every schedule within the same bound --------------------------- */

typedef struct totals {
    uint64_t compared, schedules, reduced;
} totals;

static bool has_same(const exploration *a, const exploration *b)
{
    return a->counts.traces == b->counts.traces && a->counts.state_sum == b->counts.state_sum
        && a->counts.local_sum == b->counts.local_sum && a->finding_count == b->finding_count;
}

/* The reduced search may notice that nothing is left while schedules that repeat others still exceed the bound. Then it
 * must have run every trace. */
static bool ends_rightly(const exploration *dfs, const exploration *x, const hd_script_program *p)
{
    static exploration all;
    if (x->end == dfs->end)
        return x->end == HD_END_COMPLETE || x->counts.reached.finished == dfs->counts.reached.finished;
    all.limit = 20000;
    search(&all, p, "dfs", HD_BOUNDED_NOT, 0);
    return x->end == HD_END_COMPLETE && (all.end != HD_END_COMPLETE || has_same(&all, x));
}

static void check_same(const exploration *dfs, const exploration *x, const hd_script_program *p, uint64_t seed)
{
    const hd_run_counts *a = &dfs->counts, *b = &x->counts;
    if (!has_same(dfs, x) || !ends_rightly(dfs, x, p))
        hd_test_failed(__FILE__, __LINE__,
            "seed %llu, bound %u of kind %d: dfs has %llu traces, %llu states, %llu locals, %u findings, end %d; "
            "reduced: "
            "%llu, %llu, %llu, %u, %d",
            (unsigned long long)seed, x->most, x->bounded, (unsigned long long)a->traces, (unsigned long long)a->states,
            (unsigned long long)a->locals, dfs->finding_count, dfs->end, (unsigned long long)b->traces,
            (unsigned long long)b->states, (unsigned long long)b->locals, x->finding_count, x->end);
}

/* All bounds up to 3, where there are not too many schedules. */
static void compare(const hd_script_program *p, uint64_t seed, hd_bounded by, totals *t)
{
    static exploration dfs, x;
    for (uint32_t most = 0; most <= 3; most++) {
        dfs.limit = 4000;
        x.limit = 0;
        search(&dfs, p, "dfs", by, most);
        if (dfs.end == HD_END_STOPPED)
            return;
        search(&x, p, by == HD_BOUNDED_DELAYS ? "delay" : "preempt", by, most);
        check_same(&dfs, &x, p, seed);
        CHECK(x.counts.tests <= dfs.counts.tests);
        t->compared++;
        t->schedules += dfs.counts.tests;
        t->reduced += x.counts.tests;
    }
}

static void compare_many(uint32_t features, uint32_t count)
{
    totals t = { 0 };
    for (uint64_t seed = 1; seed <= count; seed++) {
        hd_script_program p;
        draw_program(&p, seed, features);
        compare(&p, seed, HD_BOUNDED_PREEMPTIONS, &t);
        compare(&p, seed, HD_BOUNDED_DELAYS, &t);
    }
    CHECK(t.compared > count);
    CHECK(features & DRAW_INPUTS || t.reduced < t.schedules); /* it reduces something */
}

TEST(the_reduction_loses_no_trace_within_the_bound)
{
    compare_many(0, 60);
    compare_many(DRAW_ASSERTIONS, 60);
    compare_many(DRAW_EXITS, 60);
    compare_many(DRAW_RWLOCKS, 40);
    compare_many(DRAW_MANY, 40);
}

/* Traces do not tell which way branches on inputs went, so there is no reduction. */
TEST(with_inputs_the_search_is_the_same)
{
    compare_many(DRAW_ASSERTIONS | DRAW_INPUTS, 12);
}

/* Six threads that have nothing to do with each other: 720 orders without a preemption, but 64 sets of finished
 * threads. From each set, each thread that is left can be the next: 192 ways, at most one execution each. */
TEST(orders_of_independent_threads_are_not_multiplied)
{
    static exploration dfs, x;
    hd_script_program p = { 0 };
    for (uint8_t t = 1; t <= 6; t++) {
        p.threads[0][t - 1] = (hd_script_step)CREATE(t);
        p.threads[0][5 + t] = (hd_script_step)JOIN(t);
        p.threads[t][0] = (hd_script_step)LOCK(t);
        p.threads[t][1] = (hd_script_step)UNLOCK(t);
    }
    search(&dfs, &p, "dfs", HD_BOUNDED_PREEMPTIONS, 0);
    search(&x, &p, "preempt", HD_BOUNDED_PREEMPTIONS, 0);
    CHECK_INT(dfs.counts.tests, 720);
    CHECK_INT(dfs.counts.traces, 1);
    CHECK_INT(x.counts.traces, 1);
    CHECK(x.counts.tests <= 192);
}

TEST(with_enough_preemptions_it_finds_what_dfs_finds)
{
    static exploration dfs, x;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        hd_script_program p;
        draw_program(&p, seed, DRAW_ASSERTIONS | (seed % 4 ? 0 : DRAW_INPUTS));
        dfs.limit = 3000;
        search(&dfs, &p, "dfs", HD_BOUNDED_NOT, 0);
        if (dfs.end != HD_END_COMPLETE)
            continue;
        x.limit = 0;
        search(&x, &p, seed % 2 ? "preempt" : "delay", seed % 2 ? HD_BOUNDED_PREEMPTIONS : HD_BOUNDED_DELAYS, 1000);
        CHECK_INT(x.end, HD_END_COMPLETE);
        CHECK_INT(x.counts.traces, dfs.counts.traces);
        CHECK_INT(x.counts.states, dfs.counts.states);
        CHECK_INT(x.counts.local_sum, dfs.counts.local_sum);
        CHECK_INT(x.finding_count, dfs.finding_count);
    }
}
