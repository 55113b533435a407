/* Connected parts of the compatibility graph (docs/algorithms/suite.md, `exact`, step 4). A test has goals of one part
 * only, so each part is a problem of its own: the smallest cover is the union of the parts' smallest covers, and lower
 * bounds add up. Parts can be small even if the graph is large. */
#ifndef HD_SUITE_PARTS_H
#define HD_SUITE_PARTS_H

#include "suite/graph.h"
#include "suite/packing.h"

/* Improves the assignment of goals to tests (`test_of`) and the lower bound, part by part, and
 * rebuilds the cover's tests. */
void hd_suite_parts_solve(hd_suite_packing *p, const hd_suite_graph *g);

#endif
