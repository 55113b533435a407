/* Counting loops: an integer changes by a constant in every iteration, and every iteration passes an exit that is taken
 * when the integer has reached a bound that does not change in the loop. Such a loop ends, so it never waits. */
#ifndef HD_COMPILE_PASSES_COUNTER_H
#define HD_COMPILE_PASSES_COUNTER_H

#include "compile/passes/cfg.h"

bool hd_cc_counter_ends(const hd_cc_cfg *cfg, const hd_cc_loop *loop);

/* Is it a cast or an operation on two values, whose result depends on the operands alone? */
bool hd_cc_is_computation(LLVMValueRef value);

#endif
