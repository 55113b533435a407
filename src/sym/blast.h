/* Answers queries by bit-blasting, in this process. Each term becomes a word of literals, once,
 * with clauses that define them by the bits of its operands (Tseitin encoding); a query assumes the
 * literals of its conditions, in path order. Terms are never asserted, so the clauses stay
 * satisfiable and what is learned holds for all queries. A query that is too large or takes too
 * long is HD_UNKNOWN here and goes to the back end. */
#ifndef HD_SYM_BLAST_H
#define HD_SYM_BLAST_H

#include "sym/solver.h"

typedef struct hd_blast hd_blast;

hd_blast *hd_blast_open(hd_memory *memory);
void hd_blast_close(hd_blast *b);

/* To be called when the pool of terms has been cleared: term numbers have lost their meaning. */
void hd_blast_forget(hd_blast *b);

/* HD_UNKNOWN: too many gates, or the effort limit that corresponds to `milliseconds` was reached. */
hd_answer hd_blast_solve(hd_blast *b, hd_query *q, uint32_t milliseconds);

#endif
