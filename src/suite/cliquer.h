/* What cliquer is asked: the largest clique among some goals, of those that fit
 * pairwise, or of those that do not. */
#ifndef HD_SUITE_CLIQUER_H
#define HD_SUITE_CLIQUER_H

#include "suite/bounds.h"
#include "suite/graph.h"
#include "suite/packing.h"

/* As many goals as can be that fit pairwise, by their numbers in the graph. Empty: there was no
 * time, or there are too many. */
void hd_cliquer_largest(const hd_packing *p, const hd_graph *g, const uint32_t *goals, uint32_t count, hd_clique *out);

/* As many as can be of which no two fit; the same. */
void hd_cliquer_independent(
    const hd_packing *p, const hd_graph *g, const uint32_t *goals, uint32_t count, hd_clique *out);

#endif
