#include "promela/program.h"

#include <string.h>

typedef struct compiler {
    hd_pml_program *program;
    hd_pml_proctype *proctype;
    int stack;
} compiler;

static uint32_t here(compiler *c)
{
    return (uint32_t)c->program->words.count;
}

static void word(compiler *c, int32_t w)
{
    hd_vec_push(&c->program->words, w);
}

static void op(compiler *c, hd_pml_opcode o)
{
    word(c, (int32_t)o);
}

static void grow(compiler *c, int by)
{
    c->stack += by;
    if (c->stack > c->program->deepest)
        c->program->deepest = c->stack;
}

int hd_pml_storage(hd_pml_type type, int bits)
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

static void expression(compiler *c, const hd_pml_node *n);

/* Where a reference leads: a known offset, or (returns true) code that leaves it on the stack. */
static bool address(compiler *c, const hd_pml_node *n, uint32_t *offset)
{
    bool computed = false;
    *offset = n->symbol->owner ? HD_PROCESS_HEADER : 0;
    for (const hd_pml_node *part = n; part; part = part->right) {
        *offset += part->symbol->offset;
        if (part->left && part->left->op == HD_N_CONST && part->left->value >= 0
            && part->left->value < part->symbol->count) {
            *offset += (uint32_t)part->left->value * part->symbol->element_size;
        } else if (part->left) {
            if (!computed) {
                op(c, HD_OP_CONST);
                word(c, 0);
                grow(c, 1);
            }
            computed = true;
            expression(c, part->left);
            op(c, HD_OP_INDEX);
            word(c, part->symbol->count);
            word(c, (int32_t)part->symbol->element_size);
            word(c, part->place.line);
            grow(c, -1);
        }
    }
    if (computed) {
        op(c, HD_OP_CONST);
        word(c, (int32_t)*offset);
        op(c, HD_OP_ADD);
        grow(c, 1);
        grow(c, -1);
    }
    return computed;
}

static hd_pml_symbol *leaf(const hd_pml_node *n)
{
    while (n->right)
        n = n->right;
    return n->symbol;
}

static void load(compiler *c, const hd_pml_node *n)
{
    uint32_t offset;
    const hd_pml_symbol *s = leaf(n);
    bool computed = address(c, n, &offset);
    if (computed) {
        op(c, n->symbol->owner ? HD_OP_LOAD_LOCAL_AT : HD_OP_LOAD_GLOBAL_AT);
    } else {
        bool byte = hd_pml_storage(s->type, s->bits) <= 2;
        op(c,
            n->symbol->owner ? (byte ? HD_OP_LOAD_LOCAL_BYTE : HD_OP_LOAD_LOCAL)
                             : (byte ? HD_OP_LOAD_GLOBAL_BYTE : HD_OP_LOAD_GLOBAL));
        word(c, (int32_t)offset);
        grow(c, 1);
        if (byte)
            return;
    }
    word(c, hd_pml_storage(s->type, s->bits));
}

/* A global that nobody reads keeps its first value, so that states do not differ in it. */
static bool is_idle(const hd_pml_symbol *s)
{
    return !s->owner && !s->read && s->type != HD_TYPE_CHAN && s->type != HD_TYPE_STRUCT;
}

/* value → */
static void store(compiler *c, const hd_pml_node *n)
{
    uint32_t offset;
    const hd_pml_symbol *s = leaf(n);
    bool computed = address(c, n, &offset);
    if (is_idle(n->symbol)) {
        for (int i = 0; i <= computed; i++) {
            op(c, HD_OP_DROP);
            grow(c, -1);
        }
        return;
    }
    if (computed) {
        op(c, n->symbol->owner ? HD_OP_STORE_LOCAL_AT : HD_OP_STORE_GLOBAL_AT);
        grow(c, -1);
    } else {
        op(c, n->symbol->owner ? HD_OP_STORE_LOCAL : HD_OP_STORE_GLOBAL);
        word(c, (int32_t)offset);
    }
    word(c, hd_pml_storage(s->type, s->bits));
    grow(c, -1);
}

static void name(compiler *c, const hd_pml_node *n)
{
    switch (n->symbol->kind) {
    case HD_SYMBOL_PID:
        op(c, HD_OP_PID);
        break;
    case HD_SYMBOL_NR_PR:
        op(c, HD_OP_NR_PR);
        break;
    case HD_SYMBOL_LAST:
        op(c, HD_OP_LAST);
        break;
    case HD_SYMBOL_ANY:
        op(c, HD_OP_CONST);
        word(c, 0);
        break;
    default:
        load(c, n);
        return;
    }
    grow(c, 1);
}

/* --- operators ------------------------------------------------------------------------------ */

static const struct {
    int sign;
    hd_pml_opcode op;
} operators[] = { { '+', HD_OP_ADD }, { '-', HD_OP_SUBTRACT }, { '*', HD_OP_MULTIPLY }, { '/', HD_OP_DIVIDE },
    { '%', HD_OP_MODULO }, { '&', HD_OP_BIT_AND }, { '|', HD_OP_BIT_OR }, { '^', HD_OP_BIT_XOR },
    { HD_TK_SHL, HD_OP_SHIFT_LEFT }, { HD_TK_SHR, HD_OP_SHIFT_RIGHT }, { HD_TK_EQ, HD_OP_EQUAL },
    { HD_TK_NE, HD_OP_UNEQUAL }, { '<', HD_OP_LESS }, { '>', HD_OP_GREATER }, { HD_TK_LE, HD_OP_AT_MOST },
    { HD_TK_GE, HD_OP_AT_LEAST } };

static void logical(compiler *c, const hd_pml_node *n, hd_pml_opcode jump)
{
    expression(c, n->left);
    op(c, jump);
    uint32_t end = here(c);
    word(c, 0);
    grow(c, -1);
    expression(c, n->right);
    op(c, HD_OP_TRUTH);
    c->program->words.items[end] = (int32_t)here(c);
}

static void binary(compiler *c, const hd_pml_node *n)
{
    if (n->sign == HD_TK_AND || n->sign == HD_TK_OR) {
        logical(c, n, n->sign == HD_TK_AND ? HD_OP_AND_JUMP : HD_OP_OR_JUMP);
        return;
    }
    expression(c, n->left);
    expression(c, n->right);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].sign == n->sign) {
            op(c, operators[i].op);
            if (n->sign == '/' || n->sign == '%')
                word(c, n->place.line);
            grow(c, -1);
            return;
        }
    hd_panic("operator %d", n->sign);
}

static void choose(compiler *c, const hd_pml_node *n)
{
    expression(c, n->left);
    op(c, HD_OP_JUMP_IF_ZERO);
    uint32_t otherwise = here(c);
    word(c, 0);
    grow(c, -1);
    expression(c, n->right);
    op(c, HD_OP_JUMP);
    uint32_t end = here(c);
    word(c, 0);
    grow(c, -1);
    c->program->words.items[otherwise] = (int32_t)here(c);
    expression(c, n->third);
    c->program->words.items[end] = (int32_t)here(c);
}

static void unary(compiler *c, const hd_pml_node *n)
{
    expression(c, n->left);
    op(c, n->sign == '!' ? HD_OP_NOT : n->sign == '-' ? HD_OP_NEGATE : HD_OP_COMPLEMENT);
}

static void run(compiler *c, const hd_pml_node *n)
{
    int count = 0;
    for (const hd_pml_node *a = n->list; a; a = a->next, count++)
        expression(c, a);
    op(c, HD_OP_RUN);
    word(c, n->symbol->proctype->index);
    word(c, count);
    grow(c, 1 - count);
}

static void of_channel(compiler *c, const hd_pml_node *n, hd_pml_opcode o)
{
    expression(c, n->left);
    op(c, o);
    word(c, n->place.line);
}

/* values channel → bool, for a receive or a poll. The mask of fields to compare lies in the code, jumped over. */
static void match(compiler *c, const hd_pml_node *n, hd_pml_opcode o, bool anywhere)
{
    op(c, HD_OP_JUMP);
    uint32_t over = here(c);
    word(c, 0);
    uint32_t mask = here(c);
    int count = 0, compared = 0;
    for (const hd_pml_node *a = n->list; a; a = a->next, count++)
        word(c, a->op == HD_N_CONST || a->op == HD_N_EVAL);
    c->program->words.items[over] = (int32_t)here(c);
    for (const hd_pml_node *a = n->list; a; a = a->next)
        if (a->op == HD_N_CONST || a->op == HD_N_EVAL) {
            expression(c, a->op == HD_N_EVAL ? a->left : a);
            compared++;
        }
    expression(c, n->left);
    op(c, o);
    word(c, count);
    word(c, anywhere);
    word(c, (int32_t)mask);
    word(c, n->place.line);
    grow(c, -compared);
}

static void expression(compiler *c, const hd_pml_node *n)
{
    switch (n->op) {
    case HD_N_CONST:
        op(c, HD_OP_CONST);
        word(c, n->value);
        grow(c, 1);
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
        op(c, HD_OP_TIMEOUT);
        grow(c, 1);
        break;
    default:
        hd_panic("expression %d", n->op);
    }
}

/* --- statements ------------------------------------------------------------------------------- */

static void guard(compiler *c, const hd_pml_node *n)
{
    switch (n->op) {
    case HD_S_EXPRESSION:
        expression(c, n->left);
        break;
    case HD_S_SEND:
        expression(c, n->left);
        op(c, HD_OP_CAN_SEND);
        word(c, n->place.line);
        break;
    case HD_S_RECEIVE:
        match(c, n, HD_OP_MATCH, (n->value & 1) != 0);
        break;
    default:
        hd_panic("guard of statement %d", n->op);
    }
}

static bool has_guard(const hd_pml_node *n)
{
    return n->op == HD_S_SEND || n->op == HD_S_RECEIVE
        || (n->op == HD_S_EXPRESSION && !hd_pml_has_run(n->left)
            && !(n->left->op == HD_N_CONST && n->left->value != 0));
}

static void send(compiler *c, const hd_pml_node *n)
{
    int count = 0;
    for (const hd_pml_node *a = n->list; a; a = a->next, count++)
        expression(c, a);
    expression(c, n->left);
    op(c, HD_OP_SEND);
    word(c, count);
    word(c, n->value);
    word(c, n->place.line);
    grow(c, -count - 1);
}

/* The guard has found the message. */
static void receive(compiler *c, const hd_pml_node *n)
{
    int index = 0;
    for (const hd_pml_node *a = n->list; a; a = a->next, index++) {
        if (a->op != HD_N_NAME || a->symbol->kind == HD_SYMBOL_ANY)
            continue;
        op(c, HD_OP_FIELD);
        word(c, index);
        grow(c, 1);
        store(c, a);
    }
    if (n->value < 2)
        op(c, HD_OP_REMOVE);
}

static void effect(compiler *c, const hd_pml_node *n)
{
    switch (n->op) {
    case HD_S_EXPRESSION:
        if (hd_pml_has_run(n->left)) {
            expression(c, n->left);
            op(c, HD_OP_DROP);
            grow(c, -1);
        }
        break;
    case HD_S_ASSIGN:
        if (leaf(n->left)->type == HD_TYPE_STRUCT)
            break;
        expression(c, n->right);
        store(c, n->left);
        break;
    case HD_S_SEND:
        send(c, n);
        break;
    case HD_S_RECEIVE:
        receive(c, n);
        break;
    case HD_S_ASSERT:
        expression(c, n->left);
        op(c, HD_OP_ASSERT);
        word(c, n->place.line);
        grow(c, -1);
        break;
    default:
        break;
    }
}

static void reset_dead(compiler *c, const hd_pml_element *e)
{
    for (const hd_pml_dead *d = e->dead; d; d = d->next) {
        if (d->variable->is_array)
            continue;
        op(c, HD_OP_CONST);
        word(c, 0);
        op(c, HD_OP_STORE_LOCAL);
        word(c, (int32_t)(d->variable->offset + HD_PROCESS_HEADER));
        word(c, hd_pml_storage(d->variable->type, d->variable->bits));
    }
}

static void finish(compiler *c)
{
    op(c, HD_OP_CONST);
    word(c, 1);
    op(c, HD_OP_RETURN);
}

/* --- d_step -------------------------------------------------------------------------------------- */

typedef struct d_step {
    compiler *c;
    uint32_t *placed; /* per element number: its code, 0: not yet */
    hd_vec(uint32_t) jumps; /* words to be filled with the code of … */
    hd_vec(const hd_pml_element *) targets; /* … these; NULL: the end */

} d_step;

static void jump_to(d_step *d, const hd_pml_element *e)
{
    op(d->c, HD_OP_JUMP);
    hd_vec_push(&d->jumps, here(d->c));
    hd_vec_push(&d->targets, e);
    word(d->c, 0);
}

static void d_sequence(d_step *d, hd_pml_sequence *s, uint32_t *blocked);

static void fill(d_step *d, uint32_t at)
{
    if (at)
        d->c->program->words.items[at] = (int32_t)here(d->c);
}

/* Only the first statement of an option may block: then the next option is tried. */
static void d_choice(d_step *d, const hd_pml_element *e)
{
    for (hd_pml_sequences *o = e->options; o; o = o->next) {
        uint32_t blocked = 0;
        d_sequence(d, o->sequence, &blocked);
        jump_to(d, e->node->op == HD_S_DO ? e : e->next);
        fill(d, blocked);
    }
    op(d->c, HD_OP_BLOCKED);
    word(d->c, e->node->place.line);
}

static void d_basic(d_step *d, const hd_pml_element *e, uint32_t *blocked)
{
    const hd_pml_node *n = e->node;
    if (has_guard(n)) {
        guard(d->c, n);
        op(d->c, HD_OP_JUMP_IF_ZERO);
        grow(d->c, -1);
        uint32_t at = here(d->c);
        word(d->c, 0);
        if (blocked) {
            *blocked = at;
        } else {
            op(d->c, HD_OP_JUMP);
            uint32_t over = here(d->c);
            word(d->c, 0);
            fill(d, at);
            op(d->c, HD_OP_BLOCKED);
            word(d->c, n->place.line);
            fill(d, over);
        }
    }
    effect(d->c, n);
}

static void d_element(d_step *d, hd_pml_element *e, uint32_t *blocked)
{
    switch (e->node->op) {
    case HD_S_GOTO:
        jump_to(d, hd_pml_goto_target(d->c->proctype, e->node));
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

static void d_sequence(d_step *d, hd_pml_sequence *s, uint32_t *blocked)
{
    for (hd_pml_element *e = s->first; e; e = e->next, blocked = NULL) {
        if (d->placed[e->number]) {
            jump_to(d, e);
            return;
        }
        d->placed[e->number] = here(d->c);
        d_element(d, e, e == s->first ? blocked : NULL);
        if (e == s->extent || e == s->last)
            break;
    }
}

static void d_step_effect(compiler *c, const hd_pml_element *e)
{
    d_step d = { .c = c };
    size_t count = (size_t)c->proctype->element_count;
    d.placed = hd_alloc(&hd_heap, count * sizeof *d.placed);
    d_sequence(&d, e->node->options->sequence, NULL);
    uint32_t end = here(c);
    finish(c);
    for (size_t i = 0; i < d.jumps.count; i++) {
        const hd_pml_element *to = d.targets.items[i];
        uint32_t at = to && d.placed[to->number] ? d.placed[to->number] : end;
        c->program->words.items[d.jumps.items[i]] = (int32_t)at;
    }
    hd_release(&hd_heap, d.placed, count * sizeof *d.placed);
    hd_vec_fini(&d.jumps);
    hd_vec_fini(&d.targets);
}

static const hd_pml_element *first_of(const hd_pml_element *e);

/* The guard of a d_step is that of its first statement: of a choice, that any option can start. */
static void d_step_guard(compiler *c, const hd_pml_element *e)
{
    e = first_of(e);
    const hd_pml_node *n = e->node;
    if (!e->options) {
        if (has_guard(n)) {
            guard(c, n);
        } else {
            op(c, HD_OP_CONST);
            word(c, 1);
            grow(c, 1);
        }
        return;
    }
    int count = 0;
    for (hd_pml_sequences *o = e->options; o; o = o->next, count++) {
        d_step_guard(c, o->sequence->first);
        op(c, HD_OP_TRUTH);
        if (count > 0) {
            op(c, HD_OP_BIT_OR);
            grow(c, -1);
        }
    }
}

static const hd_pml_element *first_of(const hd_pml_element *e)
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

/* --- transitions ----------------------------------------------------------------------------------- */

static bool mentions_timeout(const hd_pml_node *n)
{
    return n
        && (n->op == HD_N_TIMEOUT || mentions_timeout(n->left) || mentions_timeout(n->right)
            || mentions_timeout(n->third));
}

static void transition(compiler *c, hd_pml_transition *t, const hd_pml_step *s, int source)
{
    const hd_pml_element *e = s->element;
    bool d = e->node->op == HD_S_D_STEP;
    const hd_pml_node *n = d ? first_of(e)->node : e->node;
    *t = (hd_pml_transition) { .source = source,
        .number = e->number,
        .target = s->target,
        .atomic = s->atomic,
        .escape = s->escape,
        .id = e->id,
        .step = s,
        .is_else = n->op == HD_S_ELSE,
        .is_d_step = d };
    t->action = n->op == HD_S_SEND ? HD_ACTION_SEND : n->op == HD_S_RECEIVE ? HD_ACTION_RECEIVE : HD_ACTION_LOCAL;
    if (e->node->op == HD_S_END)
        t->action = HD_ACTION_END;
    t->takes = n->op == HD_S_RECEIVE && n->value < 2;
    t->uses_timeout = n->op == HD_S_EXPRESSION && mentions_timeout(n->left);
    c->stack = 0;
    if (t->action == HD_ACTION_SEND || t->action == HD_ACTION_RECEIVE) {
        t->channel = here(c);
        expression(c, n->left);
        op(c, HD_OP_RETURN);
        c->stack = 0;
    }
    if (d || has_guard(e->node)) {
        t->guard = here(c);
        d ? d_step_guard(c, e) : guard(c, e->node);
        op(c, HD_OP_RETURN);
        c->stack = 0;
    }
    t->effect = here(c);
    if (d) {
        d_step_effect(c, e);
        return;
    }
    effect(c, e->node);
    reset_dead(c, e);
    for (int i = 0; i < s->merged_count; i++) {
        effect(c, s->merged[i]->node);
        reset_dead(c, s->merged[i]);
    }
    if (here(c) == t->effect)
        t->effect = 0;
    else
        finish(c);
}

static void initial_value(compiler *c, hd_pml_symbol *s)
{
    hd_pml_node at = { .op = HD_N_NAME, .symbol = s }, index = { .op = HD_N_CONST };
    const hd_pml_node *value = s->initial;
    for (int i = 0; i < s->count; i++) {
        index.value = i;
        at.left = s->is_array ? &index : NULL;
        if (s->channel) {
            op(c, HD_OP_NEW_CHANNEL);
            word(c, (int32_t)c->program->channel_types.count - 1);
            grow(c, 1);
        } else if (value) {
            expression(c, value);
        } else {
            continue;
        }
        store(c, &at);
        if (s->initial_is_list && value->next)
            value = value->next;
    }
}

static uint32_t initial_values(compiler *c, hd_pml_symbol **symbols, size_t from, size_t to)
{
    uint32_t start = here(c);
    c->stack = 0;
    for (size_t i = from; i < to; i++) {
        if (symbols[i]->channel)
            hd_vec_push(&c->program->channel_types, symbols[i]->channel);
        initial_value(c, symbols[i]);
    }
    if (here(c) == start)
        return 0;
    finish(c);
    return start;
}

static uint32_t alone(compiler *c, const hd_pml_node *n)
{
    uint32_t start = here(c);
    c->stack = 0;
    expression(c, n);
    op(c, HD_OP_RETURN);
    return start;
}

static void compile_proctype(compiler *c, hd_pml_proctype *t, hd_pml_code *code)
{
    hd_pml_model *m = c->program->model;
    hd_pml_flow *flow = hd_pml_flow_of(m, t);
    c->proctype = t;
    *code = (hd_pml_code) { .proctype = t, .flow = flow, .size = HD_PROCESS_HEADER + t->frame_size };
    for (int i = 1; i < flow->count; i++)
        for (const hd_pml_step *s = flow->steps[i]; s; s = s->next)
            code->transition_count++;
    code->transitions = hd_arena_alloc(&m->arena, ((size_t)code->transition_count + 1) * sizeof *code->transitions);
    code->first = hd_arena_alloc(&m->arena, ((size_t)flow->count + 1) * sizeof *code->first);
    int count = 0;
    for (int i = 0; i < flow->count; i++) {
        code->first[i] = count;
        for (const hd_pml_step *s = flow->steps[i]; s; s = s->next)
            transition(c, &code->transitions[count++], s, i);
    }
    code->first[flow->count] = count;
    code->initial = initial_values(c, t->variables.items, (size_t)t->parameter_count, t->variables.count);
    code->provided = t->provided ? alone(c, t->provided) : 0;
}

enum { DEEPEST_STACK = 240, MOST_CHANNEL_TYPES = 255, MOST_PROCTYPES = 255 };

hd_pml_program *hd_pml_compile(hd_pml_model *m, const hd_pml_node *invariant, hd_error *error)
{
    hd_pml_program *p = hd_alloc(&hd_heap, sizeof *p);
    compiler c = { .program = p };
    p->model = m;
    word(&c, 0);
    hd_pml_analyse(m);
    p->codes = hd_arena_alloc(&m->arena, m->proctypes.count * sizeof *p->codes);
    p->initial = initial_values(&c, m->globals.items, 0, m->globals.count);
    for (size_t i = 0; i < m->proctypes.count; i++)
        compile_proctype(&c, m->proctypes.items[i], &p->codes[i]);
    p->invariant = invariant ? alone(&c, invariant) : 0;
    if (p->deepest < DEEPEST_STACK && p->channel_types.count <= MOST_CHANNEL_TYPES
        && m->proctypes.count <= MOST_PROCTYPES)
        return p;
    hd_fail(error, "%s: more than %d channel declarations or proctypes, or an expression that is too deep", m->file,
        MOST_CHANNEL_TYPES);
    hd_pml_program_close(p);
    return NULL;
}

void hd_pml_program_close(hd_pml_program *p)
{
    hd_pml_model_close(p->model);
    hd_vec_fini(&p->words);
    hd_vec_fini(&p->channel_types);
    hd_release(&hd_heap, p, sizeof *p);
}
