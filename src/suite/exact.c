/* The smallest cover, from both sides (docs/algorithms/suite.md, `exact`): greedy packing from
 * above, goals that exclude each other from below. If no test can reach three goals, a maximum
 * matching is optimal. Otherwise the graph of goals is solved by its connected parts. What is left
 * of the gap goes to the SMT encoding of the whole problem. */
#include "suite/bounds.h"
#include "suite/encode.h"
#include "suite/graph.h"
#include "suite/matching.h"
#include "suite/packing.h"
#include "suite/parts.h"

/* Matched pairs share a test; every other goal gets its own. */
static void take_pairs(hd_suite_packing *p, const uint32_t *partner)
{
    hd_suite_packing_clear(p);
    for (uint32_t i = 0; i < p->goals.count; i++) {
        if (partner[i] != HD_UNMATCHED && partner[i] < i)
            continue;
        uint32_t test = hd_suite_packing_add(p, &p->goals.cones[i]);
        if (partner[i] != HD_UNMATCHED)
            hd_configuration_join(&p->cover->tests.items[test], &p->goals.cones[partner[i]]);
    }
    hd_suite_packing_choices(p);
}

static void solve_by_matching(hd_suite_packing *p, const hd_suite_graph *graph)
{
    uint32_t *partner = hd_alloc(&hd_heap, (graph->count + 1) * sizeof *partner);
    /* Each test reaches at most two goals, so the tests with two are a matching, and goals - (maximum
     * matching) is the minimum. Goals with several events can only add tests: the bound stays valid. */
    uint32_t lower = graph->count - hd_suite_graph_match(graph, NULL, partner);
    p->cover->lower = lower > p->cover->lower ? lower : p->cover->lower;
    if (lower < p->cover->tests.count)
        take_pairs(p, partner);
    hd_release(&hd_heap, partner, (graph->count + 1) * sizeof *partner);
}

static void solve_by_graph(hd_suite_packing *p)
{
    hd_suite_graph graph;
    uint32_t triple[3];
    if (!p->goals.count || !hd_suite_graph_init(&graph, p->space, &p->goals, p->watch))
        return;
    bool triples = hd_suite_graph_triple(&graph, p->space, &p->goals, p->watch, triple);
    if (triples && hd_suite_packing_goes_on(p))
        hd_suite_parts_solve(p, &graph);
    else if (hd_suite_packing_goes_on(p))
        solve_by_matching(p, &graph);
    hd_suite_graph_fini(&graph);
    hd_suite_packing_tell(p);
}

static bool is_closed(const hd_suite_packing *p)
{
    return p->cover->lower == p->cover->tests.count;
}

void hd_suite_cover_exact(const hd_suite_problem *n, const hd_suite_cover_watch *watch, hd_suite_cover *out)
{
    hd_suite_packing p;
    hd_suite_clique clique = { 0 };
    hd_suite_packing_open(&p, n, watch, out);
    hd_suite_packing_threads(&p);
    hd_suite_packing_choices(&p);
    hd_suite_packing_tell(&p);
    out->lower = hd_suite_bounds_lower(p.space, &p.goals, watch, &clique);
    hd_suite_packing_tell(&p);
    /* Each step is taken only if the bounds are still apart. */
    if (!is_closed(&p))
        solve_by_graph(&p);
    for (size_t i = 0; i < clique.count; i++)
        clique.items[i] = p.goals.event[clique.items[i]];
    if (!is_closed(&p))
        hd_suite_encode_close_gap(&p, clique.items, (uint32_t)clique.count);
    out->stopped = !is_closed(&p);
    hd_vec_fini(&clique);
    hd_suite_packing_close(&p);
}
