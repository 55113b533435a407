/* An index for candidates. Two cones are consistent only if, at each place, the last use of one is
 * an ancestor of the other's. The index checks this at one place: sorted by the intervals of uses,
 * descendants are a range, and ancestors are few. The place is the one with the most different last
 * uses. */
#ifndef HD_SUITE_INDEX_H
#define HD_SUITE_INDEX_H

#include "suite/config.h"

typedef struct hd_index {
    const hd_problem *problem;
    const hd_cone *cones;
    uint32_t count;
    uint32_t place;
    uint32_t *sorted, *enter; /* cones that touch the place, by `enter`; then the others */
    uint32_t marked;
    hd_vec(uint32_t) found;
} hd_index;

/* Indexes cones[0 .. count-1], which must not change. `home`: a place that tells nothing apart, or
 * HD_NO_USE. */
void hd_index_init(hd_index *x, const hd_problem *n, const hd_cone *cones, uint32_t count, uint32_t home);
void hd_index_fini(hd_index *x);

/* The numbers of the cones that may fit; valid until the next call. */
const uint32_t *hd_index_candidates(hd_index *x, const hd_cone *c, uint32_t *count);

/* The last use of a cone at a place, or HD_NO_USE. */
uint32_t hd_cone_at(const hd_cone *c, uint32_t place);

#endif
