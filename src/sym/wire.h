/* The protocol between the engine and the solver process (sym/z3): requests and replies alternate
 * on one socket, as plain data.
 *
 *   request:  hd_solve_request, new terms, conditions, inputs
 *   reply:    hd_solve_reply; for HD_SAT a value per input, for HD_UNSAT indices of
 *             conditions that are contradictory together (may be empty)
 *
 * Terms keep their numbers. A term is sent once, after its operands, and is known until a request
 * says `forget`. */
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
