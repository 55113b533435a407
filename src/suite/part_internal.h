/* A connected part of the compatibility graph, with goals numbered within it. Private to
 * suite/parts.c and suite/branch_and_bound.c. */
#ifndef HD_SUITE_PART_INTERNAL_H
#define HD_SUITE_PART_INTERNAL_H

#include "suite/graph.h"
#include "suite/packing.h"

typedef struct hd_suite_part {
    hd_suite_packing *packing;
    const hd_suite_graph *graph;
    const uint32_t *goals;
    uint32_t count;
    uint32_t *test_of; /* per goal: its test in the best assignment found, from 0 */
    uint32_t tests; /* number of tests of that assignment */
    uint32_t lower;
} hd_suite_part;

/* Searches for an assignment with fewer tests by branch and bound, up to a number of steps. If the
 * search was exhaustive, `lower` is raised to `tests`. */
void hd_suite_part_branch_and_bound(hd_suite_part *part);

#endif
