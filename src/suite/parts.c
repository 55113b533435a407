#include "suite/parts.h"

#include "suite/cliquer.h"
#include "suite/encode.h"
#include "suite/part_internal.h"

#include <string.h>

enum { NONE = 0xffffffffu };

/* --- finding them ------------------------------------------------------------------------------ */

/* The connected component of `first`. */
static uint32_t collect(const hd_suite_graph *g, uint32_t first, bool *seen, uint32_t *out)
{
    uint32_t count = 0;
    out[count++] = first;
    seen[first] = true;
    for (uint32_t i = 0; i < count; i++)
        for (uint64_t k = g->starts[out[i]]; k < g->starts[out[i] + 1]; k++) {
            uint32_t next = g->neighbours[k];
            if (!seen[next])
                out[count++] = next;
            seen[next] = true;
        }
    return count;
}

/* Numbers the tests that the part's goals have now, from 0. */
static void number_tests(hd_suite_part *p)
{
    const uint32_t *test_of = p->packing->test_of;
    p->tests = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t k = 0;
        while (test_of[p->goals[k]] != test_of[p->goals[i]])
            k++;
        p->test_of[i] = k < i ? p->test_of[k] : p->tests++;
    }
}

/* --- one part ----------------------------------------------------------------------------------- */

/* The SMT encoding for the goals of this part alone: a problem with the same net and only these goals. */
static void solve_by_smt(hd_suite_part *p, const uint32_t *exclusive, uint32_t count)
{
    const hd_suite_problem *n = p->packing->problem;
    hd_suite_problem small = *n;
    hd_suite_cover cover = { .lower = p->lower };
    hd_suite_packing packing;
    hd_vec(hd_suite_problem_goal) goals = { 0 };
    hd_vec(uint32_t) members = { 0 };
    for (uint32_t i = 0; i < p->count; i++) {
        hd_vec_push(&goals, ((hd_suite_problem_goal) { (uint32_t)members.count, 1, 0 }));
        hd_vec_push(&members, p->packing->goals.event[p->goals[i]]);
    }
    small.goals.items = goals.items;
    small.goals.count = goals.count;
    small.members.items = members.items;
    small.members.count = members.count;
    hd_suite_packing_open(&packing, &small, p->packing->watch, &cover);
    /* Empty tests stand for the upper bound. */
    for (uint32_t t = 0; t < p->tests; t++)
        hd_suite_packing_add(&packing, &(hd_configuration) { 0 });
    hd_suite_encode_close_gap(&packing, exclusive, count);
    p->lower = cover.lower;
    if (cover.lower == cover.tests.count && cover.tests.count < p->tests) {
        p->tests = (uint32_t)cover.tests.count;
        for (uint32_t i = 0; i < p->count; i++)
            for (uint32_t t = 0; t < p->tests; t++)
                if (hd_configuration_has(n->trees, &cover.tests.items[t], members.items[i]))
                    p->test_of[i] = t;
    }
    hd_suite_packing_close(&packing);
    hd_suite_cover_fini(&cover);
    hd_vec_fini(&goals);
    hd_vec_fini(&members);
}

static void solve(hd_suite_part *p)
{
    hd_suite_clique clique = { 0 };
    number_tests(p);
    /* A set of goals of which no two fit: a lower bound for the part. */
    hd_suite_cliquer_independent(p->packing, p->graph, p->goals, p->count, &clique);
    p->lower = clique.count ? (uint32_t)clique.count : 1;
    for (size_t i = 0; i < clique.count; i++)
        clique.items[i] = p->packing->goals.event[clique.items[i]];
    if (p->lower < p->tests)
        hd_suite_part_branch_and_bound(p);
    if (p->lower < p->tests && hd_suite_packing_goes_on(p->packing))
        solve_by_smt(p, clique.items, (uint32_t)clique.count);
    hd_vec_fini(&clique);
}

/* --- all of them ----------------------------------------------------------------------------------- */

static void make_tests(hd_suite_packing *p, uint32_t tests)
{
    hd_suite_packing_clear(p);
    for (uint32_t t = 0; t < tests; t++)
        hd_suite_packing_add(p, &(hd_configuration) { 0 });
    for (uint32_t g = 0; g < p->goals.count; g++)
        hd_configuration_join(&p->cover->tests.items[p->test_of[g]], &p->goals.cones[g]);
    hd_suite_packing_choices(p);
}

void hd_suite_parts_solve(hd_suite_packing *p, const hd_suite_graph *g)
{
    bool *seen = hd_alloc(&hd_heap, g->count + 1);
    uint32_t *goals = hd_alloc(&hd_heap, (g->count + 1) * sizeof *goals);
    uint32_t *test_of = hd_alloc(&hd_heap, (g->count + 1) * sizeof *test_of);
    uint32_t *all = hd_alloc(&hd_heap, (g->count + 1) * sizeof *all);
    uint32_t tests = 0, lower = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        if (seen[i])
            continue;
        hd_suite_part part = { .packing = p, .graph = g, .goals = goals, .test_of = test_of };
        part.count = collect(g, i, seen, goals);
        solve(&part);
        for (uint32_t k = 0; k < part.count; k++)
            all[goals[k]] = tests + test_of[k];
        tests += part.tests;
        /* Bounds add up because no test serves two parts. */
        lower += part.lower;
    }
    memcpy(p->test_of, all, g->count * sizeof *all);
    p->cover->lower = lower > p->cover->lower ? lower : p->cover->lower;
    make_tests(p, tests);
    hd_release(&hd_heap, seen, g->count + 1);
    hd_release(&hd_heap, goals, (g->count + 1) * sizeof *goals);
    hd_release(&hd_heap, test_of, (g->count + 1) * sizeof *test_of);
    hd_release(&hd_heap, all, (g->count + 1) * sizeof *all);
}
