/* The compatibility graph: an edge between two single-event goals that fit into one test, as sorted
 * lists of neighbours. Candidates come from the index, and no matrix is stored; with too many edges
 * the graph is not built. */
#ifndef HD_SUITE_GRAPH_H
#define HD_SUITE_GRAPH_H

#include "suite/cover.h"
#include "suite/goal_groups.h"

/* Open for speed: searches walk the lists of neighbours. */
typedef struct hd_suite_graph {
    uint32_t count;
    uint64_t *starts; /* of each node's neighbours; one more at the end */
    uint32_t *neighbours;
    uint64_t edges; /* each counted twice */
} hd_suite_graph;

/* False: too many edges, or the caller stopped it; then there is nothing to free. */
bool hd_suite_graph_init(
    hd_suite_graph *g, hd_configuration_space *s, const hd_suite_goal_groups *goals, const hd_suite_cover_watch *watch);
void hd_suite_graph_fini(hd_suite_graph *g);

bool hd_suite_graph_joins(const hd_suite_graph *g, uint32_t a, uint32_t b);

/* Are there three goals that fit into one test? Then `triple` is one such. */
bool hd_suite_graph_triple(const hd_suite_graph *g, hd_configuration_space *s, const hd_suite_goal_groups *goals,
    const hd_suite_cover_watch *watch, uint32_t triple[3]);

/* A maximum matching (Edmonds): fills in the partners, HD_UNMATCHED without one, and returns the number of
 * pairs. Nodes with `out` set are left out; NULL: none. */
uint32_t hd_suite_graph_match(const hd_suite_graph *g, const bool *out, uint32_t *partner);

#endif
