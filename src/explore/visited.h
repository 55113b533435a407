/* Where a bounded search has been: beginnings of executions, up to the order of steps that commute
 * (docs/algorithms/preempt.md).
 *
 * Two beginnings that are the same Mazurkiewicz trace lead to the same state. What can follow within the bound then
 * depends on two more things: the cost of the beginning (its preemptions or delays), and the *favourite*, the thread
 * whose step costs nothing. Only the cost of the next step depends on the favourite, and by at most a *detour*. So a
 * search from (trace, favourite f, cost c) has covered what a search from
 *
 *   (trace, f, at least c)   or   (trace, any favourite, at least c + detour)
 *
 * would run. A trace is identified by 112 bits of a sum over its steps: thread, number, operation, outcome, and the
 * clock, which tells the steps that happen before it. When there is no more room, nothing is added, and the search
 * repeats more. Open, as it is embedded in the search that uses it. */
#ifndef HD_EXPLORE_VISITED_H
#define HD_EXPLORE_VISITED_H

#include "base/map.h"
#include "event/trace.h"

typedef struct hd_visited_sum {
    uint64_t key, check;
} hd_visited_sum;

typedef struct hd_visited {
    hd_map nodes; /* trace and favourite → the least cost, and a part of the sum */
    size_t most; /* of them */
    hd_vec(hd_visited_sum) sums; /* of the first 0, 1, … steps of the current execution */
} hd_visited;

enum { HD_NO_FAVOURITE = -1 };

/* With room for `most` entries, of 48 bytes at most. */
void hd_visited_init(hd_visited *v, size_t most, hd_memory *memory);
void hd_visited_fini(hd_visited *v);

/* A new search, with another bound. */
void hd_visited_clear(hd_visited *v);

/* The steps of the trace from `step` on are new. */
void hd_visited_extend(hd_visited *v, const hd_trace *t, uint32_t step);

/* The search comes to the state before this step of the trace. False: it has covered all that it would run from here.
 */
bool hd_visited_enter(hd_visited *v, uint32_t step, int favourite, uint32_t cost, uint32_t detour);

#endif
