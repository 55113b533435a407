/* A claim: what must not happen, as an automaton that reads states (Vardi and Wolper 1986;
 * docs/algorithms/ltl.md).
 *
 * Before every step of the system, the claim takes an edge whose condition holds in the system's
 * state. An execution violates the claim if the claim can go on forever and meets every *mark*
 * infinitely often, or if it reaches a state that is an end. Marks are on edges (generalised Büchi
 * acceptance). A never claim has one mark, on the edges out of its accept states; an LTL formula
 * has one per `until` (ltl.c).
 *
 * A condition is a conjunction of propositions, which are expressions with a bit each: those in
 * `must` hold, those in `must_not` do not. */
#ifndef HD_MODEL_CLAIM_H
#define HD_MODEL_CLAIM_H

#include "promela/program.h"

enum { HD_MODEL_MOST_PROPOSITIONS = 64, HD_MODEL_MOST_MARKS = 32 };

typedef struct hd_model_proposition {
    const hd_promela_node *expression;
    uint32_t code;
} hd_model_proposition;

typedef struct hd_model_claim_edge {
    uint64_t must, must_not;
    uint32_t marks;
    uint32_t target;
} hd_model_claim_edge;

typedef struct hd_model_claim_state {
    uint32_t first, count; /* of its edges */
    bool is_end;
    int failed; /* of an end: the line of the violated assertion in the claim, or 0 */
} hd_model_claim_state;

typedef enum hd_model_claim_kind {
    HD_MODEL_CLAIM_LTL,
    HD_MODEL_CLAIM_NEVER,
    HD_MODEL_CLAIM_ACCEPTANCE,
    HD_MODEL_CLAIM_PROGRESS
} hd_model_claim_kind;

/* Plain data: ltl.c and claim.c build it, liveness.c reads it. */
typedef struct hd_model_claim {
    hd_model_claim_kind kind;
    const char *name;
    int line; /* 0: not in the model */
    hd_vec(hd_model_claim_state) states; /* the first is the initial state */
    hd_vec(hd_model_claim_edge) edges;
    hd_vec(hd_model_proposition) propositions;
    int mark_count;
    bool labels; /* edges out of system states with a process at an accept label have mark 0 as well */
} hd_model_claim;

/* Translates a claim of the model. Adds the code of its propositions to the program. */
bool hd_model_claim_open(hd_model_claim *c, hd_promela_program *program, const hd_promela_claim *from, hd_error *error);

/* Built-in claims: no cycle passes through an accept label; every cycle passes through a progress label. */
void hd_model_claim_acceptance(hd_model_claim *c);
void hd_model_claim_progress(hd_model_claim *c, hd_promela_program *program);

void hd_model_claim_close(hd_model_claim *c);

/* ltl.c: the automaton of all sequences that violate the formula. */
bool hd_model_claim_of_formula(
    hd_model_claim *c, hd_promela_program *program, const hd_promela_claim *from, hd_error *error);

/* The bit of a proposition, which is added if it is new; 0 with an error. */
uint64_t hd_model_claim_proposition(
    hd_model_claim *c, hd_promela_program *program, const hd_promela_node *n, hd_error *error);

#endif
