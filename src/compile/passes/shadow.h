/* Shadows in twins: every value is accompanied by the number of its expression over
 * inputs, computed by hooks (abi/shadow.h, abi/hooks.def).
 *
 * The shadow of an integer of up to 64 bits or of a pointer is an i32. Aggregates have
 * aggregates of shadows, field by field. Values of other types (floating point,
 * vectors, wider integers) are concrete: their shadow is always 0, and expressions that
 * they are computed from are *followed*: fixed to their value in this execution.
 * An expression is *pinned* where its exact value matters (an address, a length): that
 * is a branch with one side per value.
 *
 * The shadow of a constant is the constant 0, so the optimiser removes most hooks.
 */
#ifndef HD_COMPILE_PASSES_SHADOW_H
#define HD_COMPILE_PASSES_SHADOW_H

#include "compile/passes/escape.h"
#include "compile/passes/twin.h"

typedef struct hd_cc_shadow {
    hd_cc_unit *unit;
    const hd_cc_twins *twins;
    bool is_library; /* code of the runtime: branches have the site of the program's call */
    LLVMValueRef function, original;
    LLVMValueRef library_site;
    LLVMValueRef variables; /* the result of hd_shadow_variables; NULL: the function has none */
    hd_map shadows; /* value → its shadow */
    hd_cc_escape escape;
} hd_cc_shadow;

/* Adds shadows to all twins. */
void hd_cc_pass_shadow(hd_cc_twins *twins, bool is_library);

/* --- shared by the files of this pass ------------------------------------------- */

LLVMTypeRef hd_cc_shadow_type(hd_cc_shadow *s, LLVMTypeRef type);

/* Can values of this type have a shadow other than 0? And their width in bits. */
bool hd_cc_shadow_is_scalar(LLVMTypeRef type);
unsigned hd_cc_shadow_width(LLVMTypeRef type);

LLVMValueRef hd_cc_shadow_get(hd_cc_shadow *s, LLVMValueRef value);
void hd_cc_shadow_set(hd_cc_shadow *s, LLVMValueRef value, LLVMValueRef shadow);

/* Is the shadow known to be 0 at compile time? */
bool hd_cc_shadow_is_none(LLVMValueRef shadow);

/* A scalar as the 64 bits that are passed to hooks. */
LLVMValueRef hd_cc_shadow_word(hd_cc_shadow *s, LLVMValueRef value);

/* Sets the position for new hooks: after the instruction, or before it and the hooks that belong to it. */
void hd_cc_shadow_behind(hd_cc_shadow *s, LLVMValueRef instruction);
void hd_cc_shadow_ahead(hd_cc_shadow *s, LLVMValueRef instruction);
void hd_cc_shadow_behind_variables(hd_cc_shadow *s); /* after the variables of fixed size in the entry block */

LLVMValueRef hd_cc_shadow_site(hd_cc_shadow *s, LLVMValueRef instruction);

LLVMValueRef hd_cc_shadow_hook(hd_cc_shadow *s, hd_cc_hook hook, LLVMValueRef *arguments);
LLVMValueRef hd_cc_shadow_info_word(hd_cc_shadow *s, unsigned kind, unsigned width, unsigned low);

/* Calls the hook, hd_shadow_pin or hd_shadow_follow, for a scalar. */
void hd_cc_shadow_bind(hd_cc_shadow *s, hd_cc_hook hook, LLVMValueRef value, LLVMValueRef instruction);

/* The shadow extended (signed or unsigned) or truncated to another width. */
LLVMValueRef hd_cc_shadow_resize(hd_cc_shadow *s, LLVMValueRef shadow, unsigned from, unsigned to, bool is_signed);

/* The shadows of the scalars of a value, in order; and the opposite: the shadow of a value, from a function that gives
 * the shadow of each scalar by its number and width. */
void hd_cc_shadow_leaves(hd_cc_shadow *s, LLVMTypeRef type, LLVMValueRef shadow, hd_cc_values *into);
typedef LLVMValueRef hd_cc_shadow_leaf(hd_cc_shadow *s, LLVMValueRef context, unsigned number, unsigned width);
LLVMValueRef hd_cc_shadow_gather(
    hd_cc_shadow *s, LLVMTypeRef type, unsigned *number, hd_cc_shadow_leaf *leaf, LLVMValueRef context);

/* The instructions by class; true if it was one of that class. */
bool hd_cc_shadow_value(hd_cc_shadow *s, LLVMValueRef instruction);
bool hd_cc_shadow_memory(hd_cc_shadow *s, LLVMValueRef instruction);
bool hd_cc_shadow_flow(hd_cc_shadow *s, LLVMValueRef instruction);
void hd_cc_shadow_call(hd_cc_shadow *s, LLVMValueRef call);
bool hd_cc_shadow_intrinsic(hd_cc_shadow *s, LLVMValueRef call);
void hd_cc_shadow_copy_block(hd_cc_shadow *s, LLVMValueRef call); /* memcpy, memmove, memset */

/* At the start of the twin, after its stack variables. */
void hd_cc_shadow_entry(hd_cc_shadow *s);
bool hd_cc_shadow_has_variables(hd_cc_shadow *s);
void hd_cc_shadow_behind_entry(hd_cc_shadow *s); /* and after hd_shadow_variables */

#endif
