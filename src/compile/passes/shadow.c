#include "compile/passes/shadow.h"

#include "abi/shadow.h"
#include "compile/passes/cfg.h"

#include <string.h>

/* --- types ------------------------------------------------------------------- */

unsigned hd_cc_shadow_width(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 64;
}

bool hd_cc_shadow_is_scalar(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= 64;
    case LLVMPointerTypeKind:
        return LLVMGetPointerAddressSpace(type) == 0;
    default:
        return false;
    }
}

LLVMTypeRef hd_cc_shadow_type(hd_cc_shadow *s, LLVMTypeRef type)
{
    hd_vec(LLVMTypeRef) fields = { 0 };
    LLVMTypeRef result = s->unit->i32;
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            hd_vec_push(&fields, hd_cc_shadow_type(s, LLVMStructGetTypeAtIndex(type, i)));
        result = LLVMStructTypeInContext(s->unit->context, fields.items, (unsigned)fields.count, false);
        hd_vec_fini(&fields);
        return result;
    case LLVMArrayTypeKind:
        return LLVMArrayType(hd_cc_shadow_type(s, LLVMGetElementType(type)), LLVMGetArrayLength(type));
    default:
        return result;
    }
}

/* --- shadows ------------------------------------------------------------------ */

LLVMValueRef hd_cc_shadow_get(hd_cc_shadow *s, LLVMValueRef value)
{
    const uint64_t *shadow = hd_map_get(&s->shadows, (uintptr_t)value);
    return shadow ? (LLVMValueRef)(uintptr_t)*shadow : LLVMConstNull(hd_cc_shadow_type(s, LLVMTypeOf(value)));
}

void hd_cc_shadow_set(hd_cc_shadow *s, LLVMValueRef value, LLVMValueRef shadow)
{
    *hd_map_put(&s->shadows, (uintptr_t)value) = (uintptr_t)shadow;
}

bool hd_cc_shadow_is_none(LLVMValueRef shadow)
{
    return LLVMIsConstant(shadow) && LLVMIsNull(shadow);
}

LLVMValueRef hd_cc_shadow_word(hd_cc_shadow *s, LLVMValueRef value)
{
    LLVMBuilderRef b = s->unit->builder;
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(b, value, s->unit->i64, "");
    return LLVMBuildIntCast2(b, value, s->unit->i64, false, "");
}

LLVMValueRef hd_cc_shadow_hook(hd_cc_shadow *s, hd_cc_hook hook, LLVMValueRef *arguments)
{
    return hd_cc_unit_call(s->unit, hook, arguments);
}

LLVMValueRef hd_cc_shadow_info_word(hd_cc_shadow *s, unsigned kind, unsigned width, unsigned low)
{
    return hd_cc_unit_i32(s->unit, hd_shadow_info(kind, width, low));
}

void hd_cc_shadow_bind(hd_cc_shadow *s, hd_cc_hook hook, LLVMValueRef value, LLVMValueRef instruction)
{
    LLVMValueRef shadow = hd_cc_shadow_get(s, value);
    if (!hd_cc_shadow_is_scalar(LLVMTypeOf(value)) || hd_cc_shadow_is_none(shadow))
        return;
    LLVMValueRef word = hd_cc_shadow_word(s, value);
    hd_cc_shadow_hook(s, hook, (LLVMValueRef[]) { shadow, word, hd_cc_shadow_site(s, instruction) });
}

LLVMValueRef hd_cc_shadow_resize(hd_cc_shadow *s, LLVMValueRef shadow, unsigned from, unsigned to, bool is_signed)
{
    unsigned kind = to < from ? HD_EXPR_EXTRACT : is_signed ? HD_EXPR_SEXT : HD_EXPR_ZEXT;
    if (from == to || hd_cc_shadow_is_none(shadow))
        return shadow;
    return hd_cc_shadow_hook(
        s, hook_hd_shadow_unary, (LLVMValueRef[]) { shadow, hd_cc_shadow_info_word(s, kind, to, 0) });
}

static LLVMTypeRef part_of(LLVMTypeRef type, unsigned n)
{
    bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    return is_struct ? LLVMStructGetTypeAtIndex(type, n) : LLVMGetElementType(type);
}

/* The number of parts of an aggregate; 0: it is none. */
static unsigned part_count(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        return LLVMCountStructElementTypes(type);
    case LLVMArrayTypeKind:
        return LLVMGetArrayLength(type);
    default:
        return 0;
    }
}

void hd_cc_shadow_leaves(hd_cc_shadow *s, LLVMTypeRef type, LLVMValueRef shadow, hd_cc_values *into)
{
    unsigned count = part_count(type);
    if (!count)
        hd_vec_push(into, shadow);
    for (unsigned n = 0; n < count; n++)
        hd_cc_shadow_leaves(s, part_of(type, n), LLVMBuildExtractValue(s->unit->builder, shadow, n, ""), into);
}

LLVMValueRef hd_cc_shadow_gather(
    hd_cc_shadow *s, LLVMTypeRef type, unsigned *number, hd_cc_shadow_leaf *leaf, LLVMValueRef context)
{
    unsigned count = part_count(type);
    LLVMValueRef whole = LLVMConstNull(hd_cc_shadow_type(s, type));
    if (!count) {
        unsigned mine = (*number)++;
        return hd_cc_shadow_is_scalar(type) ? leaf(s, context, mine, hd_cc_shadow_width(type)) : whole;
    }
    for (unsigned n = 0; n < count; n++) {
        LLVMValueRef part = hd_cc_shadow_gather(s, part_of(type, n), number, leaf, context);
        whole = LLVMBuildInsertValue(s->unit->builder, whole, part, n, "");
    }
    return whole;
}

/* --- where hooks are inserted ----------------------------------------------------- */

static bool is_hook(LLVMValueRef i)
{
    return LLVMIsACallInst(i) && hd_cc_unit_is_hook(hd_cc_called_name(i));
}

static bool is_single_use_of_hook(LLVMValueRef i)
{
    LLVMUseRef use = LLVMGetFirstUse(i);
    return use && !LLVMGetNextUse(use) && is_hook(LLVMGetUser(use));
}

/* Is it the store of a call's site? */
static bool stores_site(LLVMValueRef i)
{
    size_t length;
    return LLVMIsAStoreInst(i) && LLVMIsAGlobalVariable(LLVMGetOperand(i, 1))
        && !strcmp(LLVMGetValueName2(LLVMGetOperand(i, 1), &length), "hd_call_site");
}

/* Is it a hook of the next instruction, or a preparation of one? Nothing may be inserted between these and the
 * instruction: together they are one step. */
static bool belongs_to_next(LLVMValueRef i)
{
    if (is_hook(i))
        return !LLVMGetFirstUse(i) && strncmp(hd_cc_called_name(i), "hd_shadow_", 10) != 0;
    return stores_site(i)
        || ((LLVMIsAPtrToIntInst(i) || LLVMIsAZExtInst(i) || LLVMIsABitCastInst(i)) && is_single_use_of_hook(i));
}

void hd_cc_shadow_ahead(hd_cc_shadow *s, LLVMValueRef instruction)
{
    LLVMValueRef at = instruction, previous;
    while ((previous = LLVMGetPreviousInstruction(at)) && belongs_to_next(previous))
        at = previous;
    hd_cc_unit_before(s->unit, instruction);
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(s->unit->builder);
    LLVMPositionBuilderBefore(s->unit->builder, at);
    LLVMSetCurrentDebugLocation2(s->unit->builder, location);
}

void hd_cc_shadow_behind(hd_cc_shadow *s, LLVMValueRef instruction)
{
    hd_cc_unit_before(s->unit, instruction);
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(s->unit->builder);
    LLVMPositionBuilderBefore(s->unit->builder, LLVMGetNextInstruction(instruction));
    LLVMSetCurrentDebugLocation2(s->unit->builder, location);
}

static bool is_fixed_variable(LLVMValueRef i)
{
    return LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0));
}

void hd_cc_shadow_behind_variables(hd_cc_shadow *s)
{
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(s->function));
    while (is_fixed_variable(i))
        i = LLVMGetNextInstruction(i);
    hd_cc_unit_before(s->unit, i);
}

/* Moves stack variables to the top: inlined hooks contain branches, and a variable after one would no longer be in the
 * entry block, so LLVM would treat it as one of variable size. */
static void gather_variables(hd_cc_shadow *s)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(s->function);
    hd_cc_values *instructions = hd_cc_unit_instructions(s->unit, s->function);
    for (size_t n = instructions->count; n-- > 0;) {
        LLVMValueRef i = instructions->items[n];
        if (!is_fixed_variable(i) || LLVMGetInstructionParent(i) != entry)
            continue;
        LLVMInstructionRemoveFromParent(i);
        hd_cc_unit_at_top(s->unit, entry);
        LLVMInsertIntoBuilder(s->unit->builder, i);
    }
}

LLVMValueRef hd_cc_shadow_site(hd_cc_shadow *s, LLVMValueRef instruction)
{
    return s->is_library ? s->library_site : hd_cc_unit_site(s->unit, instruction);
}

/* --- a function ------------------------------------------------------------------ */

/* The shadows of phis are created empty and filled at the end, when all their values have shadows. */
static void add_phis(hd_cc_shadow *s, const hd_cc_values *instructions)
{
    for (size_t i = 0; i < instructions->count; i++) {
        LLVMValueRef phi = instructions->items[i];
        if (!LLVMIsAPHINode(phi))
            continue;
        LLVMPositionBuilderBefore(s->unit->builder, phi);
        LLVMSetCurrentDebugLocation2(s->unit->builder, NULL);
        hd_cc_shadow_set(s, phi, LLVMBuildPhi(s->unit->builder, hd_cc_shadow_type(s, LLVMTypeOf(phi)), ""));
    }
}

static void fill_phis(hd_cc_shadow *s, const hd_cc_values *instructions)
{
    for (size_t i = 0; i < instructions->count; i++) {
        LLVMValueRef phi = instructions->items[i];
        if (!LLVMIsAPHINode(phi))
            continue;
        LLVMValueRef shadow = hd_cc_shadow_get(s, phi);
        for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
            LLVMValueRef value = hd_cc_shadow_get(s, LLVMGetIncomingValue(phi, n));
            LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, n);
            LLVMAddIncoming(shadow, &value, &block, 1);
        }
    }
}

/* An instruction without a rule is computed concretely: its operands are followed. */
static void follow_operands(hd_cc_shadow *s, LLVMValueRef i)
{
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)n);
        hd_cc_shadow_ahead(s, i);
        if (operand)
            hd_cc_shadow_bind(s, hook_hd_shadow_follow, operand, i);
    }
}

static void visit(hd_cc_shadow *s, LLVMValueRef i)
{
    if (LLVMIsAPHINode(i) || stores_site(i))
        return;
    if (LLVMIsACallInst(i))
        hd_cc_shadow_call(s, i);
    else if (!hd_cc_shadow_value(s, i) && !hd_cc_shadow_memory(s, i) && !hd_cc_shadow_flow(s, i))
        follow_operands(s, i);
}

/* Instructions in reverse postorder: operands come before their uses, except for phis. Unreachable blocks need no
 * shadows. */
static void collect(hd_cc_values *instructions, LLVMValueRef function)
{
    hd_cc_cfg cfg;
    hd_cc_cfg_open(&cfg, function);
    for (size_t b = 0; b < cfg.blocks.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(cfg.blocks.items[b]); i; i = LLVMGetNextInstruction(i))
            hd_vec_push(instructions, i);
    hd_cc_cfg_close(&cfg);
}

/* The instructions are listed before any hook is inserted, so hooks get no shadows themselves. */
static void work_on(hd_cc_shadow *s)
{
    hd_cc_values instructions = { 0 };
    gather_variables(s);
    collect(&instructions, s->function);
    hd_map_init(&s->shadows, &hd_heap);
    hd_cc_escape_open(&s->escape);
    hd_cc_shadow_entry(s);
    add_phis(s, &instructions);
    for (size_t i = 0; i < instructions.count; i++)
        visit(s, instructions.items[i]);
    fill_phis(s, &instructions);
    hd_cc_escape_close(&s->escape);
    hd_map_fini(&s->shadows);
    hd_vec_fini(&instructions);
}

void hd_cc_pass_shadow(hd_cc_twins *twins, bool is_library)
{
    hd_cc_unit *unit = &twins->unit;
    for (size_t i = 0; i < unit->functions.count; i++) {
        LLVMValueRef function = unit->functions.items[i];
        hd_cc_shadow s = { .unit = unit,
            .twins = twins,
            .is_library = is_library,
            .function = function,
            .original = hd_cc_twins_original(twins, function) };
        work_on(&s);
    }
}
