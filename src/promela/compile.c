/* Compiles control flow to transitions with code for guard and effect. */
#include "promela/emit.h"

/* Such a statement is tried again where nothing else can move. */
static bool mentions_timeout(const hd_promela_node *n)
{
    return n
        && (n->op == HD_N_TIMEOUT || mentions_timeout(n->left) || mentions_timeout(n->right)
            || mentions_timeout(n->third));
}

static void transition(hd_promela_emitter *c, hd_promela_transition *t, const hd_promela_step *s, int source)
{
    const hd_promela_element *e = s->element;
    bool d = e->node->op == HD_S_D_STEP;
    /* A d_step blocks, sends or receives by its first statement. */
    const hd_promela_node *n = d ? hd_promela_emit_first_of(e)->node : e->node;
    *t = (hd_promela_transition) { .source = source,
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
    /* Each piece of code starts with an empty stack. */
    c->stack = 0;
    if (t->action == HD_ACTION_SEND || t->action == HD_ACTION_RECEIVE) {
        /* For the reductions: which port is it? (model/system.c) */
        t->channel = hd_promela_emit_here(c);
        hd_promela_emit_expression(c, n->left);
        hd_promela_emit_op(c, HD_OP_RETURN);
        c->stack = 0;
    }
    if (d || hd_promela_emit_has_guard(e->node)) {
        t->guard = hd_promela_emit_here(c);
        d ? hd_promela_emit_d_step_guard(c, e) : hd_promela_emit_guard(c, e->node);
        hd_promela_emit_op(c, HD_OP_RETURN);
        c->stack = 0;
    }
    t->effect = hd_promela_emit_here(c);
    if (d) {
        hd_promela_emit_d_step(c, e);
        return;
    }
    hd_promela_emit_effect(c, e->node);
    hd_promela_emit_reset_dead(c, e);
    /* Merged statements have no guards: they never block. */
    for (int i = 0; i < s->merged_count; i++) {
        hd_promela_emit_effect(c, s->merged[i]->node);
        hd_promela_emit_reset_dead(c, s->merged[i]);
    }
    /* Nothing was emitted: no effect. */
    if (hd_promela_emit_here(c) == t->effect)
        t->effect = 0;
    else
        hd_promela_emit_finish(c);
}

static void initial_value(hd_promela_emitter *c, hd_promela_symbol *s)
{
    hd_promela_node at = { .op = HD_N_NAME, .symbol = s }, index = { .op = HD_N_CONST };
    const hd_promela_node *value = s->initial;
    for (int i = 0; i < s->count; i++) {
        index.value = i;
        at.left = s->is_array ? &index : NULL;
        if (s->channel) {
            hd_promela_emit_op(c, HD_OP_NEW_CHANNEL);
            /* Every element of an array of channels has the same type. */
            hd_promela_emit_word(c, (int32_t)c->program->channel_types.count - 1);
            hd_promela_emit_depth(c, 1);
        } else if (value) {
            hd_promela_emit_expression(c, value);
        } else {
            continue;
        }
        hd_promela_emit_store(c, &at);
        /* A list shorter than the array repeats its last value, a single value is for all elements. */
        if (s->initial_is_list && value->next)
            value = value->next;
    }
}

/* 0: there are none, so no code is run. */
static uint32_t initial_values(hd_promela_emitter *c, hd_promela_symbol **symbols, size_t from, size_t to)
{
    uint32_t start = hd_promela_emit_here(c);
    c->stack = 0;
    for (size_t i = from; i < to; i++) {
        if (symbols[i]->channel)
            hd_vec_push(&c->program->channel_types, symbols[i]->channel);
        initial_value(c, symbols[i]);
    }
    if (hd_promela_emit_here(c) == start)
        return 0;
    hd_promela_emit_finish(c);
    return start;
}

static uint32_t alone(hd_promela_emitter *c, const hd_promela_node *n)
{
    uint32_t start = hd_promela_emit_here(c);
    c->stack = 0;
    hd_promela_emit_expression(c, n);
    hd_promela_emit_op(c, HD_OP_RETURN);
    return start;
}

static void compile_proctype(hd_promela_emitter *c, hd_promela_proctype *t, hd_promela_code *code)
{
    hd_promela_model *m = c->program->model;
    hd_promela_flow *flow = hd_promela_flow_of(m, t);
    c->proctype = t;
    *code = (hd_promela_code) { .proctype = t, .flow = flow, .size = HD_PROCESS_HEADER + t->frame_size };
    for (int i = 1; i < flow->count; i++)
        for (const hd_promela_step *s = flow->steps[i]; s; s = s->next)
            code->transition_count++;
    code->transitions = hd_arena_alloc(&m->arena, ((size_t)code->transition_count + 1) * sizeof *code->transitions);
    code->first = hd_arena_alloc(&m->arena, ((size_t)flow->count + 1) * sizeof *code->first);
    int count = 0;
    for (int i = 0; i < flow->count; i++) {
        code->first[i] = count;
        for (const hd_promela_step *s = flow->steps[i]; s; s = s->next)
            transition(c, &code->transitions[count++], s, i);
    }
    /* One entry more, so that every control state has an end. */
    code->first[flow->count] = count;
    code->initial = initial_values(c, t->variables.items, (size_t)t->parameter_count, t->variables.count);
    code->provided = t->provided ? alone(c, t->provided) : 0;
}

enum { DEEPEST_STACK = 240, MOST_CHANNEL_TYPES = 255, MOST_PROCTYPES = 255 };

uint32_t hd_promela_compile_expression(hd_promela_program *p, const hd_promela_node *n)
{
    hd_promela_emitter c = { .program = p };
    uint32_t code = alone(&c, n);
    /* The machine's stack has 256 values. */
    return p->deepest < DEEPEST_STACK ? code : 0;
}

hd_promela_program *hd_promela_compile(hd_promela_model *m, const hd_promela_node *invariant, hd_error *error)
{
    hd_promela_program *p = hd_alloc(&hd_heap, sizeof *p);
    hd_promela_emitter c = { .program = p };
    p->model = m;
    /* Code 0 means none. */
    hd_promela_emit_word(&c, 0);
    hd_promela_analyse(m);
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
    hd_promela_program_close(p);
    return NULL;
}

void hd_promela_program_close(hd_promela_program *p)
{
    hd_promela_model_close(p->model);
    hd_vec_fini(&p->words);
    hd_vec_fini(&p->channel_types);
    hd_release(&hd_heap, p, sizeof *p);
}
