#include "sym/z3/terms.h"

void hd_z3_terms_init(hd_z3_terms *z, Z3_context context)
{
    *z = (hd_z3_terms) { .context = context };
}

void hd_z3_terms_forget(hd_z3_terms *z)
{
    while (z->kept.count)
        Z3_dec_ref(z->context, hd_vec_pop(&z->kept));
    hd_vec_clear(&z->of);
    hd_vec_clear(&z->widths);
}

Z3_ast hd_z3_keep(hd_z3_terms *z, Z3_ast ast)
{
    Z3_inc_ref(z->context, ast);
    hd_vec_push(&z->kept, ast);
    return ast;
}

#define KEEP(ast) hd_z3_keep(z, (ast))

Z3_ast hd_z3_terms_get(const hd_z3_terms *z, hd_term term)
{
    return term < z->of.count ? z->of.items[term] : NULL;
}

/* --- between Booleans and bits -------------------------------------------------------------- */

static Z3_ast number(hd_z3_terms *z, uint64_t value, uint32_t width)
{
    Z3_sort sort = Z3_mk_bv_sort(z->context, width);
    hd_z3_keep(z, Z3_sort_to_ast(z->context, sort));
    return KEEP(Z3_mk_unsigned_int64(z->context, value, sort));
}

static Z3_ast bit_of(hd_z3_terms *z, Z3_ast condition)
{
    return KEEP(Z3_mk_ite(z->context, condition, number(z, 1, 1), number(z, 0, 1)));
}

static Z3_ast is_set(hd_z3_terms *z, Z3_ast bit)
{
    return KEEP(Z3_mk_eq(z->context, bit, number(z, 1, 1)));
}

/* An operand as a bit-vector. */
static Z3_ast bits(hd_z3_terms *z, hd_term term)
{
    Z3_ast ast = hd_z3_terms_get(z, term);
    return z->widths.items[term] == 1 ? bit_of(z, ast) : ast;
}

/* --- operations ------------------------------------------------------------------------------ */

typedef Z3_ast binary(Z3_context context, Z3_ast a, Z3_ast b);

static binary *const arithmetic[HD_EXPR_KINDS] = {
    [HD_EXPR_ADD] = Z3_mk_bvadd,
    [HD_EXPR_SUB] = Z3_mk_bvsub,
    [HD_EXPR_MUL] = Z3_mk_bvmul,
    [HD_EXPR_UDIV] = Z3_mk_bvudiv,
    [HD_EXPR_SDIV] = Z3_mk_bvsdiv,
    [HD_EXPR_UREM] = Z3_mk_bvurem,
    [HD_EXPR_SREM] = Z3_mk_bvsrem,
    [HD_EXPR_AND] = Z3_mk_bvand,
    [HD_EXPR_OR] = Z3_mk_bvor,
    [HD_EXPR_XOR] = Z3_mk_bvxor,
    [HD_EXPR_SHL] = Z3_mk_bvshl,
    [HD_EXPR_LSHR] = Z3_mk_bvlshr,
    [HD_EXPR_ASHR] = Z3_mk_bvashr,
    [HD_EXPR_CONCAT] = Z3_mk_concat,
};

static binary *const comparison[HD_EXPR_KINDS] = {
    [HD_EXPR_EQ] = Z3_mk_eq,
    [HD_EXPR_ULT] = Z3_mk_bvult,
    [HD_EXPR_ULE] = Z3_mk_bvule,
    [HD_EXPR_SLT] = Z3_mk_bvslt,
    [HD_EXPR_SLE] = Z3_mk_bvsle,
};

/* Overflow is computed in twice the width, where it cannot happen: the wide result differs from the
 * extension of its lower half. */
static Z3_ast overflows(hd_z3_terms *z, const hd_term_node *n)
{
    Z3_context c = z->context;
    uint32_t w = z->widths.items[n->operands[0]];
    bool is_signed =
        n->kind == HD_EXPR_SADD_OVERFLOW || n->kind == HD_EXPR_SSUB_OVERFLOW || n->kind == HD_EXPR_SMUL_OVERFLOW;
    Z3_ast a = bits(z, n->operands[0]), b = bits(z, n->operands[1]);
    Z3_ast (*extend)(Z3_context, unsigned, Z3_ast) = is_signed ? Z3_mk_sign_ext : Z3_mk_zero_ext;
    a = KEEP(extend(c, w, a));
    b = KEEP(extend(c, w, b));
    bool adds = n->kind == HD_EXPR_UADD_OVERFLOW || n->kind == HD_EXPR_SADD_OVERFLOW;
    bool subtracts = n->kind == HD_EXPR_USUB_OVERFLOW || n->kind == HD_EXPR_SSUB_OVERFLOW;
    Z3_ast wide = KEEP(adds ? Z3_mk_bvadd(c, a, b) : subtracts ? Z3_mk_bvsub(c, a, b) : Z3_mk_bvmul(c, a, b));
    Z3_ast low = KEEP(Z3_mk_extract(c, w - 1, 0, wide));
    return KEEP(Z3_mk_not(c, KEEP(Z3_mk_eq(c, KEEP(extend(c, w, low)), wide))));
}

static Z3_ast one_bit(hd_z3_terms *z, Z3_ast a, uint32_t bit)
{
    return KEEP(Z3_mk_extract(z->context, bit, bit, a));
}

static Z3_ast count_ones(hd_z3_terms *z, Z3_ast a, uint32_t width)
{
    Z3_ast sum = number(z, 0, width);
    for (uint32_t i = 0; i < width; i++) {
        Z3_ast bit = one_bit(z, a, i);
        if (width > 1)
            bit = KEEP(Z3_mk_zero_ext(z->context, width - 1, bit));
        sum = KEEP(Z3_mk_bvadd(z->context, sum, bit));
    }
    return sum;
}

/* Counts leading (`from_top`) or trailing zeros; `width` if all bits are 0. */
static Z3_ast count_zeros(hd_z3_terms *z, Z3_ast a, uint32_t width, bool from_top)
{
    Z3_ast count = number(z, width, width);
    for (uint32_t i = width; i-- > 0;) {
        Z3_ast bit = one_bit(z, a, from_top ? width - 1 - i : i);
        count = KEEP(Z3_mk_ite(z->context, is_set(z, bit), number(z, i, width), count));
    }
    return count;
}

static Z3_ast count_bits(hd_z3_terms *z, const hd_term_node *n)
{
    Z3_ast a = bits(z, n->operands[0]);
    if (n->kind == HD_EXPR_CTPOP)
        return count_ones(z, a, n->width);
    return count_zeros(z, a, n->width, n->kind == HD_EXPR_CTLZ);
}

static Z3_ast choice(hd_z3_terms *z, const hd_term_node *n)
{
    return KEEP(
        Z3_mk_ite(z->context, hd_z3_terms_get(z, n->operands[0]), bits(z, n->operands[1]), bits(z, n->operands[2])));
}

/* As a bit-vector of the node's width. */
static Z3_ast vector(hd_z3_terms *z, const hd_term_node *n)
{
    uint32_t from = n->operands[0] ? z->widths.items[n->operands[0]] : 0;
    if (arithmetic[n->kind])
        return KEEP(arithmetic[n->kind](z->context, bits(z, n->operands[0]), bits(z, n->operands[1])));
    switch (n->kind) {
    case HD_EXPR_ZEXT:
        return KEEP(Z3_mk_zero_ext(z->context, n->width - from, bits(z, n->operands[0])));
    case HD_EXPR_SEXT:
        return KEEP(Z3_mk_sign_ext(z->context, n->width - from, bits(z, n->operands[0])));
    case HD_EXPR_EXTRACT:
        return KEEP(
            Z3_mk_extract(z->context, (unsigned)n->value + n->width - 1, (unsigned)n->value, bits(z, n->operands[0])));
    case HD_EXPR_ITE:
        return choice(z, n);
    case HD_EXPR_CONST:
        return number(z, n->value, n->width);
    default:
        return count_bits(z, n);
    }
}

/* Operations on single bits become Boolean connectives, without bit-vectors in between. */
static Z3_ast logic(hd_z3_terms *z, const hd_term_node *n)
{
    Z3_ast operands[2] = { hd_z3_terms_get(z, n->operands[0]), hd_z3_terms_get(z, n->operands[1]) };
    if (n->kind == HD_EXPR_AND)
        return KEEP(Z3_mk_and(z->context, 2, operands));
    if (n->kind == HD_EXPR_OR)
        return KEEP(Z3_mk_or(z->context, 2, operands));
    return KEEP(Z3_mk_xor(z->context, operands[0], operands[1]));
}

static Z3_ast condition(hd_z3_terms *z, const hd_term_node *n)
{
    if (n->kind == HD_EXPR_AND || n->kind == HD_EXPR_OR || n->kind == HD_EXPR_XOR)
        return logic(z, n);
    if (comparison[n->kind])
        return KEEP(comparison[n->kind](z->context, bits(z, n->operands[0]), bits(z, n->operands[1])));
    if (n->kind >= HD_EXPR_UADD_OVERFLOW && n->kind <= HD_EXPR_SMUL_OVERFLOW)
        return overflows(z, n);
    return is_set(z, vector(z, n));
}

static Z3_ast input(hd_z3_terms *z, hd_term term, uint32_t width)
{
    Z3_sort sort = width == 1 ? Z3_mk_bool_sort(z->context) : Z3_mk_bv_sort(z->context, width);
    hd_z3_keep(z, Z3_sort_to_ast(z->context, sort));
    return KEEP(Z3_mk_const(z->context, Z3_mk_int_symbol(z->context, (int)term), sort));
}

bool hd_z3_terms_add(hd_z3_terms *z, const hd_solve_term *t)
{
    const hd_term_node *n = &t->node;
    for (uint32_t i = 0; i < hd_term_operand_count(n->kind); i++)
        if (!hd_z3_terms_get(z, n->operands[i]))
            return false;
    while (z->of.count <= t->term) {
        hd_vec_push(&z->of, (Z3_ast)NULL);
        hd_vec_push(&z->widths, (uint8_t)0);
    }
    z->widths.items[t->term] = n->width;
    Z3_ast ast = n->kind == HD_EXPR_INPUT ? input(z, t->term, n->width)
        : n->width == 1                   ? condition(z, n)
                                          : vector(z, n);
    z->of.items[t->term] = ast;
    return true;
}
