/* Which memory other threads cannot see, so that its accesses need no hook.
 *
 * Local: a stack variable (or a parameter passed by value on the stack) of
 * which no pointer ever leaves the function's loads, stores and block copies.
 * Fixed: a constant. A pointer that may point to several things is local or
 * fixed only if all of them are. */
#ifndef HD_COMPILE_PASSES_ESCAPE_H
#define HD_COMPILE_PASSES_ESCAPE_H

#include "base/map.h"
#include "compile/passes/unit.h"

typedef struct hd_cc_escape {
    hd_map known; /* base → 1 escapes, 2 does not */
} hd_cc_escape;

void hd_cc_escape_open(hd_cc_escape *escape);
void hd_cc_escape_close(hd_cc_escape *escape);

/* Nobody but the current call of the function can reach what it points to. */
bool hd_cc_escape_is_local(hd_cc_escape *escape, LLVMValueRef pointer);

/* As above, or what it points to never changes. */
bool hd_cc_escape_is_private(hd_cc_escape *escape, LLVMValueRef pointer);

/* The stack variable that a local pointer points into, NULL when it may be one
 * of several. */
LLVMValueRef hd_cc_escape_variable(LLVMValueRef pointer);

#endif
