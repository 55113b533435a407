/* Loops that count: an integer grows by a constant in every round, and every
 * round passes an exit that is taken when the integer has come far enough. */
#ifndef HD_COMPILE_PASSES_COUNTER_H
#define HD_COMPILE_PASSES_COUNTER_H

#include "compile/passes/cfg.h"

bool hd_cc_counter_ends(const hd_cc_cfg *cfg, const hd_cc_loop *loop);

/* A cast or an operation on two values: the result depends on the operands
 * alone. */
bool hd_cc_is_computation(LLVMValueRef value);

#endif
