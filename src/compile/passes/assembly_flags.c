#include "compile/passes/assembly_flags.h"

#include <ctype.h>
#include <string.h>

static LLVMValueRef zero_of(LLVMValueRef value)
{
    return LLVMConstNull(LLVMTypeOf(value));
}

static LLVMValueRef is_negative(LLVMBuilderRef b, LLVMValueRef value)
{
    return LLVMBuildICmp(b, LLVMIntSLT, value, zero_of(value), "");
}

static LLVMValueRef zero(LLVMBuilderRef b, const hd_cc_asm_flags *f)
{
    bool known = f->source != HD_FLAGS_UNKNOWN && f->source != HD_FLAGS_OF_BIT;
    return known ? LLVMBuildICmp(b, LLVMIntEQ, f->result, zero_of(f->result), "") : NULL;
}

static LLVMValueRef sign(LLVMBuilderRef b, const hd_cc_asm_flags *f)
{
    bool known = f->source != HD_FLAGS_UNKNOWN && f->source != HD_FLAGS_OF_BIT;
    return known ? is_negative(b, f->result) : NULL;
}

/* A sum has a carry if it is smaller than an operand; a difference borrows if the left operand is smaller. */
static LLVMValueRef carry(LLVMBuilderRef b, const hd_cc_asm_flags *f)
{
    switch (f->keeps_carry ? HD_FLAGS_UNKNOWN : f->source) {
    case HD_FLAGS_OF_SUM:
        return LLVMBuildICmp(b, LLVMIntULT, f->result, f->left, "");
    case HD_FLAGS_OF_DIFFERENCE:
        return LLVMBuildICmp(b, LLVMIntULT, f->left, f->right, "");
    case HD_FLAGS_OF_LOGIC:
        return LLVMConstNull(LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(f->result))));
    case HD_FLAGS_OF_BIT:
        return f->left;
    default:
        return NULL;
    }
}

/* A sum overflows if both operands have the opposite sign of the result; a difference, if the operands have different
 * signs and the result has not that of the left one. */
static LLVMValueRef overflow(LLVMBuilderRef b, const hd_cc_asm_flags *f)
{
    if (f->source == HD_FLAGS_OF_LOGIC)
        return carry(b, f);
    if (f->source != HD_FLAGS_OF_SUM && f->source != HD_FLAGS_OF_DIFFERENCE)
        return NULL;
    LLVMValueRef changed = LLVMBuildXor(b, f->left, f->result, "");
    LLVMValueRef other = f->source == HD_FLAGS_OF_SUM ? f->result : f->left;
    return is_negative(b, LLVMBuildAnd(b, changed, LLVMBuildXor(b, f->right, other, ""), ""));
}

typedef LLVMValueRef flag(LLVMBuilderRef b, const hd_cc_asm_flags *f);

static LLVMValueRef less(LLVMBuilderRef b, const hd_cc_asm_flags *f)
{
    LLVMValueRef s = sign(b, f), o = overflow(b, f);
    return s && o ? LLVMBuildXor(b, s, o, "") : NULL;
}

static LLVMValueRef or_zero(LLVMBuilderRef b, const hd_cc_asm_flags *f, flag *other)
{
    LLVMValueRef z = zero(b, f), o = other(b, f);
    return z && o ? LLVMBuildOr(b, z, o, "") : NULL;
}

static LLVMValueRef below_or_equal(LLVMBuilderRef b, const hd_cc_asm_flags *f)
{
    return or_zero(b, f, carry);
}

static LLVMValueRef less_or_equal(LLVMBuilderRef b, const hd_cc_asm_flags *f)
{
    return or_zero(b, f, less);
}

/* The processor's conditions, with all their names. NULL as a flag: unknown, so the text is not lifted. */
static const struct condition {
    const char *names[3];
    flag *flag;
    bool negated;
} conditions[] = {
    { { "z", "e" }, zero, false },
    { { "nz", "ne" }, zero, true },
    { { "s" }, sign, false },
    { { "ns" }, sign, true },
    { { "c", "b", "nae" }, carry, false },
    { { "nc", "nb", "ae" }, carry, true },
    { { "o" }, overflow, false },
    { { "no" }, overflow, true },
    { { "be", "na" }, below_or_equal, false },
    { { "a", "nbe" }, below_or_equal, true },
    { { "l", "nge" }, less, false },
    { { "ge", "nl" }, less, true },
    { { "le", "ng" }, less_or_equal, false },
    { { "g", "nle" }, less_or_equal, true },
};

static const struct condition *find(const char *name, size_t length)
{
    for (const struct condition *c = conditions; c < conditions + sizeof conditions / sizeof *conditions; c++)
        for (int i = 0; i < 3 && c->names[i]; i++)
            if (strlen(c->names[i]) == length && !strncmp(c->names[i], name, length))
                return c;
    return NULL;
}

LLVMValueRef hd_cc_asm_condition(LLVMBuilderRef b, const hd_cc_asm_flags *flags, const char *name)
{
    size_t length = 0;
    while (isalpha((unsigned char)name[length]))
        length++;
    const struct condition *c = find(name, length);
    LLVMValueRef bit = c ? c->flag(b, flags) : NULL;
    return bit && c->negated ? LLVMBuildNot(b, bit, "") : bit;
}
