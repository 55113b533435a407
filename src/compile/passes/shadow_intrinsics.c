/* Shadows of LLVM intrinsics, which clang generates for C operators and builtins. */
#include "compile/passes/shadow.h"

#include "abi/shadow.h"

#include <string.h>

typedef enum shape {
    BINARY, /* a kind of two operands */
    OVERFLOWS, /* { result, did it overflow }: two kinds */
    UNARY,
    FUNNEL, /* kind: to the right */
    SAME, /* its first operand */
    BLOCK, /* memcpy, memmove, memset */
    LIST, /* a va_list is written */
    NOTHING
} shape;

static const struct row {
    const char *name; /* up to the types */
    shape shape;
    unsigned kind, overflow;
} rows[] = {
    { "sadd.with.overflow", OVERFLOWS, HD_EXPR_ADD, HD_EXPR_SADD_OVERFLOW },
    { "uadd.with.overflow", OVERFLOWS, HD_EXPR_ADD, HD_EXPR_UADD_OVERFLOW },
    { "ssub.with.overflow", OVERFLOWS, HD_EXPR_SUB, HD_EXPR_SSUB_OVERFLOW },
    { "usub.with.overflow", OVERFLOWS, HD_EXPR_SUB, HD_EXPR_USUB_OVERFLOW },
    { "smul.with.overflow", OVERFLOWS, HD_EXPR_MUL, HD_EXPR_SMUL_OVERFLOW },
    { "umul.with.overflow", OVERFLOWS, HD_EXPR_MUL, HD_EXPR_UMUL_OVERFLOW },
    { "sadd.sat", BINARY, HD_MADE_SADD_SAT, 0 },
    { "uadd.sat", BINARY, HD_MADE_UADD_SAT, 0 },
    { "ssub.sat", BINARY, HD_MADE_SSUB_SAT, 0 },
    { "usub.sat", BINARY, HD_MADE_USUB_SAT, 0 },
    { "smin", BINARY, HD_MADE_SMIN, 0 },
    { "smax", BINARY, HD_MADE_SMAX, 0 },
    { "umin", BINARY, HD_MADE_UMIN, 0 },
    { "umax", BINARY, HD_MADE_UMAX, 0 },
    { "ptrmask", BINARY, HD_EXPR_AND, 0 },
    { "abs", UNARY, HD_MADE_ABS, 0 },
    { "ctpop", UNARY, HD_EXPR_CTPOP, 0 },
    { "ctlz", UNARY, HD_EXPR_CTLZ, 0 },
    { "cttz", UNARY, HD_EXPR_CTTZ, 0 },
    { "bswap", UNARY, HD_MADE_BSWAP, 0 },
    { "bitreverse", UNARY, HD_MADE_BITREVERSE, 0 },
    { "fshl", FUNNEL, 0, 0 },
    { "fshr", FUNNEL, 1, 0 },
    { "expect", SAME, 0, 0 },
    { "launder.invariant.group", SAME, 0, 0 },
    { "strip.invariant.group", SAME, 0, 0 },
    { "annotation", SAME, 0, 0 },
    { "ptr.annotation", SAME, 0, 0 },
    { "memcpy", BLOCK, 0, 0 },
    { "memmove", BLOCK, 0, 0 },
    { "memset", BLOCK, 0, 0 },
    { "va_start", LIST, 0, 0 },
    { "va_copy", LIST, 0, 0 },
    { "va_end", NOTHING, 0, 0 },
    { "assume", NOTHING, 0, 0 },
    { "dbg", NOTHING, 0, 0 },
    { "lifetime", NOTHING, 0, 0 },
    { "stacksave", NOTHING, 0, 0 },
    { "stackrestore", NOTHING, 0, 0 },
    { "prefetch", NOTHING, 0, 0 },
    { "trap", NOTHING, 0, 0 },
    { "ubsantrap", NOTHING, 0, 0 },
    { "debugtrap", NOTHING, 0, 0 },
    { "is.constant", NOTHING, 0, 0 },
    { "objectsize", NOTHING, 0, 0 },
    { "var.annotation", NOTHING, 0, 0 },
    { "experimental.noalias.scope.decl", NOTHING, 0, 0 },
};

static const struct row *row_of(const char *name)
{
    for (const struct row *r = rows; r < rows + sizeof rows / sizeof *rows; r++) {
        size_t length = strlen(r->name);
        if (!strncmp(name, r->name, length) && (!name[length] || name[length] == '.'))
            return r;
    }
    return NULL;
}

static LLVMValueRef combined(hd_cc_shadow *s, LLVMValueRef call, unsigned kind)
{
    LLVMValueRef x = LLVMGetOperand(call, 0), y = LLVMGetOperand(call, 1);
    LLVMValueRef info = hd_cc_shadow_info_word(s, kind, hd_cc_shadow_width(LLVMTypeOf(x)), 0);
    return hd_cc_shadow_hook(s, hook_hd_shadow_binary,
        (LLVMValueRef[]) {
            hd_cc_shadow_get(s, x), hd_cc_shadow_get(s, y), hd_cc_shadow_word(s, x), hd_cc_shadow_word(s, y), info });
}

static void overflows(hd_cc_shadow *s, LLVMValueRef call, const struct row *row)
{
    LLVMValueRef whole = LLVMConstNull(hd_cc_shadow_type(s, LLVMTypeOf(call)));
    whole = LLVMBuildInsertValue(s->unit->builder, whole, combined(s, call, row->kind), 0, "");
    whole = LLVMBuildInsertValue(s->unit->builder, whole, combined(s, call, row->overflow), 1, "");
    hd_cc_shadow_set(s, call, whole);
}

static void unary(hd_cc_shadow *s, LLVMValueRef call, unsigned kind)
{
    LLVMValueRef x = LLVMGetOperand(call, 0);
    LLVMValueRef info = hd_cc_shadow_info_word(s, kind, hd_cc_shadow_width(LLVMTypeOf(x)), 0);
    hd_cc_shadow_set(
        s, call, hd_cc_shadow_hook(s, hook_hd_shadow_unary, (LLVMValueRef[]) { hd_cc_shadow_get(s, x), info }));
}

static void funnel(hd_cc_shadow *s, LLVMValueRef call, unsigned to_the_right)
{
    LLVMValueRef x = LLVMGetOperand(call, 0), y = LLVMGetOperand(call, 1), z = LLVMGetOperand(call, 2);
    unsigned width = hd_cc_shadow_width(LLVMTypeOf(call));
    hd_cc_shadow_set(s, call,
        hd_cc_shadow_hook(s, hook_hd_shadow_funnel,
            (LLVMValueRef[]) { hd_cc_shadow_get(s, x), hd_cc_shadow_get(s, y), hd_cc_shadow_get(s, z),
                hd_cc_shadow_word(s, x), hd_cc_shadow_word(s, y), hd_cc_shadow_word(s, z),
                hd_cc_unit_i32(s->unit, width | to_the_right << 8) }));
}

static void clear_list(hd_cc_shadow *s, LLVMValueRef call)
{
    enum { SIZE_OF_VA_LIST = 24 };
    hd_cc_shadow_hook(s, hook_hd_shadow_fill,
        (LLVMValueRef[]) {
            LLVMGetOperand(call, 0), hd_cc_unit_i32(s->unit, 0), hd_cc_unit_i64(s->unit, SIZE_OF_VA_LIST) });
}

static bool is_plain(hd_cc_shadow *s, LLVMValueRef call)
{
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++)
        if (!hd_cc_shadow_is_none(hd_cc_shadow_get(s, LLVMGetOperand(call, n))))
            return false;
    return true;
}

/* Other intrinsics compute concretely: their operands are followed. */
static void follow(hd_cc_shadow *s, LLVMValueRef call)
{
    hd_cc_shadow_ahead(s, call);
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++)
        hd_cc_shadow_bind(s, hook_hd_shadow_follow, LLVMGetOperand(call, n), call);
}

static void compute(hd_cc_shadow *s, LLVMValueRef call, const struct row *row)
{
    hd_cc_shadow_behind(s, call);
    switch (row->shape) {
    case BINARY:
        hd_cc_shadow_set(s, call, combined(s, call, row->kind));
        break;
    case OVERFLOWS:
        overflows(s, call, row);
        break;
    case UNARY:
        unary(s, call, row->kind);
        break;
    case FUNNEL:
        funnel(s, call, row->kind);
        break;
    case SAME:
        hd_cc_shadow_set(s, call, hd_cc_shadow_get(s, LLVMGetOperand(call, 0)));
        break;
    default:
        break;
    }
}

bool hd_cc_shadow_intrinsic(hd_cc_shadow *s, LLVMValueRef call)
{
    const char *name = hd_cc_called_name(call);
    if (strncmp(name, "llvm.", 5))
        return false;
    const struct row *row = row_of(name + 5);
    shape shape = row ? row->shape : NOTHING;
    if (shape == BLOCK) {
        hd_cc_shadow_copy_block(s, call);
    } else if (shape == LIST) {
        hd_cc_shadow_behind(s, call);
        clear_list(s, call);
    } else if (!is_plain(s, call)) {
        if (row && shape != NOTHING && hd_cc_shadow_is_scalar(LLVMTypeOf(LLVMGetOperand(call, 0))))
            compute(s, call, row);
        else if (!row)
            follow(s, call);
    }
    return true;
}
