/* Opens a solver: compiles constraints into and/or trees and splits the parameters into components
 * that constraints connect. */
#include "pairs/solver_internal.h"

#include <string.h>

static size_t new_words(hd_pairs_solver *s, size_t count)
{
    size_t at = s->words.count;
    hd_vec_reserve(&s->words, count);
    memset(s->words.items + at, 0, count * sizeof(uint64_t));
    s->words.count += count;
    return at;
}

static int new_node(hd_pairs_solver *s, hd_pairs_node n)
{
    hd_vec_push(&s->nodes, n);
    return (int)s->nodes.count - 1;
}

static int compile_set(hd_pairs_solver *s, const hd_pairs_expression *e, bool positive)
{
    /* A set term: a bit per accepted value. */
    size_t at = new_words(s, (size_t)hd_pairs_words(s, e->parameter));
    for (int v = 0; v < s->model->parameters.items[e->parameter].value_count; v++)
        if (e->accepted[v] == positive)
            s->words.items[at + (size_t)v / 64] |= 1ull << (v % 64);
    return new_node(s, (hd_pairs_node) { .kind = hd_pairs_node_set, .parameter = e->parameter, .words = at });
}

static int compile_pair(hd_pairs_solver *s, const hd_pairs_expression *e, bool positive)
{
    const hd_pairs_model *m = s->model;
    int left = m->parameters.items[e->parameter].value_count, right = m->parameters.items[e->other].value_count;
    /* A relation term: for each value of the left parameter, the set of its partners. */
    size_t width = (size_t)hd_pairs_words(s, e->other), at = new_words(s, width * (size_t)left);
    for (int a = 0; a < left; a++)
        for (int b = 0; b < right; b++)
            if (hd_pairs_related(m, e->relation, e->parameter, a, e->other, b) == positive)
                s->words.items[at + (size_t)a * width + (size_t)b / 64] |= 1ull << (b % 64);
    return new_node(
        s, (hd_pairs_node) { .kind = hd_pairs_node_pair, .parameter = e->parameter, .other = e->other, .words = at });
}

/* Negation normal form: negations are pushed down to the terms, which are complemented. */
static int compile(hd_pairs_solver *s, const hd_pairs_expression *e, bool positive)
{
    switch (e->kind) {
    case hd_pairs_not:
        return compile(s, e->left, !positive);
    case hd_pairs_one_of:
        return compile_set(s, e, positive);
    case hd_pairs_compare:
        return compile_pair(s, e, positive);
    case hd_pairs_and:
    case hd_pairs_or:
        break;
    }
    /* De Morgan. */
    hd_pairs_node n = { .kind = (e->kind == hd_pairs_and) == positive ? hd_pairs_node_and : hd_pairs_node_or };
    n.left = compile(s, e->left, positive);
    n.right = compile(s, e->right, positive);
    return new_node(s, n);
}

/* Constraints are compiled in order, so only the last entry can be a duplicate. */
static bool listed(const hd_pairs_int_list *list, int item)
{
    return list->count > 0 && list->items[list->count - 1] == item;
}

/* Notes the constraint with every parameter that it mentions. */
static void watch(hd_pairs_solver *s, int at, int constraint)
{
    const hd_pairs_node *n = &s->nodes.items[at];
    if (n->kind == hd_pairs_node_and || n->kind == hd_pairs_node_or) {
        watch(s, n->left, constraint);
        watch(s, n->right, constraint);
        return;
    }
    if (!listed(&s->watchers[n->parameter], constraint))
        hd_vec_push(&s->watchers[n->parameter], constraint);
    if (n->kind == hd_pairs_node_pair && !listed(&s->watchers[n->other], constraint))
        hd_vec_push(&s->watchers[n->other], constraint);
}

/* --- components ---------------------------------------------------------- */

/* Union-find over parameters, with path halving. */
static int find_root(int *parent, int p)
{
    while (parent[p] != p)
        p = parent[p] = parent[parent[p]];
    return p;
}

/* All parameters of one constraint are in one component. */
static void connect(hd_pairs_solver *s, int at, int first, int *parent)
{
    const hd_pairs_node *n = &s->nodes.items[at];
    if (n->kind == hd_pairs_node_and || n->kind == hd_pairs_node_or) {
        connect(s, n->left, first, parent);
        connect(s, n->right, first, parent);
        return;
    }
    parent[find_root(parent, n->parameter)] = find_root(parent, first);
    if (n->kind == hd_pairs_node_pair)
        parent[find_root(parent, n->other)] = find_root(parent, first);
}

static int a_parameter_of(const hd_pairs_solver *s, int at)
{
    while (s->nodes.items[at].kind == hd_pairs_node_and || s->nodes.items[at].kind == hd_pairs_node_or)
        at = s->nodes.items[at].left;
    return s->nodes.items[at].parameter;
}

static bool fits_in_code(const hd_pairs_solver *s, const hd_pairs_int_list *members)
{
    double codes = 1;
    /* A partial assignment is a number in mixed radix, with one more digit value for "any". */
    for (size_t i = 0; i < members->count; i++)
        codes *= s->model->parameters.items[members->items[i]].value_count + 1;
    return codes < 1e18;
}

/* Components: parameters with a constraint, or with negative values only (which have no value in
 * the start state). */
static void find_components(hd_pairs_solver *s)
{
    int *parent = hd_alloc(&hd_heap, (size_t)s->columns * sizeof *parent);
    for (int p = 0; p < s->columns; p++) {
        parent[p] = p;
        s->component_of[p] = -1;
    }
    for (int c = 0; c < s->constraints; c++)
        connect(s, s->roots[c], a_parameter_of(s, s->roots[c]), parent);
    for (int p = 0; p < s->columns; p++) {
        int root = find_root(parent, p);
        if (s->watchers[p].count == 0 && hd_pairs_values_left(s, s->start, p) > 0)
            continue;
        if (s->component_of[root] < 0) {
            s->component_of[root] = (int)s->components.count;
            hd_vec_push(&s->components, (hd_pairs_component) { 0 });
        }
        s->component_of[p] = s->component_of[root];
        hd_vec_push(&s->components.items[s->component_of[p]].members, p);
    }
    for (int c = 0; c < s->constraints; c++)
        hd_vec_push(&s->components.items[s->component_of[a_parameter_of(s, s->roots[c])]].constraints, c);
    hd_release(&hd_heap, parent, (size_t)s->columns * sizeof *parent);
}

static void prepare_component(hd_pairs_solver *s, hd_pairs_component *c)
{
    size_t size = (size_t)s->first_word[s->columns] * sizeof(uint64_t);
    uint64_t *state = hd_alloc(&hd_heap, size);
    memcpy(state, s->start, size);
    hd_map_init(&c->answers, &hd_heap);
    /* Answers are cached under the exact partial assignment, if it fits into 64 bits. */
    c->coded = fits_in_code(s, &c->members);
    c->has_base_row = hd_pairs_solve_component(s, c, state);
    hd_release(&hd_heap, state, size);
}

static void lay_out_states(hd_pairs_solver *s)
{
    s->first_word = hd_alloc(&hd_heap, (size_t)(s->columns + 1) * sizeof *s->first_word);
    for (int p = 0; p < s->columns; p++)
        s->first_word[p + 1] = s->first_word[p] + (s->model->parameters.items[p].value_count + 63) / 64;
    s->start = hd_alloc(&hd_heap, (size_t)s->first_word[s->columns] * sizeof *s->start);
    /* The start state has positive values only; a negative one must be assigned. */
    for (int p = 0; p < s->columns; p++)
        for (int v = 0; v < s->model->parameters.items[p].value_count; v++)
            if (!s->model->parameters.items[p].values[v].negative)
                s->start[s->first_word[p] + v / 64] |= 1ull << (v % 64);
}

hd_pairs_solver *hd_pairs_solver_open(const hd_pairs_model *m)
{
    hd_pairs_solver *s = hd_alloc(&hd_heap, sizeof *s);
    s->model = m;
    s->columns = (int)m->parameters.count;
    s->constraints = (int)m->constraints.count;
    s->roots = hd_alloc(&hd_heap, (size_t)s->constraints * sizeof *s->roots);
    s->active = hd_alloc(&hd_heap, (size_t)s->constraints * sizeof *s->active);
    s->queued = hd_alloc(&hd_heap, (size_t)s->constraints * sizeof *s->queued);
    s->watchers = hd_alloc(&hd_heap, (size_t)s->columns * sizeof *s->watchers);
    s->component_of = hd_alloc(&hd_heap, (size_t)s->columns * sizeof *s->component_of);
    lay_out_states(s);
    for (int c = 0; c < s->constraints; c++) {
        s->active[c] = true;
        s->roots[c] = compile(s, m->constraints.items[c].expression, true);
        watch(s, s->roots[c], c);
    }
    find_components(s);
    for (size_t i = 0; i < s->components.count; i++)
        prepare_component(s, &s->components.items[i]);
    return s;
}

void hd_pairs_solver_close(hd_pairs_solver *s)
{
    for (size_t i = 0; i < s->components.count; i++) {
        hd_vec_fini(&s->components.items[i].members);
        hd_vec_fini(&s->components.items[i].constraints);
        hd_map_fini(&s->components.items[i].answers);
    }
    for (int p = 0; p < s->columns; p++)
        hd_vec_fini(&s->watchers[p]);
    hd_vec_fini(&s->components);
    hd_vec_fini(&s->nodes);
    hd_vec_fini(&s->words);
    hd_vec_fini(&s->queue);
    void *blocks[] = { s->roots, s->active, s->queued, s->watchers, s->component_of, s->first_word, s->start, s };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        hd_release(&hd_heap, blocks[i], 1);
}
