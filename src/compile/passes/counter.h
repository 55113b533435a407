/* Counting loops: an integer changes by a constant in every iteration, and every iteration passes an exit that is taken
 * when the integer has reached a bound that does not change in the loop. Such a loop ends. */
#ifndef HD_COMPILE_PASSES_COUNTER_H
#define HD_COMPILE_PASSES_COUNTER_H

#include "compile/passes/cfg.h"

typedef struct hd_cc_counter {
    LLVMValueRef phi; /* the integer, at the top of the loop */
    LLVMValueRef test; /* the comparison that decides about the exit … */
    LLVMValueRef bound; /* … of the integer, plus `offset`, with this value */
    long long offset;
    long long past; /* the exit is taken when the integer plus `offset` is `bound` plus `past` */
} hd_cc_counter;

/* Does the loop count? If it does, sets `counter`. */
bool hd_cc_counter_find(const hd_cc_cfg *cfg, const hd_cc_loop *loop, hd_cc_counter *counter);

/* Is the integer used for nothing but counting, with a bound that is known before the loop and far enough from the
 * start? Then the loop could leave at its top by setting the integer to the last value. */
bool hd_cc_counter_only_counts(const hd_cc_cfg *cfg, const hd_cc_loop *loop, const hd_cc_counter *counter);

/* The value of the integer at the top with which this iteration leaves the loop. */
LLVMValueRef hd_cc_counter_last(const hd_cc_counter *counter, LLVMBuilderRef builder);

/* Is it a cast or an operation on two values, whose result depends on the operands alone? */
bool hd_cc_is_computation(LLVMValueRef value);

#endif
