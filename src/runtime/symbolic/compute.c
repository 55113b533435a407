/* The hooks of computations. Operations without an expression kind of their own (HD_MADE_…) are built from several. */
#include "abi/eval.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/exprs.h"
#include "runtime/symbolic/follow.h"
#include "runtime/symbolic/hook.h"

typedef struct value {
    uint32_t shadow;
    uint64_t number;
} value;

static value number(uint64_t x)
{
    return (value) { 0, x };
}

/* The result of an operation, with a shadow if an operand has one. */
static value apply(uint32_t kind, uint32_t width, value a, value b)
{
    int bit = kind >= HD_EXPR_EQ && kind <= HD_EXPR_SMUL_OVERFLOW;
    hd_expr e = { .kind = (uint8_t)kind, .width = bit ? 1 : (uint8_t)width };
    uint64_t v[] = { hd_low_bits(a.number, width), hd_low_bits(b.number, width) };
    uint32_t shadow = a.shadow | b.shadow ? hd_expr_binary(kind, width, a.shadow, a.number, b.shadow, b.number) : 0;
    return (value) { shadow, hd_eval(&e, width, v) };
}

static value choose(uint32_t width, value c, value a, value b)
{
    if (!c.shadow)
        return c.number ? a : b;
    uint32_t shadow = hd_expr_select(c.shadow, a.shadow, a.number, b.shadow, b.number, width);
    return (value) { shadow, c.number ? a.number : b.number };
}

static value lower_of(uint32_t comparison, uint32_t width, value a, value b)
{
    return choose(width, apply(comparison, width, a, b), a, b);
}

/* Saturating arithmetic. A signed operation that overflows saturates towards the sign of its first operand. */
static value saturate(uint32_t width, uint32_t kind, uint32_t overflow, value a, value b)
{
    value result = apply(kind, width, a, b), overflows = apply(overflow, width, a, b);
    if (overflow == HD_EXPR_UADD_OVERFLOW)
        return choose(width, overflows, number(hd_low_bits(~0ull, width)), result);
    if (overflow == HD_EXPR_USUB_OVERFLOW)
        return choose(width, overflows, number(0), result);
    uint64_t least = 1ull << (width - 1);
    value low = apply(HD_EXPR_SLT, width, a, number(0));
    return choose(width, overflows, choose(width, low, number(least), number(least - 1)), result);
}

static uint32_t make(uint32_t kind, uint32_t width, value a, value b)
{
    value zero = number(0);
    switch (kind) {
    case HD_MADE_NE:
        return apply(HD_EXPR_EQ, 1, apply(HD_EXPR_EQ, width, a, b), zero).shadow;
    case HD_MADE_SMIN:
        return lower_of(HD_EXPR_SLT, width, a, b).shadow;
    case HD_MADE_SMAX:
        return choose(width, apply(HD_EXPR_SLT, width, a, b), b, a).shadow;
    case HD_MADE_UMIN:
        return lower_of(HD_EXPR_ULT, width, a, b).shadow;
    case HD_MADE_UMAX:
        return choose(width, apply(HD_EXPR_ULT, width, a, b), b, a).shadow;
    case HD_MADE_UADD_SAT:
        return saturate(width, HD_EXPR_ADD, HD_EXPR_UADD_OVERFLOW, a, b).shadow;
    case HD_MADE_SADD_SAT:
        return saturate(width, HD_EXPR_ADD, HD_EXPR_SADD_OVERFLOW, a, b).shadow;
    case HD_MADE_USUB_SAT:
        return saturate(width, HD_EXPR_SUB, HD_EXPR_USUB_OVERFLOW, a, b).shadow;
    case HD_MADE_SSUB_SAT:
        return saturate(width, HD_EXPR_SUB, HD_EXPR_SSUB_OVERFLOW, a, b).shadow;
    case HD_MADE_ABS:
        return choose(width, apply(HD_EXPR_SLT, width, a, zero), apply(HD_EXPR_SUB, width, zero, a), a).shadow;
    default:
        return hd_expr_binary(kind, width, a.shadow, a.number, b.shadow, b.number);
    }
}

static int is_shift(uint32_t kind)
{
    return kind == HD_EXPR_SHL || kind == HD_EXPR_LSHR || kind == HD_EXPR_ASHR;
}

uint32_t hd_follow_make(uint32_t kind, uint32_t width, uint32_t a, uint64_t x, uint32_t b, uint64_t y)
{
    return make(kind, width, (value) { a, a ? hd_expr_value(a) : hd_low_bits(x, width) },
        (value) { b, b ? hd_expr_value(b) : hd_low_bits(y, width) });
}

/* A shift by the width or more is undefined: the machine's result differs from the expression's, so the operands are
 * only followed. */
HOOK_ENTRY uint32_t hd_follow_binary(uint32_t a, uint32_t b, uint64_t x, uint64_t y, uint32_t info)
{
    uint32_t kind = info & 0xff, width = info >> 8 & 0xff;
    if (is_shift(kind) && y >= width) {
        hd_branch_follow(a, hd_call_site);
        hd_branch_follow(b, hd_call_site);
        return 0;
    }
    return hd_follow_make(kind, width, a, x, b, y);
}

/* --- one operand ------------------------------------------------------------------- */

/* The pieces of `size` bits in reverse order. */
static uint32_t reversed(uint32_t a, uint32_t width, uint32_t size)
{
    uint32_t result = 0;
    uint64_t value = 0;
    for (uint32_t at = 0; at < width; at += size) {
        uint32_t piece = hd_expr_unary(HD_EXPR_EXTRACT, size, at, a);
        uint64_t bits = hd_low_bits(hd_expr_value(a) >> at, size);
        result = at ? hd_expr_concat(result, value, at, piece, bits, size) : piece;
        value = value << size | bits;
    }
    return result;
}

HOOK_ENTRY uint32_t hd_follow_unary(uint32_t a, uint32_t info)
{
    uint32_t kind = info & 0xff, width = info >> 8 & 0xff, low = info >> 16;
    switch (kind) {
    case HD_MADE_BSWAP:
        return reversed(a, width, 8);
    case HD_MADE_BITREVERSE:
        return reversed(a, width, 1);
    case HD_MADE_ABS:
        return hd_follow_make(kind, width, a, 0, 0, 0);
    default:
        return hd_expr_unary(kind, width, low, a);
    }
}

HOOK_ENTRY uint32_t hd_follow_select(uint32_t c, uint32_t a, uint32_t b, uint64_t x, uint64_t y, uint32_t width)
{
    return hd_expr_select(c, a, x, b, y, width);
}

/* Funnel shifts: the high (to the right: low) part of the shifted pair high:low. That is
 * high << n | low >> (width - n), where n is the amount modulo the width, and high (to the right: low) alone if n is
 * 0, because a shift by the whole width is undefined. */
HOOK_ENTRY uint32_t hd_follow_funnel(
    uint32_t a, uint32_t b, uint32_t c, uint64_t x, uint64_t y, uint64_t z, uint32_t info)
{
    uint32_t width = info & 0xff, right = info >> 8;
    value high = { a, x }, low = { b, y };
    value by = apply(HD_EXPR_UREM, width, (value) { c, z }, number(width));
    value rest = apply(HD_EXPR_SUB, width, number(width), by);
    value first = apply(HD_EXPR_SHL, width, high, right ? rest : by);
    value second = apply(HD_EXPR_LSHR, width, low, right ? by : rest);
    value none = apply(HD_EXPR_EQ, width, by, number(0));
    return choose(width, none, right ? low : high, apply(HD_EXPR_OR, width, first, second)).shadow;
}
