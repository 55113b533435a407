/* The explorers against each other, on scripted programs. */
#include "unit/scripted.h"
#include "unit/test.h"

#include "base/map.h"
#include "explore/traces.h"

#include <stdlib.h>

enum { PROGRAMS = 250, LARGE_PROGRAMS = 60, DFS_LIMIT = 6000 };

static uint64_t programs_wanted(uint64_t usually)
{
    const char *more = getenv("HEDDLE_UNIT_PROGRAMS");
    return more ? strtoull(more, NULL, 10) : usually;
}

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

/* What a compare-and-swap of bytes that others write one by one does in another
 * place is not known: such programs may have executions that are begun in vain. */
static bool may_block(const hd_script_program *p)
{
    for (uint32_t t = 0; t < HD_SCRIPT_THREADS; t++)
        for (uint32_t i = 0; p->threads[t][i].code; i++)
            if (p->threads[t][i].code == HD_DO_SWAP_IF && (p->threads[t][i].mask & (p->threads[t][i].mask - 1)))
                return true;
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
    uint64_t count = programs_wanted(PROGRAMS);
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

/* A write lock may be kept waiting by several read locks, which commute. */
TEST(dpor_is_as_exact_for_programs_with_read_locks)
{
    compare_many(1, DRAW_RWLOCKS, EXACT);
    compare_many(1, DRAW_RWLOCKS | DRAW_EXITS, EXACT);
    compare_many(1, DRAW_RWLOCKS | DRAW_ASSERTIONS, EXACT);
}

/* --- programs that are too large for dfs ---------------------------------------------------- */

typedef hd_vec(hd_choice) choices;

typedef struct prefix {
    uint32_t first, count; /* in choices */
} prefix;

/* How far the log goes with the first `steps` steps. */
static uint32_t end_of_steps(const hd_execution *e, uint32_t steps)
{
    uint32_t i = 0;
    for (uint32_t n = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        bool begins = op->kind != HD_EDGE && !(op->flags & (HD_OP_WITHDRAWN | HD_OP_CONTINUES));
        if (begins && n++ == steps)
            break;
    }
    return i;
}

/* The trace that the first `steps` steps are, whatever came after. */
static uint64_t fingerprint_of(const hd_execution *e, uint32_t steps)
{
    hd_outcome none = { .kind = HD_FINISHED };
    hd_execution part = { .log = e->log, .log_count = end_of_steps(e, steps), .outcome = &none };
    return hd_trace_fingerprint(&part, &hd_heap);
}

enum { MOST_STEPS = 256, MOST_PREFIXES = 20000 };

/* Counts the traces of a program by walking from each trace of a beginning to
 * those that are one step longer, each once; 0: too many. */
static uint64_t count_traces(const hd_script_program *p)
{
    static scripted s;
    hd_map seen;
    choices all = { .memory = &hd_heap };
    hd_vec(prefix) left = { .memory = &hd_heap };
    uint64_t traces = 0, runs = 0;
    scripted_open(&s, p, &hd_heap);
    hd_map_init(&seen, &hd_heap);
    hd_vec_push(&left, ((prefix) { 0, 0 }));
    while (left.count && ++runs <= MOST_PREFIXES) {
        prefix x = hd_vec_pop(&left);
        hd_choice steps[MOST_STEPS];
        for (uint32_t i = 0; i < x.count; i++)
            steps[i] = all.items[x.first + i];
        all.count = x.first;
        hd_plan plan = { .prefix = steps, .prefix_count = x.count, .alternatives = true };
        hd_execution e = hd_target_run(&s.target, &plan);
        uint64_t *known = hd_map_put(&seen, fingerprint_of(&e, x.count));
        traces += !*known && !e.alternative_steps;
        for (uint32_t k = 0; !*known && e.alternative_steps && k < e.alternatives->count; k++) {
            hd_vec_push(&left, ((prefix) { (uint32_t)all.count, x.count + 1 }));
            for (uint32_t i = 0; i < x.count; i++)
                hd_vec_push(&all, steps[i]);
            hd_vec_push(&all, e.choices[e.alternatives->first + k]);
        }
        *known = 1;
    }
    hd_map_fini(&seen);
    hd_vec_fini(&all);
    hd_vec_fini(&left);
    scripted_close(&s);
    return runs <= MOST_PREFIXES ? traces : 0;
}

static void count_many(uint32_t features)
{
    static exploration dpor;
    uint32_t compared = 0;
    uint64_t count = programs_wanted(LARGE_PROGRAMS);
    for (uint64_t seed = 1; seed <= count; seed++) {
        hd_script_program p;
        draw_program(&p, seed, features | DRAW_MANY);
        uint64_t traces = count_traces(&p);
        if (!traces)
            continue;
        memset(&dpor, 0, sizeof dpor);
        dpor.limit = 4 * MOST_PREFIXES;
        explore(&dpor, &p, "dpor", &hd_heap);
        compared++;
        if (dpor.end != HD_END_COMPLETE || dpor.counts.tests != traces || (dpor.counts.blocked && !may_block(&p)))
            hd_test_failed(__FILE__, __LINE__, "seed %llu: %llu traces; dpor end %d, %llu tests, %llu blocked %s",
                (unsigned long long)seed, (unsigned long long)traces, dpor.end, (unsigned long long)dpor.counts.tests,
                (unsigned long long)dpor.counts.blocked, dpor.notice);
    }
    CHECK(compared > count * 2 / 3);
}

TEST(dpor_runs_each_trace_of_larger_programs_once)
{
    count_many(0);
    count_many(DRAW_EXITS);
    count_many(DRAW_ASSERTIONS);
    count_many(DRAW_RWLOCKS);
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
