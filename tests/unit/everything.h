/* What all schedules of a scripted program come to with all inputs, found by trying them one after the other. */
#ifndef HD_TESTS_UNIT_EVERYTHING_H
#define HD_TESTS_UNIT_EVERYTHING_H

#include "unit/scripted.h"
#include "unit/test.h"

#include "base/map.h"
#include "explore/traces.h"

typedef struct everything {
    hd_map ways, states; /* traces with paths; final states with paths */
    uint64_t runs, state_sum;
    uint64_t limit; /* of runs */
    uint32_t most_bits; /* of inputs */
    bool too_large;
} everything;

static inline uint64_t final_state(const hd_execution *e)
{
    return hd_hash(e->outcome->state ^ (uint64_t)e->outcome->kind << 48);
}

static inline void try_schedules(everything *all, const hd_script_program *p, const uint64_t (*fixed)[HD_SCRIPT_STEPS])
{
    static scripted s;
    const hd_explorer *x = hd_explorer_find("dfs");
    hd_plan plan;
    scripted_open(&s, p, &hd_heap);
    s.script.fixed = fixed;
    void *dfs = x->open(&(hd_explore_config) { .races = false }, &hd_heap);
    while (!all->too_large && x->next(dfs, &plan)) {
        hd_execution e = hd_target_run(&s.target, &plan);
        CHECK(x->learn(dfs, &e));
        all->too_large = ++all->runs > all->limit;
        if (!hd_outcome_is_test(e.outcome->kind))
            continue;
        uint64_t state = final_state(&e);
        *hd_map_put(&all->ways, hd_trace_fingerprint(&e, &hd_heap)) = 1;
        uint64_t *seen = hd_map_put(&all->states, state);
        all->state_sum += *seen ? 0 : state;
        *seen = 1;
    }
    x->close(dfs);
    scripted_close(&s);
}

/* The caller has set the limits. */
static inline void try_everything(everything *all, const hd_script_program *p)
{
    uint64_t fixed[HD_SCRIPT_THREADS][HD_SCRIPT_STEPS];
    uint32_t bits = 0;
    hd_map_init(&all->ways, &hd_heap);
    hd_map_init(&all->states, &hd_heap);
    for (uint32_t t = 0; t < HD_SCRIPT_THREADS; t++)
        for (uint32_t i = 0; p->threads[t][i].code; i++)
            bits += p->threads[t][i].code == HD_DO_INPUT ? (uint32_t)p->threads[t][i].value : 0;
    all->too_large = bits > all->most_bits;
    for (uint64_t number = 0; !all->too_large && number < 1ull << bits; number++) {
        uint64_t rest = number;
        for (uint32_t t = 0; t < HD_SCRIPT_THREADS; t++)
            for (uint32_t i = 0; p->threads[t][i].code; i++)
                if (p->threads[t][i].code == HD_DO_INPUT) {
                    fixed[t][i] = rest & ((1ull << p->threads[t][i].value) - 1);
                    rest >>= p->threads[t][i].value;
                }
        try_schedules(all, p, (const uint64_t(*)[HD_SCRIPT_STEPS])fixed);
    }
}

static inline void forget_everything(everything *all)
{
    hd_map_fini(&all->ways);
    hd_map_fini(&all->states);
}

/* --- findings ------------------------------------------------------------------------------ */

static inline bool has_finding(const exploration *x, uint64_t key)
{
    for (uint32_t i = 0; i < x->finding_count; i++)
        if (x->findings[i].key == key)
            return true;
    return false;
}

static inline void check_one_way(
    const exploration *a, const char *a_name, const exploration *b, const char *b_name, uint64_t seed)
{
    for (uint32_t i = 0; i < a->finding_count; i++)
        if (!has_finding(b, a->findings[i].key))
            hd_test_failed(__FILE__, __LINE__, "seed %llu: %s finds '%s', %s does not", (unsigned long long)seed,
                a_name, a->findings[i].message, b_name);
}

/* Both find the same. */
static inline void check_findings(const exploration *dfs, const exploration *other, const char *name, uint64_t seed)
{
    check_one_way(dfs, "dfs", other, name, seed);
    check_one_way(other, name, dfs, "dfs", seed);
}

#endif
