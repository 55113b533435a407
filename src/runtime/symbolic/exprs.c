#include "runtime/symbolic/exprs.h"

#include "abi/eval.h"
#include "runtime/core/own.h"
#include "runtime/core/state.h"
#include "runtime/symbolic/branch.h"

enum { SLOTS = 2 * HD_EXPR_ROOM, NEAR_TRIES = 16 };

static uint64_t *values; /* by expression */
/* A hash table: the run in the high half; in the low half a part of the hash, then an expression. Slots with another
 * run are empty. */
static uint64_t *slots;
static uint32_t run;

void hd_exprs_init(void)
{
    values = hd_own_alloc(HD_EXPR_ROOM * sizeof *values);
    slots = hd_own_alloc(SLOTS * sizeof *slots);
}

void hd_exprs_reset(void)
{
    run++;
    *hd_rt.expr_count = 1;
}

uint32_t hd_expr_width(uint32_t a)
{
    return hd_rt.exprs[a].width;
}

uint64_t hd_expr_value(uint32_t a)
{
    return values[a];
}

/* --- making ------------------------------------------------------------------- */

static int is_same(const hd_expr *e, const hd_expr *f)
{
    return e->kind == f->kind && e->width == f->width && e->operands[0] == f->operands[0]
        && e->operands[1] == f->operands[1] && e->operands[2] == f->operands[2] && e->value == f->value;
}

static uint64_t hash_of(const hd_expr *e)
{
    uint64_t h = e->kind | (uint64_t)e->width << 8 | (uint64_t)e->operands[0] << 32;
    h = (h ^ e->value) * 0x9e3779b97f4a7c15u;
    h = ((h ^ h >> 29) + e->operands[1]) * 0xbf58476d1ce4e5b9u;
    h = ((h ^ h >> 32) + e->operands[2]) * 0x94d049bb133111ebu;
    return h ^ h >> 31;
}

/* Where the search for an expression begins. Operands that were made one after the other lead to slots near each other:
 * the table is much larger than the caches, and a loop makes expressions of recent ones. */
static uint64_t near_slot(const hd_expr *e)
{
    uint64_t block = (e->value >> 6) * 0x9e3779b97f4a7c15u >> 32;
    uint64_t from_operands = 2ull * e->operands[0] + 6ull * e->operands[1] + 10ull * e->operands[2];
    return ((block << 7) + 2 * (e->value & 63) + from_operands + e->kind) % SLOTS;
}

static uint32_t operand_count(uint8_t kind)
{
    static const uint8_t counts[] = {
#define EXPR(name, operands, text) [HD_EXPR_##name] = operands,
#include "abi/expr.def"
#undef EXPR
    };
    return counts[kind];
}

/* hd_eval takes the width of the first operand, and for CONCAT that of the low part. */
static uint64_t evaluate(const hd_expr *e)
{
    uint64_t v[3] = { 0 };
    uint32_t n = operand_count(e->kind);
    for (uint32_t i = 0; i < n; i++)
        v[i] = values[e->operands[i]];
    return n ? hd_eval(e, hd_rt.exprs[e->operands[e->kind == HD_EXPR_CONCAT ? 1 : 0]].width, v) : e->value;
}

/* The table is full: the operands are followed, so their values are fixed from here on. */
static uint32_t give_up(const hd_expr *e)
{
    for (uint32_t i = 0; i < operand_count(e->kind); i++)
        if (hd_rt.exprs[e->operands[i]].kind != HD_EXPR_CONST)
            hd_branch_follow(e->operands[i], hd_call_site);
    return 0;
}

/* The number of an expression, which may be a constant; 0: the table is full. */
static uint32_t make(hd_expr e)
{
    /* After a few slots near the operands' the search goes on at a random one: nothing makes it long. */
    uint64_t at = near_slot(&e), hash = hash_of(&e), tag = (uint64_t)run << 32 | (hash >> 32 & ~(HD_EXPR_ROOM - 1ull));
    for (uint32_t tries = 1; slots[at] >> 32 == run; tries++) {
        uint32_t known = slots[at] & (HD_EXPR_ROOM - 1);
        if (slots[at] - known == tag && is_same(&hd_rt.exprs[known], &e))
            return known;
        at = tries == NEAR_TRIES ? hash % SLOTS : (at + 1) % SLOTS;
    }
    uint32_t id = *hd_rt.expr_count;
    if (id == HD_EXPR_ROOM)
        return give_up(&e);
    *hd_rt.expr_count = id + 1;
    hd_rt.exprs[id] = e;
    slots[at] = tag | id;
    values[id] = evaluate(&e);
    return id;
}

static uint32_t constant(uint64_t value, uint32_t width)
{
    return make((hd_expr) { .kind = HD_EXPR_CONST, .width = (uint8_t)width, .value = hd_low_bits(value, width) });
}

static uint32_t make2(uint32_t kind, uint32_t width, uint32_t a, uint32_t b)
{
    return make((hd_expr) { .kind = (uint8_t)kind, .width = (uint8_t)width, .operands = { a, b } });
}

uint32_t hd_expr_input(uint32_t number, uint32_t width, uint64_t value)
{
    uint32_t id = make((hd_expr) { .kind = HD_EXPR_INPUT, .width = (uint8_t)width, .value = number });
    if (id)
        values[id] = hd_low_bits(value, width);
    return id;
}

/* --- simplifying ------------------------------------------------------------------ */

static const hd_expr *at(uint32_t a)
{
    return &hd_rt.exprs[a];
}

static int is_constant(uint32_t a)
{
    return at(a)->kind == HD_EXPR_CONST;
}

static int is_number(uint32_t a, uint64_t number)
{
    return is_constant(a) && at(a)->value == number;
}

/* The shadow for an expression: 0 for a constant. */
static uint32_t shadow(uint32_t id)
{
    return id && !is_constant(id) ? id : 0;
}

static int commutes(uint32_t kind)
{
    return kind == HD_EXPR_ADD || kind == HD_EXPR_MUL || kind == HD_EXPR_AND || kind == HD_EXPR_OR
        || kind == HD_EXPR_XOR || kind == HD_EXPR_EQ;
}

static int gives_bit(uint32_t kind)
{
    return kind >= HD_EXPR_EQ && kind <= HD_EXPR_SMUL_OVERFLOW;
}

static uint32_t combine(uint32_t kind, uint32_t width, uint32_t a, uint32_t b);

static uint32_t negation(uint32_t a)
{
    return combine(HD_EXPR_EQ, 1, a, constant(0, 1));
}

/* a = constant. Of a value that was extended: an equation of the original value, or false if the constant cannot be
 * the result of the extension. `x | c` cannot be equal to a number that lacks a bit of c. */
static uint32_t equal_constant(uint32_t a, uint32_t b)
{
    const hd_expr *e = at(a);
    uint64_t number = at(b)->value;
    if (e->width == 1 && number == 1)
        return a;
    if (e->width == 1 && e->kind == HD_EXPR_EQ && is_number(e->operands[1], 0) && at(e->operands[1])->width == 1)
        return e->operands[0];
    if (e->kind == HD_EXPR_OR && is_constant(e->operands[1]) && (at(e->operands[1])->value & ~number))
        return constant(0, 1);
    if (e->kind != HD_EXPR_ZEXT && e->kind != HD_EXPR_SEXT)
        return 0;
    uint32_t inner = e->operands[0], width = at(inner)->width;
    uint64_t back = hd_low_bits(number, width);
    uint64_t again = e->kind == HD_EXPR_ZEXT ? back : hd_low_bits((uint64_t)hd_signed_bits(back, width), e->width);
    return again == number ? combine(HD_EXPR_EQ, width, inner, constant(back, width)) : constant(0, 1);
}

/* Simplifies an operation whose second operand is a constant; 0: nothing simpler is known. */
static uint32_t with_constant(uint32_t kind, uint32_t width, uint32_t a, uint32_t b)
{
    uint64_t ones = hd_low_bits(~0ull, width);
    switch (kind) {
    case HD_EXPR_ADD:
    case HD_EXPR_SUB:
    case HD_EXPR_OR:
    case HD_EXPR_SHL:
    case HD_EXPR_LSHR:
    case HD_EXPR_ASHR:
        return is_number(b, 0) ? a : 0;
    case HD_EXPR_XOR:
        return is_number(b, 0) ? a : width == 1 ? negation(a) : 0;
    case HD_EXPR_AND:
        return is_number(b, 0) ? b : is_number(b, ones) ? a : 0;
    case HD_EXPR_MUL:
        return is_number(b, 0) ? b : is_number(b, 1) ? a : 0;
    case HD_EXPR_UDIV:
        return is_number(b, 1) ? a : 0;
    case HD_EXPR_ULT:
        return is_number(b, 0) ? constant(0, 1) : 0;
    case HD_EXPR_EQ:
        return equal_constant(a, b);
    default:
        return 0;
    }
}

/* Simplifies an operation on two equal operands; 0: nothing simpler is known. */
static uint32_t of_the_same(uint32_t kind, uint32_t width, uint32_t a)
{
    switch (kind) {
    case HD_EXPR_SUB:
    case HD_EXPR_XOR:
        return constant(0, width);
    case HD_EXPR_AND:
    case HD_EXPR_OR:
        return a;
    case HD_EXPR_EQ:
    case HD_EXPR_ULE:
    case HD_EXPR_SLE:
        return constant(1, 1);
    case HD_EXPR_ULT:
    case HD_EXPR_SLT:
        return constant(0, 1);
    default:
        return 0;
    }
}

static uint32_t fold(uint32_t kind, uint32_t width, uint32_t a, uint32_t b)
{
    hd_expr e = { .kind = (uint8_t)kind, .width = gives_bit(kind) ? 1 : (uint8_t)width };
    return constant(hd_eval(&e, width, (uint64_t[]) { at(a)->value, at(b)->value }), e.width);
}

/* Builds an operation on operands of the given width, simplified; it may be a constant. A constant operand of a
 * commutative operation comes second. */
static uint32_t combine(uint32_t kind, uint32_t width, uint32_t a, uint32_t b)
{
    if (!a || !b)
        return 0;
    if (commutes(kind) && is_constant(a)) {
        uint32_t kept = a;
        a = b;
        b = kept;
    }
    if (is_constant(a) && is_constant(b))
        return fold(kind, width, a, b);
    uint32_t simpler = is_constant(b) ? with_constant(kind, width, a, b) : a == b ? of_the_same(kind, width, a) : 0;
    return simpler ? simpler : make2(kind, gives_bit(kind) ? 1 : width, a, b);
}

uint32_t hd_expr_binary(uint32_t kind, uint32_t width, uint32_t a, uint64_t x, uint32_t b, uint64_t y)
{
    return shadow(combine(kind, width, a ? a : constant(x, width), b ? b : constant(y, width)));
}

uint32_t hd_expr_negated(uint32_t a)
{
    const hd_expr *e = at(a);
    int negates = e->kind == HD_EXPR_EQ && at(e->operands[0])->width == 1 && is_number(e->operands[1], 0);
    return negates ? e->operands[0] : 0;
}

/* --- bits ---------------------------------------------------------------------- */

/* Extracts bits; extractions go through other extractions, concatenations and extensions to their operands. */
static uint32_t bits(uint32_t a, uint32_t low, uint32_t width)
{
    const hd_expr *e = at(a);
    if (low == 0 && width == e->width)
        return a;
    if (e->kind == HD_EXPR_CONST)
        return constant(e->value >> low, width);
    if (e->kind == HD_EXPR_EXTRACT)
        return bits(e->operands[0], low + (uint32_t)e->value, width);
    if (e->kind == HD_EXPR_CONCAT) {
        uint32_t split = at(e->operands[1])->width;
        if (low + width <= split)
            return bits(e->operands[1], low, width);
        if (low >= split)
            return bits(e->operands[0], low - split, width);
    }
    if (e->kind == HD_EXPR_ZEXT || e->kind == HD_EXPR_SEXT) {
        uint32_t inner = at(e->operands[0])->width;
        if (low + width <= inner)
            return bits(e->operands[0], low, width);
        if (low >= inner && e->kind == HD_EXPR_ZEXT)
            return constant(0, width);
    }
    return make((hd_expr) { .kind = HD_EXPR_EXTRACT, .width = (uint8_t)width, .operands = { a }, .value = low });
}

/* An extension of an extension is one: zero extension leaves the sign bit 0, so it absorbs a following sign extension.
 */
static uint32_t widen(uint32_t kind, uint32_t width, uint32_t a)
{
    const hd_expr *e = at(a);
    if (width == e->width)
        return a;
    if (e->kind == HD_EXPR_ZEXT || (e->kind == HD_EXPR_SEXT && kind == HD_EXPR_SEXT))
        return widen(e->kind, width, e->operands[0]);
    return make((hd_expr) { .kind = (uint8_t)kind, .width = (uint8_t)width, .operands = { a } });
}

uint32_t hd_expr_unary(uint32_t kind, uint32_t width, uint32_t low, uint32_t a)
{
    if (!a)
        return 0;
    if (kind == HD_EXPR_EXTRACT)
        return shadow(bits(a, low, width));
    if (kind == HD_EXPR_ZEXT || kind == HD_EXPR_SEXT)
        return shadow(widen(kind, width, a));
    return make((hd_expr) { .kind = (uint8_t)kind, .width = (uint8_t)width, .operands = { a } });
}

/* The concatenation of neighbouring bits of one expression is an extraction from it; 0: they are not neighbours. */
static uint32_t joined(uint32_t high, uint32_t low)
{
    const hd_expr *h = at(high), *l = at(low);
    uint32_t whole = l->kind == HD_EXPR_EXTRACT ? l->operands[0] : low;
    uint64_t from = l->kind == HD_EXPR_EXTRACT ? l->value : 0;
    if (h->kind == HD_EXPR_EXTRACT && h->operands[0] == whole && h->value == from + l->width)
        return bits(whole, (uint32_t)from, h->width + l->width);
    return 0;
}

uint32_t hd_expr_concat(uint32_t high, uint64_t x, uint32_t high_width, uint32_t low, uint64_t y, uint32_t low_width)
{
    uint32_t h = high ? high : constant(x, high_width), l = low ? low : constant(y, low_width);
    if (!h || !l)
        return 0;
    if (is_number(h, 0))
        return shadow(widen(HD_EXPR_ZEXT, high_width + low_width, l));
    uint32_t simpler = joined(h, l);
    return simpler ? shadow(simpler) : make2(HD_EXPR_CONCAT, high_width + low_width, h, l);
}

/* c ? a : b. Of single bits, a choice between the constants 1 and 0 is the condition itself, or its negation. */
uint32_t hd_expr_select(uint32_t c, uint32_t a, uint64_t x, uint32_t b, uint64_t y, uint32_t width)
{
    uint32_t then = a ? a : constant(x, width), otherwise = b ? b : constant(y, width);
    if (!then || !otherwise || !c)
        return 0;
    if (then == otherwise)
        return shadow(then);
    if (width == 1 && is_number(then, 1) && is_number(otherwise, 0))
        return c;
    if (width == 1 && is_number(then, 0) && is_number(otherwise, 1))
        return shadow(negation(c));
    return make((hd_expr) { .kind = HD_EXPR_ITE, .width = (uint8_t)width, .operands = { c, then, otherwise } });
}
