/* One part: few goals, known by their places in it. Private to suite/parts.c and suite/branch.c. */
#ifndef HD_SUITE_PART_H
#define HD_SUITE_PART_H

#include "suite/graph.h"
#include "suite/packing.h"

typedef struct hd_part {
    hd_packing *packing;
    const hd_graph *graph;
    const uint32_t *goals;
    uint32_t count;
    uint32_t *test_of; /* per goal of the part: the best assignment found, tests from 0 */
    uint32_t tests; /* of it */
    uint32_t lower;
} hd_part;

/* Searches for an assignment with fewer tests: branch and bound, up to some number
 * of steps. Raises `lower` to `tests` if it has seen everything. */
void hd_part_branch(hd_part *part);

#endif
