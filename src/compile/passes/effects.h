/* The effects of an instruction outside of its function, to recognise waiting loops (loops.c).
 *
 * A *calm* function changes nothing except by operations that the runtime sees: it stores only to its own stack
 * variables, and calls only calm functions and those of abi/judged.def. */
#ifndef HD_COMPILE_PASSES_EFFECTS_H
#define HD_COMPILE_PASSES_EFFECTS_H

#include "compile/passes/escape.h"

typedef enum hd_cc_effect {
    HD_EFFECT_READS = 1, /* plain read of memory that may be shared */
    HD_EFFECT_WAITS = 2, /* an operation that can wait for another thread: atomic or volatile access, call */
    HD_EFFECT_STORES = 4, /* a store to hd_cc_effect_target */
    HD_EFFECT_CHANGES = 8 /* may change anything */
} hd_cc_effect;

typedef struct hd_cc_effects {
    hd_cc_unit *unit;
    hd_map calm; /* function → what is known */
} hd_cc_effects;

void hd_cc_effects_open(hd_cc_effects *effects, hd_cc_unit *unit);
void hd_cc_effects_close(hd_cc_effects *effects);

/* A set of hd_cc_effect. `escape`: the analysis of the instruction's function. */
unsigned hd_cc_effects_of(hd_cc_effects *effects, hd_cc_escape *escape, LLVMValueRef instruction);

/* The pointer that an instruction with HD_EFFECT_STORES writes through. */
LLVMValueRef hd_cc_effect_target(LLVMValueRef instruction);

#endif
