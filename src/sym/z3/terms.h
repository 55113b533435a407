/* Terms as Z3 expressions. A term of one bit is a Boolean, a wider one a bit-vector. Every Z3
 * object is referenced when it is made and released when all terms are forgotten, never singly. */
#ifndef HD_SYM_Z3_TERMS_H
#define HD_SYM_Z3_TERMS_H

#include "sym/wire.h"

#include <z3.h>

typedef struct hd_z3_terms {
    Z3_context context;
    hd_vec(Z3_ast) of; /* by term; NULL: unknown */
    hd_vec(uint8_t) widths; /* by term */
    hd_vec(Z3_ast) kept;
} hd_z3_terms;

void hd_z3_terms_init(hd_z3_terms *z, Z3_context context);
void hd_z3_terms_forget(hd_z3_terms *z);

/* References an expression and keeps it. */
Z3_ast hd_z3_keep(hd_z3_terms *z, Z3_ast ast);

/* Translates a term. False: an operand is unknown. */
bool hd_z3_terms_add(hd_z3_terms *z, const hd_solve_term *term);

/* The expression of a term, or NULL. */
Z3_ast hd_z3_terms_get(const hd_z3_terms *z, hd_term term);

#endif
