/* Decides which partial rows can be completed to valid ones. The answer is always exact.
 *
 * Constraints become and/or trees over set terms and relation terms. A state is a set of possible
 * values per parameter. Propagation narrows the sets: a term that must hold removes values without
 * support; an OR with one branch left forces that branch. Where propagation does not decide, the
 * solver branches on the parameter with the fewest values left and backtracks. Parameters that no
 * chain of constraints connects are decided separately, and answers are cached, so a question about
 * a few cells is usually a look-up.
 *
 * Negative values: a valid row has at most one. `extendable` is about rows in which none or exactly
 * one is assigned; the other cells are completed with positive values only. */
#ifndef HD_PAIRS_SOLVER_H
#define HD_PAIRS_SOLVER_H

#include "pairs/model.h"

typedef struct hd_pairs_solver hd_pairs_solver;

/* The model must outlive the solver. */
hd_pairs_solver *hd_pairs_solver_open(const hd_pairs_model *m);
void hd_pairs_solver_close(hd_pairs_solver *s);

/* Whether some valid row agrees with all assigned cells of `row`. */
bool hd_pairs_extendable(hd_pairs_solver *s, const hd_pairs_cell *row);

/* The same, if the row without this cell is known to be extendable: only the column's component has
 * to be asked. */
bool hd_pairs_extendable_at(hd_pairs_solver *s, const hd_pairs_cell *row, int column);

/* Fills the cells that are HD_PAIRS_ANY and occur in constraints, so that the row is valid. Values
 * are preferred in the order of `preference` (a ranking of each parameter's values, or NULL for the
 * model's order). False if it cannot be done. */
bool hd_pairs_complete(hd_pairs_solver *s, hd_pairs_cell *row, const hd_pairs_cell *const *preference);

/* Whether any constraint mentions the column (negative values count as a constraint on all). */
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
