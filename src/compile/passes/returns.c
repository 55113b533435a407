/* The location of main's return: a status other than 0 is reported at the return
 * statement. `void main()` has no status; its caller would read a value that the last
 * call has left in the register.
 *
 * clang stores the value of each return statement in one variable, and returns its
 * final contents. The stores have the locations of the statements. main's implicit
 * result, 0, is stored without a location; where main is an ordinary function for clang
 * (compile/main_form.h), it is stored here. */
#include "compile/passes/passes.h"

static void tell(hd_cc_unit *unit, LLVMValueRef instruction)
{
    LLVMValueRef site = hd_cc_unit_site(unit, instruction);
    hd_cc_unit_before(unit, instruction);
    hd_cc_unit_call(unit, hook_hd_main_returns, &site);
}

static LLVMValueRef result_variable(LLVMValueRef value)
{
    LLVMValueRef variable = LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : NULL;
    return variable && LLVMIsAAllocaInst(variable) ? variable : NULL;
}

static void tell_stores(hd_cc_unit *unit, LLVMValueRef variable)
{
    for (size_t i = 0; i < unit->instructions.count; i++) {
        LLVMValueRef store = unit->instructions.items[i];
        if (LLVMIsAStoreInst(store) && LLVMGetOperand(store, 1) == variable && hd_cc_is_located(store))
            tell(unit, store);
    }
}

static void store_implicit_result(hd_cc_unit *unit, LLVMValueRef variable)
{
    LLVMPositionBuilderBefore(unit->builder, LLVMGetNextInstruction(variable));
    LLVMSetCurrentDebugLocation2(unit->builder, NULL);
    LLVMBuildStore(unit->builder, LLVMConstNull(LLVMGetAllocatedType(variable)), variable);
}

static void tell_result(hd_cc_unit *unit, LLVMValueRef end)
{
    LLVMValueRef variable = LLVMGetNumOperands(end) ? result_variable(LLVMGetOperand(end, 0)) : NULL;
    if (variable) {
        store_implicit_result(unit, variable);
        tell_stores(unit, variable);
    } else if (LLVMGetNumOperands(end)) {
        tell(unit, end);
    } else {
        hd_cc_unit_before(unit, end);
        hd_cc_unit_call(unit, hook_hd_main_returns_nothing, NULL);
    }
}

void hd_cc_pass_returns(hd_cc_unit *unit)
{
    LLVMValueRef main = LLVMGetNamedFunction(unit->module, "main");
    if (!main || LLVMIsDeclaration(main))
        return;
    const hd_cc_values *instructions = hd_cc_unit_instructions(unit, main);
    for (size_t i = 0; i < instructions->count; i++) {
        LLVMValueRef end = instructions->items[i];
        if (LLVMIsAReturnInst(end))
            tell_result(unit, end);
    }
}
