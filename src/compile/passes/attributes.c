#include "compile/passes/passes.h"

#include <string.h>

/* Promises about a function that no longer hold: a hook inside it can switch to another thread, which may do anything.
 */
static const char *const promises[] = { "memory", "willreturn", "nosync", "nocallback", "nofree", "norecurse",
    "speculatable", "mustprogress", "optnone" };

static void strip_function(LLVMValueRef function, unsigned kind)
{
    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

static void strip_call(LLVMValueRef call, unsigned kind)
{
    LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
}

static bool is_intrinsic(LLVMValueRef function)
{
    return !strncmp(LLVMGetValueName(function), "llvm.", 5);
}

static void strip_calls(hd_cc_unit *unit, unsigned kind)
{
    for (size_t f = 0; f < unit->functions.count; f++) {
        hd_cc_values *instructions = hd_cc_unit_instructions(unit, unit->functions.items[f]);
        for (size_t i = 0; i < instructions->count; i++) {
            LLVMValueRef call = instructions->items[i];
            if (hd_cc_is_call(call) && strncmp(hd_cc_called_name(call), "llvm.", 5)
                && !LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
                strip_call(call, kind);
        }
    }
}

static void keep_frames(LLVMValueRef function)
{
    LLVMAddTargetDependentFunctionAttr(function, "frame-pointer", "all");
    LLVMAddTargetDependentFunctionAttr(function, "disable-tail-calls", "true");
}

/* clang knows these functions by their names, but not with -fno-builtin. */
static void mark_returning_twice(hd_cc_unit *unit)
{
    static const char *const names[] = { "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork" };
    unsigned kind = LLVMGetEnumAttributeKindForName("returns_twice", strlen("returns_twice"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(unit->module, names[i]);
        if (function)
            LLVMAddAttributeAtIndex(
                function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(unit->context, kind, 0));
    }
}

void hd_cc_pass_attributes(hd_cc_unit *unit)
{
    for (size_t p = 0; p < sizeof promises / sizeof *promises; p++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(promises[p], strlen(promises[p]));
        for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
            if (!is_intrinsic(f))
                strip_function(f, kind);
        strip_calls(unit, kind);
    }
    mark_returning_twice(unit);
    for (size_t f = 0; f < unit->functions.count; f++)
        keep_frames(unit->functions.items[f]);
}
