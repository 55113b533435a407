/* Escape analysis: memory that other threads cannot reach needs no hooks.
 *
 * Local: a stack variable (or a parameter passed by value on the stack) whose
 * address is used only by the function's own loads, stores and block copies.
 * Fixed: a constant. A pointer that may point to several objects is local or
 * fixed only if all of them are.
 *
 * The proof is flow-insensitive: one use that may pass the address on makes the
 * variable escape for the whole function. */
#ifndef HD_COMPILE_PASSES_ESCAPE_H
#define HD_COMPILE_PASSES_ESCAPE_H

#include "base/map.h"
#include "compile/passes/unit.h"

typedef struct hd_cc_escape {
    hd_map known; /* variable → 1 escapes, 2 does not */
} hd_cc_escape;

void hd_cc_escape_open(hd_cc_escape *escape);
void hd_cc_escape_close(hd_cc_escape *escape);

/* Can only the current call of the function reach the memory that it points to? */
bool hd_cc_escape_is_local(hd_cc_escape *escape, LLVMValueRef pointer);

/* As above, or the memory never changes. */
bool hd_cc_escape_is_private(hd_cc_escape *escape, LLVMValueRef pointer);

/* The stack variable that a local pointer points into; NULL: it may be one of several. */
LLVMValueRef hd_cc_escape_variable(LLVMValueRef pointer);

#endif
