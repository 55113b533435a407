/* In-parameter-order growth (Lei, chapter 4), generalised from pairs to any
 * set of interactions.
 *
 * Columns are added one at a time. For the column at hand, `open` holds, for
 * every combination of the earlier columns of an interaction, a bit per value
 * that has not occurred with it yet: the paper's matrix λ, with the values of
 * the new column side by side, so that one look-up serves all of them.
 * Horizontal growth gives each row the value that closes the most (IPO_H_IV);
 * vertical growth puts what is left into don't-cares and new rows (IPO_V).
 *
 * Invariant: every partial row can be completed to a valid one, because a cell
 * is only set after the solver has agreed. So no row is ever thrown away, and
 * what vertical growth leaves uncovered is proven invalid.
 */
#ifndef HD_PAIRS_GROW_H
#define HD_PAIRS_GROW_H

#include "pairs/needs.h"

/* How ties between values are broken in horizontal growth; the first value is the paper's rule. */
typedef enum hd_pairs_tie { hd_pairs_tie_first, hd_pairs_tie_rarest, hd_pairs_tie_random } hd_pairs_tie;

typedef struct hd_pairs_growth {
    const int *order; /* the columns in the order of growth; NULL: most values first */
    hd_pairs_tie tie;
    size_t balanced; /* while a column completes fewer interactions than this, hd_pairs_tie_rarest instead */
    uint64_t seed;
    size_t most_rows; /* give up when there are more; 0: never */
    bool optimal; /* horizontal growth by IPO_H_EC where the classes are few enough */
} hd_pairs_growth;

/* Extends `rows` (which may hold rows already, also partial ones, all of them
 * extendable) until every needed valid tuple is covered. Cells that do not
 * matter stay HD_PAIRS_ANY. False if it gave up or was interrupted. */
bool hd_pairs_grow(const hd_pairs_problem *p, const hd_pairs_growth *how, hd_pairs_rows *rows);

/* The columns with the most values first; ties keep the model's order. */
void hd_pairs_usual_order(const hd_pairs_model *m, int *order);

#endif
