/* Maximum matching in a bipartite graph (Hopcroft and Karp 1973). Edges are given as a list per left node.
 * Greedy packing matches goals to tests; lower bounds use the independent set (docs/algorithms/suite.md). */
#ifndef HD_SUITE_MATCHING_H
#define HD_SUITE_MATCHING_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { HD_UNMATCHED = 0xffffffffu };

/* Open for speed: the callers read the partners of whole groups. */
typedef struct hd_suite_bipartite {
    uint32_t left_count, right_count;
    hd_vec(uint64_t) starts; /* of each left node's edges; one more at the end */
    hd_vec(uint32_t) edges; /* right nodes */
    uint32_t *left, *right; /* partners, or HD_UNMATCHED */
} hd_suite_bipartite;

void hd_suite_bipartite_init(hd_suite_bipartite *b, uint32_t left_count, uint32_t right_count);
void hd_suite_bipartite_fini(hd_suite_bipartite *b);

/* Edges are added for the left nodes in order: all edges of a node, then hd_suite_bipartite_end. */
static inline void hd_suite_bipartite_edge(hd_suite_bipartite *b, uint32_t right)
{
    hd_vec_push(&b->edges, right);
}

static inline void hd_suite_bipartite_end(hd_suite_bipartite *b)
{
    hd_vec_push(&b->starts, b->edges.count);
}

/* Fills in the partners; returns the number of pairs. */
uint32_t hd_suite_bipartite_match(hd_suite_bipartite *b);

/* After matching: a maximum independent set. */
void hd_suite_bipartite_independent(const hd_suite_bipartite *b, bool *left, bool *right);

#endif
