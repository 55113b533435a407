/* Guards and effects of basic statements. */
#include "promela/emit.h"

void hd_promela_emit_guard(hd_promela_emitter *c, const hd_promela_node *n)
{
    switch (n->op) {
    case HD_S_EXPRESSION:
        hd_promela_emit_expression(c, n->left);
        break;
    case HD_S_SEND:
        hd_promela_emit_expression(c, n->left);
        hd_promela_emit_op(c, HD_OP_CAN_SEND);
        hd_promela_emit_word(c, n->location.line);
        break;
    case HD_S_RECEIVE:
        hd_promela_emit_match(c, n, HD_OP_MATCH, (n->value & 1) != 0);
        break;
    default:
        hd_panic("guard of statement %d", n->op);
    }
}

bool hd_promela_emit_has_guard(const hd_promela_node *n)
{
    return n->op == HD_S_SEND || n->op == HD_S_RECEIVE
        || (n->op == HD_S_EXPRESSION && !hd_promela_has_run(n->left)
            && !(n->left->op == HD_N_CONST && n->left->value != 0));
}

static void send(hd_promela_emitter *c, const hd_promela_node *n)
{
    int count = 0;
    for (const hd_promela_node *a = n->list; a; a = a->next, count++)
        hd_promela_emit_expression(c, a);
    hd_promela_emit_expression(c, n->left);
    hd_promela_emit_op(c, HD_OP_SEND);
    hd_promela_emit_word(c, count);
    hd_promela_emit_word(c, n->value);
    hd_promela_emit_word(c, n->location.line);
    hd_promela_emit_depth(c, -count - 1);
}

/* The guard has just matched the message; its fields are stored, and it is removed unless the
 * receive keeps it. */
static void receive(hd_promela_emitter *c, const hd_promela_node *n)
{
    int index = 0;
    for (const hd_promela_node *a = n->list; a; a = a->next, index++) {
        if (a->op != HD_N_NAME || a->symbol->kind == HD_SYMBOL_ANY)
            continue;
        hd_promela_emit_op(c, HD_OP_FIELD);
        hd_promela_emit_word(c, index);
        hd_promela_emit_depth(c, 1);
        hd_promela_emit_store(c, a);
    }
    if (n->value < 2)
        hd_promela_emit_op(c, HD_OP_REMOVE);
}

void hd_promela_emit_effect(hd_promela_emitter *c, const hd_promela_node *n)
{
    switch (n->op) {
    case HD_S_EXPRESSION:
        if (hd_promela_has_run(n->left)) {
            hd_promela_emit_expression(c, n->left);
            hd_promela_emit_op(c, HD_OP_DROP);
            hd_promela_emit_depth(c, -1);
        }
        break;
    case HD_S_ASSIGN:
        /* Comes only from a declaration inside a body: a struct has no initial value. */
        if (hd_promela_emit_leaf(n->left)->type == HD_TYPE_STRUCT)
            break;
        hd_promela_emit_expression(c, n->right);
        hd_promela_emit_store(c, n->left);
        break;
    case HD_S_SEND:
        send(c, n);
        break;
    case HD_S_RECEIVE:
        receive(c, n);
        break;
    case HD_S_ASSERT:
        hd_promela_emit_expression(c, n->left);
        hd_promela_emit_op(c, HD_OP_ASSERT);
        hd_promela_emit_word(c, n->location.line);
        hd_promela_emit_depth(c, -1);
        break;
    default:
        break;
    }
}

void hd_promela_emit_reset_dead(hd_promela_emitter *c, const hd_promela_element *e)
{
    for (const hd_promela_dead *d = e->dead; d; d = d->next) {
        /* Elements of arrays are not tracked one by one. */
        if (d->variable->is_array)
            continue;
        hd_promela_emit_op(c, HD_OP_CONST);
        hd_promela_emit_word(c, 0);
        hd_promela_emit_op(c, HD_OP_STORE_LOCAL);
        hd_promela_emit_word(c, (int32_t)(d->variable->offset + HD_PROCESS_HEADER));
        hd_promela_emit_word(c, hd_promela_storage(d->variable->type, d->variable->bits));
    }
}

void hd_promela_emit_finish(hd_promela_emitter *c)
{
    hd_promela_emit_op(c, HD_OP_CONST);
    hd_promela_emit_word(c, 1);
    hd_promela_emit_op(c, HD_OP_RETURN);
}
