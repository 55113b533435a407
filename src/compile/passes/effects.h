/* What an instruction can do to the world outside its function, judged so that
 * a loop can be told to be a wait: see loops.c.
 *
 * A calm function changes nothing but by operations that the runtime sees and
 * judges: it stores to its own stack variables only, and calls calm functions
 * and those of the table in effects.c only. */
#ifndef HD_COMPILE_PASSES_EFFECTS_H
#define HD_COMPILE_PASSES_EFFECTS_H

#include "compile/passes/escape.h"

typedef enum hd_cc_effect {
    HD_EFFECT_READS = 1, /* plainly, what may be shared */
    HD_EFFECT_WAITS = 2, /* an operation that another thread's can follow from */
    HD_EFFECT_STORES = 4, /* to hd_cc_effect_target */
    HD_EFFECT_CHANGES = 8 /* anything */
} hd_cc_effect;

typedef struct hd_cc_effects {
    hd_cc_unit *unit;
    hd_map calm; /* function → what is known */
} hd_cc_effects;

void hd_cc_effects_open(hd_cc_effects *effects, hd_cc_unit *unit);
void hd_cc_effects_close(hd_cc_effects *effects);

/* A set of hd_cc_effect. `escape` is the one of the instruction's function. */
unsigned hd_cc_effects_of(hd_cc_effects *effects, hd_cc_escape *escape, LLVMValueRef instruction);

/* The pointer that an instruction with HD_EFFECT_STORES writes through. */
LLVMValueRef hd_cc_effect_target(LLVMValueRef instruction);

#endif
