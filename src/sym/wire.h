/* How the engine talks to the process that solves (sym/z3): over one socket, a
 * request and then its reply, both plain data.
 *
 *   request:  hd_solve_request, new terms, conditions, inputs
 *   reply:    hd_solve_reply, a value per input if the answer is HD_SAT, places
 *             of conditions that already contradict each other if it is HD_UNSAT
 *
 * Terms keep their numbers; a term is sent once, after its operands, and known
 * until a request says `forget`.
 */
#ifndef HD_SYM_WIRE_H
#define HD_SYM_WIRE_H

#include "sym/term.h"

typedef struct hd_solve_request {
    uint32_t forget, milliseconds;
    uint32_t terms, conditions, inputs; /* how many */
} hd_solve_request;

typedef struct hd_solve_term {
    hd_term term;
    hd_term_node node;
} hd_solve_term;

typedef struct hd_solve_reply {
    uint32_t answer; /* hd_answer */
    uint32_t values, core; /* how many */
} hd_solve_reply;

#endif
