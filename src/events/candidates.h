/* An index that finds the configurations that may fit to a given one. Two configurations are consistent only if, at
 * each place, the last use of one is an ancestor of the other's. The index checks this at one place: sorted by the
 * intervals of uses, descendants are a range, and ancestors are few. The place is the one with the most different last
 * uses. */
#ifndef HD_EVENTS_CANDIDATES_H
#define HD_EVENTS_CANDIDATES_H

#include "events/configuration.h"

typedef struct hd_candidates hd_candidates;

/* Indexes configurations all[0 .. count-1], which must not change. `home`: a place that tells nothing apart, or
 * HD_NO_USE. */
hd_candidates *hd_candidates_open(const hd_trees *t, const hd_configuration *all, uint32_t count, uint32_t home);
void hd_candidates_close(hd_candidates *x);

/* The numbers of the configurations that may fit; valid until the next call. */
const uint32_t *hd_candidates_of(hd_candidates *x, const hd_configuration *c, uint32_t *count);

#endif
