#include "promela/emit.h"

#include <string.h>

int hd_promela_storage(hd_promela_type type, int bits)
{
    switch (type) {
    case HD_TYPE_BIT:
    case HD_TYPE_BOOL:
        return 1;
    case HD_TYPE_SHORT:
        return 3;
    case HD_TYPE_INT:
        return 4;
    case HD_TYPE_UNSIGNED:
        return 32 + bits;
    default:
        return 2;
    }
}

/* --- variables -------------------------------------------------------------------------- */

/* Where a reference is stored: a constant offset, or (returns true) code that pushes it. */
static bool address(hd_promela_emitter *c, const hd_promela_node *n, uint32_t *offset)
{
    bool computed = false;
    *offset = n->symbol->owner ? HD_PROCESS_HEADER : 0;
    for (const hd_promela_node *part = n; part; part = part->right) {
        *offset += part->symbol->offset;
        if (part->left && part->left->op == HD_N_CONST && part->left->value >= 0
            && part->left->value < part->symbol->count) {
            *offset += (uint32_t)part->left->value * part->symbol->element_size;
        } else if (part->left) {
            if (!computed) {
                hd_promela_emit_op(c, HD_OP_CONST);
                hd_promela_emit_word(c, 0);
                hd_promela_emit_depth(c, 1);
            }
            computed = true;
            hd_promela_emit_expression(c, part->left);
            hd_promela_emit_op(c, HD_OP_INDEX);
            hd_promela_emit_word(c, part->symbol->count);
            hd_promela_emit_word(c, (int32_t)part->symbol->element_size);
            hd_promela_emit_word(c, part->location.line);
            hd_promela_emit_depth(c, -1);
        }
    }
    /* Constant parts of the offset are added in one step at the end. */
    if (computed) {
        hd_promela_emit_op(c, HD_OP_CONST);
        hd_promela_emit_word(c, (int32_t)*offset);
        hd_promela_emit_op(c, HD_OP_ADD);
        hd_promela_emit_depth(c, 1);
        hd_promela_emit_depth(c, -1);
    }
    return computed;
}

hd_promela_symbol *hd_promela_emit_leaf(const hd_promela_node *n)
{
    while (n->right)
        n = n->right;
    return n->symbol;
}

static void load(hd_promela_emitter *c, const hd_promela_node *n)
{
    uint32_t offset;
    const hd_promela_symbol *s = hd_promela_emit_leaf(n);
    bool computed = address(c, n, &offset);
    if (computed) {
        hd_promela_emit_op(c, n->symbol->owner ? HD_OP_LOAD_LOCAL_AT : HD_OP_LOAD_GLOBAL_AT);
    } else {
        bool byte = hd_promela_storage(s->type, s->bits) <= 2;
        hd_promela_emit_op(c,
            n->symbol->owner ? (byte ? HD_OP_LOAD_LOCAL_BYTE : HD_OP_LOAD_LOCAL)
                             : (byte ? HD_OP_LOAD_GLOBAL_BYTE : HD_OP_LOAD_GLOBAL));
        hd_promela_emit_word(c, (int32_t)offset);
        hd_promela_emit_depth(c, 1);
        if (byte)
            return;
    }
    hd_promela_emit_word(c, hd_promela_storage(s->type, s->bits));
}

/* A global that is never read is never stored to, so that states do not differ in it. */
static bool is_idle(const hd_promela_symbol *s)
{
    return !s->owner && !s->read && s->type != HD_TYPE_CHAN && s->type != HD_TYPE_STRUCT;
}

/* value → */
void hd_promela_emit_store(hd_promela_emitter *c, const hd_promela_node *n)
{
    uint32_t offset;
    const hd_promela_symbol *s = hd_promela_emit_leaf(n);
    bool computed = address(c, n, &offset);
    /* The value is computed all the same: it may have faults. */
    if (is_idle(n->symbol)) {
        for (int i = 0; i <= computed; i++) {
            hd_promela_emit_op(c, HD_OP_DROP);
            hd_promela_emit_depth(c, -1);
        }
        return;
    }
    if (computed) {
        hd_promela_emit_op(c, n->symbol->owner ? HD_OP_STORE_LOCAL_AT : HD_OP_STORE_GLOBAL_AT);
        hd_promela_emit_depth(c, -1);
    } else {
        hd_promela_emit_op(c, n->symbol->owner ? HD_OP_STORE_LOCAL : HD_OP_STORE_GLOBAL);
        hd_promela_emit_word(c, (int32_t)offset);
    }
    hd_promela_emit_word(c, hd_promela_storage(s->type, s->bits));
    hd_promela_emit_depth(c, -1);
}

/* Predefined variables have instructions of their own. */
static void name(hd_promela_emitter *c, const hd_promela_node *n)
{
    switch (n->symbol->kind) {
    case HD_SYMBOL_PID:
        hd_promela_emit_op(c, HD_OP_PID);
        break;
    case HD_SYMBOL_NR_PR:
        hd_promela_emit_op(c, HD_OP_NR_PR);
        break;
    case HD_SYMBOL_LAST:
        hd_promela_emit_op(c, HD_OP_LAST);
        break;
    case HD_SYMBOL_ANY:
        hd_promela_emit_op(c, HD_OP_CONST);
        hd_promela_emit_word(c, 0);
        break;
    default:
        load(c, n);
        return;
    }
    hd_promela_emit_depth(c, 1);
}

/* --- operators ------------------------------------------------------------------------------ */

static const struct {
    int sign;
    hd_promela_opcode op;
} operators[] = { { '+', HD_OP_ADD }, { '-', HD_OP_SUBTRACT }, { '*', HD_OP_MULTIPLY }, { '/', HD_OP_DIVIDE },
    { '%', HD_OP_MODULO }, { '&', HD_OP_BIT_AND }, { '|', HD_OP_BIT_OR }, { '^', HD_OP_BIT_XOR },
    { HD_TK_SHL, HD_OP_SHIFT_LEFT }, { HD_TK_SHR, HD_OP_SHIFT_RIGHT }, { HD_TK_EQ, HD_OP_EQUAL },
    { HD_TK_NE, HD_OP_UNEQUAL }, { '<', HD_OP_LESS }, { '>', HD_OP_GREATER }, { HD_TK_LE, HD_OP_AT_MOST },
    { HD_TK_GE, HD_OP_AT_LEAST } };

/* Short-circuit evaluation; the result is 0 or 1. */
static void logical(hd_promela_emitter *c, const hd_promela_node *n, hd_promela_opcode jump)
{
    hd_promela_emit_expression(c, n->left);
    hd_promela_emit_op(c, jump);
    uint32_t end = hd_promela_emit_here(c);
    hd_promela_emit_word(c, 0);
    hd_promela_emit_depth(c, -1);
    hd_promela_emit_expression(c, n->right);
    hd_promela_emit_op(c, HD_OP_TRUTH);
    c->program->words.items[end] = (int32_t)hd_promela_emit_here(c);
}

static void binary(hd_promela_emitter *c, const hd_promela_node *n)
{
    if (n->sign == HD_TK_AND || n->sign == HD_TK_OR) {
        logical(c, n, n->sign == HD_TK_AND ? HD_OP_AND_JUMP : HD_OP_OR_JUMP);
        return;
    }
    hd_promela_emit_expression(c, n->left);
    hd_promela_emit_expression(c, n->right);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].sign == n->sign) {
            hd_promela_emit_op(c, operators[i].op);
            if (n->sign == '/' || n->sign == '%')
                hd_promela_emit_word(c, n->location.line);
            hd_promela_emit_depth(c, -1);
            return;
        }
    hd_panic("operator %d", n->sign);
}

static void choose(hd_promela_emitter *c, const hd_promela_node *n)
{
    hd_promela_emit_expression(c, n->left);
    hd_promela_emit_op(c, HD_OP_JUMP_IF_ZERO);
    uint32_t otherwise = hd_promela_emit_here(c);
    hd_promela_emit_word(c, 0);
    hd_promela_emit_depth(c, -1);
    hd_promela_emit_expression(c, n->right);
    hd_promela_emit_op(c, HD_OP_JUMP);
    uint32_t end = hd_promela_emit_here(c);
    hd_promela_emit_word(c, 0);
    hd_promela_emit_depth(c, -1);
    c->program->words.items[otherwise] = (int32_t)hd_promela_emit_here(c);
    hd_promela_emit_expression(c, n->third);
    c->program->words.items[end] = (int32_t)hd_promela_emit_here(c);
}

static void unary(hd_promela_emitter *c, const hd_promela_node *n)
{
    hd_promela_emit_expression(c, n->left);
    hd_promela_emit_op(c, n->sign == '!' ? HD_OP_NOT : n->sign == '-' ? HD_OP_NEGATE : HD_OP_COMPLEMENT);
}

static void run(hd_promela_emitter *c, const hd_promela_node *n)
{
    int count = 0;
    for (const hd_promela_node *a = n->list; a; a = a->next, count++)
        hd_promela_emit_expression(c, a);
    hd_promela_emit_op(c, HD_OP_RUN);
    hd_promela_emit_word(c, n->symbol->proctype->index);
    hd_promela_emit_word(c, count);
    hd_promela_emit_depth(c, 1 - count);
}

static void of_channel(hd_promela_emitter *c, const hd_promela_node *n, hd_promela_opcode o)
{
    hd_promela_emit_expression(c, n->left);
    hd_promela_emit_op(c, o);
    hd_promela_emit_word(c, n->location.line);
}

/* values channel → bool, for a receive or a poll. The mask of fields to compare is embedded in the
 * code and jumped over. */
void hd_promela_emit_match(hd_promela_emitter *c, const hd_promela_node *n, hd_promela_opcode o, bool anywhere)
{
    hd_promela_emit_op(c, HD_OP_JUMP);
    uint32_t over = hd_promela_emit_here(c);
    hd_promela_emit_word(c, 0);
    uint32_t mask = hd_promela_emit_here(c);
    int count = 0, compared = 0;
    for (const hd_promela_node *a = n->list; a; a = a->next, count++)
        hd_promela_emit_word(c, a->op == HD_N_CONST || a->op == HD_N_EVAL);
    c->program->words.items[over] = (int32_t)hd_promela_emit_here(c);
    for (const hd_promela_node *a = n->list; a; a = a->next)
        if (a->op == HD_N_CONST || a->op == HD_N_EVAL) {
            hd_promela_emit_expression(c, a->op == HD_N_EVAL ? a->left : a);
            compared++;
        }
    hd_promela_emit_expression(c, n->left);
    hd_promela_emit_op(c, o);
    hd_promela_emit_word(c, count);
    hd_promela_emit_word(c, anywhere);
    hd_promela_emit_word(c, (int32_t)mask);
    hd_promela_emit_word(c, n->location.line);
    hd_promela_emit_depth(c, -compared);
}

/* → pid */
static void pid_of(hd_promela_emitter *c, const hd_promela_node *n)
{
    if (n->left) {
        hd_promela_emit_expression(c, n->left);
        return;
    }
    hd_promela_emit_op(c, HD_OP_ONLY);
    hd_promela_emit_word(c, n->symbol->proctype->index);
    hd_promela_emit_depth(c, 1);
}

static int label_state(const hd_promela_node *n)
{
    const hd_promela_proctype *t = n->symbol->proctype;
    /* A label may stand before a goto or a join: the control state is the one behind it. */
    for (const hd_promela_label *l = t->labels; l; l = l->next)
        if (l->name && !strcmp(l->name, n->label))
            return hd_promela_hunt(t, l->element, l->element->status, -1)->number;
    hd_panic("label %s", n->label);
}

static void at_label(hd_promela_emitter *c, const hd_promela_node *n)
{
    pid_of(c, n);
    hd_promela_emit_op(c, HD_OP_AT_LABEL);
    hd_promela_emit_word(c, n->symbol->proctype->index);
    hd_promela_emit_word(c, label_state(n));
}

static void remote(hd_promela_emitter *c, const hd_promela_node *n)
{
    uint32_t offset;
    const hd_promela_symbol *s = hd_promela_emit_leaf(n->right);
    if (!address(c, n->right, &offset)) {
        hd_promela_emit_op(c, HD_OP_CONST);
        hd_promela_emit_word(c, (int32_t)offset);
        hd_promela_emit_depth(c, 1);
    }
    pid_of(c, n);
    hd_promela_emit_op(c, HD_OP_REMOTE);
    hd_promela_emit_word(c, n->symbol->proctype->index);
    hd_promela_emit_word(c, hd_promela_storage(s->type, s->bits));
    hd_promela_emit_depth(c, -1);
}

void hd_promela_emit_expression(hd_promela_emitter *c, const hd_promela_node *n)
{
    switch (n->op) {
    case HD_N_CONST:
        hd_promela_emit_op(c, HD_OP_CONST);
        hd_promela_emit_word(c, n->value);
        hd_promela_emit_depth(c, 1);
        break;
    case HD_N_NAME:
        name(c, n);
        break;
    case HD_N_UNARY:
        unary(c, n);
        break;
    case HD_N_BINARY:
        binary(c, n);
        break;
    case HD_N_CHOOSE:
        choose(c, n);
        break;
    case HD_N_RUN:
        run(c, n);
        break;
    case HD_N_LEN:
        of_channel(c, n, HD_OP_LENGTH);
        break;
    case HD_N_EMPTY:
        of_channel(c, n, HD_OP_EMPTY);
        break;
    case HD_N_NEMPTY:
        of_channel(c, n, HD_OP_NOT_EMPTY);
        break;
    case HD_N_FULL:
        of_channel(c, n, HD_OP_FULL);
        break;
    case HD_N_NFULL:
        of_channel(c, n, HD_OP_NOT_FULL);
        break;
    case HD_N_POLL:
        hd_promela_emit_match(c, n, HD_OP_POLL, n->value == 1);
        break;
    case HD_N_TIMEOUT:
        hd_promela_emit_op(c, HD_OP_TIMEOUT);
        hd_promela_emit_depth(c, 1);
        break;
    case HD_N_AT_LABEL:
        at_label(c, n);
        break;
    case HD_N_REMOTE:
        remote(c, n);
        break;
    case HD_N_ENABLED:
    case HD_N_PC_VALUE:
        hd_promela_emit_expression(c, n->left);
        hd_promela_emit_op(c, n->op == HD_N_ENABLED ? HD_OP_ENABLED : HD_OP_PC_VALUE);
        break;
    case HD_N_NO_PROGRESS:
        hd_promela_emit_op(c, HD_OP_NO_PROGRESS);
        hd_promela_emit_depth(c, 1);
        break;
    default:
        hd_panic("expression %d", n->op);
    }
}
