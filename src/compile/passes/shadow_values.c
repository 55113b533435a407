/* Shadows of computations: arithmetic, comparisons, casts, selects, aggregates, pointers. */
#include "compile/passes/shadow.h"

#include "abi/shadow.h"

static unsigned binary_kind(LLVMOpcode opcode)
{
    switch (opcode) {
    case LLVMAdd:
        return HD_EXPR_ADD;
    case LLVMSub:
        return HD_EXPR_SUB;
    case LLVMMul:
        return HD_EXPR_MUL;
    case LLVMUDiv:
        return HD_EXPR_UDIV;
    case LLVMSDiv:
        return HD_EXPR_SDIV;
    case LLVMURem:
        return HD_EXPR_UREM;
    case LLVMSRem:
        return HD_EXPR_SREM;
    case LLVMAnd:
        return HD_EXPR_AND;
    case LLVMOr:
        return HD_EXPR_OR;
    case LLVMXor:
        return HD_EXPR_XOR;
    case LLVMShl:
        return HD_EXPR_SHL;
    case LLVMLShr:
        return HD_EXPR_LSHR;
    case LLVMAShr:
        return HD_EXPR_ASHR;
    default:
        return HD_EXPR_NONE;
    }
}

/* --- arithmetic ---------------------------------------------------------------- */

/* Whether an operation fails (division by zero, too large a shift) is a branch before the instruction. */
static void check_operands(hd_cc_shadow *s, LLVMValueRef i, unsigned kind)
{
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    LLVMValueRef a = hd_cc_shadow_get(s, x), b = hd_cc_shadow_get(s, y);
    unsigned width = hd_cc_shadow_width(LLVMTypeOf(i));
    hd_cc_shadow_ahead(s, i);
    LLVMValueRef xw = hd_cc_shadow_word(s, x), yw = hd_cc_shadow_word(s, y);
    if (kind >= HD_EXPR_UDIV && kind <= HD_EXPR_SREM)
        hd_cc_shadow_hook(s, hook_hd_shadow_divide,
            (LLVMValueRef[]) { a, b, xw, yw, hd_cc_shadow_info_word(s, kind, width, 0), hd_cc_shadow_site(s, i) });
    if (kind >= HD_EXPR_SHL && kind <= HD_EXPR_ASHR && !hd_cc_shadow_is_none(b))
        hd_cc_shadow_hook(s, hook_hd_shadow_shift,
            (LLVMValueRef[]) { b, yw, hd_cc_unit_i32(s->unit, width), hd_cc_shadow_site(s, i) });
}

/* If neither operand can have a shadow, the result has none, and no hook is needed. */
static void compute(hd_cc_shadow *s, LLVMValueRef i, unsigned kind, LLVMValueRef x, LLVMValueRef y)
{
    LLVMValueRef a = hd_cc_shadow_get(s, x), b = hd_cc_shadow_get(s, y);
    if (hd_cc_shadow_is_none(a) && hd_cc_shadow_is_none(b))
        return;
    unsigned width = hd_cc_shadow_width(LLVMTypeOf(x));
    hd_cc_shadow_behind(s, i);
    LLVMValueRef info = hd_cc_shadow_info_word(s, kind, width, 0);
    hd_cc_shadow_set(s, i,
        hd_cc_shadow_hook(s, hook_hd_shadow_binary,
            (LLVMValueRef[]) { a, b, hd_cc_shadow_word(s, x), hd_cc_shadow_word(s, y), info }));
}

static bool binary(hd_cc_shadow *s, LLVMValueRef i)
{
    unsigned kind = binary_kind(LLVMGetInstructionOpcode(i));
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    if (!kind)
        return false;
    if (!hd_cc_shadow_is_scalar(LLVMTypeOf(i)))
        return true; /* its operands are concrete */
    if (!hd_cc_shadow_is_none(hd_cc_shadow_get(s, x)) || !hd_cc_shadow_is_none(hd_cc_shadow_get(s, y))) {
        check_operands(s, i, kind);
        compute(s, i, kind, x, y);
    }
    return true;
}

/* "Greater" is "less" with the operands exchanged: there are fewer kinds of expressions. */
static void compare(hd_cc_shadow *s, LLVMValueRef i)
{
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    if (!hd_cc_shadow_is_scalar(LLVMTypeOf(x)))
        return;
    switch (LLVMGetICmpPredicate(i)) {
    case LLVMIntEQ:
        compute(s, i, HD_EXPR_EQ, x, y);
        break;
    case LLVMIntNE:
        compute(s, i, HD_MADE_NE, x, y);
        break;
    case LLVMIntUGT:
        compute(s, i, HD_EXPR_ULT, y, x);
        break;
    case LLVMIntUGE:
        compute(s, i, HD_EXPR_ULE, y, x);
        break;
    case LLVMIntULT:
        compute(s, i, HD_EXPR_ULT, x, y);
        break;
    case LLVMIntULE:
        compute(s, i, HD_EXPR_ULE, x, y);
        break;
    case LLVMIntSGT:
        compute(s, i, HD_EXPR_SLT, y, x);
        break;
    case LLVMIntSGE:
        compute(s, i, HD_EXPR_SLE, y, x);
        break;
    case LLVMIntSLT:
        compute(s, i, HD_EXPR_SLT, x, y);
        break;
    case LLVMIntSLE:
        compute(s, i, HD_EXPR_SLE, x, y);
        break;
    }
}

/* --- casts ------------------------------------------------------------------------ */

/* A cast to a type without shadows follows the operand; a cast from one has no shadow. */
static bool cast(hd_cc_shadow *s, LLVMValueRef i, bool is_signed)
{
    LLVMValueRef x = LLVMGetOperand(i, 0);
    LLVMTypeRef from = LLVMTypeOf(x), to = LLVMTypeOf(i);
    if (!hd_cc_shadow_is_scalar(to))
        return false;
    LLVMValueRef shadow = hd_cc_shadow_get(s, x);
    if (!hd_cc_shadow_is_scalar(from) || hd_cc_shadow_is_none(shadow))
        return true;
    hd_cc_shadow_behind(s, i);
    hd_cc_shadow_set(s, i, hd_cc_shadow_resize(s, shadow, hd_cc_shadow_width(from), hd_cc_shadow_width(to), is_signed));
    return true;
}

/* --- selects ----------------------------------------------------------------------- */

static LLVMValueRef as_bit(hd_cc_shadow *s, LLVMValueRef condition)
{
    return LLVMBuildZExt(s->unit->builder, condition, s->unit->i32, "");
}

/* A select of scalars is an expression with both sides; of other types, a branch. */
static void choose(hd_cc_shadow *s, LLVMValueRef i)
{
    LLVMValueRef c = LLVMGetOperand(i, 0), x = LLVMGetOperand(i, 1), y = LLVMGetOperand(i, 2);
    if (!hd_cc_shadow_is_scalar(LLVMTypeOf(c)))
        return;
    LLVMValueRef sc = hd_cc_shadow_get(s, c), a = hd_cc_shadow_get(s, x), b = hd_cc_shadow_get(s, y);
    bool scalar = hd_cc_shadow_is_scalar(LLVMTypeOf(i));
    if (!scalar && !hd_cc_shadow_is_none(sc)) {
        hd_cc_shadow_ahead(s, i);
        hd_cc_shadow_hook(s, hook_hd_shadow_branch, (LLVMValueRef[]) { sc, as_bit(s, c), hd_cc_shadow_site(s, i) });
    }
    hd_cc_shadow_behind(s, i);
    LLVMValueRef chosen =
        hd_cc_shadow_is_none(a) && hd_cc_shadow_is_none(b) ? a : LLVMBuildSelect(s->unit->builder, c, a, b, "");
    if (scalar && !hd_cc_shadow_is_none(sc))
        chosen = hd_cc_shadow_hook(s, hook_hd_shadow_select,
            (LLVMValueRef[]) { sc, chosen, a, b, hd_cc_shadow_word(s, x), hd_cc_shadow_word(s, y),
                hd_cc_unit_i32(s->unit, hd_cc_shadow_width(LLVMTypeOf(i))) });
    hd_cc_shadow_set(s, i, chosen);
}

/* --- aggregates --------------------------------------------------------------------- */

static void extract(hd_cc_shadow *s, LLVMValueRef i)
{
    LLVMValueRef shadow = hd_cc_shadow_get(s, LLVMGetOperand(i, 0));
    if (hd_cc_shadow_is_none(shadow))
        return;
    hd_cc_shadow_behind(s, i);
    const unsigned *indices = LLVMGetIndices(i);
    for (unsigned n = 0; n < LLVMGetNumIndices(i); n++)
        shadow = LLVMBuildExtractValue(s->unit->builder, shadow, indices[n], "");
    hd_cc_shadow_set(s, i, shadow);
}

static LLVMValueRef with_field(
    hd_cc_shadow *s, LLVMValueRef whole, const unsigned *indices, unsigned count, LLVMValueRef part)
{
    LLVMBuilderRef b = s->unit->builder;
    if (count == 1)
        return LLVMBuildInsertValue(b, whole, part, indices[0], "");
    LLVMValueRef inner = LLVMBuildExtractValue(b, whole, indices[0], "");
    return LLVMBuildInsertValue(b, whole, with_field(s, inner, indices + 1, count - 1, part), indices[0], "");
}

static void insert(hd_cc_shadow *s, LLVMValueRef i)
{
    LLVMValueRef whole = hd_cc_shadow_get(s, LLVMGetOperand(i, 0)), part = hd_cc_shadow_get(s, LLVMGetOperand(i, 1));
    hd_cc_shadow_behind(s, i);
    hd_cc_shadow_set(s, i, with_field(s, whole, LLVMGetIndices(i), LLVMGetNumIndices(i), part));
}

/* --- pointers ----------------------------------------------------------------------- */

/* The offset of a pointer computation: a variable part, with its shadow, and a fixed part. */
typedef struct offset {
    LLVMValueRef shadow, value; /* value: NULL while there is no variable part */
    uint64_t fixed;
} offset;

static LLVMValueRef word_of_index(hd_cc_shadow *s, LLVMValueRef index, uint64_t scale)
{
    LLVMBuilderRef b = s->unit->builder;
    LLVMValueRef wide = LLVMBuildIntCast2(b, index, s->unit->i64, true, "");
    return LLVMBuildMul(b, wide, hd_cc_unit_i64(s->unit, scale), "");
}

/* Adds `index` times `scale`. */
static void add_index(hd_cc_shadow *s, offset *o, LLVMValueRef index, uint64_t scale)
{
    if (LLVMIsAConstantInt(index)) {
        o->fixed += (uint64_t)LLVMConstIntGetSExtValue(index) * scale;
        return;
    }
    LLVMValueRef shadow = hd_cc_shadow_get(s, index), zero = hd_cc_unit_i64(s->unit, 0);
    LLVMValueRef value = word_of_index(s, index, scale);
    shadow = hd_cc_shadow_resize(s, shadow, hd_cc_shadow_width(LLVMTypeOf(index)), 64, true);
    if (!hd_cc_shadow_is_none(shadow) && scale != 1)
        shadow = hd_cc_shadow_hook(s, hook_hd_shadow_binary,
            (LLVMValueRef[]) { shadow, hd_cc_unit_i32(s->unit, 0), zero, hd_cc_unit_i64(s->unit, scale),
                hd_cc_shadow_info_word(s, HD_EXPR_MUL, 64, 0) });
    if (!o->value) {
        *o = (offset) { shadow, value, o->fixed };
        return;
    }
    if (!hd_cc_shadow_is_none(shadow) || !hd_cc_shadow_is_none(o->shadow))
        o->shadow = hd_cc_shadow_hook(s, hook_hd_shadow_binary,
            (LLVMValueRef[]) { o->shadow, shadow, o->value, value, hd_cc_shadow_info_word(s, HD_EXPR_ADD, 64, 0) });
    o->value = LLVMBuildAdd(s->unit->builder, o->value, value, "");
}

/* The first index counts objects of the source type; further ones select fields and elements. */
static offset offset_of(hd_cc_shadow *s, LLVMValueRef i)
{
    offset o = { .shadow = hd_cc_unit_i32(s->unit, 0) };
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    add_index(s, &o, LLVMGetOperand(i, 1), LLVMABISizeOfType(s->unit->layout, type));
    for (unsigned n = 2; n < (unsigned)LLVMGetNumOperands(i); n++) {
        LLVMValueRef index = LLVMGetOperand(i, n);
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            o.fixed += LLVMOffsetOfElement(s->unit->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        type = LLVMGetElementType(type);
        add_index(s, &o, index, LLVMABISizeOfType(s->unit->layout, type));
    }
    return o;
}

static bool is_plain_pointer(hd_cc_shadow *s, LLVMValueRef i)
{
    bool plain = true;
    for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i); n++)
        plain &= hd_cc_shadow_is_none(hd_cc_shadow_get(s, LLVMGetOperand(i, n)));
    return plain || !hd_cc_shadow_is_scalar(LLVMTypeOf(i));
}

/* hd_shadow_pointer keeps base and offset apart: the base determines the object that the access must stay in. */
static void point(hd_cc_shadow *s, LLVMValueRef i)
{
    if (is_plain_pointer(s, i))
        return;
    LLVMValueRef base = LLVMGetOperand(i, 0);
    hd_cc_shadow_behind(s, i);
    offset o = offset_of(s, i);
    if (!hd_cc_shadow_is_none(o.shadow) && o.fixed)
        o.shadow = hd_cc_shadow_hook(s, hook_hd_shadow_binary,
            (LLVMValueRef[]) { o.shadow, hd_cc_unit_i32(s->unit, 0), hd_cc_unit_i64(s->unit, 0),
                hd_cc_unit_i64(s->unit, o.fixed), hd_cc_shadow_info_word(s, HD_EXPR_ADD, 64, 0) });
    LLVMValueRef from = hd_cc_shadow_word(s, base), to = hd_cc_shadow_word(s, i);
    LLVMValueRef distance = LLVMBuildSub(s->unit->builder, to, from, "");
    hd_cc_shadow_set(s, i,
        hd_cc_shadow_hook(
            s, hook_hd_shadow_pointer, (LLVMValueRef[]) { hd_cc_shadow_get(s, base), o.shadow, from, distance }));
}

/* --- all of them ---------------------------------------------------------------------- */

bool hd_cc_shadow_value(hd_cc_shadow *s, LLVMValueRef i)
{
    if (binary(s, i))
        return true;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMICmp:
        compare(s, i);
        return true;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMFPToUI:
    case LLVMFPToSI:
        return cast(s, i, false);
    case LLVMSExt:
        return cast(s, i, true);
    case LLVMSelect:
        choose(s, i);
        return true;
    case LLVMFreeze:
        hd_cc_shadow_set(s, i, hd_cc_shadow_get(s, LLVMGetOperand(i, 0)));
        return true;
    case LLVMExtractValue:
        extract(s, i);
        return true;
    case LLVMInsertValue:
        insert(s, i);
        return true;
    case LLVMGetElementPtr:
        point(s, i);
        return true;
    default:
        return false;
    }
}
