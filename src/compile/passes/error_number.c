/* The address of errno. All threads of the program run on one thread of the system, so
 * they share one errno in the C library; its value is exchanged at thread switches. A
 * file that uses the address of errno for more than an access would see the same
 * address in all threads. In such a file, errno is a variable of the thread: its value
 * is copied to the C library's errno before every call and return, and copied from
 * there at every entry and after every call. So all other code sees only the C
 * library's errno. */
#include "compile/passes/passes.h"

#include <string.h>

static const char name[] = "__errno_location";

static bool is_access(LLVMValueRef user, LLVMValueRef pointer)
{
    return LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer);
}

static bool is_kept(LLVMValueRef call)
{
    for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use))
        if (!is_access(LLVMGetUser(use), call))
            return true;
    return false;
}

static bool is_kept_anywhere(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (!hd_cc_is_call(LLVMGetUser(use)) || is_kept(LLVMGetUser(use)))
            return true;
    return false;
}

static bool may_change_it(LLVMValueRef i)
{
    return hd_cc_is_call(i) && !LLVMIsAInlineAsm(LLVMGetCalledValue(i)) && strncmp(hd_cc_called_name(i), "llvm.", 5)
        && !hd_cc_unit_is_hook(hd_cc_called_name(i));
}

static void visit(hd_cc_unit *unit, LLVMValueRef i)
{
    if (LLVMIsAReturnInst(i)) {
        hd_cc_unit_before(unit, i);
        hd_cc_unit_call(unit, hook_hd_errno_give, NULL);
    } else if (hd_cc_is_call(i) && !strcmp(hd_cc_called_name(i), name)) {
        hd_cc_unit_before(unit, i);
        LLVMReplaceAllUsesWith(i, hd_cc_unit_call(unit, hook_hd_errno_address, NULL));
        LLVMInstructionEraseFromParent(i);
    } else if (may_change_it(i)) {
        hd_cc_unit_before(unit, i);
        hd_cc_unit_call(unit, hook_hd_errno_give, NULL);
        hd_cc_unit_before(unit, LLVMGetNextInstruction(i));
        hd_cc_unit_call(unit, hook_hd_errno_take, NULL);
    }
}

void hd_cc_pass_errno(hd_cc_unit *unit)
{
    LLVMValueRef location = LLVMGetNamedFunction(unit->module, name);
    if (!location || !is_kept_anywhere(location))
        return;
    for (size_t f = 0; f < unit->functions.count; f++) {
        hd_cc_values *instructions = hd_cc_unit_instructions(unit, unit->functions.items[f]);
        for (size_t i = 0; i < instructions->count; i++)
            visit(unit, instructions->items[i]);
        hd_cc_unit_at_top(unit, LLVMGetEntryBasicBlock(unit->functions.items[f]));
        hd_cc_unit_call(unit, hook_hd_errno_take, NULL);
    }
}
