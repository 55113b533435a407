/* Lower bounds for covers (docs/algorithms/suite.md, `exact`, step 2): goals that pairwise do not fit
 * into one test need one test each, so any set of such goals (a clique of the conflict graph) is a lower
 * bound. A bound stays valid if the search for a larger set is stopped. */
#ifndef HD_SUITE_BOUNDS_H
#define HD_SUITE_BOUNDS_H

#include "suite/cover.h"
#include "suite/goal_groups.h"

typedef hd_vec(uint32_t) hd_suite_clique;

/* The size of the largest such set found: goals that end on different branches of one place's tree,
 * then goals of two threads together (by König's theorem, from a maximum matching). `clique`
 * receives them, by their indices in `g`; it is empty if the bound is only that there is a goal. */
uint32_t hd_suite_bounds_lower(hd_configuration_space *s, const hd_suite_goal_groups *g,
    const hd_suite_cover_watch *watch, hd_suite_clique *clique);

#endif
