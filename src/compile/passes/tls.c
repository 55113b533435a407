/* Thread-local variables: all threads of the program run on one thread of the system, so they would share the variable.
 * The variable itself remains as the initial value; every use asks the runtime for the address of the thread's copy. */
#include "base/error.h"
#include "compile/passes/passes.h"

#include <string.h>

static LLVMValueRef address_of(hd_cc_unit *unit, LLVMValueRef variable, LLVMValueRef before)
{
    uint64_t bytes = LLVMABISizeOfType(unit->layout, LLVMGlobalGetValueType(variable));
    hd_cc_unit_before(unit, before);
    return hd_cc_unit_call(unit, hook_hd_tls_address, (LLVMValueRef[]) { variable, hd_cc_unit_i64(unit, bytes) });
}

static bool is_address_intrinsic(LLVMValueRef user)
{
    return LLVMIsACallInst(user) && !strncmp(hd_cc_called_name(user), "llvm.threadlocal.address", 24);
}

static void replace(hd_cc_unit *unit, LLVMValueRef variable, LLVMValueRef user)
{
    LLVMValueRef address = address_of(unit, variable, user);
    if (is_address_intrinsic(user)) {
        LLVMReplaceAllUsesWith(user, address);
        LLVMInstructionEraseFromParent(user);
        return;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, i) == variable)
            LLVMSetOperand(user, i, address);
}

static void localise(hd_cc_unit *unit, LLVMValueRef variable)
{
    hd_cc_values users = { 0 };
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user))
            hd_vec_push(&users, user);
        else if (!LLVMIsAGlobalVariable(user))
            hd_panic("%s: a use of thread-local '%s' in a constant expression", unit->file, LLVMGetValueName(variable));
    }
    for (size_t i = 0; i < users.count; i++)
        replace(unit, variable, users.items[i]);
    hd_vec_fini(&users);
}

void hd_cc_pass_tls(hd_cc_unit *unit)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(unit->module); g; g = LLVMGetNextGlobal(g))
        if (LLVMIsThreadLocal(g)) {
            localise(unit, g);
            LLVMSetThreadLocal(g, false);
        }
}
