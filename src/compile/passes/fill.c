/* Locks on the stack: an uninitialised lock must not look like an initialised one, so
 * variables that contain locks are filled with a pattern at the start of their lifetime.
 * The runtime then recognises a lock that was never initialised (runtime/sync/made.h). */
#include "compile/passes/passes.h"

#include <string.h>

enum { FILLING = 0xbe };

static bool is_lock(LLVMTypeRef type)
{
    static const char *const names[] = { "union.pthread_mutex_t", "union.pthread_rwlock_t", "union.pthread_cond_t",
        "union.pthread_barrier_t", "union.sem_t", "union.mtx_t", "union.cnd_t" };
    const char *name = LLVMGetStructName(type);
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (!strncmp(name, names[i], strlen(names[i])))
            return true;
    return false;
}

static bool has_lock(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        return has_lock(LLVMGetElementType(type));
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return false;
    if (is_lock(type))
        return true;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
        if (has_lock(LLVMStructGetTypeAtIndex(type, i)))
            return true;
    return false;
}

static void fill_behind(hd_cc_unit *unit, LLVMValueRef variable, LLVMValueRef instruction)
{
    LLVMTypeRef byte = LLVMInt8TypeInContext(unit->context);
    LLVMValueRef bytes = hd_cc_unit_i64(unit, LLVMABISizeOfType(unit->layout, LLVMGetAllocatedType(variable)));
    hd_cc_unit_before(unit, LLVMGetNextInstruction(instruction));
    LLVMBuildMemSet(unit->builder, variable, LLVMConstInt(byte, FILLING, false), bytes, LLVMGetAlignment(variable));
}

/* After the lifetime markers that inlining has left, or else after the declaration. */
static void fill(hd_cc_unit *unit, LLVMValueRef variable)
{
    bool marked = false;
    for (LLVMUseRef use = LLVMGetFirstUse(variable), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!hd_cc_is_call(user) || strncmp(hd_cc_called_name(user), "llvm.lifetime.start", 19))
            continue;
        fill_behind(unit, variable, user);
        marked = true;
    }
    if (!marked)
        fill_behind(unit, variable, variable);
}

void hd_cc_pass_fill(hd_cc_unit *unit)
{
    for (size_t f = 0; f < unit->functions.count; f++) {
        hd_cc_values *instructions = hd_cc_unit_instructions(unit, unit->functions.items[f]);
        for (size_t i = 0; i < instructions->count; i++)
            if (LLVMIsAAllocaInst(instructions->items[i]) && has_lock(LLVMGetAllocatedType(instructions->items[i])))
                fill(unit, instructions->items[i]);
    }
}
