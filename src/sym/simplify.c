/* Construction of terms with simplification. Each rule looks at the node that is about to be made
 * and returns an equal, simpler term, or 0. Rules build terms through hd_term_make, so their
 * results are simplified in turn. Rules end because each makes the term smaller or moves it towards
 * a normal form (constants on the right, subtraction of constants as addition, shifts as
 * concatenation). Careful: making a term may move `nodes`, so rules copy nodes before they make
 * any. */
#include "sym/term.h"

typedef struct shape {
    hd_terms *t;
    hd_expr_kind kind;
    uint32_t width;
    hd_term a, b, c;
    uint64_t value;
} shape;

static const hd_term_node *node(const shape *s, hd_term term)
{
    return hd_term_at(s->t, term);
}

static bool is_kind(const shape *s, hd_term term, hd_expr_kind kind)
{
    return node(s, term)->kind == kind;
}

static bool is_constant(const shape *s, hd_term term)
{
    return is_kind(s, term, HD_EXPR_CONST);
}

static bool is_value(const shape *s, hd_term term, uint64_t value)
{
    return is_constant(s, term) && node(s, term)->value == (value & hd_term_mask(node(s, term)->width));
}

static hd_term constant(const shape *s, uint64_t value)
{
    return hd_term_constant(s->t, s->width, value);
}

static hd_term make2(const shape *s, hd_expr_kind kind, uint32_t width, hd_term a, hd_term b)
{
    return hd_term_make(s->t, kind, width, a, b, 0, 0);
}

static hd_term extract(const shape *s, hd_term a, uint64_t low, uint32_t width)
{
    return hd_term_make(s->t, HD_EXPR_EXTRACT, width, a, 0, 0, low);
}

hd_term hd_term_not(hd_terms *t, hd_term a)
{
    return hd_term_make(t, HD_EXPR_XOR, 1, a, hd_term_constant(t, 1, 1), 0, 0);
}

hd_term hd_term_both(hd_terms *t, hd_term a, hd_term b)
{
    return !a ? b : !b ? a : hd_term_make(t, HD_EXPR_AND, 1, a, b, 0, 0);
}

hd_term hd_term_equals(hd_terms *t, hd_term a, uint64_t value)
{
    return hd_term_make(t, HD_EXPR_EQ, 1, a, hd_term_constant(t, hd_term_at(t, a)->width, value), 0, 0);
}

/* --- all operands are constants -------------------------------------------------------- */

/* Constant folding by the reference semantics. */
static hd_term fold(const shape *s)
{
    hd_term operands[3] = { s->a, s->b, s->c };
    uint64_t values[3] = { 0 };
    uint32_t count = hd_term_operand_count((uint8_t)s->kind);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_constant(s, operands[i]))
            return 0;
        values[i] = node(s, operands[i])->value;
    }
    hd_term_node n = { .kind = (uint8_t)s->kind, .width = (uint8_t)s->width, .value = s->value };
    return constant(s, hd_term_apply(&n, node(s, s->a)->width, count > 1 ? node(s, s->b)->width : 0, values));
}

/* --- arithmetic ------------------------------------------------------------------------- */

static bool commutes(hd_expr_kind kind)
{
    switch (kind) {
    case HD_EXPR_ADD:
    case HD_EXPR_MUL:
    case HD_EXPR_AND:
    case HD_EXPR_OR:
    case HD_EXPR_XOR:
    case HD_EXPR_EQ:
    case HD_EXPR_UADD_OVERFLOW:
    case HD_EXPR_SADD_OVERFLOW:
    case HD_EXPR_UMUL_OVERFLOW:
    case HD_EXPR_SMUL_OVERFLOW:
        return true;
    default:
        return false;
    }
}

/* Normal form of commutative operations: constants on the right, otherwise the older term on the left. */
static void put_in_order(shape *s)
{
    bool turn = is_constant(s, s->a) || (!is_constant(s, s->b) && s->a > s->b);
    if (commutes(s->kind) && turn) {
        hd_term a = s->a;
        s->a = s->b;
        s->b = a;
    }
}

/* Rules for equal operands. */
static hd_term with_itself(const shape *s)
{
    if (s->a != s->b)
        return 0;
    switch (s->kind) {
    case HD_EXPR_SUB:
    case HD_EXPR_XOR:
    case HD_EXPR_ULT:
    case HD_EXPR_SLT:
    case HD_EXPR_USUB_OVERFLOW:
    case HD_EXPR_SSUB_OVERFLOW:
        return constant(s, 0);
    case HD_EXPR_EQ:
    case HD_EXPR_ULE:
    case HD_EXPR_SLE:
        return constant(s, 1);
    case HD_EXPR_AND:
    case HD_EXPR_OR:
        return s->a;
    default:
        return 0;
    }
}

/* Rules for the right operand 0. */
static hd_term with_zero(const shape *s)
{
    if (!is_value(s, s->b, 0))
        return 0;
    switch (s->kind) {
    case HD_EXPR_ADD:
    case HD_EXPR_SUB:
    case HD_EXPR_OR:
    case HD_EXPR_XOR:
    case HD_EXPR_SHL:
    case HD_EXPR_LSHR:
    case HD_EXPR_ASHR:
        return s->a;
    case HD_EXPR_MUL:
    case HD_EXPR_AND:
    case HD_EXPR_ULT:
    case HD_EXPR_UADD_OVERFLOW:
    case HD_EXPR_SADD_OVERFLOW:
    case HD_EXPR_USUB_OVERFLOW:
    case HD_EXPR_SSUB_OVERFLOW:
    case HD_EXPR_UMUL_OVERFLOW:
    case HD_EXPR_SMUL_OVERFLOW:
        return constant(s, 0);
    case HD_EXPR_ULE:
        return hd_term_equals(s->t, s->a, 0);
    default:
        return 0;
    }
}

/* Rules for the right operands 1 and all ones. (In one bit, 1 is -1 for SDIV.) */
static hd_term with_one_or_all(const shape *s)
{
    bool one = is_value(s, s->b, 1), all = is_value(s, s->b, ~0ull);
    if (one && (s->kind == HD_EXPR_MUL || s->kind == HD_EXPR_UDIV))
        return s->a;
    if (one && s->kind == HD_EXPR_SDIV && s->width > 1)
        return s->a;
    if (one && s->kind == HD_EXPR_UREM)
        return constant(s, 0);
    if (one && s->kind == HD_EXPR_ULT)
        return hd_term_equals(s->t, s->a, 0);
    if (all && s->kind == HD_EXPR_AND)
        return s->a;
    if (all && s->kind == HD_EXPR_OR)
        return s->b;
    if (all && s->kind == HD_EXPR_ULE)
        return constant(s, 1);
    return 0;
}

/* (x op c) op d = x op (c op d) for associative operations; x - c = x + (-c). */
static hd_term regroup(const shape *s)
{
    hd_expr_kind k = s->kind;
    if (k == HD_EXPR_SUB && is_constant(s, s->b))
        return make2(s, HD_EXPR_ADD, s->width, s->a, constant(s, 0 - node(s, s->b)->value));
    bool groups = k == HD_EXPR_ADD || k == HD_EXPR_MUL || k == HD_EXPR_AND || k == HD_EXPR_OR || k == HD_EXPR_XOR;
    if (!groups || !is_constant(s, s->b) || !is_kind(s, s->a, k) || !is_constant(s, node(s, s->a)->operands[1]))
        return 0;
    hd_term inner = node(s, s->a)->operands[0];
    return make2(s, k, s->width, inner, make2(s, k, s->width, node(s, s->a)->operands[1], s->b));
}

/* x & (2^n - 1) is the zero extension of the lowest n bits. */
static hd_term mask_low_bits(const shape *s)
{
    if (s->kind != HD_EXPR_AND || !is_constant(s, s->b))
        return 0;
    uint64_t mask = node(s, s->b)->value;
    uint32_t low = (uint32_t)__builtin_popcountll(mask);
    if (!low || low >= s->width || mask != hd_term_mask(low))
        return 0;
    return hd_term_make(s->t, HD_EXPR_ZEXT, s->width, extract(s, s->a, 0, low), 0, 0, 0);
}

/* Shifts by a constant become extracts and concatenations, which other rules take apart. An
 * arithmetic shift past the width is one by width - 1. */
static hd_term shift_by_constant(const shape *s)
{
    if (!is_constant(s, s->b))
        return 0;
    uint64_t by = node(s, s->b)->value;
    if (s->kind == HD_EXPR_ASHR)
        return by < s->width ? 0 : make2(s, HD_EXPR_ASHR, s->width, s->a, constant(s, s->width - 1));
    if (s->kind != HD_EXPR_SHL && s->kind != HD_EXPR_LSHR)
        return 0;
    if (by >= s->width)
        return constant(s, 0);
    uint32_t kept = s->width - (uint32_t)by;
    if (s->kind == HD_EXPR_LSHR)
        return hd_term_make(s->t, HD_EXPR_ZEXT, s->width, extract(s, s->a, by, kept), 0, 0, 0);
    return make2(s, HD_EXPR_CONCAT, s->width, extract(s, s->a, 0, kept), hd_term_constant(s->t, (uint32_t)by, 0));
}

/* not (a < b) is b <= a. */
static hd_term negate(const shape *s)
{
    static const hd_expr_kind turned[HD_EXPR_KINDS] = { [HD_EXPR_ULT] = HD_EXPR_ULE,
        [HD_EXPR_ULE] = HD_EXPR_ULT,
        [HD_EXPR_SLT] = HD_EXPR_SLE,
        [HD_EXPR_SLE] = HD_EXPR_SLT };
    if (s->kind != HD_EXPR_XOR || s->width != 1 || !is_value(s, s->b, 1) || !turned[node(s, s->a)->kind])
        return 0;
    return make2(s, turned[node(s, s->a)->kind], 1, node(s, s->a)->operands[1], node(s, s->a)->operands[0]);
}

/* --- equality ----------------------------------------------------------------------------- */

/* (high :: low) == c is two comparisons. */
static hd_term equal_parts(const shape *s, uint64_t value)
{
    const hd_term_node n = *node(s, s->a);
    uint32_t low = node(s, n.operands[1])->width;
    hd_term high_equal = hd_term_equals(s->t, n.operands[0], value >> low);
    return make2(s, HD_EXPR_AND, 1, high_equal, hd_term_equals(s->t, n.operands[1], value));
}

/* (c ? a : b) == v with constants a and b is c, its negation, true or false. */
static hd_term equal_choice(const shape *s, uint64_t value)
{
    const hd_term_node n = *node(s, s->a);
    if (!is_constant(s, n.operands[1]) || !is_constant(s, n.operands[2]))
        return 0;
    bool first = node(s, n.operands[1])->value == value, second = node(s, n.operands[2])->value == value;
    return first && second ? constant(s, 1)
        : first            ? n.operands[0]
        : second           ? hd_term_not(s->t, n.operands[0])
                           : constant(s, 0);
}

/* ext(x) == c is x == low bits of c, if these extend to c again; otherwise it is false. */
static hd_term equal_extended(const shape *s, uint64_t value)
{
    const hd_term_node n = *node(s, s->a);
    uint32_t from = node(s, n.operands[0])->width;
    uint64_t low = value & hd_term_mask(from);
    hd_term_node back = { .kind = n.kind, .width = n.width };
    if (hd_term_apply(&back, from, 0, &low) != value)
        return constant(s, 0);
    return hd_term_equals(s->t, n.operands[0], low);
}

/* x + c == d is x == d - c in modular arithmetic, and likewise for xor. */
static hd_term compare_equal(const shape *s)
{
    if (s->kind != HD_EXPR_EQ || !is_constant(s, s->b))
        return 0;
    const hd_term_node n = *node(s, s->a);
    uint64_t value = node(s, s->b)->value;
    /* For one bit, x == 1 is x itself. */
    if (n.width == 1)
        return value ? s->a : hd_term_not(s->t, s->a);
    switch (n.kind) {
    case HD_EXPR_ADD:
    case HD_EXPR_XOR:
        if (!is_constant(s, n.operands[1]))
            return 0;
        value = n.kind == HD_EXPR_ADD ? value - node(s, n.operands[1])->value : value ^ node(s, n.operands[1])->value;
        return hd_term_equals(s->t, n.operands[0], value);
    case HD_EXPR_SUB:
        return value ? 0 : make2(s, HD_EXPR_EQ, 1, n.operands[0], n.operands[1]);
    case HD_EXPR_ZEXT:
    case HD_EXPR_SEXT:
        return equal_extended(s, value);
    case HD_EXPR_CONCAT:
        return equal_parts(s, value);
    case HD_EXPR_ITE:
        return equal_choice(s, value);
    default:
        return 0;
    }
}

/* Values extended by zeros compare as their originals do, without sign. */
static hd_term compare_narrower(const shape *s)
{
    bool compares = s->kind >= HD_EXPR_EQ && s->kind <= HD_EXPR_SLE;
    if (!compares || !is_kind(s, s->a, HD_EXPR_ZEXT) || !is_kind(s, s->b, HD_EXPR_ZEXT))
        return 0;
    hd_term a = node(s, s->a)->operands[0], b = node(s, s->b)->operands[0];
    if (node(s, a)->width != node(s, b)->width)
        return 0;
    hd_expr_kind kind = s->kind == HD_EXPR_SLT ? HD_EXPR_ULT : s->kind == HD_EXPR_SLE ? HD_EXPR_ULE : s->kind;
    return make2(s, kind, 1, a, b);
}

/* --- parts of values --------------------------------------------------------------------- */

/* An extract that lies within one half of a concatenation is an extract of that half. */
static hd_term extract_concat(const shape *s, const hd_term_node *n)
{
    uint32_t low = node(s, n->operands[1])->width;
    if (s->value >= low)
        return extract(s, n->operands[0], s->value - low, s->width);
    return s->value + s->width <= low ? extract(s, n->operands[1], s->value, s->width) : 0;
}

/* An extract of the original bits, of a shorter extension, or of the added zeros. */
static hd_term extract_extended(const shape *s, const hd_term_node *n)
{
    uint32_t from = node(s, n->operands[0])->width;
    if (s->value + s->width <= from)
        return extract(s, n->operands[0], s->value, s->width);
    if (s->value == 0)
        return hd_term_make(s->t, (hd_expr_kind)n->kind, s->width, n->operands[0], 0, 0, 0);
    return n->kind == HD_EXPR_ZEXT && s->value >= from ? constant(s, 0) : 0;
}

/* Operations whose low bits depend on low bits of the operands alone. */
static bool works_upwards(uint8_t kind)
{
    return kind == HD_EXPR_ADD || kind == HD_EXPR_SUB || kind == HD_EXPR_MUL || kind == HD_EXPR_AND
        || kind == HD_EXPR_OR || kind == HD_EXPR_XOR;
}

static hd_term extract_rule(const shape *s)
{
    if (s->kind != HD_EXPR_EXTRACT)
        return 0;
    const hd_term_node n = *node(s, s->a);
    if (s->value == 0 && n.width == s->width)
        return s->a;
    switch (n.kind) {
    case HD_EXPR_EXTRACT:
        return extract(s, n.operands[0], n.value + s->value, s->width);
    case HD_EXPR_CONCAT:
        return extract_concat(s, &n);
    case HD_EXPR_ZEXT:
    case HD_EXPR_SEXT:
        return extract_extended(s, &n);
    default:
        break;
    }
    /* Only with a constant operand: otherwise the term could grow. */
    if (works_upwards(n.kind) && s->value == 0 && is_constant(s, n.operands[1]))
        return make2(s, (hd_expr_kind)n.kind, s->width, extract(s, n.operands[0], 0, s->width),
            extract(s, n.operands[1], 0, s->width));
    return 0;
}

static hd_term extend_rule(const shape *s)
{
    const hd_term_node n = *node(s, s->a);
    if (s->kind != HD_EXPR_ZEXT && s->kind != HD_EXPR_SEXT)
        return 0;
    if (n.width == s->width)
        return s->a;
    if (n.kind == HD_EXPR_ZEXT) /* a value extended by zeros is not negative, so either extension adds zeros */
        return hd_term_make(s->t, HD_EXPR_ZEXT, s->width, n.operands[0], 0, 0, 0);
    if (n.kind == HD_EXPR_SEXT && s->kind == HD_EXPR_SEXT)
        return hd_term_make(s->t, HD_EXPR_SEXT, s->width, n.operands[0], 0, 0, 0);
    return 0;
}

/* Adjacent extracts of one value are one extract: bytes of a value in memory are put together again. */
static hd_term concat_rule(const shape *s)
{
    if (s->kind != HD_EXPR_CONCAT)
        return 0;
    const hd_term_node high = *node(s, s->a), low = *node(s, s->b);
    if (is_value(s, s->a, 0))
        return hd_term_make(s->t, HD_EXPR_ZEXT, s->width, s->b, 0, 0, 0);
    if (high.kind == HD_EXPR_EXTRACT && low.kind == HD_EXPR_EXTRACT && high.operands[0] == low.operands[0]
        && high.value == low.value + low.width)
        return extract(s, low.operands[0], low.value, s->width);
    /* a :: (b :: c), where a and b belong together */
    if (high.kind == HD_EXPR_EXTRACT && low.kind == HD_EXPR_CONCAT) {
        const hd_term_node next = *node(s, low.operands[0]);
        if (next.kind == HD_EXPR_EXTRACT && next.operands[0] == high.operands[0]
            && high.value == next.value + next.width)
            return make2(s, HD_EXPR_CONCAT, s->width,
                extract(s, next.operands[0], next.value, (uint32_t)next.width + high.width), low.operands[1]);
    }
    return 0;
}

static hd_term choice_rule(const shape *s)
{
    if (s->kind != HD_EXPR_ITE)
        return 0;
    if (is_constant(s, s->a))
        return node(s, s->a)->value ? s->b : s->c;
    if (s->b == s->c)
        return s->b;
    if (s->width == 1 && is_value(s, s->b, 1) && is_value(s, s->c, 0))
        return s->a;
    if (s->width == 1 && is_value(s, s->b, 0) && is_value(s, s->c, 1))
        return hd_term_not(s->t, s->a);
    return 0;
}

/* --- all rules ------------------------------------------------------------------------------ */

typedef hd_term rule(const shape *s);

static rule *const of_one[] = { extract_rule, extend_rule };
static rule *const of_two[] = { with_itself, with_zero, with_one_or_all, regroup, mask_low_bits, shift_by_constant,
    negate, compare_equal, compare_narrower, concat_rule };
static rule *const of_three[] = { choice_rule };

/* The first rule that applies wins; its result is simplified already. */
static hd_term apply_rules(const shape *s, rule *const *rules, size_t count)
{
    hd_term found = fold(s);
    for (size_t i = 0; !found && i < count; i++)
        found = rules[i](s);
    return found;
}

hd_term hd_term_make(hd_terms *t, hd_expr_kind kind, uint32_t width, hd_term a, hd_term b, hd_term c, uint64_t value)
{
    shape s = { t, kind, width, a, b, c, value };
    uint32_t operands = hd_term_operand_count((uint8_t)kind);
    hd_term simpler = 0;
    if (operands == 2)
        put_in_order(&s);
    if (operands == 1)
        simpler = apply_rules(&s, of_one, sizeof of_one / sizeof *of_one);
    else if (operands == 2)
        simpler = apply_rules(&s, of_two, sizeof of_two / sizeof *of_two);
    else
        simpler = apply_rules(&s, of_three, sizeof of_three / sizeof *of_three);
    if (simpler)
        return simpler;
    return hd_term_intern(t,
        &(hd_term_node) {
            .kind = (uint8_t)kind, .width = (uint8_t)width, .operands = { s.a, s.b, s.c }, .value = s.value });
}
