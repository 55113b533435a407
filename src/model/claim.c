#include "model/claim.h"

enum { LONGEST_ATOMIC = 100 };

/* --- never claims ------------------------------------------------------------------------------------- */

/* A never claim during translation. Its control states become states; an atomic sequence, which
 * runs in one state of the system, becomes one edge. */
typedef struct never {
    hd_model_claim *claim;
    hd_promela_program *program;
    const hd_promela_flow *flow;
    int end; /* the control state at the closing brace */
    hd_error *error;
} never;

static bool refuse(never *n, const hd_promela_node *at, const char *what)
{
    return hd_fail(
        n->error, "%s:%d:%d: %s in a claim", at->location.file, at->location.line, at->location.column, what);
}

/* The bit of an expression statement; 0 for statements that are always executable. */
static bool guard_of(never *n, const hd_promela_node *statement, uint64_t *bit)
{
    *bit = 0;
    switch (statement->op) {
    case HD_S_EXPRESSION:
        if (statement->left->op == HD_N_CONST && statement->left->value)
            return true;
        if (hd_promela_has_run(statement->left))
            return refuse(n, statement, "run cannot be used");
        *bit = hd_model_claim_proposition(n->claim, n->program, statement->left, n->error);
        return *bit != 0;
    case HD_S_ELSE:
    case HD_S_ASSERT:
    case HD_S_PRINT:
    case HD_S_GOTO:
    case HD_S_JOIN:
    case HD_S_BREAK_TARGET:
    case HD_S_END:
        return true;
    default:
        return refuse(n, statement, "only conditions, assertions and jumps are possible");
    }
}

/* The condition of `else`: none of the guards beside it holds. */
static bool others(never *n, const hd_promela_step *steps, uint64_t *bits, bool *any_free)
{
    *bits = 0;
    *any_free = false;
    for (const hd_promela_step *s = steps; s; s = s->next) {
        uint64_t bit;
        if (s->element->node->op == HD_S_ELSE)
            continue;
        if (!guard_of(n, s->element->node, &bit))
            return false;
        *bits |= bit;
        *any_free |= bit == 0;
    }
    return true;
}

static uint32_t add_end(hd_model_claim *c, int failed)
{
    hd_vec_push(&c->states, ((hd_model_claim_state) { .is_end = true, .failed = failed }));
    return (uint32_t)c->states.count - 1;
}

typedef struct ends {
    hd_vec(hd_model_claim_edge) edges; /* of the state being translated */
    hd_vec(int) failures; /* per edge: the line of a violated assertion, or 0 */
} ends;

static void add_edge(ends *e, hd_model_claim_edge edge, int failed)
{
    hd_vec_push(&e->edges, edge);
    hd_vec_push(&e->failures, failed);
}

/* All paths from a control state that are taken in one state of the system, appended to `so_far`:
 * an atomic sequence is followed to its end. */
static bool follow(never *n, int control, hd_model_claim_edge so_far, ends *e, int depth)
{
    const hd_promela_step *steps = n->flow->steps[control];
    if (depth > LONGEST_ATOMIC)
        return refuse(n, n->flow->elements[control]->node, "an atomic sequence that does not end");
    for (const hd_promela_step *s = steps; s; s = s->next) {
        const hd_promela_node *node = s->element->node;
        hd_model_claim_edge edge = so_far;
        uint64_t bit, failing = 0;
        bool free = false;
        /* A claim's statements are not merged. */
        if (s->merged_count || s->escape)
            return refuse(n, node, "unless cannot be used");
        if (node->op == HD_S_ELSE ? !others(n, steps, &bit, &free) : !guard_of(n, node, &bit))
            return false;
        if (free)
            continue;
        *(node->op == HD_S_ELSE ? &edge.must_not : &edge.must) |= bit;
        if (node->op == HD_S_ASSERT
            && !(failing = hd_model_claim_proposition(n->claim, n->program, node->left, n->error)))
            return false;
        /* A violated assertion is an edge of its own, to an end that names its line. */
        if (failing) {
            hd_model_claim_edge violated = edge;
            violated.must_not |= failing;
            add_edge(e, violated, node->location.line);
        }
        edge.target = (uint32_t)s->target;
        if (!s->atomic || s->target == n->end)
            add_edge(e, edge, 0);
        else if (!follow(n, s->target, edge, e, depth + 1))
            return false;
    }
    return true;
}

/* State i of the claim is control state i, except that the initial state must be the first: it
 * swaps numbers with control state 0, which no process has. */
static uint32_t state_of(const never *n, uint32_t control)
{
    return control == (uint32_t)n->flow->start ? 0 : control ? control : (uint32_t)n->flow->start;
}

static bool translate(never *n)
{
    hd_model_claim *c = n->claim;
    for (int i = 0; i < n->flow->count; i++)
        hd_vec_push(&c->states, (hd_model_claim_state) { 0 });
    c->states.items[state_of(n, (uint32_t)n->end)].is_end = true;
    ends e = { 0 };
    bool ok = true;
    for (int i = 1; i < n->flow->count && ok; i++) {
        e.edges.count = e.failures.count = 0;
        hd_model_claim_edge none = { .marks = n->flow->accept[i] };
        ok = i == n->end || follow(n, i, none, &e, 0);
        uint32_t first = (uint32_t)c->edges.count;
        for (size_t k = 0; k < e.edges.count; k++) {
            hd_model_claim_edge edge = e.edges.items[k];
            /* Contradictory edges can never be taken and are dropped. */
            edge.target = e.failures.items[k] ? add_end(c, e.failures.items[k]) : state_of(n, edge.target);
            if (!(edge.must & edge.must_not))
                hd_vec_push(&c->edges, edge);
        }
        hd_model_claim_state *s = &c->states.items[state_of(n, (uint32_t)i)];
        s->first = first;
        s->count = (uint32_t)c->edges.count - first;
    }
    hd_vec_fini(&e.edges);
    hd_vec_fini(&e.failures);
    return ok;
}

/* --- all claims ------------------------------------------------------------------------------------------- */

uint64_t hd_model_claim_proposition(
    hd_model_claim *c, hd_promela_program *program, const hd_promela_node *n, hd_error *error)
{
    for (size_t i = 0; i < c->propositions.count; i++)
        if (hd_promela_same(c->propositions.items[i].expression, n))
            return 1ull << i;
    if (c->propositions.count == HD_MODEL_MOST_PROPOSITIONS) {
        hd_fail(error, "%s:%d: claim '%s' has more than %d different conditions", n->location.file, n->location.line,
            c->name, HD_MODEL_MOST_PROPOSITIONS);
        return 0;
    }
    uint32_t code = hd_promela_compile_expression(program, n);
    if (!code) {
        hd_fail(error, "%s:%d: this condition is too deep", n->location.file, n->location.line);
        return 0;
    }
    hd_vec_push(&c->propositions, ((hd_model_proposition) { n, code }));
    return 1ull << (c->propositions.count - 1);
}

bool hd_model_claim_open(hd_model_claim *c, hd_promela_program *program, const hd_promela_claim *from, hd_error *error)
{
    *c = (hd_model_claim) { .kind = from->is_ltl ? HD_MODEL_CLAIM_LTL : HD_MODEL_CLAIM_NEVER,
        .name = from->name,
        .line = from->location.line };
    bool ok;
    if (from->is_ltl) {
        ok = hd_model_claim_of_formula(c, program, from, error);
    } else {
        never n = { .claim = c,
            .program = program,
            .flow = hd_promela_flow_of(program->model, from->never),
            .end = from->never->body->last->number,
            .error = error };
        c->mark_count = 1;
        c->labels = true;
        ok = translate(&n);
    }
    if (!ok)
        hd_model_claim_close(c);
    return ok;
}

void hd_model_claim_acceptance(hd_model_claim *c)
{
    *c = (hd_model_claim) { .kind = HD_MODEL_CLAIM_ACCEPTANCE, .name = "acceptance", .mark_count = 1, .labels = true };
    hd_vec_push(&c->states, ((hd_model_claim_state) { .count = 1 }));
    hd_vec_push(&c->edges, (hd_model_claim_edge) { 0 });
}

/* never { do :: true :: np_ -> break od; accept: do :: np_ od } */
void hd_model_claim_progress(hd_model_claim *c, hd_promela_program *program)
{
    static const hd_promela_node no_progress = { .op = HD_N_NO_PROGRESS };
    *c = (hd_model_claim) { .kind = HD_MODEL_CLAIM_PROGRESS, .name = "progress", .mark_count = 1 };
    uint64_t np = hd_model_claim_proposition(c, program, &no_progress, NULL);
    hd_vec_push(&c->states, ((hd_model_claim_state) { .first = 0, .count = 2 }));
    hd_vec_push(&c->states, ((hd_model_claim_state) { .first = 2, .count = 1 }));
    hd_vec_push(&c->edges, ((hd_model_claim_edge) { .target = 0 }));
    hd_vec_push(&c->edges, ((hd_model_claim_edge) { .must = np, .target = 1 }));
    hd_vec_push(&c->edges, ((hd_model_claim_edge) { .must = np, .marks = 1, .target = 1 }));
}

void hd_model_claim_close(hd_model_claim *c)
{
    hd_vec_fini(&c->states);
    hd_vec_fini(&c->edges);
    hd_vec_fini(&c->propositions);
}
