/* What inputs permit: the sides of branches that an unfolding knows, as terms over
 * inputs, and whether some of them can be taken together.
 *
 * A side's term depends on what comes before its branch, and on nothing else:
 * inputs are known by their thread and their number in it, terms are stored once.
 * So a term is taken over when the side is new, and means the same in every
 * execution that has it.
 *
 * What has been permitted is kept, with values that satisfy it, until something is
 * asked afresh: a plan is made of an aim and of others beside it, one after the
 * other.
 */
#ifndef HD_UNFOLDER_CLAIMS_H
#define HD_UNFOLDER_CLAIMS_H

#include "inputs/path.h"
#include "unfold/unfold.h"

typedef struct hd_claim {
    hd_term term, condition; /* of the branch; that the side is taken (0: whatever inputs are) */
    const hd_site *site;
} hd_claim;

typedef struct hd_claims {
    hd_path path; /* terms, the solver, where something was lost */
    hd_vec(hd_claim) sides; /* by their numbers */
    hd_vec(hd_term) claimed; /* what has been permitted, */
    hd_values values; /* and values that satisfy it */
    hd_vec(hd_term) asked;
    hd_given_list given;
    hd_vec(bool) matters; /* by the places of inputs */
} hd_claims;

void hd_claims_init(hd_claims *c, const hd_solver_config *config, hd_memory *memory);
void hd_claims_fini(hd_claims *c);

/* The unfolding is another one: no side is known. */
void hd_claims_forget(hd_claims *c);

/* From now on, sides of this execution. */
void hd_claims_begin(hd_claims *c, const hd_execution *e);

/* Side number `side`, if it is new, is what this branch did. */
void hd_claims_add(hd_claims *c, uint32_t side, const hd_op *branch);

/* For hd_unfold_judge; `context` is the hd_claims. */
bool hd_claims_permits(void *context, const hd_unfold_literal *literals, size_t count, bool afresh);

/* Inputs for what has been permitted; those that do not matter are as in the last
 * execution. Valid until the next call. */
const hd_given_list *hd_claims_inputs(hd_claims *c);

/* The last execution was to come to another side of this side's branch, and did
 * not. If it ended in a failure before it could, its inputs say which side that
 * would have been. Otherwise inputs went where they could not be followed. */
void hd_claims_missed(hd_claims *c, hd_unfolding *u, uint32_t side, bool failed);

#endif
