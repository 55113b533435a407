/* The semantics of the operations of abi/expr.def on concrete values. This is the reference: bits
 * (blast.c), Z3 (z3/terms.c) and simplification (simplify.c) must agree with it, and unit tests
 * compare them. Values are kept in 64 bits with unused high bits 0; hd_term_apply masks each
 * result. */
#include "sym/term.h"

#include "base/error.h"

/* Sign extension of a value of `width` bits. */
static int64_t signed_of(uint64_t value, uint32_t width)
{
    uint32_t unused = 64 - width;
    return (int64_t)(value << unused) >> unused;
}

/* The absolute value; that of the least value is 2^(width-1), which fits because it is unsigned. */
static uint64_t magnitude(uint64_t value, uint32_t width)
{
    return signed_of(value, width) < 0 ? (0 - value) & hd_term_mask(width) : value;
}

/* Division by zero as SMT-LIB defines it: bvsdiv gives all ones, or 1 if the dividend is negative.
 * Magnitudes are divided, so the least value divided by -1 needs no special case. */
static uint64_t divide_signed(uint64_t a, uint64_t b, uint32_t width)
{
    bool negative = (signed_of(a, width) < 0) != (signed_of(b, width) < 0);
    if (!b)
        return signed_of(a, width) < 0 ? 1 : ~0ull;
    uint64_t quotient = magnitude(a, width) / magnitude(b, width);
    return negative ? 0 - quotient : quotient;
}

/* The remainder has the sign of the dividend, as in C; modulo zero it is the dividend. */
static uint64_t remainder_signed(uint64_t a, uint64_t b, uint32_t width)
{
    if (!b)
        return a;
    uint64_t rest = magnitude(a, width) % magnitude(b, width);
    return signed_of(a, width) < 0 ? 0 - rest : rest;
}

/* A shift past the width shifts by width - 1, which leaves copies of the sign bit. */
static uint64_t shift_right_signed(uint64_t a, uint64_t by, uint32_t width)
{
    return (uint64_t)(signed_of(a, width) >> (by < width ? by : width - 1 < 63 ? width - 1 : 63));
}

/* Does the exact result fall outside of the width? 128 bits hold every sum, difference and product. */
static bool leaves(uint8_t kind, uint64_t a, uint64_t b, uint32_t width)
{
    __int128 x = signed_of(a, width), y = signed_of(b, width);
    __int128 least = -((__int128)1 << (width - 1)), most = ((__int128)1 << (width - 1)) - 1;
    unsigned __int128 u = a, v = b, top = hd_term_mask(width);
    __int128 result = 0;
    switch (kind) {
    case HD_EXPR_UADD_OVERFLOW:
        return u + v > top;
    case HD_EXPR_USUB_OVERFLOW:
        return a < b;
    case HD_EXPR_UMUL_OVERFLOW:
        return u * v > top;
    case HD_EXPR_SADD_OVERFLOW:
        result = x + y;
        break;
    case HD_EXPR_SSUB_OVERFLOW:
        result = x - y;
        break;
    default:
        result = x * y;
    }
    return result < least || result > most;
}

/* Leading and trailing zeros of 0 are `width`, where the builtins are undefined. */
static uint64_t count_bits(uint8_t kind, uint64_t a, uint32_t width)
{
    if (kind == HD_EXPR_CTPOP)
        return (uint64_t)__builtin_popcountll(a);
    if (!a)
        return width;
    return kind == HD_EXPR_CTTZ ? (uint64_t)__builtin_ctzll(a) : (uint64_t)__builtin_clzll(a) - (64 - width);
}

static uint64_t arithmetic(uint8_t kind, uint64_t a, uint64_t b, uint32_t w)
{
    switch (kind) {
    case HD_EXPR_ADD:
        return a + b;
    case HD_EXPR_SUB:
        return a - b;
    case HD_EXPR_MUL:
        return a * b;
    case HD_EXPR_UDIV:
        return b ? a / b : ~0ull;
    case HD_EXPR_SDIV:
        return divide_signed(a, b, w);
    case HD_EXPR_UREM:
        return b ? a % b : a;
    case HD_EXPR_SREM:
        return remainder_signed(a, b, w);
    case HD_EXPR_AND:
        return a & b;
    case HD_EXPR_OR:
        return a | b;
    case HD_EXPR_XOR:
        return a ^ b;
    /* Shifts past the width give 0; C leaves them undefined. */
    case HD_EXPR_SHL:
        return b < w ? a << b : 0;
    case HD_EXPR_LSHR:
        return b < w ? a >> b : 0;
    case HD_EXPR_ASHR:
        return shift_right_signed(a, b, w);
    default:
        hd_panic("kind %u is no arithmetic", kind);
    }
}

static uint64_t apply(const hd_term_node *n, uint32_t from, uint32_t second, const uint64_t *v)
{
    switch (n->kind) {
    case HD_EXPR_CONST:
        return n->value;
    case HD_EXPR_EQ:
        return v[0] == v[1];
    case HD_EXPR_ULT:
        return v[0] < v[1];
    case HD_EXPR_ULE:
        return v[0] <= v[1];
    case HD_EXPR_SLT:
        return signed_of(v[0], from) < signed_of(v[1], from);
    case HD_EXPR_SLE:
        return signed_of(v[0], from) <= signed_of(v[1], from);
    case HD_EXPR_ZEXT:
        return v[0];
    case HD_EXPR_SEXT:
        return (uint64_t)signed_of(v[0], from);
    case HD_EXPR_EXTRACT:
        return v[0] >> n->value;
    case HD_EXPR_CONCAT:
        return v[0] << second | v[1];
    case HD_EXPR_ITE:
        return v[0] ? v[1] : v[2];
    case HD_EXPR_CTPOP:
    case HD_EXPR_CTLZ:
    case HD_EXPR_CTTZ:
        return count_bits(n->kind, v[0], from);
    default:
        if (n->kind >= HD_EXPR_UADD_OVERFLOW && n->kind <= HD_EXPR_SMUL_OVERFLOW)
            return leaves(n->kind, v[0], v[1], from);
        return arithmetic(n->kind, v[0], v[1], n->width);
    }
}

uint64_t hd_term_apply(const hd_term_node *n, uint32_t operand_width, uint32_t second_width, const uint64_t *values)
{
    return apply(n, operand_width, second_width, values) & hd_term_mask(n->width);
}
