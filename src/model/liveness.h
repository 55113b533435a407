/* Does the system have an execution that a claim forbids? The search walks the
 * product of the system's graph and the claim depth first, and puts strongly
 * connected components together as it meets their cycles (Couvreur 1999). A
 * component whose edges have all the claim's marks has a cycle with all of them:
 * the first one found is the violation, and a short lasso is cut out of it.
 *
 * Weak fairness is a matter of marks, too: one per process, on every edge where
 * the process takes part, or where it cannot take a step before it. (SPIN keeps
 * a copy of the graph per process instead, with Choueka's flags.) A process that
 * could only receive in a rendezvous cannot take a step by itself.
 *
 * An execution that ends is continued by repeating its last state for ever
 * (stutter extension), except in a search for cycles without progress.
 */
#ifndef HD_MODEL_LIVENESS_H
#define HD_MODEL_LIVENESS_H

#include "model/space.h"

typedef enum hd_verdict { HD_VERDICT_HOLDS, HD_VERDICT_VIOLATED, HD_VERDICT_UNKNOWN } hd_verdict;

typedef struct hd_liveness {
    const hd_pml_program *program;
    const hd_claim *claim;
    hd_scheme scheme;
    hd_limits limits;
    bool fair;
    hd_verdict verdict;
    hd_finding finding; /* its kind, line and fault; if the claim is violated, or cannot be evaluated */
    hd_moves path; /* to it; the last ones, from `cycle` on, repeat for ever */
    size_t cycle;
    bool is_cycle; /* without moves in it: the last state repeats */
    uint64_t states, edges, bytes; /* of the product */
    hd_bound bound;
    double seconds;
} hd_liveness;

void hd_liveness_run(hd_liveness *l, const hd_pml_program *program, const hd_claim *claim, hd_scheme scheme, bool fair,
    const hd_limits *limits);
void hd_liveness_close(hd_liveness *l);

#endif
