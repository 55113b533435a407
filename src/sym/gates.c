#include "sym/gates.h"

#define CLAUSE(s, ...) \
    hd_sat_add( \
        (s), (const hd_literal[]) { __VA_ARGS__ }, sizeof((const hd_literal[]) { __VA_ARGS__ }) / sizeof(hd_literal))

#define NOT(a) hd_literal_not(a)

/* Constants are literals of variable 0. */
static bool is_constant(hd_literal a)
{
    return a == HD_TRUE || a == HD_FALSE;
}

/* --- one bit -------------------------------------------------------------------------------- */

hd_literal hd_gate_and(hd_sat *s, hd_literal a, hd_literal b)
{
    if (a == HD_FALSE || b == HD_FALSE || a == NOT(b))
        return HD_FALSE;
    if (a == HD_TRUE || a == b)
        return b;
    if (b == HD_TRUE)
        return a;
    hd_literal out = hd_sat_variable_of(s, false);
    /* out <-> a AND b. */
    CLAUSE(s, NOT(out), a);
    CLAUSE(s, NOT(out), b);
    CLAUSE(s, out, NOT(a), NOT(b));
    return out;
}

hd_literal hd_gate_or(hd_sat *s, hd_literal a, hd_literal b)
{
    return NOT(hd_gate_and(s, NOT(a), NOT(b)));
}

/* Signs are moved out of the gate: the literals that are left are positive, and HD_TRUE stands for
 * both constants. */
hd_literal hd_gate_xor(hd_sat *s, hd_literal a, hd_literal b)
{
    hd_literal negated = (a ^ b) & 1;
    a &= ~1u;
    b &= ~1u;
    if (a == b)
        return HD_FALSE ^ negated;
    if (a == HD_TRUE || b == HD_TRUE)
        return NOT(a == HD_TRUE ? b : a) ^ negated;
    hd_literal out = hd_sat_variable_of(s, false);
    CLAUSE(s, NOT(out), a, b);
    CLAUSE(s, NOT(out), NOT(a), NOT(b));
    CLAUSE(s, out, NOT(a), b);
    CLAUSE(s, out, a, NOT(b));
    return out ^ negated;
}

hd_literal hd_gate_choose(hd_sat *s, hd_literal which, hd_literal a, hd_literal b)
{
    /* Where an alternative is the selector itself, it is constant in its branch. */
    if (a / 2 == which / 2)
        a = a == which ? HD_TRUE : HD_FALSE;
    if (b / 2 == which / 2)
        b = b == which ? HD_FALSE : HD_TRUE;
    if (is_constant(which) || a == b)
        return which == HD_TRUE ? a : b;
    if (is_constant(a))
        return a == HD_TRUE ? hd_gate_or(s, which, b) : hd_gate_and(s, NOT(which), b);
    if (is_constant(b))
        return b == HD_TRUE ? hd_gate_or(s, NOT(which), a) : hd_gate_and(s, which, a);
    if (a == NOT(b))
        return hd_gate_xor(s, which, b);
    hd_literal out = hd_sat_variable_of(s, false);
    CLAUSE(s, NOT(which), NOT(a), out);
    CLAUSE(s, NOT(which), a, NOT(out));
    CLAUSE(s, which, NOT(b), out);
    CLAUSE(s, which, b, NOT(out));
    CLAUSE(s, NOT(a), NOT(b), out);
    CLAUSE(s, a, b, NOT(out));
    return out;
}

/* The sum bit of a full adder: a three-way xor, encoded directly by 8 clauses, one for each combination. */
static hd_literal sum_of(hd_sat *s, hd_literal a, hd_literal b, hd_literal c)
{
    bool is_small =
        is_constant(a) || is_constant(b) || is_constant(c) || a / 2 == b / 2 || a / 2 == c / 2 || b / 2 == c / 2;
    if (is_small)
        return hd_gate_xor(s, hd_gate_xor(s, a, b), c);
    hd_literal out = hd_sat_variable_of(s, false);
    for (hd_literal bits = 0; bits < 8; bits++) {
        hd_literal x = bits & 1, y = bits >> 1 & 1, z = bits >> 2;
        CLAUSE(s, a ^ x, b ^ y, c ^ z, out ^ 1 ^ x ^ y ^ z);
    }
    return out;
}

/* The carry of a full adder: the majority of three. */
static hd_literal carry_of(hd_sat *s, hd_literal a, hd_literal b, hd_literal c)
{
    if (is_constant(a))
        return a == HD_TRUE ? hd_gate_or(s, b, c) : hd_gate_and(s, b, c);
    if (is_constant(b) || is_constant(c))
        return carry_of(s, is_constant(b) ? b : c, a, is_constant(b) ? c : b);
    if (a / 2 == b / 2)
        return a == b ? a : c;
    if (a / 2 == c / 2 || b / 2 == c / 2)
        return a / 2 == c / 2 ? carry_of(s, a, c, b) : carry_of(s, b, c, a);
    hd_literal out = hd_sat_variable_of(s, false);
    CLAUSE(s, NOT(a), NOT(b), out);
    CLAUSE(s, NOT(a), NOT(c), out);
    CLAUSE(s, NOT(b), NOT(c), out);
    CLAUSE(s, a, b, NOT(out));
    CLAUSE(s, a, c, NOT(out));
    CLAUSE(s, b, c, NOT(out));
    return out;
}

/* --- words ------------------------------------------------------------------------------------ */

hd_word hd_word_constant(uint32_t width, uint64_t value)
{
    hd_word w = { .width = width };
    for (uint32_t i = 0; i < width; i++)
        w.bits[i] = i < 64 && value >> i & 1 ? HD_TRUE : HD_FALSE;
    return w;
}

hd_word hd_word_not(const hd_word *a)
{
    hd_word w = { .width = a->width };
    for (uint32_t i = 0; i < a->width; i++)
        w.bits[i] = NOT(a->bits[i]);
    return w;
}

/* which ? a : b, bit by bit. */
hd_word hd_word_choose(hd_sat *s, hd_literal which, const hd_word *a, const hd_word *b)
{
    hd_word w = { .width = a->width };
    for (uint32_t i = 0; i < a->width; i++)
        w.bits[i] = hd_gate_choose(s, which, a->bits[i], b->bits[i]);
    return w;
}

hd_word hd_word_resize(const hd_word *a, uint32_t width, hd_literal fill)
{
    hd_word w = { .width = width };
    for (uint32_t i = 0; i < width; i++)
        w.bits[i] = i < a->width ? a->bits[i] : fill;
    return w;
}

hd_word hd_word_add(hd_sat *s, const hd_word *a, const hd_word *b, hd_literal carry, hd_literal carries[2])
{
    hd_word w = { .width = a->width };
    hd_literal before = carry;
    for (uint32_t i = 0; i < a->width; i++) {
        /* The carry into the highest bit is the last value of `before`. */
        before = carry;
        w.bits[i] = sum_of(s, a->bits[i], b->bits[i], carry);
        if (i + 1 < a->width || carries)
            carry = carry_of(s, a->bits[i], b->bits[i], carry);
    }
    if (carries) {
        carries[0] = before;
        carries[1] = carry;
    }
    return w;
}

/* a - b = a + ~b + 1; the carry out is 1 if there is no borrow, that is, if a >= b. */
hd_word hd_word_subtract(hd_sat *s, const hd_word *a, const hd_word *b, hd_literal carries[2])
{
    hd_word turned = hd_word_not(b);
    return hd_word_add(s, a, &turned, HD_TRUE, carries);
}

hd_word hd_word_negate(hd_sat *s, const hd_word *a)
{
    hd_word zero = hd_word_constant(a->width, 0);
    return hd_word_subtract(s, &zero, a, NULL);
}

/* Adds `a`, if the bit is set, to the bits of `sum` from `from` on. */
static void add_row(hd_sat *s, hd_word *sum, uint32_t from, const hd_word *a, hd_literal bit)
{
    hd_word row = { .width = sum->width - from }, high = { .width = sum->width - from };
    for (uint32_t i = 0; i < row.width; i++) {
        row.bits[i] = hd_gate_and(s, a->bits[i], bit);
        high.bits[i] = sum->bits[from + i];
    }
    high = hd_word_add(s, &high, &row, HD_FALSE, NULL);
    for (uint32_t i = 0; i < row.width; i++)
        sum->bits[from + i] = high.bits[i];
}

hd_word hd_word_multiply(hd_sat *s, const hd_word *a, const hd_word *b)
{
    hd_word sum = hd_word_constant(a->width, 0);
    for (uint32_t i = 0; i < b->width; i++)
        if (b->bits[i] != HD_FALSE)
            add_row(s, &sum, i, a, b->bits[i]);
    return sum;
}

/* Long division from the highest bit down, in one bit more than the width so that the partial
 * remainder fits. The carry of the subtraction says whether the divisor fits, which is the bit of
 * the quotient. */
void hd_word_divide(hd_sat *s, const hd_word *a, const hd_word *b, hd_word *quotient, hd_word *rest)
{
    uint32_t width = a->width;
    hd_word divisor = hd_word_resize(b, width + 1, HD_FALSE), left = hd_word_constant(width + 1, 0);
    quotient->width = width;
    for (uint32_t i = width; i-- > 0;) {
        hd_literal carries[2];
        for (uint32_t k = width; k > 0; k--)
            left.bits[k] = left.bits[k - 1];
        left.bits[0] = a->bits[i];
        hd_word less = hd_word_subtract(s, &left, &divisor, carries);
        quotient->bits[i] = carries[1];
        left = hd_word_choose(s, carries[1], &less, &left);
    }
    *rest = hd_word_resize(&left, width, HD_FALSE);
}

hd_word hd_word_shift_right(hd_sat *s, const hd_word *a, const hd_word *by, hd_literal fill)
{
    hd_word w = *a;
    for (uint32_t stage = 0; stage < by->width; stage++) {
        /* A barrel shifter. Stages from 7 on shift everything out. */
        uint32_t distance = stage < 7 ? 1u << stage : HD_WORD_BITS;
        hd_word moved = { .width = a->width };
        for (uint32_t i = 0; i < a->width; i++)
            moved.bits[i] = i + distance < a->width ? w.bits[i + distance] : fill;
        w = hd_word_choose(s, by->bits[stage], &moved, &w);
    }
    return w;
}

static hd_word reverse(const hd_word *a)
{
    hd_word w = { .width = a->width };
    for (uint32_t i = 0; i < a->width; i++)
        w.bits[i] = a->bits[a->width - 1 - i];
    return w;
}

hd_word hd_word_shift_left(hd_sat *s, const hd_word *a, const hd_word *by)
{
    hd_word turned = reverse(a);
    turned = hd_word_shift_right(s, &turned, by, HD_FALSE);
    return reverse(&turned);
}

hd_literal hd_word_equal(hd_sat *s, const hd_word *a, const hd_word *b)
{
    hd_word different = { .width = a->width };
    for (uint32_t i = 0; i < a->width; i++)
        different.bits[i] = hd_gate_xor(s, a->bits[i], b->bits[i]);
    return NOT(hd_word_any(s, &different));
}

/* Unsigned: a < b if a - b borrows. */
hd_literal hd_word_less(hd_sat *s, const hd_word *a, const hd_word *b)
{
    hd_literal carry = HD_TRUE;
    for (uint32_t i = 0; i < a->width; i++)
        carry = carry_of(s, a->bits[i], NOT(b->bits[i]), carry);
    return NOT(carry);
}

hd_literal hd_word_any(hd_sat *s, const hd_word *a)
{
    hd_literal clause[HD_WORD_BITS + 1];
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->width; i++) {
        if (a->bits[i] == HD_TRUE)
            return HD_TRUE;
        if (a->bits[i] != HD_FALSE)
            clause[count++] = a->bits[i];
    }
    if (count < 2)
        return count ? clause[0] : HD_FALSE;
    hd_literal out = hd_sat_variable_of(s, false);
    for (uint32_t i = 0; i < count; i++)
        CLAUSE(s, out, NOT(clause[i]));
    clause[count] = NOT(out);
    hd_sat_add(s, clause, count + 1);
    return out;
}
