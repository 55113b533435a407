/* Control flow that depends on shadows: branches, switches, computed jumps, returns; and stack variables, whose size
 * may depend on them. */
#include "compile/passes/shadow.h"

#include "abi/shadow.h"

static void branch(hd_cc_shadow *s, LLVMValueRef i)
{
    if (!LLVMIsConditional(i))
        return;
    LLVMValueRef condition = LLVMGetCondition(i), shadow = hd_cc_shadow_get(s, condition);
    if (hd_cc_shadow_is_none(shadow))
        return;
    hd_cc_shadow_ahead(s, i);
    LLVMValueRef bit = LLVMBuildZExt(s->unit->builder, condition, s->unit->i32, "");
    hd_cc_shadow_hook(s, hook_hd_shadow_branch, (LLVMValueRef[]) { shadow, bit, hd_cc_shadow_site(s, i) });
}

/* --- switches --------------------------------------------------------------------- */

/* The number of a target: 0 for the default, the others in order of appearance. */
static uint64_t target_number(hd_map *numbers, LLVMBasicBlockRef target)
{
    uint64_t *number = hd_map_get(numbers, (uintptr_t)target);
    if (number)
        return *number;
    uint64_t next = numbers->count;
    *hd_map_put(numbers, (uintptr_t)target) = next;
    return next;
}

static LLVMValueRef table_of(hd_cc_shadow *s, LLVMValueRef i, unsigned width)
{
    hd_cc_unit *unit = s->unit;
    hd_cc_values words = { 0 };
    hd_map numbers;
    hd_map_init(&numbers, &hd_heap);
    unsigned cases = LLVMGetNumSuccessors(i) - 1;
    hd_vec_push(&words, hd_cc_unit_i64(unit, width | (uint64_t)cases << 32));
    target_number(&numbers, LLVMGetSwitchDefaultDest(i));
    for (unsigned n = 1; n <= cases; n++) {
        LLVMValueRef value = LLVMGetOperand(i, 2 * n);
        hd_vec_push(&words, hd_cc_unit_i64(unit, LLVMConstIntGetZExtValue(value)));
        hd_vec_push(&words, hd_cc_unit_i64(unit, target_number(&numbers, LLVMGetSuccessor(i, n))));
    }
    LLVMValueRef value = LLVMConstArray(unit->i64, words.items, (unsigned)words.count);
    LLVMValueRef table = LLVMAddGlobal(unit->module, LLVMTypeOf(value), "hd.switch");
    LLVMSetInitializer(table, value);
    LLVMSetGlobalConstant(table, true);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    hd_map_fini(&numbers);
    hd_vec_fini(&words);
    return table;
}

static void choose(hd_cc_shadow *s, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 0), shadow = hd_cc_shadow_get(s, value);
    if (hd_cc_shadow_is_none(shadow))
        return;
    hd_cc_shadow_ahead(s, i);
    LLVMValueRef table = table_of(s, i, hd_cc_shadow_width(LLVMTypeOf(value)));
    hd_cc_shadow_hook(s, hook_hd_shadow_switch,
        (LLVMValueRef[]) { shadow, hd_cc_shadow_word(s, value), table, hd_cc_shadow_site(s, i) });
}

/* --- returns ------------------------------------------------------------------------ */

static void give_back(hd_cc_shadow *s, LLVMValueRef i)
{
    hd_cc_shadow_ahead(s, i);
    if (s->variables)
        hd_cc_shadow_hook(s, hook_hd_shadow_forget, &s->variables);
    if (LLVMGetNumOperands(i) == 0)
        return;
    LLVMValueRef value = LLVMGetOperand(i, 0);
    hd_cc_values shadows = { 0 };
    hd_cc_shadow_ahead(s, i);
    hd_cc_shadow_leaves(s, LLVMTypeOf(value), hd_cc_shadow_get(s, value), &shadows);
    if (shadows.count > HD_PASSED_RESULTS)
        shadows.count = HD_PASSED_RESULTS;
    LLVMValueRef any = hd_cc_unit_i32(s->unit, 0);
    for (size_t n = 0; n < shadows.count; n++)
        any = LLVMBuildOr(s->unit->builder, any, shadows.items[n], "");
    hd_cc_shadow_hook(s, hook_hd_shadow_return, (LLVMValueRef[]) { any, s->original });
    for (size_t n = 0; n < shadows.count && !hd_cc_shadow_is_none(any); n++)
        hd_cc_shadow_hook(s, hook_hd_shadow_return_value,
            (LLVMValueRef[]) { any, hd_cc_unit_i32(s->unit, (uint32_t)n), shadows.items[n] });
    hd_vec_fini(&shadows);
}

/* --- all of them ---------------------------------------------------------------------- */

static bool is_indexed(LLVMValueRef variable)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(variable));
    return kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind || !LLVMIsAConstantInt(LLVMGetOperand(variable, 0));
}

bool hd_cc_shadow_has_variables(hd_cc_shadow *s)
{
    hd_cc_values *instructions = hd_cc_unit_instructions(s->unit, s->function);
    for (size_t i = 0; i < instructions->count; i++)
        if (LLVMIsAAllocaInst(instructions->items[i]) && is_indexed(instructions->items[i]))
            return true;
    return false;
}

/* Registers the bounds of arrays and structures on the stack, which an index can leave. */
static void allocate(hd_cc_shadow *s, LLVMValueRef i)
{
    LLVMValueRef count = LLVMGetOperand(i, 0);
    uint64_t size = LLVMABISizeOfType(s->unit->layout, LLVMGetAllocatedType(i));
    if (!LLVMIsAConstantInt(count)) {
        hd_cc_shadow_ahead(s, i);
        hd_cc_shadow_bind(s, hook_hd_shadow_pin, count, i);
    }
    if (!is_indexed(i) || s->is_library)
        return;
    if (LLVMIsAConstantInt(count))
        hd_cc_shadow_behind_entry(s);
    else
        hd_cc_shadow_behind(s, i);
    LLVMValueRef times = LLVMBuildIntCast2(s->unit->builder, count, s->unit->i64, false, "");
    LLVMValueRef bytes = LLVMBuildMul(s->unit->builder, times, hd_cc_unit_i64(s->unit, size), "");
    hd_cc_shadow_hook(s, hook_hd_shadow_variable, (LLVMValueRef[]) { i, bytes });
}

bool hd_cc_shadow_flow(hd_cc_shadow *s, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr:
        branch(s, i);
        return true;
    case LLVMSwitch:
        choose(s, i);
        return true;
    case LLVMIndirectBr:
        hd_cc_shadow_ahead(s, i);
        hd_cc_shadow_bind(s, hook_hd_shadow_pin, LLVMGetOperand(i, 0), i);
        return true;
    case LLVMRet:
        give_back(s, i);
        return true;
    case LLVMAlloca:
        allocate(s, i);
        return true;
    case LLVMUnreachable:
        return true;
    default:
        return false;
    }
}
