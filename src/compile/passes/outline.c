/* Hooks that are not inlined. An inline hook adds up to three blocks to its function, and LLVM's passes take time in
 * proportion to blocks and to the values that live across them: a function with hundreds of hooks would take a hundred
 * times as long to compile as without them. A call of a function that saves all registers adds none. */
#include "compile/passes/passes.h"

#include <string.h>

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(name, *names))
            return true;
    return false;
}

/* Hooks without branches are smaller than calls of them. */
static bool may_be_apart(LLVMValueRef i)
{
    static const char *const straight[] = { "hd_watched", "hd_symbolic", "hd_shadow_variables", "hd_shadow_forget",
        "hd_shadow_live", "hd_shadow_plainly", "hd_shadow_return", NULL };
    return LLVMIsACallInst(i) && hd_cc_unit_inline_hook(hd_cc_called_name(i))
        && !is_one_of(hd_cc_called_name(i), straight);
}

static size_t count(hd_cc_values *instructions)
{
    size_t found = 0;
    for (size_t i = 0; i < instructions->count; i++)
        found += may_be_apart(instructions->items[i]);
    return found;
}

/* Hooks whose result depends on their arguments alone: LLVM may remove and merge the calls. */
static void say_pure(hd_cc_unit *unit, LLVMValueRef function)
{
    static const char *const attributes[] = { "memory", "willreturn", "nounwind", NULL };
    for (const char *const *name = attributes; *name; name++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(*name, strlen(*name));
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(unit->context, kind, 0));
    }
}

static LLVMValueRef function_of(hd_cc_unit *unit, LLVMValueRef hook)
{
    static const char *const pure[] = { "hd_shadow_unary", "hd_shadow_binary", "hd_shadow_select", "hd_shadow_funnel",
        "hd_shadow_pointer", NULL };
    size_t length;
    const char *name = LLVMGetValueName2(hook, &length);
    LLVMValueRef function = hd_cc_unit_function(
        unit, hd_arena_print(&unit->texts, "%s" HD_APART_SUFFIX, name), LLVMGlobalGetValueType(hook));
    LLVMSetFunctionCallConv(function, LLVMPreserveMostCallConv);
    if (is_one_of(name, pure))
        say_pure(unit, function);
    return function;
}

static void outline(hd_cc_unit *unit, hd_cc_values *instructions)
{
    for (size_t i = 0; i < instructions->count; i++) {
        LLVMValueRef call = instructions->items[i];
        if (!may_be_apart(call))
            continue;
        unsigned callee = (unsigned)LLVMGetNumOperands(call) - 1;
        LLVMSetOperand(call, callee, function_of(unit, LLVMGetOperand(call, callee)));
        LLVMSetInstructionCallConv(call, LLVMPreserveMostCallConv);
    }
}

/* The functions of a large file may be small, but all of them are compiled. */
void hd_cc_pass_outline(hd_cc_unit *unit, hd_cc_inline_limits most)
{
    size_t all = 0;
    for (size_t f = 0; f < unit->functions.count; f++)
        all += count(hd_cc_unit_instructions(unit, unit->functions.items[f]));
    for (size_t f = 0; f < unit->functions.count; f++) {
        hd_cc_values *instructions = hd_cc_unit_instructions(unit, unit->functions.items[f]);
        if (all > most.file || count(instructions) > most.function)
            outline(unit, instructions);
    }
}
