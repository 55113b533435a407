#include "target/script_internal.h"

#include "base/error.h"
#include "base/map.h"

#include <stdio.h>

void hd_script_forget_inputs(hd_script *s)
{
    for (uint32_t i = 0; i < HD_SCRIPT_OBJECTS; i++)
        s->variables[i] = (hd_script_variable) { 0 };
    s->expr_count = 1; /* 0 means no expression */
    s->input_count = 0;
}

/* --- expressions ---------------------------------------------------------------------- */

/* Expressions are numbered from 1, operands before results, as the contract demands. */
static uint32_t make(hd_script *s, hd_expr e)
{
    hd_assert(s->expr_count < HD_SCRIPT_EXPRS);
    s->exprs[s->expr_count] = e;
    return s->expr_count++;
}

static uint32_t constant(hd_script *s, uint8_t width, int64_t value)
{
    uint64_t mask = width >= 64 ? ~0ull : (1ull << width) - 1;
    return make(s, (hd_expr) { .kind = HD_EXPR_CONST, .width = width, .value = (uint64_t)value & mask });
}

static uint32_t make_with(hd_script *s, hd_expr_kind kind, uint8_t width, uint32_t a, uint32_t b)
{
    return make(s, (hd_expr) { .kind = (uint8_t)kind, .width = width, .operands = { a, b } });
}

static uint8_t width_of(const hd_script *s, uint32_t expr)
{
    return s->exprs[expr].width;
}

/* --- inputs ------------------------------------------------------------------------------ */

static uint64_t given_value(const hd_script *s, uint32_t id, uint32_t number)
{
    for (uint32_t i = 0; i < s->given_count; i++)
        if (s->given[i].thread == id && s->given[i].number == number)
            return s->given[i].value;
    return 0;
}

static void ask(hd_script *s, uint32_t id, uint8_t width)
{
    hd_script_thread *t = &s->threads[id];
    uint64_t mask = (1ull << width) - 1;
    /* Enumeration: a plain number, no expression. */
    if (s->fixed) {
        t->last = (int64_t)(s->fixed[id][t->at] & mask);
        t->expr = 0;
        return;
    }
    hd_assert(s->input_count < HD_SCRIPT_INPUTS);
    hd_input *input = &s->inputs[s->input_count];
    *input = (hd_input) { .number = t->inputs++, .thread = (uint16_t)id, .width = width, .site = &s->sites[id][t->at] };
    input->value = given_value(s, id, input->number) & mask;
    input->expr = t->expr = make(s, (hd_expr) { .kind = HD_EXPR_INPUT, .width = width, .value = s->input_count++ });
    snprintf(input->name, sizeof input->name, "in%u", input->number);
    t->last = (int64_t)input->value;
}

/* --- branches ---------------------------------------------------------------------------- */

/* Expression 0: the branch depends on inputs, but its expression is not known. */
static void branch(hd_script *s, uint32_t id, uint32_t expr, uint64_t value, uint16_t flags)
{
    hd_script_thread *t = &s->threads[id];
    hd_op op = { .kind = HD_BRANCH,
        .object = expr,
        .value = value,
        .flags = flags | (t->in_step ? HD_OP_CONTINUES : 0),
        .thread = (uint16_t)id,
        .site = &s->sites[id][t->at] };
    t->history = hd_hash(t->history ^ value ^ (uint64_t)t->at << 40);
    hd_assert(s->log_count < HD_SCRIPT_LOG);
    s->log[s->log_count++] = op;
}

bool hd_script_last_is(hd_script *s, uint32_t id, int64_t value, uint16_t flags)
{
    hd_script_thread *t = &s->threads[id];
    bool is = t->last == value;
    if (t->expr)
        branch(s, id, make_with(s, HD_EXPR_EQ, 1, t->expr, constant(s, width_of(s, t->expr), value)), is, flags);
    else if (t->from_input)
        branch(s, id, 0, is, flags);
    return is;
}

/* Fixes `last` to its concrete value by a branch on it; from here on it is a plain number. */
static void use(hd_script *s, uint32_t id, uint16_t flags)
{
    hd_script_thread *t = &s->threads[id];
    if (t->from_input)
        branch(s, id, t->expr, (uint64_t)t->last, flags);
    t->expr = 0;
    t->from_input = 0;
}

/* --- cells --------------------------------------------------------------------------------- */

hd_script_value hd_script_last(hd_script *s, uint32_t id)
{
    const hd_script_thread *t = &s->threads[id];
    hd_script_value v = { (uint64_t)t->last & 0xff, t->expr, t->from_input };
    /* Cells hold bytes: narrower values are extended, wider ones cut. */
    if (t->expr && width_of(s, t->expr) < 8)
        v.expr = make_with(s, HD_EXPR_ZEXT, 8, t->expr, 0);
    else if (t->expr && width_of(s, t->expr) > 8)
        v.expr = make_with(s, HD_EXPR_EXTRACT, 8, t->expr, 0);
    return v;
}

hd_script_value hd_script_held(const hd_script *s, uint32_t cell, uint32_t byte)
{
    return (hd_script_value) { s->cells[cell][byte], s->cell_exprs[cell][byte], s->cell_inputs[cell][byte] };
}

static uint32_t byte_expr(hd_script *s, hd_script_value v)
{
    return v.expr ? v.expr : constant(s, 8, (int64_t)v.value);
}

hd_script_value hd_script_sum(hd_script *s, hd_script_value a, hd_script_value b)
{
    hd_script_value sum = { (a.value + b.value) & 0xff, 0, a.from_input | b.from_input };
    if (a.expr | b.expr)
        sum.expr = make_with(s, HD_EXPR_ADD, 8, byte_expr(s, a), byte_expr(s, b));
    return sum;
}

void hd_script_compare(hd_script *s, uint32_t id, hd_script_value a, hd_script_value b)
{
    if (a.expr | b.expr)
        branch(
            s, id, make_with(s, HD_EXPR_EQ, 1, byte_expr(s, a), byte_expr(s, b)), a.value == b.value, HD_OP_CONTINUES);
    else if (a.from_input | b.from_input)
        branch(s, id, 0, a.value == b.value, HD_OP_CONTINUES);
}

void hd_script_give(hd_script *s, uint32_t id, hd_script_value v)
{
    hd_script_thread *t = &s->threads[id];
    t->last = (int64_t)v.value;
    t->expr = v.expr;
    t->width = 8;
    t->from_input = v.from_input;
}

/* --- computing ----------------------------------------------------------------------------- */

static void plus(hd_script *s, uint32_t id, int64_t value, uint32_t expr, uint8_t from_input)
{
    hd_script_thread *t = &s->threads[id];
    uint8_t width = t->width;
    t->last = (int64_t)((uint64_t)(t->last + value) & ((1ull << width) - 1));
    if (t->expr)
        t->expr = make_with(s, HD_EXPR_ADD, width, t->expr, expr ? expr : constant(s, width, value));
    t->from_input |= from_input;
}

static void below(hd_script *s, uint32_t id, int64_t value)
{
    hd_script_thread *t = &s->threads[id];
    t->last = t->last < value;
    if (t->expr) {
        uint32_t bit = make_with(s, HD_EXPR_ULT, 1, t->expr, constant(s, width_of(s, t->expr), value));
        t->expr = make_with(s, HD_EXPR_ZEXT, 8, bit, 0);
    }
    t->width = 8;
}

bool hd_script_compute(hd_script *s, uint32_t id, const hd_script_step *step)
{
    hd_script_thread *t = &s->threads[id];
    hd_script_variable *v = &s->variables[step->object % HD_SCRIPT_OBJECTS];
    switch (step->code) {
    case HD_DO_INPUT:
        ask(s, id, (uint8_t)step->value);
        t->width = (uint8_t)step->value;
        t->from_input = 1;
        return true;
    case HD_DO_SET:
        *v = (hd_script_variable) { t->last, t->expr, t->width, t->from_input };
        return true;
    case HD_DO_GET:
        t->last = v->value;
        t->expr = v->expr;
        t->width = v->width;
        t->from_input = v->from_input;
        return true;
    case HD_DO_PLUS:
        plus(s, id, step->value, 0, 0);
        return true;
    case HD_DO_PLUS_VARIABLE:
        plus(s, id, v->value, v->expr, v->from_input);
        return true;
    case HD_DO_BELOW:
        below(s, id, step->value);
        return true;
    case HD_DO_PIN:
        use(s, id, 0);
        return true;
    case HD_DO_FOLLOW:
        use(s, id, HD_OP_FOLLOWED);
        return true;
    default:
        return false;
    }
}
