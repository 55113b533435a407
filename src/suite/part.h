/* A connected part of the compatibility graph, with goals numbered within it. Private to
 * suite/parts.c and suite/branch.c. */
#ifndef HD_SUITE_PART_H
#define HD_SUITE_PART_H

#include "suite/graph.h"
#include "suite/packing.h"

typedef struct hd_part {
    hd_packing *packing;
    const hd_graph *graph;
    const uint32_t *goals;
    uint32_t count;
    uint32_t *test_of; /* per goal: its test in the best assignment found, from 0 */
    uint32_t tests; /* number of tests of that assignment */
    uint32_t lower;
} hd_part;

/* Searches for an assignment with fewer tests by branch and bound, up to a number of steps. If the
 * search was exhaustive, `lower` is raised to `tests`. */
void hd_part_branch(hd_part *part);

#endif
