/* Functions that are atomic blocks by their name (SV-COMP). */
#include "compile/passes/passes.h"

#include <string.h>

static void call(hd_cc_unit *unit, const char *name)
{
    LLVMTypeRef type = LLVMFunctionType(unit->nothing, NULL, 0, false);
    LLVMBuildCall2(unit->builder, type, hd_cc_unit_function(unit, name, type), NULL, 0, "");
}

static void enclose(hd_cc_unit *unit, LLVMValueRef function)
{
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

void hd_cc_pass_atomic_functions(hd_cc_unit *unit)
{
    static const char prefix[] = "__VERIFIER_atomic_";
    for (size_t f = 0; f < unit->functions.count; f++)
        if (!strncmp(LLVMGetValueName(unit->functions.items[f]), prefix, sizeof prefix - 1))
            enclose(unit, unit->functions.items[f]);
}
