/* SV-COMP's atomic functions: the whole body of a function of the program whose
 * name begins with __VERIFIER_atomic_ is an atomic block. */
#include "compile/passes/passes.h"

#include <string.h>

static const char prefix[] = "__VERIFIER_atomic_";

static void call(hd_cc_unit *unit, const char *name)
{
    LLVMTypeRef type = LLVMFunctionType(unit->nothing, NULL, 0, false);
    LLVMBuildCall2(unit->builder, type, hd_cc_unit_function(unit, name, type), NULL, 0, "");
}

void hd_cc_pass_atomic_functions(hd_cc_unit *unit)
{
    for (size_t f = 0; f < unit->functions.count; f++) {
        LLVMValueRef function = unit->functions.items[f];
        if (strncmp(LLVMGetValueName(function), prefix, sizeof prefix - 1))
            continue;
        hd_cc_unit_before(unit, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
        call(unit, "__VERIFIER_atomic_begin");
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
            if (!LLVMIsAReturnInst(end))
                continue;
            hd_cc_unit_before(unit, end);
            call(unit, "__VERIFIER_atomic_end");
        }
    }
}
