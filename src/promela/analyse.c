/* Data-flow analyses per proctype, over the graph of its control states: dead variables, and chains
 * of statements that are merged into one step. Both follow SPIN's algorithms, because states are
 * counted as SPIN counts them. States and edges are visited in the order of their creation, newest
 * first: where mergeable statements form a cycle, this order decides where the cycle is cut. */
#include "promela/flow.h"

typedef struct use {
    hd_promela_symbol *variable;
    bool dead;
    struct use *next;
} use;

typedef struct edge {
    int to;
    hd_promela_element *step; /* NULL: an escape */
    use *uses[2]; /* 0: read, 1: written */
    struct edge *next;
} edge;

typedef struct state {
    int number, incoming;
    edge *edges;
    bool seen;
    struct state *older;
} state;

typedef struct analysis {
    hd_promela_model *model;
    hd_promela_proctype *proctype;
    state **table;
    state *newest;
    bool *done;
    const edge *building[4096];
    int depth;
} analysis;

/* --- uses ------------------------------------------------------------------------------- */

static void note_expression(analysis *a, edge *t, const hd_promela_node *n, int written);

/* Only local variables: globals are never dead, since other processes may read them. */
static void note_variable(analysis *a, edge *t, const hd_promela_node *n, int written)
{
    if (n->left) { /* an element of an unknown index: only the index is a use */
        note_expression(a, t, n->left, 0);
        return;
    }
    if (n->symbol->kind != HD_SYMBOL_VARIABLE || !n->symbol->owner)
        return;
    /* Each variable once per edge. */
    for (use *u = t->uses[written]; u; u = u->next)
        if (u->variable == n->symbol)
            return;
    use *u = hd_arena_alloc(&a->model->arena, sizeof *u);
    *u = (use) { .variable = n->symbol, .next = t->uses[written] };
    t->uses[written] = u;
}

static void note_list(analysis *a, edge *t, const hd_promela_node *list)
{
    for (; list; list = list->next)
        note_expression(a, t, list, 0);
}

/* The arguments of a receive: constants and eval are compared, variables are written. */
static void note_pattern(analysis *a, edge *t, const hd_promela_node *list, bool stores)
{
    for (; list; list = list->next)
        if (list->op == HD_N_EVAL)
            note_expression(a, t, list->left, 0);
        else if (list->op != HD_N_CONST && stores)
            note_expression(a, t, list, 1);
}

static void note_expression(analysis *a, edge *t, const hd_promela_node *n, int written)
{
    if (!n)
        return;
    switch (n->op) {
    case HD_N_NAME:
        note_variable(a, t, n, written);
        break;
    case HD_N_RUN:
        note_list(a, t, n->list);
        break;
    case HD_N_POLL:
        note_expression(a, t, n->left, 0);
        note_pattern(a, t, n->list, false);
        break;
    default:
        note_expression(a, t, n->left, 0);
        note_expression(a, t, n->right, 0);
        note_expression(a, t, n->third, 0);
    }
}

static void note_statement(analysis *a, edge *t, const hd_promela_node *n)
{
    switch (n->op) {
    case HD_S_EXPRESSION:
    case HD_S_ASSERT:
        note_expression(a, t, n->left, 0);
        break;
    case HD_S_ASSIGN:
        note_expression(a, t, n->left, 1);
        note_expression(a, t, n->right, 0);
        break;
    case HD_S_PRINT:
        note_list(a, t, n->list);
        break;
    case HD_S_SEND:
        note_expression(a, t, n->left, 0);
        note_list(a, t, n->list);
        break;
    case HD_S_RECEIVE:
        note_expression(a, t, n->left, 0);
        note_pattern(a, t, n->list, true);
        break;
    default:
        break;
    }
}

/* --- the graph ---------------------------------------------------------------------------- */

/* States are kept in the order of their creation, on which the cutting of cycles depends. */
static state *state_at(analysis *a, int number)
{
    if (!a->table[number]) {
        state *s = hd_arena_alloc(&a->model->arena, sizeof *s);
        *s = (state) { .number = number, .older = a->newest };
        a->table[number] = a->newest = s;
    }
    return a->table[number];
}

static void add_edge(analysis *a, int from, int to, hd_promela_element *e)
{
    state *s = state_at(a, from);
    edge *t = hd_arena_alloc(&a->model->arena, sizeof *t);
    *t = (edge) { .to = to, .step = e, .next = s->edges };
    s->edges = t;
    state_at(a, to)->incoming++;
    if (e)
        note_statement(a, t, e->node);
}

static void walk(analysis *a, hd_promela_sequence *s);

static void walk_options(analysis *a, hd_promela_element *e)
{
    for (hd_promela_sequences *o = e->options; o; o = o->next) {
        hd_promela_element *start = hd_promela_hunt_start(o->sequence->first);
        const hd_promela_node *n = start->node;
        /* An option that begins with a constant 0 is never taken. */
        bool never = n->op == HD_S_EXPRESSION && n->left->op == HD_N_CONST && n->left->value == 0 && !start->escapes;
        if (!never)
            add_edge(a, e->number, start->number, e);
    }
    for (hd_promela_sequences *o = e->options; o; o = o->next)
        walk(a, o->sequence);
}

static void walk_basic(analysis *a, hd_promela_element *e)
{
    const hd_promela_proctype *t = a->proctype;
    hd_promela_element *to = NULL;
    if (e->node->op == HD_S_GOTO)
        to = hd_promela_hunt(t, hd_promela_goto_target(t, e->node), e->status, -1);
    else if (e->next)
        to = hd_promela_hunt(t, e->next, e->status, -1);
    add_edge(a, e->number, to ? to->number : 0, e);
    if (e->node->op == HD_S_GOTO || e->node->op == HD_S_JOIN)
        return;
    for (hd_promela_sequences *x = e->escapes; x; x = x->next) {
        add_edge(a, e->number, hd_promela_hunt_start(x->sequence->first)->number, NULL);
        walk(a, x->sequence);
    }
}

static void walk_element(analysis *a, hd_promela_element *e)
{
    hd_promela_op op = e->node->op;
    if (op == HD_S_UNLESS) {
        walk(a, e->options->sequence);
    } else if (e->options) {
        walk_options(a, e);
    } else if (op == HD_S_ATOMIC || op == HD_S_D_STEP || op == HD_S_BLOCK) {
        hd_promela_sequence *s = e->node->options->sequence;
        s->last->next = e->next;
        add_edge(a, e->number, hd_promela_hunt_start(s->first)->number, e);
        walk(a, s);
    } else {
        walk_basic(a, e);
    }
}

static void walk(analysis *a, hd_promela_sequence *s)
{
    for (hd_promela_element *e = s->first; e; e = e->next) {
        if (!a->done[e->number]) {
            a->done[e->number] = true;
            walk_element(a, e);
        }
        if (e == s->last)
            break;
    }
}

/* --- dead variables ------------------------------------------------------------------------- */

static bool uses(const edge *t, int written, const hd_promela_symbol *v)
{
    for (const use *u = t->uses[written]; u; u = u->next)
        if (u->variable == v)
            return true;
    return false;
}

/* Is `v` dead in this state: is it written before it is read on every path? States that have been
 * visited count as dead (greatest fixed point). A state has at most one edge with uses, that of its
 * basic statement, and escapes come before it in the list; so a write answers for the state. */
static bool dead_from(analysis *a, int from, const hd_promela_symbol *v)
{
    state *s = from ? a->table[from] : NULL;
    if (!s || s->seen)
        return true;
    s->seen = true;
    for (const edge *t = s->edges; t; t = t->next) {
        if (uses(t, 0, v))
            return false;
        if (uses(t, 1, v))
            return true;
        if (!dead_from(a, t->to, v))
            return false;
    }
    return true;
}

/* Channels and structs are never reset. */
static bool dies(analysis *a, const edge *t, const hd_promela_symbol *v)
{
    if (v->type == HD_TYPE_CHAN || v->type == HD_TYPE_STRUCT)
        return false;
    for (state *s = a->newest; s; s = s->older)
        s->seen = false;
    return dead_from(a, t->to, v);
}

/* Storing 0 needs no reset; reads count only where they can be the last use. */
static bool worth_resetting(const hd_promela_node *n, bool after_write)
{
    if (after_write)
        return !(n->op == HD_S_ASSIGN && n->right->op == HD_N_CONST && n->right->value == 0);
    return n->op == HD_S_EXPRESSION || n->op == HD_S_RECEIVE;
}

static void find_dead(analysis *a)
{
    for (state *s = a->newest; s; s = s->older)
        for (edge *t = s->edges; t; t = t->next)
            for (int w = 0; w < 2; w++)
                for (use *u = t->uses[w]; u; u = u->next) {
                    if (!dies(a, t, u->variable) || !worth_resetting(t->step->node, w == 1))
                        continue;
                    hd_promela_dead *d = hd_arena_alloc(&a->model->arena, sizeof *d);
                    *d = (hd_promela_dead) { u->variable, w == 1, t->step->dead };
                    t->step->dead = d;
                }
}

/* --- merging ---------------------------------------------------------------------------------- */

static bool touches_globals(const hd_promela_node *n);

static bool list_touches_globals(const hd_promela_node *list)
{
    for (; list; list = list->next)
        if (list->op == HD_N_EVAL ? touches_globals(list->left) : touches_globals(list))
            return true;
    return false;
}

/* xr and xs promise that no other process uses that end of the channel. */
static bool claimed(const hd_promela_node *channel, unsigned by)
{
    return (channel->symbol->exclusive & by) == by;
}

static bool touches_globals(const hd_promela_node *n)
{
    if (!n)
        return false;
    switch (n->op) {
    case HD_N_NAME:
        if (n->symbol->kind != HD_SYMBOL_VARIABLE)
            return n->symbol->kind == HD_SYMBOL_NR_PR || n->symbol->kind == HD_SYMBOL_LAST;
        return !n->symbol->owner && !n->symbol->as_local;
    case HD_S_SEND:
        return list_touches_globals(n->list) || !claimed(n->left, HD_EXCLUSIVE_SEND);
    case HD_S_RECEIVE:
        return list_touches_globals(n->list) || !claimed(n->left, HD_EXCLUSIVE_RECEIVE);
    case HD_N_POLL:
        return list_touches_globals(n->list) || !claimed(n->left, HD_EXCLUSIVE_RECEIVE | HD_EXCLUSIVE_SEND);
    case HD_N_LEN:
        return !claimed(n->left, HD_EXCLUSIVE_RECEIVE | HD_EXCLUSIVE_SEND);
    case HD_N_NEMPTY:
    case HD_N_FULL:
        return !claimed(n->left, HD_EXCLUSIVE_RECEIVE);
    case HD_N_NFULL:
    case HD_N_EMPTY:
        return !claimed(n->left, HD_EXCLUSIVE_SEND);
    case HD_N_TIMEOUT:
        return true;
    case HD_N_RUN:
    case HD_S_END:
        return false;
    case HD_S_ELSE:
        return n->io_else;
    case HD_S_PRINT:
        return list_touches_globals(n->list);
    default:
        return touches_globals(n->left) || touches_globals(n->right);
    }
}

/* Other processes cannot observe the state before it. */
static bool private_or_atomic(const hd_promela_element *e)
{
    return (e->status & (HD_ATOMIC | HD_LAST_ATOMIC)) || !touches_globals(e->node);
}

/* A statement in the middle of a chain: the only way out of its state, never blocking, without a
 * label, and private or atomic, so that other processes cannot observe the state before it. */
static bool mergeable(const analysis *a, const edge *t)
{
    if (!t || !t->step || t->next || t->step->escapes)
        return false;
    switch (t->step->node->op) {
    case HD_S_ATOMIC:
    case HD_S_BLOCK:
    case HD_S_D_STEP:
    case HD_S_IF:
    case HD_S_DO:
    case HD_S_UNLESS:
    case HD_S_ELSE:
    case HD_S_END:
    case HD_S_EXPRESSION:
    case HD_S_SEND:
    case HD_S_RECEIVE:
        return false;
    default:
        return !hd_promela_has_label(a->proctype, t->step, "") && private_or_atomic(t->step);
    }
}

static int build_chain(analysis *a, const edge *t)
{
    if (!t || !t->step)
        return -1;
    /* Computed before: chains share their tails. */
    if (t->step->merge)
        return t->step->merge;
    if (!mergeable(a, t) || a->depth == 4096)
        return -1;
    /* A cycle: cut it here. */
    for (int i = 0; i < a->depth; i++)
        if (a->building[i] == t)
            return -1;
    a->building[a->depth++] = t;
    int end = a->table[t->to] ? build_chain(a, a->table[t->to]->edges) : -1;
    a->depth--;
    /* The control state at which the chain ends. */
    t->step->merge = end == -1 ? t->to : end;
    return t->step->merge;
}

static void merge_chains(analysis *a)
{
    for (state *s = a->newest; s; s = s->older)
        for (edge *t = s->edges; t; t = t->next) {
            if (!t->step)
                continue;
            /* Used by flow.c: a state without incoming edges is not reachable. */
            t->step->incoming = s->incoming;
            if (t->step->merge || !mergeable(a, t))
                continue;
            /* A chain of one statement. */
            if (!a->table[t->to] || !mergeable(a, a->table[t->to]->edges))
                t->step->merge_single = t->to;
            else
                build_chain(a, t);
        }
}

/* A statement that may block can begin a chain if it is private or atomic. A send to a rendezvous
 * channel cannot, because it hands over control. */
static bool may_begin(const analysis *a, const edge *t)
{
    const hd_promela_node *n = t->step->node;
    bool kind = (n->op == HD_S_EXPRESSION && !hd_promela_has_run(n->left)) || n->op == HD_S_RECEIVE
        || (n->op == HD_S_SEND && !a->model->has_rendezvous);
    return kind && !t->next && !t->step->escapes && private_or_atomic(t->step);
}

static void merge_beginnings(analysis *a)
{
    for (state *s = a->newest; s; s = s->older)
        for (edge *t = s->edges; t; t = t->next) {
            if (!t->step || t->step->merge || !may_begin(a, t) || !a->table[t->to] || !a->table[t->to]->edges
                || !a->table[t->to]->edges->step)
                continue;
            const hd_promela_element *next = a->table[t->to]->edges->step;
            t->step->merge_start = next->merge ? next->merge : next->merge_single;
        }
}

void hd_promela_analyse(hd_promela_model *m)
{
    for (size_t i = 0; i < m->proctypes.count; i++) {
        hd_promela_proctype *t = m->proctypes.items[i];
        size_t count = (size_t)t->element_count;
        analysis *a = hd_arena_alloc(&m->arena, sizeof *a);
        *a = (analysis) { .model = m,
            .proctype = t,
            .table = hd_arena_alloc(&m->arena, count * sizeof *a->table),
            .done = hd_arena_alloc(&m->arena, count) };
        walk(a, t->body);
        if (!m->has_remote_variable)
            find_dead(a);
        /* A `provided` clause is evaluated at every step, and a claim may read variables between
         * statements: then every statement must be a step. */
        t->merged = !m->has_provided && !m->has_remote_variable;
        if (t->merged)
            merge_chains(a), merge_beginnings(a);
        hd_promela_hunt(t, t->body->first, t->body->first->status, -1)->incoming = 1;
    }
}
