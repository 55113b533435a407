/* Translation of LTL to an automaton by a tableau whose states are sets of formulae still to be
 * satisfied (Couvreur 1999, after Gerth, Peled, Vardi and Wolper 1995). The edges of a state are
 * the ways to satisfy its formulae now: each says which propositions must and must not hold, and
 * what is left for the next state. An `until` may be postponed on an edge; its mark is on the edges
 * that do not postpone it. So a cycle with all marks postpones no `until` forever. */
#include "model/claim.h"

enum { MOST_FORMULAE = 128, MOST_STATES = 10000, MOST_EDGES = 1000000 };

typedef unsigned __int128 set; /* of formulae, by number */

typedef enum kind { TRUE, FALSE, LITERAL, AND, OR, NEXT, UNTIL, RELEASE } kind;

typedef struct formula {
    kind kind;
    int left, right;
    uint64_t bit; /* of a literal's proposition */
    bool negated;
    int mark; /* of an until */
} formula;

typedef struct way {
    uint64_t must, must_not;
    set next;
    uint32_t promised; /* marks of untils that are postponed */
} way;

typedef struct tableau {
    hd_model_claim *claim;
    hd_promela_program *program;
    hd_error *error;
    bool failed;
    formula formulae[MOST_FORMULAE];
    int count;
    hd_vec(set) states;
    hd_vec(way) ways; /* of the state being expanded */
} tableau;

static bool has(set s, int f)
{
    return s >> f & 1;
}

static set with(set s, int f)
{
    return s | (set)1 << f;
}

/* --- formulae ------------------------------------------------------------------------------------------ */

static int give_up(tableau *t, const char *what)
{
    if (!t->failed)
        hd_fail(t->error, "line %d: ltl '%s' %s", t->claim->line, t->claim->name, what);
    t->failed = true;
    return FALSE;
}

static int add(tableau *t, formula f)
{
    for (int i = 0; i < t->count; i++) {
        const formula *o = &t->formulae[i];
        /* Formulae are hash-consed (linearly: there are at most 128). */
        if (o->kind == f.kind && o->left == f.left && o->right == f.right && o->bit == f.bit && o->negated == f.negated)
            return i;
    }
    if (t->count == MOST_FORMULAE)
        return give_up(t, "is too large: it has more than 128 parts");
    if (f.kind == UNTIL && t->claim->mark_count == HD_MODEL_MOST_MARKS)
        return give_up(t, "is too large: it has more than 32 untils");
    if (f.kind == UNTIL)
        f.mark = t->claim->mark_count++;
    t->formulae[t->count] = f;
    return t->count++;
}

static bool opposite(const tableau *t, int a, int b)
{
    const formula *f = &t->formulae[a], *g = &t->formulae[b];
    return f->kind == LITERAL && g->kind == LITERAL && f->bit == g->bit && f->negated != g->negated;
}

static int both(tableau *t, int a, int b)
{
    if (a == FALSE || b == FALSE || opposite(t, a, b))
        return FALSE;
    return a == TRUE || a == b ? b : b == TRUE ? a : add(t, (formula) { .kind = AND, .left = a, .right = b });
}

static int either(tableau *t, int a, int b)
{
    if (a == TRUE || b == TRUE || opposite(t, a, b))
        return TRUE;
    return a == FALSE || a == b ? b : b == FALSE ? a : add(t, (formula) { .kind = OR, .left = a, .right = b });
}

static int next(tableau *t, int a)
{
    return a == TRUE || a == FALSE ? a : add(t, (formula) { .kind = NEXT, .left = a });
}

static int until(tableau *t, int a, int b)
{
    if (b == TRUE || b == FALSE || a == FALSE || a == b)
        return b;
    if (a == TRUE && t->formulae[b].kind == UNTIL) /* <> (p U q) = <> q */
        b = t->formulae[b].right;
    return add(t, (formula) { .kind = UNTIL, .left = a, .right = b });
}

static int release(tableau *t, int a, int b)
{
    if (b == TRUE || b == FALSE || a == TRUE || a == b)
        return b;
    if (a == FALSE && t->formulae[b].kind == RELEASE) /* [] (p V q) = [] q */
        b = t->formulae[b].right;
    return add(t, (formula) { .kind = RELEASE, .left = a, .right = b });
}

static bool is_temporal(const hd_promela_node *n)
{
    if (!n)
        return false;
    for (const hd_promela_node *a = n->list; a; a = a->next)
        if (is_temporal(a))
            return true;
    return n->op == HD_N_TEMPORAL || is_temporal(n->left) || is_temporal(n->right) || is_temporal(n->third);
}

static int build(tableau *t, const hd_promela_node *n, bool negated);

static int build_temporal(tableau *t, const hd_promela_node *n, bool negated)
{
    /* Negation is pushed through: the dual operator applies to negated operands. */
    int a = n->sign == HD_T_IMPLIES || n->sign == HD_T_EQUIV ? 0 : build(t, n->left, negated);
    int b = n->right && n->sign != HD_T_EQUIV ? build(t, n->right, negated) : 0;
    switch ((hd_promela_temporal)n->sign) {
    case HD_T_ALWAYS:
        return negated ? until(t, TRUE, a) : release(t, FALSE, a);
    case HD_T_EVENTUALLY:
        return negated ? release(t, FALSE, a) : until(t, TRUE, a);
    case HD_T_NEXT:
        return next(t, a);
    case HD_T_UNTIL:
        return negated ? release(t, a, b) : until(t, a, b);
    case HD_T_RELEASE:
        return negated ? until(t, a, b) : release(t, a, b);
    case HD_T_WEAK_UNTIL: /* p W q is q V (p || q) */
        return negated ? until(t, b, both(t, a, b)) : release(t, b, either(t, a, b));
    case HD_T_IMPLIES:
        a = build(t, n->left, !negated);
        return negated ? both(t, a, b) : either(t, a, b);
    case HD_T_EQUIV: {
        int p = build(t, n->left, false), not_p = build(t, n->left, true);
        int q = build(t, n->right, negated), not_q = build(t, n->right, !negated);
        return either(t, both(t, p, q), both(t, not_p, not_q));
    }
    }
    return FALSE;
}

static int literal(tableau *t, const hd_promela_node *n, bool negated)
{
    if (n->op == HD_N_CONST)
        return (n->value != 0) != negated ? TRUE : FALSE;
    uint64_t bit = hd_model_claim_proposition(t->claim, t->program, n, t->error);
    t->failed |= bit == 0;
    return bit ? add(t, (formula) { .kind = LITERAL, .bit = bit, .negated = negated }) : FALSE;
}

/* The formula or its negation in negation normal form. */
static int build(tableau *t, const hd_promela_node *n, bool negated)
{
    if (n->op == HD_N_TEMPORAL)
        return build_temporal(t, n, negated);
    if (n->op == HD_N_UNARY && n->sign == '!')
        return build(t, n->left, !negated);
    if (!is_temporal(n))
        return literal(t, n, negated);
    if (n->op == HD_N_BINARY && (n->sign == HD_TK_AND || n->sign == HD_TK_OR)) {
        int a = build(t, n->left, negated), b = build(t, n->right, negated);
        return (n->sign == HD_TK_AND) != negated ? both(t, a, b) : either(t, a, b);
    }
    return give_up(t, "has a temporal operator inside an expression: put its operand into parentheses");
}

/* --- the tableau ---------------------------------------------------------------------------------------- */

static int last_of(set s)
{
    uint64_t high = (uint64_t)(s >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)s);
}

/* Adds a formula to a state; a conjunction is added as its parts, so that equal states are recognised. */
static set with_parts(const tableau *t, set s, int f)
{
    const formula *g = &t->formulae[f];
    return g->kind == AND ? with_parts(t, with_parts(t, s, g->left), g->right) : with(s, f);
}

/* Adds all ways to satisfy `todo` in addition to what `w` demands. `done`: formulae already taken care of. */
static void satisfy(tableau *t, set todo, set done, way w)
{
    if (t->ways.count > MOST_EDGES)
        give_up(t, "is too large: a state of its automaton has more than 1000000 edges");
    while (todo && !t->failed) {
        int f = last_of(todo);
        const formula *g = &t->formulae[f];
        todo &= ~((set)1 << f);
        if (has(done, f))
            continue;
        done = with(done, f);
        way put_off = w;
        switch (g->kind) {
        case TRUE:
            break;
        case FALSE:
            return;
        case LITERAL:
            *(g->negated ? &w.must_not : &w.must) |= g->bit;
            if (w.must & w.must_not)
                return;
            break;
        case AND:
            todo = with(with(todo, g->left), g->right);
            break;
        case OR:
            /* Branch: one way per alternative; the second is followed in this call. */
            satisfy(t, with(todo, g->left), done, w);
            todo = with(todo, g->right);
            break;
        case NEXT:
            w.next = with_parts(t, w.next, g->left);
            break;
        case UNTIL:
            put_off.next = with(w.next, f);
            put_off.promised |= 1u << g->mark;
            /* If the right side is satisfied anyway, there is no need to postpone. */
            if (!has(done, g->right))
                satisfy(t, with(todo, g->left), done, put_off);
            todo = with(todo, g->right);
            break;
        /* p V q: q now, and p now or p V q later. It makes no promise. */
        case RELEASE:
            put_off.next = with(w.next, f);
            satisfy(t, with(todo, g->right), done, put_off);
            todo = with(with(todo, g->left), g->right);
            break;
        }
    }
    hd_vec_push(&t->ways, w);
}

/* Does `a` demand no more than `b`, now, later and in promises? Then every word that `b` accepts is
 * accepted by `a`, and `b` can be dropped. */
static bool covers(const way *a, const way *b)
{
    return !(a->must & ~b->must) && !(a->must_not & ~b->must_not) && !(a->next & ~b->next)
        && !(a->promised & ~b->promised);
}

static bool is_covered(const tableau *t, size_t i)
{
    const way *w = t->ways.items;
    /* Of equal ways the first is kept. */
    for (size_t k = 0; k < t->ways.count; k++)
        if (k != i && covers(&w[k], &w[i]) && (k < i || !covers(&w[i], &w[k])))
            return true;
    return false;
}

static uint32_t state_number(tableau *t, set s)
{
    for (size_t i = 0; i < t->states.count; i++)
        if (t->states.items[i] == s)
            return (uint32_t)i;
    hd_vec_push(&t->states, s);
    hd_vec_push(&t->claim->states, ((hd_model_claim_state) { .is_end = s == 0 }));
    return (uint32_t)t->states.count - 1;
}

static void expand(tableau *t, uint32_t number)
{
    hd_model_claim *c = t->claim;
    uint32_t first = (uint32_t)c->edges.count, all = (uint32_t)((1ull << c->mark_count) - 1);
    t->ways.count = 0;
    satisfy(t, t->states.items[number], 0, (way) { 0 });
    for (size_t i = 0; i < t->ways.count; i++) {
        const way *w = &t->ways.items[i];
        if (!is_covered(t, i))
            hd_vec_push(&c->edges,
                ((hd_model_claim_edge) { w->must, w->must_not, all & ~w->promised, state_number(t, w->next) }));
    }
    c->states.items[number].first = first;
    c->states.items[number].count = (uint32_t)c->edges.count - first;
}

bool hd_model_claim_of_formula(
    hd_model_claim *c, hd_promela_program *program, const hd_promela_claim *from, hd_error *error)
{
    tableau *t = hd_alloc(&hd_heap, sizeof *t);
    *t = (tableau) { .claim = c, .program = program, .error = error, .count = 2 };
    t->formulae[FALSE].kind = FALSE;
    /* The automaton is built for the negated formula. */
    int violation = build(t, from->formula, true);
    state_number(t, violation == TRUE ? 0 : with_parts(t, 0, violation));
    for (uint32_t i = 0; !t->failed && i < t->states.count; i++) {
        if (!c->states.items[i].is_end)
            expand(t, i);
        if (t->states.count > MOST_STATES || c->edges.count > MOST_EDGES)
            give_up(t, "is too large: its automaton has more than 10000 states");
    }
    bool ok = !t->failed;
    hd_vec_fini(&t->states);
    hd_vec_fini(&t->ways);
    hd_release(&hd_heap, t, sizeof *t);
    return ok;
}
