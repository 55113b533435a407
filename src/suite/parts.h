/* Parts of the graph of goals that have no edge between them: a test has goals of one part
 * only, so each part is a problem of its own, the smallest cover is the sum of the smallest
 * covers, and lower bounds add up. A part is small even where the whole is not. */
#ifndef HD_SUITE_PARTS_H
#define HD_SUITE_PARTS_H

#include "suite/graph.h"
#include "suite/packing.h"

/* Improves the assignment of goals to tests (`test_of`), part by part, and the lower bound; the
 * cover's tests are made anew from it. */
void hd_parts_solve(hd_packing *p, const hd_graph *g);

#endif
