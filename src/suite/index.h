/* Finding what may fit without asking everyone. Of a list of cones, those are
 * candidates for a given one whose last use at one chosen place is an ancestor or a
 * descendant of its own there; sorted by the intervals of uses, descendants are a
 * range, and ancestors few. The place chosen is the one that tells the most apart. */
#ifndef HD_SUITE_INDEX_H
#define HD_SUITE_INDEX_H

#include "suite/config.h"

typedef struct hd_index {
    const hd_problem *problem;
    const hd_cone *cones;
    uint32_t count;
    uint32_t place;
    uint32_t *sorted, *enter; /* those with a mark there, by `enter`; then the others */
    uint32_t marked;
    hd_vec(uint32_t) found;
} hd_index;

/* Over cones[0 .. count-1], which must stay as they are. `home`: a place that is no use. */
void hd_index_init(hd_index *x, const hd_problem *n, const hd_cone *cones, uint32_t count, uint32_t home);
void hd_index_fini(hd_index *x);

/* Numbers of candidates; valid until the next call. */
const uint32_t *hd_index_candidates(hd_index *x, const hd_cone *c, uint32_t *count);

/* The last use of a cone at a place, or HD_NO_USE. */
uint32_t hd_cone_at(const hd_cone *c, uint32_t place);

#endif
