#include "sym/import.h"

#include <string.h>

void hd_import_init(hd_import *i, hd_terms *terms, hd_memory *memory)
{
    *i = (hd_import) { .terms = terms };
    i->known.memory = i->stack.memory = memory;
}

void hd_import_fini(hd_import *i)
{
    hd_vec_fini(&i->known);
    hd_vec_fini(&i->stack);
}

void hd_import_begin(
    hd_import *i, const hd_expr *exprs, uint32_t expr_count, const hd_input *inputs, uint32_t input_count)
{
    i->exprs = exprs;
    i->expr_count = expr_count;
    i->inputs = inputs;
    i->input_count = input_count;
    hd_vec_clear(&i->known);
    hd_vec_reserve(&i->known, expr_count);
    /* Numbers of expressions are per run: forget those of the run before. */
    if (expr_count)
        memset(i->known.items, 0, expr_count * sizeof *i->known.items);
    i->known.count = expr_count;
}

static hd_term take_input(hd_import *i, const hd_input *input)
{
    return hd_term_input_within(i->terms, input->thread, input->number, input->width, input->low, input->count);
}

void hd_import_inputs(hd_import *i)
{
    for (uint32_t k = 0; k < i->input_count; k++)
        if (i->inputs[k].width >= 1 && i->inputs[k].width <= 64)
            take_input(i, &i->inputs[k]);
}

/* Do the widths of the operands fit the operation? The operands are known to have smaller numbers. */
static bool widths_fit(const hd_import *i, const hd_expr *e)
{
    uint32_t count = hd_term_operand_count(e->kind);
    uint32_t a = count > 0 ? i->exprs[e->operands[0]].width : 0, b = count > 1 ? i->exprs[e->operands[1]].width : 0;
    switch (e->kind) {
    case HD_EXPR_INPUT:
        return e->width == i->inputs[e->value].width;
    case HD_EXPR_CONST:
        return true;
    case HD_EXPR_ZEXT:
    case HD_EXPR_SEXT:
        return a <= e->width;
    case HD_EXPR_EXTRACT:
        return e->value < a && e->width <= a - e->value;
    case HD_EXPR_CONCAT:
        return a + b == e->width;
    case HD_EXPR_ITE:
        return a == 1 && b == e->width && i->exprs[e->operands[2]].width == e->width;
    default:
        if (e->kind >= HD_EXPR_EQ && e->kind <= HD_EXPR_SMUL_OVERFLOW)
            return e->width == 1 && a == b;
        return a == e->width && (count < 2 || b == e->width);
    }
}

/* Is the expression well-formed? Operands must have smaller numbers, so the graph is acyclic. */
static bool is_sound(const hd_import *i, uint32_t number, const hd_expr *e)
{
    if (e->kind == HD_EXPR_NONE || e->kind >= HD_EXPR_KINDS || e->width < 1 || e->width > 64)
        return false;
    if (e->kind == HD_EXPR_INPUT && e->value >= i->input_count)
        return false;
    for (uint32_t k = 0; k < hd_term_operand_count(e->kind); k++)
        if (!e->operands[k] || e->operands[k] >= number)
            return false;
    return widths_fit(i, e);
}

/* True if all operands are imported; otherwise the missing ones are pushed. */
static bool has_operands(hd_import *i, const hd_expr *e)
{
    bool all = true;
    for (uint32_t k = 0; k < hd_term_operand_count(e->kind); k++)
        if (!i->known.items[e->operands[k]]) {
            hd_vec_push(&i->stack, e->operands[k]);
            all = false;
        }
    return all;
}

static hd_term take(hd_import *i, const hd_expr *e)
{
    hd_term operands[3] = { 0 };
    if (e->kind == HD_EXPR_CONST)
        return hd_term_constant(i->terms, e->width, e->value);
    if (e->kind == HD_EXPR_INPUT)
        return take_input(i, &i->inputs[e->value]);
    for (uint32_t k = 0; k < hd_term_operand_count(e->kind); k++)
        operands[k] = i->known.items[e->operands[k]];
    return hd_term_make(i->terms, (hd_expr_kind)e->kind, e->width, operands[0], operands[1], operands[2], e->value);
}

hd_term hd_import_term(hd_import *i, uint64_t expr)
{
    if (!expr || expr >= i->expr_count)
        return 0;
    hd_vec_clear(&i->stack);
    hd_vec_push(&i->stack, (uint32_t)expr);
    /* Depth first with an explicit stack: expressions can be deeper than the stack of a thread allows. */
    while (i->stack.count) {
        uint32_t at = *hd_vec_last(&i->stack);
        const hd_expr *e = &i->exprs[at];
        if (!i->known.items[at]) {
            if (!is_sound(i, at, e))
                return 0;
            if (!has_operands(i, e))
                continue;
            i->known.items[at] = take(i, e);
        }
        i->stack.count--;
    }
    return i->known.items[expr];
}
