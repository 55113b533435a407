/* Feasibility under inputs: the sides of branches in an unfolding, as terms over inputs, and whether a set of them can
 * be taken together (docs/algorithms/unfold.md, "Inputs").
 *
 * The term of a side depends only on the causal past of its branch: inputs are identified by their thread and their
 * number in it, and terms are hash-consed. So a term is imported once, when its side is new, and means the same in
 * every execution with that side.
 *
 * Literals that have been permitted are kept, with values that satisfy them, until a query starts afresh: a plan
 * consists of a target and of further ones, which are added one after the other. */
#ifndef HD_UNFOLDER_FEASIBILITY_H
#define HD_UNFOLDER_FEASIBILITY_H

#include "inputs/path.h"
#include "unfold/unfold.h"

typedef struct hd_feasibility_side {
    hd_term term, condition; /* of the branch; the equation that this side is taken (0: with all inputs) */
    const hd_site *site;
} hd_feasibility_side;

typedef struct hd_feasibility {
    hd_path path; /* terms, the solver, source locations that are not explored */
    hd_vec(hd_feasibility_side) sides; /* by their numbers */
    hd_vec(hd_term) permitted; /* literals that have been permitted, as terms */
    hd_values values; /* that satisfy them */
    hd_vec(hd_term) asked;
    hd_given_list given;
    hd_vec(bool) matters; /* by the indices of inputs */
} hd_feasibility;

void hd_feasibility_init(hd_feasibility *c, const hd_solver_config *config, hd_memory *memory);
void hd_feasibility_fini(hd_feasibility *c);

/* The unfolding was discarded: no side is known. */
void hd_feasibility_forget(hd_feasibility *c);

/* Sides that are added from now on are those of this execution. */
void hd_feasibility_begin(hd_feasibility *c, const hd_execution *e);

/* If side number `side` is new, it is the value that this branch had. */
void hd_feasibility_add(hd_feasibility *c, uint32_t side, const hd_op *branch);

/* For hd_unfold_judge; `context` is the hd_feasibility. */
bool hd_feasibility_permits(void *context, const hd_unfold_literal *literals, size_t count, bool afresh);

/* Inputs that satisfy what has been permitted; inputs that do not matter are as in the last execution. Valid until the
 * next call. */
const hd_given_list *hd_feasibility_inputs(hd_feasibility *c);

/* The last execution should have taken another side of this side's branch, and did not reach one. If it failed before
 * the branch, its inputs determine which side it would have taken. Otherwise inputs flowed through code where they are
 * not tracked. */
void hd_feasibility_missed(hd_feasibility *c, hd_unfolding *u, uint32_t side, bool failed);

#endif
