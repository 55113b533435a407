/* Lower bounds: goals of which no two fit into one test need a test each. */
#ifndef HD_SUITE_BOUNDS_H
#define HD_SUITE_BOUNDS_H

#include "suite/cover.h"
#include "suite/goals.h"

typedef hd_vec(uint32_t) hd_clique;

/* The size of the largest such set found: first goals that are ends of different branches at
 * one place, then those of two threads together, by maximum matching. `clique` gets them, by
 * their places in `g`; it is empty if the bound is no more than that there is a goal. */
uint32_t hd_bounds_lower(hd_space *s, const hd_goals *g, const hd_cover_watch *watch, hd_clique *clique);

#endif
