/* Which partial rows can be completed to valid ones: an exact answer, always.
 *
 * Constraints become and/or trees over set and relation terms. A state is one
 * set of possible values per parameter. Propagation narrows the sets: a term
 * that must hold removes values without support; an OR with one branch left
 * forces it. Where that does not decide, the solver tries the values of the
 * parameter with the fewest left, and goes back. Parameters that no chain of
 * constraints connects are decided apart, and answers are remembered, so a
 * question about a few cells costs a look-up.
 *
 * Negative values: a row with none of them, or with exactly one that is
 * assigned, is what `extendable` asks about; the other cells are completed
 * with positive values only.
 */
#ifndef HD_PAIRS_SOLVER_H
#define HD_PAIRS_SOLVER_H

#include "pairs/model.h"

typedef struct hd_pairs_solver hd_pairs_solver;

/* The model must outlive the solver. */
hd_pairs_solver *hd_pairs_solver_open(const hd_pairs_model *m);
void hd_pairs_solver_close(hd_pairs_solver *s);

/* Whether some valid row agrees with all assigned cells of `row`. */
bool hd_pairs_extendable(hd_pairs_solver *s, const hd_pairs_cell *row);

/* The same, if all the cells but column `column` are known to be extendable together. */
bool hd_pairs_extendable_at(hd_pairs_solver *s, const hd_pairs_cell *row, int column);

/* Fills the cells that are HD_PAIRS_ANY and that constraints speak of, so that
 * the row is valid, preferring values in the order of `preference` (a ranking of
 * each parameter's values, or NULL for the model's order). False if it cannot be done. */
bool hd_pairs_complete(hd_pairs_solver *s, hd_pairs_cell *row, const hd_pairs_cell *const *preference);

/* Whether any constraint speaks of the column (negative values count as one). */
bool hd_pairs_constrained(const hd_pairs_solver *s, int column);

/* Whether some row satisfies the chosen constraints (one flag per constraint). */
bool hd_pairs_satisfiable(hd_pairs_solver *s, const bool *chosen);

/* The smallest set of constraints that no row satisfies together: its size, the
 * indices in `core` (room for all `constraints`, their number); -1 if there is a valid row.
 * 0 means that no constraint is to blame: the negative values leave no row. If
 * finding the smallest takes too long, *smallest is false and nothing can be left out of the set. */
int hd_pairs_smallest_core(hd_pairs_solver *s, int constraints, int *core, bool *smallest);

/* Whether one complete row satisfies a constraint, evaluated directly. */
bool hd_pairs_holds(const hd_pairs_model *m, const hd_pairs_expression *e, const hd_pairs_cell *row);

#endif
