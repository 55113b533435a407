#include "promela/emit.h"

#include <string.h>

/* --- expressions, references and messages ---------------------------------------------------------------- */

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
                /* The offset under construction is on the stack, below the index. */
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
        /* The constant needs one more value for a moment: the maximum must know. */
        hd_promela_emit_depth(c, 1);
        hd_promela_emit_depth(c, -1);
    }
    return computed;
}

static hd_promela_symbol *leaf(const hd_promela_node *n)
{
    while (n->right)
        n = n->right;
    return n->symbol;
}

static void load(hd_promela_emitter *c, const hd_promela_node *n)
{
    uint32_t offset;
    const hd_promela_symbol *s = leaf(n);
    bool computed = address(c, n, &offset);
    if (computed) {
        hd_promela_emit_op(c, n->symbol->owner ? HD_OP_LOAD_LOCAL_AT : HD_OP_LOAD_GLOBAL_AT);
    } else {
        /* Most variables are bits and bytes, so they have instructions of their own. */
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
    const hd_promela_symbol *s = leaf(n);
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
    /* Patched when the address is known. */
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

/* Only !, - and ~. */
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
static void match(hd_promela_emitter *c, const hd_promela_node *n, hd_promela_opcode o, bool anywhere)
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
    const hd_promela_symbol *s = leaf(n->right);
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
        match(c, n, HD_OP_POLL, n->value == 1);
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

/* --- guards and effects of statements -------------------------------------------------------------------- */

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
        match(c, n, HD_OP_MATCH, (n->value & 1) != 0);
        break;
    default:
        hd_panic("guard of statement %d", n->op);
    }
}

/* A condition with `run` cannot be evaluated without its effect, so it has no guard: it always
 * executes. */
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
    /* 2 and 3: ?<> and ??<> leave the message where it is. */
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
        if (leaf(n->left)->type == HD_TYPE_STRUCT)
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

/* --- d_step: one effect, whose control flow is compiled to jumps ----------------------------------------- */

typedef struct d_step {
    hd_promela_emitter *c;
    uint32_t *placed; /* per element number: its code, 0: not yet */
    hd_vec(uint32_t) jumps; /* jump operands to be patched with the address of … */
    hd_vec(const hd_promela_element *) targets; /* … these; NULL: the end */

} d_step;

static void jump_to(d_step *d, const hd_promela_element *e)
{
    hd_promela_emit_op(d->c, HD_OP_JUMP);
    hd_vec_push(&d->jumps, hd_promela_emit_here(d->c));
    hd_vec_push(&d->targets, e);
    hd_promela_emit_word(d->c, 0);
}

static void d_sequence(d_step *d, hd_promela_sequence *s, uint32_t *blocked);

static void fill(d_step *d, uint32_t at)
{
    if (at)
        d->c->program->words.items[at] = (int32_t)hd_promela_emit_here(d->c);
}

/* An option whose first statement blocks is skipped, and the next one is tried; the first that is
 * executable is taken, as d_step is deterministic. A statement that blocks elsewhere is a fault. */
static void d_choice(d_step *d, const hd_promela_element *e)
{
    for (hd_promela_sequences *o = e->options; o; o = o->next) {
        uint32_t blocked = 0;
        d_sequence(d, o->sequence, &blocked);
        /* After an option a loop starts again; `if` goes on behind its join. */
        jump_to(d, e->node->op == HD_S_DO ? e : e->next);
        fill(d, blocked);
    }
    hd_promela_emit_op(d->c, HD_OP_BLOCKED);
    hd_promela_emit_word(d->c, e->node->location.line);
}

static void d_basic(d_step *d, const hd_promela_element *e, uint32_t *blocked)
{
    const hd_promela_node *n = e->node;
    if (hd_promela_emit_has_guard(n)) {
        hd_promela_emit_guard(d->c, n);
        hd_promela_emit_op(d->c, HD_OP_JUMP_IF_ZERO);
        hd_promela_emit_depth(d->c, -1);
        uint32_t at = hd_promela_emit_here(d->c);
        hd_promela_emit_word(d->c, 0);
        /* The first statement of an option: if it blocks, the next option is tried. */
        if (blocked) {
            *blocked = at;
        } else {
            hd_promela_emit_op(d->c, HD_OP_JUMP);
            uint32_t over = hd_promela_emit_here(d->c);
            hd_promela_emit_word(d->c, 0);
            fill(d, at);
            hd_promela_emit_op(d->c, HD_OP_BLOCKED);
            hd_promela_emit_word(d->c, n->location.line);
            fill(d, over);
        }
    }
    hd_promela_emit_effect(d->c, n);
}

static void d_element(d_step *d, hd_promela_element *e, uint32_t *blocked)
{
    switch (e->node->op) {
    case HD_S_GOTO:
        jump_to(d, hd_promela_goto_target(d->c->proctype, e->node));
        break;
    case HD_S_JOIN:
    case HD_S_BREAK_TARGET:
        if (e->next && (e->next->status & HD_D_STEP))
            jump_to(d, e->next);
        else
            jump_to(d, NULL);
        break;
    case HD_S_IF:
    case HD_S_DO:
        d_choice(d, e);
        break;
    case HD_S_BLOCK:
    case HD_S_ATOMIC:
    case HD_S_D_STEP:
        d_sequence(d, e->node->options->sequence, blocked);
        break;
    default:
        d_basic(d, e, blocked);
    }
}

static void d_sequence(d_step *d, hd_promela_sequence *s, uint32_t *blocked)
{
    for (hd_promela_element *e = s->first; e; e = e->next, blocked = NULL) {
        /* A statement is compiled once; jumps lead to it. */
        if (d->placed[e->number]) {
            jump_to(d, e);
            return;
        }
        d->placed[e->number] = hd_promela_emit_here(d->c);
        d_element(d, e, e == s->first ? blocked : NULL);
        if (e == s->extent || e == s->last)
            break;
    }
}

void hd_promela_emit_d_step(hd_promela_emitter *c, const hd_promela_element *e)
{
    d_step d = { .c = c };
    size_t count = (size_t)c->proctype->element_count;
    d.placed = hd_alloc(&hd_heap, count * sizeof *d.placed);
    d_sequence(&d, e->node->options->sequence, NULL);
    uint32_t end = hd_promela_emit_here(c);
    hd_promela_emit_finish(c);
    for (size_t i = 0; i < d.jumps.count; i++) {
        const hd_promela_element *to = d.targets.items[i];
        /* A jump to a statement outside of the d_step ends it. */
        uint32_t at = to && d.placed[to->number] ? d.placed[to->number] : end;
        c->program->words.items[d.jumps.items[i]] = (int32_t)at;
    }
    hd_release(&hd_heap, d.placed, count * sizeof *d.placed);
    hd_vec_fini(&d.jumps);
    hd_vec_fini(&d.targets);
}

/* The guard of a d_step is that of its first statement; for a choice, the disjunction over its options. */
void hd_promela_emit_d_step_guard(hd_promela_emitter *c, const hd_promela_element *e)
{
    e = hd_promela_emit_first_of(e);
    const hd_promela_node *n = e->node;
    if (!e->options) {
        if (hd_promela_emit_has_guard(n)) {
            hd_promela_emit_guard(c, n);
        } else {
            hd_promela_emit_op(c, HD_OP_CONST);
            hd_promela_emit_word(c, 1);
            hd_promela_emit_depth(c, 1);
        }
        return;
    }
    int count = 0;
    for (hd_promela_sequences *o = e->options; o; o = o->next, count++) {
        hd_promela_emit_d_step_guard(c, o->sequence->first);
        /* Values other than 0 and 1 are true as well, so they are normalised before the bitwise or. */
        hd_promela_emit_op(c, HD_OP_TRUTH);
        if (count > 0) {
            hd_promela_emit_op(c, HD_OP_BIT_OR);
            hd_promela_emit_depth(c, -1);
        }
    }
}

const hd_promela_element *hd_promela_emit_first_of(const hd_promela_element *e)
{
    for (;;) {
        if (e->node->op == HD_S_JOIN && e->next)
            e = e->next;
        else if (e->node->op == HD_S_BLOCK || e->node->op == HD_S_D_STEP || e->node->op == HD_S_ATOMIC)
            e = e->node->options->sequence->first;
        else
            return e;
    }
}
