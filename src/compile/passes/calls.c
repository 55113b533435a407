/* Redirects functions that heddle models, and stores the site of every call. */
#include "base/error.h"
#include "base/map.h"
#include "compile/passes/passes.h"
#include "compile/wrap.h"

#include <stdio.h>
#include <string.h>

typedef enum row_kind { NOT_LISTED, REDIRECTED, REDIRECTED_UNUSED, NOT_MODELLED } row_kind;

static const struct row {
    const char *name, *replacement;
    row_kind kind;
    bool provided; /* no library has it */
} rows[] = {
#define REDIRECT(name) { #name, "hd_" #name, REDIRECTED, false },
#define PROVIDE(name) { #name, "hd_" #name, REDIRECTED, true },
#define REDIRECT_AS(name, other) { #name, "hd_" #other, REDIRECTED, false },
#define REDIRECT_UNUSED(name) { #name, "hd_" #name "_unused", REDIRECTED_UNUSED, false },
#define UNMODELLED(name) { #name, NULL, NOT_MODELLED, false },
#include "abi/redirect.def"
#undef REDIRECT
#undef PROVIDE
#undef REDIRECT_AS
#undef REDIRECT_UNUSED
#undef UNMODELLED
};

/* Is it a function of the C library, rather than of the program: only declared here, or an inline version from the
 * library's headers? */
static bool is_library_function(LLVMValueRef function)
{
    return LLVMIsDeclaration(function) || LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage;
}

static LLVMValueRef library_function(hd_cc_unit *unit, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(unit->module, name);
    return function && is_library_function(function) ? function : NULL;
}

static LLVMValueRef stand_in(hd_cc_unit *unit, LLVMValueRef function, const char *name)
{
    LLVMValueRef known = LLVMGetNamedFunction(unit->module, name);
    return known ? known : LLVMAddFunction(unit->module, name, LLVMGlobalGetValueType(function));
}

/* Calls whose result is not used go to a separate function. */
static void redirect_unused(LLVMValueRef function, LLVMValueRef replacement)
{
    hd_cc_values calls = { 0 };
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function && !LLVMGetFirstUse(user))
            hd_vec_push(&calls, user);
    }
    for (size_t i = 0; i < calls.count; i++)
        LLVMSetOperand(calls.items[i], (unsigned)LLVMGetNumOperands(calls.items[i]) - 1, replacement);
    hd_vec_fini(&calls);
}

/* The object still refers to the function by its name, so that archives contribute the same members as without heddle.
 */
static void refer_to(hd_cc_unit *unit, LLVMValueRef function, bool provided)
{
    bool weak = provided || LLVMGetLinkage(function) == LLVMExternalWeakLinkage;
    size_t length;
    hd_cc_unit_assembly(unit, "%s %s", weak ? ".weak" : ".globl", LLVMGetValueName2(function, &length));
}

/* Redirects the function called `prefix` + the row's name, if the module has it, and records its kind. */
static void redirect_row(hd_cc_unit *unit, hd_map *kinds, const struct row *row, const char *prefix)
{
    LLVMValueRef function = library_function(unit, hd_arena_print(&unit->texts, "%s%s", prefix, row->name));
    if (!function)
        return;
    if (row->kind == NOT_MODELLED) {
        *hd_map_put(kinds, (uintptr_t)function) = NOT_MODELLED;
        return;
    }
    const char *name = hd_arena_print(&unit->texts, "%s%s", prefix, row->replacement);
    LLVMValueRef replacement = stand_in(unit, function, name);
    if (row->kind == REDIRECTED_UNUSED)
        redirect_unused(function, replacement);
    else
        LLVMReplaceAllUsesWith(function, replacement);
    *hd_map_put(kinds, (uintptr_t)replacement) = REDIRECTED;
    refer_to(unit, function, row->provided);
}

/* Replaces the functions of all rows. Their calls are visited afterwards, by what `kinds` says of the callee. */
static void redirect(hd_cc_unit *unit, hd_map *kinds)
{
    for (const struct row *row = rows; row < rows + sizeof rows / sizeof *rows; row++) {
        redirect_row(unit, kinds, row, "");
        redirect_row(unit, kinds, row, HD_REAL);
    }
}

static LLVMValueRef call_site_variable(hd_cc_unit *unit)
{
    LLVMValueRef variable = LLVMGetNamedGlobal(unit->module, "hd_call_site");
    return variable ? variable : LLVMAddGlobal(unit->module, unit->pointer, "hd_call_site");
}

static row_kind kind_of_call(const hd_map *kinds, LLVMValueRef callee)
{
    if (LLVMIsAInlineAsm(callee))
        return NOT_LISTED;
    if (!LLVMIsAFunction(callee))
        return REDIRECTED;
    const uint64_t *kind = hd_map_get(kinds, (uintptr_t)callee);
    return kind ? (row_kind)*kind : NOT_LISTED;
}

static void tell_unmodelled(hd_cc_unit *unit, LLVMValueRef function, LLVMValueRef site)
{
    size_t length;
    LLVMValueRef name = hd_cc_unit_text(unit, LLVMGetValueName2(function, &length));
    hd_cc_unit_call(unit, hook_hd_unmodelled, (LLVMValueRef[]) { name, function, site });
}

static void visit(hd_cc_unit *unit, const hd_map *kinds, LLVMValueRef call)
{
    row_kind kind = kind_of_call(kinds, LLVMGetCalledValue(call));
    if (kind == NOT_LISTED)
        return;
    hd_cc_unit_before(unit, call);
    LLVMValueRef site = hd_cc_unit_site(unit, call);
    if (kind == REDIRECTED)
        LLVMBuildStore(unit->builder, site, call_site_variable(unit));
    else
        tell_unmodelled(unit, LLVMGetCalledValue(call), site);
}

/* If the address of an unmodelled function is taken, it may be called through the pointer: that counts as a call here.
 */
static void visit_operands(hd_cc_unit *unit, const hd_map *kinds, LLVMValueRef i)
{
    int count = LLVMGetNumOperands(i) - (hd_cc_is_call(i) ? 1 : 0);
    for (int n = 0; n < count && !LLVMIsAPHINode(i); n++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)n);
        if (!operand || !LLVMIsAFunction(operand) || kind_of_call(kinds, operand) != NOT_MODELLED)
            continue;
        hd_cc_unit_before(unit, i);
        tell_unmodelled(unit, operand, hd_cc_unit_site(unit, i));
    }
}

void hd_cc_pass_calls(hd_cc_unit *unit)
{
    hd_map kinds;
    hd_map_init(&kinds, &hd_heap);
    redirect(unit, &kinds);
    for (size_t f = 0; f < unit->functions.count; f++) {
        hd_cc_values *instructions = hd_cc_unit_instructions(unit, unit->functions.items[f]);
        for (size_t i = 0; i < instructions->count; i++) {
            visit_operands(unit, &kinds, instructions->items[i]);
            if (hd_cc_is_call(instructions->items[i]))
                visit(unit, &kinds, instructions->items[i]);
        }
    }
    hd_map_fini(&kinds);
}
