/* Algorithm 3 of the paper (Max-Clique): the largest set of goals that fit pairwise becomes a test,
 * repeatedly. Once the largest clique has two goals, the rest is a maximum matching, which is
 * optimal. With contexts or inputs, goals that fit pairwise may not fit together: those that do not
 * fit the ones before them are left for a later test. */
#include "suite/bounds.h"
#include "suite/cliquer.h"
#include "suite/graph.h"
#include "suite/matching.h"
#include "suite/packing.h"

typedef struct cliques {
    hd_suite_packing *packing;
    hd_suite_graph graph;
    bool *done; /* per goal */
} cliques;

/* Makes one test from the members of the clique that fit together. */
static void take_clique(cliques *c, const hd_suite_clique *clique)
{
    hd_suite_packing *p = c->packing;
    uint32_t test = 0;
    for (size_t i = 0; i < clique->count; i++) {
        const hd_configuration *cone = &p->goals.cones[clique->items[i]];
        if (i == 0)
            test = hd_suite_packing_add(p, cone);
        else if (hd_configurations_fit(p->space, &p->cover->tests.items[test], cone))
            hd_configuration_join(&p->cover->tests.items[test], cone);
        else
            continue;
        c->done[clique->items[i]] = true;
    }
}

static uint32_t list_left(const cliques *c, uint32_t *node)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->graph.count; i++)
        if (!c->done[i])
            node[count++] = i;
    return count;
}

/* Makes one test. False: the largest clique has at most two goals, or time is up. */
static bool take_largest(cliques *c, uint32_t *node)
{
    hd_suite_clique clique = { 0 };
    hd_suite_cliquer_largest(c->packing, &c->graph, node, list_left(c, node), &clique);
    bool large = clique.count > 2;
    if (large)
        take_clique(c, &clique);
    hd_vec_fini(&clique);
    return large;
}

static void take_pairs(cliques *c)
{
    hd_suite_packing *p = c->packing;
    uint32_t *partner = hd_alloc(&hd_heap, (c->graph.count + 1) * sizeof *partner);
    hd_suite_graph_match(&c->graph, c->done, partner);
    for (uint32_t i = 0; i < c->graph.count; i++) {
        if (c->done[i] || (partner[i] != HD_UNMATCHED && partner[i] < i))
            continue;
        uint32_t test = hd_suite_packing_add(p, &p->goals.cones[i]);
        if (partner[i] != HD_UNMATCHED)
            hd_configuration_join(&p->cover->tests.items[test], &p->goals.cones[partner[i]]);
    }
    hd_release(&hd_heap, partner, (c->graph.count + 1) * sizeof *partner);
}

static void take_cliques(cliques *c)
{
    hd_suite_packing *p = c->packing;
    uint32_t triple[3];
    uint32_t *node = hd_alloc(&hd_heap, (c->graph.count + 1) * sizeof *node);
    c->done = hd_alloc(&hd_heap, c->graph.count + 1);
    /* Without three goals that fit together, matching alone is optimal. */
    bool large = hd_suite_graph_triple(&c->graph, p->space, &p->goals, p->watch, triple);
    while (large && hd_suite_packing_goes_on(p))
        large = take_largest(c, node);
    take_pairs(c);
    hd_release(&hd_heap, c->done, c->graph.count + 1);
    hd_release(&hd_heap, node, (c->graph.count + 1) * sizeof *node);
}

void hd_suite_cover_clique(const hd_suite_problem *n, const hd_suite_cover_watch *watch, hd_suite_cover *out)
{
    hd_suite_packing p;
    hd_suite_clique clique = { 0 };
    cliques c = { .packing = &p };
    hd_suite_packing_open(&p, n, watch, out);
    out->lower = hd_suite_bounds_lower(p.space, &p.goals, watch, &clique);
    bool whole = hd_suite_graph_init(&c.graph, p.space, &p.goals, watch);
    if (whole) {
        take_cliques(&c);
        hd_suite_graph_fini(&c.graph);
    } else {
        /* Too many edges for a graph: pack greedily. */
        hd_suite_packing_threads(&p);
    }
    hd_suite_packing_choices(&p);
    hd_suite_packing_tell(&p);
    out->stopped = !whole || !hd_suite_packing_goes_on(&p);
    hd_vec_fini(&clique);
    hd_suite_packing_close(&p);
}
