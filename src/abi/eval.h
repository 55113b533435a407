/* Evaluation of one expression from the values of its operands. Values are in the low bits of a word. The runtime and
 * the engine share this code, so they cannot disagree. */
#ifndef HD_ABI_EVAL_H
#define HD_ABI_EVAL_H

#include "abi/wire.h"

static inline uint64_t hd_low_bits(uint64_t value, uint32_t width)
{
    return width >= 64 ? value : value & ((1ull << width) - 1);
}

static inline int64_t hd_signed_bits(uint64_t value, uint32_t width)
{
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

static inline uint64_t hd_eval_divide(uint8_t kind, uint32_t width, uint64_t x, uint64_t y)
{
    int64_t a = hd_signed_bits(x, width), b = hd_signed_bits(y, width);
    switch (kind) {
    case HD_EXPR_UDIV:
        return y ? x / y : ~0ull;
    case HD_EXPR_UREM:
        return y ? x % y : x;
    case HD_EXPR_SDIV:
        return !b ? (a < 0 ? 1 : ~0ull) : b == -1 ? -(uint64_t)a : (uint64_t)(a / b);
    default:
        return !b ? x : b == -1 ? 0 : (uint64_t)(a % b);
    }
}

static inline int hd_eval_overflows(uint8_t kind, uint32_t width, uint64_t x, uint64_t y)
{
    __int128 a = hd_signed_bits(x, width), b = hd_signed_bits(y, width), r;
    int is_signed = kind == HD_EXPR_SADD_OVERFLOW || kind == HD_EXPR_SSUB_OVERFLOW || kind == HD_EXPR_SMUL_OVERFLOW;
    if (!is_signed) {
        unsigned __int128 product = (unsigned __int128)x * y;
        if (kind == HD_EXPR_USUB_OVERFLOW)
            return x < y;
        if (kind == HD_EXPR_UADD_OVERFLOW)
            product = (unsigned __int128)x + y;
        return product >> width != 0;
    }
    r = kind == HD_EXPR_SADD_OVERFLOW ? a + b : kind == HD_EXPR_SSUB_OVERFLOW ? a - b : a * b;
    return r != hd_signed_bits((uint64_t)r, width);
}

static inline uint64_t hd_eval_count(uint8_t kind, uint32_t width, uint64_t x)
{
    switch (kind) {
    case HD_EXPR_CTPOP:
        return (uint64_t)__builtin_popcountll(x);
    case HD_EXPR_CTLZ:
        return x ? (uint64_t)__builtin_clzll(x) - (64 - width) : width;
    default:
        return x ? (uint64_t)__builtin_ctzll(x) : width;
    }
}

static inline uint64_t hd_eval_shift(uint8_t kind, uint32_t width, uint64_t x, uint64_t by)
{
    int64_t a = hd_signed_bits(x, width);
    if (by >= width)
        return kind == HD_EXPR_ASHR && a < 0 ? ~0ull : 0;
    return kind == HD_EXPR_SHL ? x << by : kind == HD_EXPR_LSHR ? x >> by : (uint64_t)(a >> by);
}

/* The value of `e`, an expression with operands, given theirs and the width of
 * the last operand but for ITE (of all operands of arithmetic and comparisons). */
static inline uint64_t hd_eval(const hd_expr *e, uint32_t width, const uint64_t *v)
{
    uint64_t r = 0;
    switch (e->kind) {
    case HD_EXPR_ADD:
        r = v[0] + v[1];
        break;
    case HD_EXPR_SUB:
        r = v[0] - v[1];
        break;
    case HD_EXPR_MUL:
        r = v[0] * v[1];
        break;
    case HD_EXPR_UDIV:
    case HD_EXPR_SDIV:
    case HD_EXPR_UREM:
    case HD_EXPR_SREM:
        r = hd_eval_divide(e->kind, width, v[0], v[1]);
        break;
    case HD_EXPR_AND:
        r = v[0] & v[1];
        break;
    case HD_EXPR_OR:
        r = v[0] | v[1];
        break;
    case HD_EXPR_XOR:
        r = v[0] ^ v[1];
        break;
    case HD_EXPR_SHL:
    case HD_EXPR_LSHR:
    case HD_EXPR_ASHR:
        r = hd_eval_shift(e->kind, width, v[0], v[1]);
        break;
    case HD_EXPR_EQ:
        r = v[0] == v[1];
        break;
    case HD_EXPR_ULT:
        r = v[0] < v[1];
        break;
    case HD_EXPR_ULE:
        r = v[0] <= v[1];
        break;
    case HD_EXPR_SLT:
        r = hd_signed_bits(v[0], width) < hd_signed_bits(v[1], width);
        break;
    case HD_EXPR_SLE:
        r = hd_signed_bits(v[0], width) <= hd_signed_bits(v[1], width);
        break;
    case HD_EXPR_UADD_OVERFLOW:
    case HD_EXPR_SADD_OVERFLOW:
    case HD_EXPR_USUB_OVERFLOW:
    case HD_EXPR_SSUB_OVERFLOW:
    case HD_EXPR_UMUL_OVERFLOW:
    case HD_EXPR_SMUL_OVERFLOW:
        r = (uint64_t)hd_eval_overflows(e->kind, width, v[0], v[1]);
        break;
    case HD_EXPR_ZEXT:
        r = v[0];
        break;
    case HD_EXPR_SEXT:
        r = (uint64_t)hd_signed_bits(v[0], width);
        break;
    case HD_EXPR_EXTRACT:
        r = v[0] >> e->value;
        break;
    case HD_EXPR_CONCAT:
        r = v[0] << width | v[1];
        break;
    case HD_EXPR_ITE:
        r = v[0] ? v[1] : v[2];
        break;
    case HD_EXPR_CTPOP:
    case HD_EXPR_CTLZ:
    case HD_EXPR_CTTZ:
        r = hd_eval_count(e->kind, width, v[0]);
        break;
    default:
        break;
    }
    return hd_low_bits(r, e->width);
}

#endif
