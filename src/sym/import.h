/* Imports the expressions of a run (abi/wire.h) as terms of a pool, on demand. The tested program
 * could have overwritten them, so every expression is validated. */
#ifndef HD_SYM_IMPORT_H
#define HD_SYM_IMPORT_H

#include "sym/term.h"

typedef struct hd_import {
    hd_terms *terms;
    const hd_expr *exprs;
    const hd_input *inputs;
    uint32_t expr_count, input_count;
    hd_vec(hd_term) known; /* by expression; 0: not imported yet */
    hd_vec(uint32_t) stack;
} hd_import;

void hd_import_init(hd_import *i, hd_terms *terms, hd_memory *memory);
void hd_import_fini(hd_import *i);

/* Imports are from this run from now on. Its expressions must not change until the next call. */
void hd_import_begin(
    hd_import *i, const hd_expr *exprs, uint32_t expr_count, const hd_input *inputs, uint32_t input_count);

/* Adds all inputs of the run to the pool, in their order. */
void hd_import_inputs(hd_import *i);

/* The term of an expression; 0: the expression is not valid. */
hd_term hd_import_term(hd_import *i, uint64_t expr);

#endif
