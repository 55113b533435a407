/* Random expressions as a run would leave them, over a few small inputs. */
#ifndef HD_TESTS_UNIT_SYM_RANDOM_TERMS_H
#define HD_TESTS_UNIT_SYM_RANDOM_TERMS_H

#include "base/rng.h"
#include "sym/import.h"

enum { INPUTS = 3, EXPRS = 24 };

typedef struct random_run {
    hd_expr exprs[EXPRS + 1];
    hd_input inputs[INPUTS];
    uint32_t count; /* with the unused first */
} random_run;

static const uint8_t narrow[] = { 1, 2, 3, 4 };

static uint32_t pick_of_width(const random_run *r, hd_rng *rng, uint32_t width)
{
    for (int tries = 0; tries < 40; tries++) {
        uint32_t i = 1 + (uint32_t)hd_rng_below(rng, r->count - 1);
        if (r->exprs[i].width == width)
            return i;
    }
    return 0;
}

static void push(random_run *r, hd_expr e)
{
    if (r->count <= EXPRS)
        r->exprs[r->count++] = e;
}

static uint32_t constant_of(random_run *r, hd_rng *rng, uint32_t width)
{
    push(r,
        (hd_expr) { .kind = HD_EXPR_CONST, .width = (uint8_t)width, .value = hd_rng_next(rng) & hd_term_mask(width) });
    return r->count - 1;
}

static uint32_t operand(random_run *r, hd_rng *rng, uint32_t width)
{
    uint32_t i = hd_rng_below(rng, 4) ? pick_of_width(r, rng, width) : 0;
    return i ? i : constant_of(r, rng, width);
}

static void push_random(random_run *r, hd_rng *rng)
{
    uint8_t kind = (uint8_t)(HD_EXPR_ADD + hd_rng_below(rng, HD_EXPR_KINDS - HD_EXPR_ADD));
    uint32_t a = 1 + (uint32_t)hd_rng_below(rng, r->count - 1), from = r->exprs[a].width;
    hd_expr e = { .kind = kind, .width = (uint8_t)from, .operands = { a, 0, 0 } };
    if (kind >= HD_EXPR_EQ && kind <= HD_EXPR_SMUL_OVERFLOW)
        e.width = 1;
    if (kind == HD_EXPR_ZEXT || kind == HD_EXPR_SEXT) {
        e.width = (uint8_t)(from + hd_rng_below(rng, 3));
    } else if (kind == HD_EXPR_EXTRACT) {
        e.value = hd_rng_below(rng, from);
        e.width = (uint8_t)(1 + hd_rng_below(rng, from - e.value));
    } else if (kind == HD_EXPR_CONCAT) {
        e.operands[1] = operand(r, rng, narrow[hd_rng_below(rng, sizeof narrow)]);
        e.width = (uint8_t)(from + r->exprs[e.operands[1]].width);
    } else if (kind == HD_EXPR_ITE) {
        e.operands[0] = operand(r, rng, 1);
        e.operands[1] = a;
        e.operands[2] = operand(r, rng, from);
    } else if (hd_term_operand_count(kind) == 2) {
        e.operands[1] = operand(r, rng, from);
    }
    if (e.width <= 12)
        push(r, e);
}

static void make_random(random_run *r, hd_rng *rng)
{
    *r = (random_run) { .count = 1 };
    for (uint32_t i = 0; i < INPUTS; i++) {
        uint8_t width = narrow[hd_rng_below(rng, sizeof narrow)];
        r->inputs[i] = (hd_input) { .number = i, .thread = (uint16_t)(i % 2), .width = width };
        push(r, (hd_expr) { .kind = HD_EXPR_INPUT, .width = width, .value = i });
    }
    while (r->count <= EXPRS)
        push_random(r, rng);
}

/* By the definition, without a simplifier. */
static inline uint64_t plain_value(const random_run *r, uint32_t expr, const uint64_t *inputs)
{
    const hd_expr *e = &r->exprs[expr];
    uint64_t values[3] = { 0 };
    uint32_t count = hd_term_operand_count(e->kind);
    if (e->kind == HD_EXPR_INPUT)
        return inputs[e->value] & hd_term_mask(e->width);
    for (uint32_t i = 0; i < count; i++)
        values[i] = plain_value(r, e->operands[i], inputs);
    hd_term_node n = { .kind = e->kind, .width = e->width, .value = e->value };
    return hd_term_apply(
        &n, count ? r->exprs[e->operands[0]].width : 0, count > 1 ? r->exprs[e->operands[1]].width : 0, values);
}

#endif
