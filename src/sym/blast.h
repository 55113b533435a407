/* Queries as questions about bits, answered in this process: each term becomes a word of literals with the
 * clauses that make them follow from the bits of its operands, once; a query assumes
 * its conditions, in their order. What is too large, or takes too long, has no answer
 * here, and the back end is asked. */
#ifndef HD_SYM_BLAST_H
#define HD_SYM_BLAST_H

#include "sym/sat.h"
#include "sym/solver.h"

typedef struct hd_blast {
    hd_sat sat;
    hd_vec(uint32_t) places; /* by term: of its bits in `bits`, + 1; 0: not made yet */
    hd_vec(hd_literal) bits;
    hd_vec(hd_literal) assumptions;
    hd_vec(hd_term) stack;
} hd_blast;

void hd_blast_init(hd_blast *b, hd_memory *memory);
void hd_blast_fini(hd_blast *b);

/* The pool of terms has been cleared. */
void hd_blast_forget(hd_blast *b);

/* HD_UNKNOWN: too many gates, or a good part of that time was not enough. */
hd_answer hd_blast_solve(hd_blast *b, hd_query *q, uint32_t milliseconds);

#endif
