/* The expressions that a run left (abi/wire.h) as terms of a pool. Only what is
 * asked for is taken over. */
#ifndef HD_SYM_IMPORT_H
#define HD_SYM_IMPORT_H

#include "sym/term.h"

typedef struct hd_import {
    hd_terms *terms;
    const hd_expr *exprs;
    const hd_input *inputs;
    uint32_t expr_count, input_count;
    hd_vec(hd_term) known; /* by expression; 0: not taken over yet */
    hd_vec(uint32_t) stack;
} hd_import;

void hd_import_init(hd_import *i, hd_terms *terms, hd_memory *memory);
void hd_import_fini(hd_import *i);

/* From now on, of this run; what it leaves must stay as it is. */
void hd_import_begin(
    hd_import *i, const hd_expr *exprs, uint32_t expr_count, const hd_input *inputs, uint32_t input_count);

/* Makes all inputs of the run known to the pool. */
void hd_import_inputs(hd_import *i);

/* 0: the run left something that is no expression. */
hd_term hd_import_term(hd_import *i, uint64_t expr);

#endif
