#include "suite/graph.h"

#include "events/candidates.h"

#include <stdlib.h>
#include <string.h>

enum { EDGES_AT_MOST = 1 << 26 };

typedef struct edge {
    uint32_t from, to;
} edge;

typedef hd_vec(edge) edges;

/* All pairs that fit, each once; false: there are too many. */
static bool find_edges(
    edges *all, hd_configuration_space *s, const hd_suite_goal_groups *goals, const hd_suite_cover_watch *watch)
{
    hd_candidates *index;
    bool whole = true;
    index = hd_candidates_open(goals->problem->trees, goals->cones, goals->count, HD_NO_USE);
    for (uint32_t i = 0; i < goals->count && whole; i++) {
        uint32_t count;
        const uint32_t *candidates = hd_candidates_of(index, &goals->cones[i], &count);
        /* Each pair once. */
        for (uint32_t k = 0; k < count; k++)
            if (candidates[k] > i && hd_configurations_fit(s, &goals->cones[i], &goals->cones[candidates[k]]))
                hd_vec_push(all, ((edge) { i, candidates[k] }));
        whole = all->count < EDGES_AT_MOST && watch->goes_on(watch->context);
    }
    hd_candidates_close(index);
    return whole;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Builds the lists of neighbours by counting sort. */
static void fill(hd_suite_graph *g, const edges *all)
{
    uint64_t *next = hd_alloc(&hd_heap, (g->count + 1) * sizeof *next);
    for (size_t i = 0; i < all->count; i++) {
        g->starts[all->items[i].from + 1]++;
        g->starts[all->items[i].to + 1]++;
    }
    for (uint32_t i = 0; i < g->count; i++)
        g->starts[i + 1] += g->starts[i];
    memcpy(next, g->starts, (g->count + 1) * sizeof *next);
    for (size_t i = 0; i < all->count; i++) {
        g->neighbours[next[all->items[i].from]++] = all->items[i].to;
        g->neighbours[next[all->items[i].to]++] = all->items[i].from;
    }
    for (uint32_t i = 0; i < g->count; i++)
        qsort(g->neighbours + g->starts[i], g->starts[i + 1] - g->starts[i], sizeof *g->neighbours, by_number);
    hd_release(&hd_heap, next, (g->count + 1) * sizeof *next);
}

bool hd_suite_graph_init(
    hd_suite_graph *g, hd_configuration_space *s, const hd_suite_goal_groups *goals, const hd_suite_cover_watch *watch)
{
    edges all = { 0 };
    bool whole = find_edges(&all, s, goals, watch);
    if (whole) {
        *g = (hd_suite_graph) { .count = goals->count, .edges = 2 * all.count };
        g->starts = hd_alloc(&hd_heap, (g->count + 1) * sizeof *g->starts);
        g->neighbours = hd_alloc(&hd_heap, (g->edges + 1) * sizeof *g->neighbours);
        fill(g, &all);
    }
    hd_vec_fini(&all);
    return whole;
}

void hd_suite_graph_fini(hd_suite_graph *g)
{
    hd_release(&hd_heap, g->starts, (g->count + 1) * sizeof *g->starts);
    hd_release(&hd_heap, g->neighbours, (g->edges + 1) * sizeof *g->neighbours);
}

bool hd_suite_graph_joins(const hd_suite_graph *g, uint32_t a, uint32_t b)
{
    return bsearch(&b, g->neighbours + g->starts[a], g->starts[a + 1] - g->starts[a], sizeof b, by_number) != NULL;
}

static bool fit_together(hd_configuration_space *s, const hd_suite_goal_groups *goals, const uint32_t triple[3])
{
    hd_configuration both = { 0 };
    hd_configuration_copy(&both, &goals->cones[triple[0]]);
    hd_configuration_join(&both, &goals->cones[triple[1]]);
    bool fit = hd_configurations_fit(s, &both, &goals->cones[triple[2]]);
    hd_vec_fini(&both);
    return fit;
}

/* Triangle search: for each edge a < b, merges the sorted neighbours of both above b. A triangle
 * still has to fit as a whole. */
bool hd_suite_graph_triple(const hd_suite_graph *g, hd_configuration_space *s, const hd_suite_goal_groups *goals,
    const hd_suite_cover_watch *watch, uint32_t triple[3])
{
    for (uint32_t a = 0; a < g->count && watch->goes_on(watch->context); a++)
        for (uint64_t i = g->starts[a]; i < g->starts[a + 1]; i++) {
            uint32_t b = g->neighbours[i];
            uint64_t x = i + 1, y = g->starts[b];
            while (b > a && x < g->starts[a + 1] && y < g->starts[b + 1]) {
                uint32_t p = g->neighbours[x], q = g->neighbours[y];
                triple[0] = a;
                triple[1] = b;
                triple[2] = p;
                if (p == q && fit_together(s, goals, triple))
                    return true;
                x += p <= q;
                y += q <= p;
            }
        }
    return false;
}
