/* How a solver answered its queries. Plain data: reports show it. */
#ifndef HD_SYM_COUNTS_H
#define HD_SYM_COUNTS_H

#include <stdint.h>

typedef struct hd_solver_counts {
    uint64_t queries; /* asked */
    uint64_t satisfiable;
    uint64_t same, cores, models; /* answered by the cache, by a core, by a recent model */
    uint64_t tried, guessed; /* answered by enumeration; by guessing */
    uint64_t blasted; /* answered by bit-blasting */
    uint64_t solved; /* answered by the back end */
    uint64_t unknown; /* not answered */
    double seconds; /* total time */
} hd_solver_counts;

#endif
