#include "suite/cliquer.h"

#include <cliquer/cliquer.h>

enum { NODES_AT_MOST = 40000 /* an adjacency matrix of 200 MB */, INDEPENDENT_AT_MOST = 3000 };

static const double seconds_at_most = 5;

/* Cliquer calls this while it searches; false makes it give up. */
static boolean keep_looking(int level, int i, int n, int max, double user, double total, clique_options *options)
{
    (void)level, (void)i, (void)n, (void)max, (void)user;
    return total < seconds_at_most && hd_suite_packing_goes_on(options->user_data);
}

/* The graph of the given goals, or its complement (`turned`), in which a clique is an independent set. */
static graph_t *matrix_of(const hd_suite_graph *g, const uint32_t *goals, uint32_t count, bool turned)
{
    graph_t *matrix = graph_new((int)count);
    uint32_t *number = hd_alloc(&hd_heap, (g->count + 1) * sizeof *number);
    for (uint32_t i = 0; i < count; i++)
        number[goals[i]] = i + 1;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < i && turned; k++)
            GRAPH_ADD_EDGE(matrix, (int)i, (int)k);
        for (uint64_t k = g->starts[goals[i]]; k < g->starts[goals[i] + 1]; k++) {
            uint32_t other = number[g->neighbours[k]];
            if (!other || (turned ? other > i : other < i + 1))
                continue;
            if (turned)
                GRAPH_DEL_EDGE(matrix, (int)i, (int)other - 1);
            else
                GRAPH_ADD_EDGE(matrix, (int)i, (int)other - 1);
        }
    }
    hd_release(&hd_heap, number, (g->count + 1) * sizeof *number);
    return matrix;
}

static void find(const hd_suite_packing *p, const hd_suite_graph *g, const uint32_t *goals, uint32_t count, bool turned,
    hd_suite_clique *out)
{
    clique_options options = { .reorder_function = reorder_by_default, .time_function = keep_looking };
    options.user_data = (void *)(uintptr_t)p;
    graph_t *matrix = matrix_of(g, goals, count, turned);
    set_t found = clique_unweighted_find_single(matrix, 0, 0, FALSE, &options);
    for (int i = -1; found && (i = set_return_next(found, i)) >= 0;)
        hd_vec_push(out, goals[i]);
    if (found)
        set_free(found);
    graph_free(matrix);
}

void hd_suite_cliquer_largest(
    const hd_suite_packing *p, const hd_suite_graph *g, const uint32_t *goals, uint32_t count, hd_suite_clique *out)
{
    hd_vec_clear(out);
    if (count && count <= NODES_AT_MOST)
        find(p, g, goals, count, false, out);
}

void hd_suite_cliquer_independent(
    const hd_suite_packing *p, const hd_suite_graph *g, const uint32_t *goals, uint32_t count, hd_suite_clique *out)
{
    hd_vec_clear(out);
    if (count && count <= INDEPENDENT_AT_MOST)
        find(p, g, goals, count, true, out);
}
