/* Search for smaller sets: remove a row, then repair.
 *
 * For plain pairs without constraints: tabu search over complete rows, which picks an uncovered
 * pair and makes the change of one cell that covers it and loses the least. For everything else
 * growth does the repair: cells that nothing depends on become don't-cares, one row is removed, and
 * the set is grown again. Both count steps instead of looking at a clock. */
#ifndef HD_PAIRS_SEARCH_H
#define HD_PAIRS_SEARCH_H

#include "pairs/needs.h"

/* Whether tabu search can be used: every pair of columns and nothing else is needed, of not too many values. */
bool hd_pairs_plain_pairs(const hd_pairs_problem *p);

/* Removes rows until `steps` are used up or `bound` rows are left. `rows` always holds the smallest
 * complete set found. */
void hd_pairs_tabu(const hd_pairs_problem *p, uint64_t *steps, size_t bound, hd_pairs_rows *rows);

/* As hd_pairs_tabu for any problem; the first `kept` rows stay as they are. */
void hd_pairs_regrow(const hd_pairs_problem *p, uint64_t *steps, size_t bound, size_t kept, hd_pairs_rows *rows);

#endif
