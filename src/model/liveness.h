/* Does the system have an execution that a claim forbids? (docs/algorithms/ltl.md)
 *
 * A depth-first search of the product of the system's graph and the claim merges strongly connected
 * components as it finds their cycles (Couvreur 1999). A component whose edges have all of the
 * claim's marks contains a cycle with all of them. The first such component is the violation, and a
 * short lasso is extracted from it.
 *
 * Weak fairness is expressed by marks as well: one per process, on every edge where the process
 * takes part or cannot take a step. (SPIN keeps a copy of the graph per process instead, with
 * Choueka's flags.) A process that could only receive in a rendezvous cannot take a step by itself.
 *
 * Debug builds check after each step what the algorithm rests on (search_is_valid in liveness.c): how open
 * nodes, the stack and the components belong together, that no edge leads from a closed node to an open one,
 * that the components are the strongly connected ones of what has been looked at, with the marks of the edges
 * inside them, and that none has all marks.
 *
 * An execution that ends is continued by repeating its last state forever (stutter extension),
 * except in a search for non-progress cycles. */
#ifndef HD_MODEL_LIVENESS_H
#define HD_MODEL_LIVENESS_H

#include "model/claim.h"
#include "model/search.h"

typedef enum hd_model_verdict {
    HD_MODEL_VERDICT_HOLDS,
    HD_MODEL_VERDICT_VIOLATED,
    HD_MODEL_VERDICT_UNKNOWN
} hd_model_verdict;

/* The result. Plain data. */
typedef struct hd_model_liveness {
    const hd_model_claim *claim;
    bool fair;
    hd_model_verdict verdict;
    hd_model_finding finding; /* its kind, line and fault, if the claim is violated or cannot be evaluated */
    hd_model_moves path; /* to the finding; the moves from `cycle` on repeat forever */
    size_t cycle;
    bool is_cycle; /* the path ends in a cycle; without moves in it, the last state repeats */
    uint64_t states, edges; /* of the product */
    hd_model_bound bound;
    double seconds;
} hd_model_liveness;

void hd_model_liveness_run(hd_model_liveness *l, const hd_model_setup *setup, const hd_model_claim *claim, bool fair);
void hd_model_liveness_close(hd_model_liveness *l);

/* A violation, or a proposition that could not be evaluated. */
bool hd_model_liveness_has_finding(const hd_model_liveness *l);

#endif
