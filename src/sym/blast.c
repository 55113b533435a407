#include "sym/blast.h"

#include "sym/gates.h"
#include "sym/sat.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_GATES = 100000, /* new gates for one query */
    MOST_VARIABLES = 400000,
    MOST_WORDS = 1 << 24, /* of clauses; above it everything is dropped and encoded again on demand */
    VISITS_A_MILLISECOND = 20000 /* a fraction of the real rate, so that time is left for the back end; a count, so that
                                    results do not depend on load */
};

struct hd_blast {
    hd_memory *memory;
    hd_sat *sat;
    hd_vec(uint32_t) offsets; /* by term: index of its lowest bit in `bits`, + 1; 0: not encoded yet */
    hd_vec(hd_literal) bits;
    hd_vec(hd_literal) assumptions;
    hd_vec(hd_term) stack;
};

static const uint32_t FOUND = ~0u; /* a term on the stack that is not encoded yet */

hd_blast *hd_blast_open(hd_memory *memory)
{
    hd_blast *b = hd_alloc(memory, sizeof *b);
    b->memory = b->offsets.memory = b->bits.memory = b->assumptions.memory = b->stack.memory = memory;
    b->sat = hd_sat_open(memory);
    return b;
}

void hd_blast_close(hd_blast *b)
{
    hd_sat_close(b->sat);
    hd_vec_fini(&b->offsets);
    hd_vec_fini(&b->bits);
    hd_vec_fini(&b->assumptions);
    hd_vec_fini(&b->stack);
    hd_release(b->memory, b, sizeof *b);
}

void hd_blast_forget(hd_blast *b)
{
    hd_sat_clear(b->sat);
    hd_vec_clear(&b->offsets);
    hd_vec_clear(&b->bits);
}

static const hd_literal *bits_of(const hd_blast *b, hd_term term)
{
    return b->bits.items + (b->offsets.items[term] - 1);
}

static hd_word word_of(const hd_blast *b, const hd_terms *t, hd_term term)
{
    hd_word w = { .width = hd_term_at(t, term)->width };
    memcpy(w.bits, bits_of(b, term), w.width * sizeof *w.bits);
    return w;
}

/* --- operations ------------------------------------------------------------------------------ */

static hd_word one_bit(hd_literal bit)
{
    return (hd_word) { .width = 1, .bits = { bit } };
}

static hd_literal top_of(const hd_word *a)
{
    return a->bits[a->width - 1];
}

typedef hd_literal gate(hd_sat *s, hd_literal a, hd_literal b);

/* Applies a gate to each pair of bits. */
static hd_word bit_by_bit(hd_sat *s, gate *of, const hd_word *a, const hd_word *b)
{
    hd_word w = { .width = a->width };
    for (uint32_t i = 0; i < a->width; i++)
        w.bits[i] = of(s, a->bits[i], b->bits[i]);
    return w;
}

static hd_word divide(hd_sat *s, uint8_t kind, const hd_word *a, const hd_word *b)
{
    hd_word quotient, rest;
    hd_word_divide(s, a, b, &quotient, &rest);
    return kind == HD_EXPR_UDIV ? quotient : rest;
}

static hd_word negate_if(hd_sat *s, hd_literal condition, const hd_word *a)
{
    hd_word negated = hd_word_negate(s, a);
    return hd_word_choose(s, condition, &negated, a);
}

/* Divide magnitudes, then fix the sign. Division by zero comes out as in apply.c, without a special case. */
static hd_word divide_signed(hd_sat *s, uint8_t kind, const hd_word *a, const hd_word *b)
{
    hd_literal below = top_of(a), other_below = top_of(b);
    hd_word x = negate_if(s, below, a), y = negate_if(s, other_below, b);
    hd_word w = divide(s, kind == HD_EXPR_SDIV ? HD_EXPR_UDIV : HD_EXPR_UREM, &x, &y);
    return negate_if(s, kind == HD_EXPR_SDIV ? hd_gate_xor(s, below, other_below) : below, &w);
}

/* Inverting the sign bits turns signed into unsigned order. */
static hd_literal less_signed(hd_sat *s, const hd_word *a, const hd_word *b)
{
    hd_word x = *a, y = *b;
    x.bits[x.width - 1] = hd_literal_not(top_of(a));
    y.bits[y.width - 1] = hd_literal_not(top_of(b));
    return hd_word_less(s, &x, &y);
}

/* A product in twice the width overflows the width if its upper half differs from the zero or sign
 * extension of the lower half. */
static hd_literal product_leaves(hd_sat *s, bool is_signed, const hd_word *a, const hd_word *b)
{
    uint32_t width = a->width;
    hd_word x = hd_word_resize(a, 2 * width, is_signed ? top_of(a) : HD_FALSE);
    hd_word y = hd_word_resize(b, 2 * width, is_signed ? top_of(b) : HD_FALSE);
    hd_word product = hd_word_multiply(s, &x, &y), different = { .width = width };
    for (uint32_t i = 0; i < width; i++)
        different.bits[i] =
            hd_gate_xor(s, product.bits[width + i], is_signed ? product.bits[width - 1] : (hd_literal)HD_FALSE);
    return hd_word_any(s, &different);
}

/* Signed addition overflows if the carries into and out of the sign bit differ. */
static hd_literal leaves(hd_sat *s, uint8_t kind, const hd_word *a, const hd_word *b)
{
    hd_literal carries[2];
    switch (kind) {
    case HD_EXPR_UADD_OVERFLOW:
    case HD_EXPR_SADD_OVERFLOW:
        hd_word_add(s, a, b, HD_FALSE, carries);
        return kind == HD_EXPR_UADD_OVERFLOW ? carries[1] : hd_gate_xor(s, carries[0], carries[1]);
    case HD_EXPR_USUB_OVERFLOW:
        return hd_word_less(s, a, b);
    case HD_EXPR_SSUB_OVERFLOW:
        hd_word_subtract(s, a, b, carries);
        return hd_gate_xor(s, carries[0], carries[1]);
    default:
        return product_leaves(s, kind == HD_EXPR_SMUL_OVERFLOW, a, b);
    }
}

/* Adds each bit as the carry of an addition of 0. 7 bits suffice for the sum, since a word has at most 64. */
static hd_word count_ones(hd_sat *s, const hd_word *a)
{
    hd_word sum = hd_word_constant(a->width, 0), zero = sum;
    for (uint32_t i = 0; i < a->width; i++) {
        hd_word least = hd_word_resize(&sum, a->width < 7 ? a->width : 7, HD_FALSE); /* 64 has 7 bits */
        zero.width = least.width;
        least = hd_word_add(s, &least, &zero, a->bits[i], NULL);
        sum = hd_word_resize(&least, a->width, HD_FALSE);
    }
    return sum;
}

/* A chain of choices from the far end to the near one: the bit set nearest to the counting end decides. */
static hd_word count_zeros(hd_sat *s, const hd_word *a, bool from_top)
{
    hd_word count = hd_word_constant(a->width, a->width);
    for (uint32_t i = a->width; i-- > 0;) {
        hd_word here = hd_word_constant(a->width, i);
        count = hd_word_choose(s, a->bits[from_top ? a->width - 1 - i : i], &here, &count);
    }
    return count;
}

static hd_word join(const hd_word *high, const hd_word *low)
{
    hd_word w = *low;
    memcpy(w.bits + low->width, high->bits, high->width * sizeof *w.bits);
    w.width += high->width;
    return w;
}

static hd_word of_one(hd_sat *s, const hd_term_node *n, const hd_word *a)
{
    hd_word w = { .width = n->width };
    switch (n->kind) {
    case HD_EXPR_ZEXT:
        return hd_word_resize(a, n->width, HD_FALSE);
    case HD_EXPR_SEXT:
        return hd_word_resize(a, n->width, top_of(a));
    case HD_EXPR_EXTRACT:
        memcpy(w.bits, a->bits + n->value, n->width * sizeof *w.bits);
        return w;
    case HD_EXPR_CTPOP:
        return count_ones(s, a);
    default:
        return count_zeros(s, a, n->kind == HD_EXPR_CTLZ);
    }
}

static hd_word of_two(hd_sat *s, uint8_t kind, const hd_word *a, const hd_word *b)
{
    switch (kind) {
    case HD_EXPR_ADD:
        return hd_word_add(s, a, b, HD_FALSE, NULL);
    case HD_EXPR_SUB:
        return hd_word_subtract(s, a, b, NULL);
    case HD_EXPR_MUL:
        return hd_word_multiply(s, a, b);
    case HD_EXPR_UDIV:
    case HD_EXPR_UREM:
        return divide(s, kind, a, b);
    case HD_EXPR_SDIV:
    case HD_EXPR_SREM:
        return divide_signed(s, kind, a, b);
    case HD_EXPR_AND:
        return bit_by_bit(s, hd_gate_and, a, b);
    case HD_EXPR_OR:
        return bit_by_bit(s, hd_gate_or, a, b);
    case HD_EXPR_XOR:
        return bit_by_bit(s, hd_gate_xor, a, b);
    case HD_EXPR_SHL:
        return hd_word_shift_left(s, a, b);
    case HD_EXPR_LSHR:
        return hd_word_shift_right(s, a, b, HD_FALSE);
    case HD_EXPR_ASHR:
        return hd_word_shift_right(s, a, b, top_of(a));
    case HD_EXPR_EQ:
        return one_bit(hd_word_equal(s, a, b));
    case HD_EXPR_ULT:
        return one_bit(hd_word_less(s, a, b));
    case HD_EXPR_ULE:
        return one_bit(hd_literal_not(hd_word_less(s, b, a)));
    case HD_EXPR_SLT:
        return one_bit(less_signed(s, a, b));
    case HD_EXPR_SLE:
        return one_bit(hd_literal_not(less_signed(s, b, a)));
    case HD_EXPR_CONCAT:
        return join(a, b);
    default:
        return one_bit(leaves(s, kind, a, b));
    }
}

static hd_word new_input(hd_sat *s, uint32_t width)
{
    hd_word w = { .width = width };
    for (uint32_t i = 0; i < width; i++)
        w.bits[i] = hd_sat_variable_of(s, true);
    return w;
}

/* Encodes a term whose operands are encoded. The term is the group of its variables: hd_sat decides
 * only groups that the query needs. */
static void make(hd_blast *b, const hd_terms *t, hd_term term)
{
    const hd_term_node *n = hd_term_at(t, term);
    hd_word operands[3], w;
    uint32_t count = hd_term_operand_count(n->kind);
    for (uint32_t i = 0; i < count; i++)
        operands[i] = word_of(b, t, n->operands[i]);
    hd_sat_begin_group(b->sat, term);
    if (n->kind == HD_EXPR_INPUT)
        w = new_input(b->sat, n->width);
    else if (n->kind == HD_EXPR_CONST)
        w = hd_word_constant(n->width, n->value);
    else if (count == 3)
        w = hd_word_choose(b->sat, operands[0].bits[0], &operands[1], &operands[2]);
    else
        w = count == 2 ? of_two(b->sat, n->kind, &operands[0], &operands[1]) : of_one(b->sat, n, &operands[0]);
    b->offsets.items[term] = (uint32_t)b->bits.count + 1;
    for (uint32_t i = 0; i < n->width; i++)
        hd_vec_push(&b->bits, w.bits[i]);
}

/* --- queries ----------------------------------------------------------------------------------- */

/* Rows of a product: the number of bits of the second factor that may be 1. */
static uint32_t rows_of(const hd_terms *t, const hd_term_node *n)
{
    const hd_term_node *b = hd_term_at(t, n->operands[1]);
    return b->kind == HD_EXPR_CONST ? (uint32_t)__builtin_popcountll(b->value) : b->width;
}

/* An estimate of the gates for an operation. */
static uint32_t gates_of(const hd_terms *t, const hd_term_node *n)
{
    uint32_t width = n->operands[0] ? hd_term_at(t, n->operands[0])->width : 0;
    switch (n->kind) {
    case HD_EXPR_UDIV:
    case HD_EXPR_SDIV:
    case HD_EXPR_UREM:
    case HD_EXPR_SREM:
        return 3 * width * width;
    case HD_EXPR_MUL:
        return 2 * width * rows_of(t, n);
    case HD_EXPR_UMUL_OVERFLOW:
    case HD_EXPR_SMUL_OVERFLOW:
        return 6 * width * rows_of(t, n);
    case HD_EXPR_SHL:
    case HD_EXPR_LSHR:
    case HD_EXPR_ASHR:
    case HD_EXPR_CTPOP:
    case HD_EXPR_CTLZ:
    case HD_EXPR_CTTZ:
        return 7 * width;
    default:
        return 2 * width;
    }
}

/* Pushes a term once: the mark keeps it from being pushed again. */
static void find(hd_blast *b, hd_term term)
{
    if (!b->offsets.items[term]) {
        b->offsets.items[term] = FOUND;
        hd_vec_push(&b->stack, term);
    }
}

/* Puts the terms that are not encoded yet on the stack and returns an estimate of their gates. */
static uint32_t find_missing(hd_blast *b, const hd_query *q)
{
    uint32_t gates = 0;
    while (b->offsets.count < q->terms->nodes.count)
        hd_vec_push(&b->offsets, 0u);
    hd_vec_clear(&b->stack);
    for (uint32_t i = 0; i < q->condition_count; i++)
        find(b, q->conditions[i]);
    /* The stack is a queue here: it grows while it is walked, and at the end it holds all terms
     * that are missing. */
    for (size_t i = 0; i < b->stack.count && gates <= MOST_GATES; i++) {
        const hd_term_node *n = hd_term_at(q->terms, b->stack.items[i]);
        gates += gates_of(q->terms, n);
        for (uint32_t k = 0; k < hd_term_operand_count(n->kind); k++)
            find(b, n->operands[k]);
    }
    return gates;
}

static int by_number(const void *a, const void *b)
{
    hd_term x = *(const hd_term *)a, y = *(const hd_term *)b;
    return (x > y) - (x < y);
}

/* False: the query needs more gates than allowed; nothing has been encoded then. */
static bool make_missing(hd_blast *b, const hd_query *q)
{
    if (hd_sat_variable_count(b->sat) > MOST_VARIABLES || hd_sat_clause_words(b->sat) > MOST_WORDS)
        hd_blast_forget(b);
    bool too_many = find_missing(b, q) > MOST_GATES;
    /* Undo the marks, so that a later query sees these terms as not encoded. */
    if (too_many)
        while (b->stack.count)
            b->offsets.items[hd_vec_pop(&b->stack)] = 0;
    if (!b->stack.count)
        return !too_many;
    /* Clauses may only be added at level 0. */
    hd_sat_withdraw(b->sat);
    qsort(b->stack.items, b->stack.count, sizeof *b->stack.items, by_number); /* operands have smaller numbers */
    for (size_t i = 0; i < b->stack.count; i++)
        make(b, q->terms, b->stack.items[i]);
    return true;
}

static void want(hd_blast *b, hd_term term)
{
    if (!hd_sat_wants(b->sat, term)) {
        hd_sat_want(b->sat, term);
        hd_vec_push(&b->stack, term);
    }
}

/* Marks all terms of the query as wanted: their variables, and only theirs, may be decided. */
static void want_all(hd_blast *b, const hd_query *q)
{
    hd_vec_clear(&b->stack);
    for (uint32_t i = 0; i < q->condition_count; i++)
        want(b, q->conditions[i]);
    while (b->stack.count) {
        const hd_term_node *n = hd_term_at(q->terms, hd_vec_pop(&b->stack));
        for (uint32_t i = 0; i < hd_term_operand_count(n->kind); i++)
            want(b, n->operands[i]);
    }
}

static const hd_literal *bits_of_input(const hd_blast *b, const hd_query *q, uint32_t i)
{
    return bits_of(b, q->terms->inputs.items[q->inputs[i]].term);
}

/* Sets the phases to the current values, which satisfy all conditions but the goals: most of them can stay. */
static void prefer_values(hd_blast *b, const hd_query *q)
{
    for (uint32_t i = 0; i < q->input_count; i++)
        for (uint32_t k = 0; k < q->terms->inputs.items[q->inputs[i]].width; k++)
            hd_sat_prefer(b->sat, bits_of_input(b, q, i)[k], q->values->items[q->inputs[i]] >> k & 1);
}

static void read_values(const hd_blast *b, hd_query *q)
{
    for (uint32_t i = 0; i < q->input_count; i++) {
        uint64_t value = 0;
        for (uint32_t k = 0; k < q->terms->inputs.items[q->inputs[i]].width; k++)
            value |= (uint64_t)hd_sat_value(b->sat, bits_of_input(b, q, i)[k]) << k;
        q->values->items[q->inputs[i]] = value;
    }
}

static void read_core(const hd_blast *b, hd_query *q)
{
    hd_vec_clear(&q->core);
    size_t count;
    const uint32_t *core = hd_sat_core(b->sat, &count);
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&q->core, core[i]);
}

hd_answer hd_blast_solve(hd_blast *b, hd_query *q, uint32_t milliseconds)
{
    if (!make_missing(b, q))
        return HD_UNKNOWN;
    hd_vec_clear(&b->assumptions);
    for (uint32_t i = 0; i < q->condition_count; i++)
        hd_vec_push(&b->assumptions, bits_of(b, q->conditions[i])[0]);
    /* The literal of each condition is assumed, not asserted. */
    hd_sat_begin(b->sat, b->assumptions.items, q->condition_count);
    want_all(b, q);
    prefer_values(b, q);
    hd_answer answer =
        hd_sat_solve(b->sat, b->assumptions.items, q->condition_count, (uint64_t)milliseconds * VISITS_A_MILLISECOND);
    if (answer == HD_SAT)
        read_values(b, q);
    else if (answer == HD_UNSAT)
        read_core(b, q);
    return answer;
}
