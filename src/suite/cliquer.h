/* An interface to cliquer: maximum cliques and maximum independent sets among goals. */
#ifndef HD_SUITE_CLIQUER_H
#define HD_SUITE_CLIQUER_H

#include "suite/bounds.h"
#include "suite/graph.h"
#include "suite/packing.h"

/* A maximum set of goals that fit pairwise, by their numbers in the graph. Empty: no time, or too
 * many goals. */
void hd_suite_cliquer_largest(
    const hd_suite_packing *p, const hd_suite_graph *g, const uint32_t *goals, uint32_t count, hd_suite_clique *out);

/* A maximum set of goals of which no two fit. Empty: no time, or too many goals. */
void hd_suite_cliquer_independent(
    const hd_suite_packing *p, const hd_suite_graph *g, const uint32_t *goals, uint32_t count, hd_suite_clique *out);

#endif
