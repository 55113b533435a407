#include "abi/valid.h"
#include "pairs/solver_internal.h"

#include <stdlib.h>
#include <string.h>

typedef enum truth { truth_no, truth_maybe, truth_yes } truth;

/* --- narrowing ---------------------------------------------------------- */

static bool disjoint(const uint64_t *a, const uint64_t *b, int words)
{
    for (int i = 0; i < words; i++)
        if (a[i] & b[i])
            return false;
    return true;
}

static bool within(const uint64_t *a, const uint64_t *b, int words)
{
    for (int i = 0; i < words; i++)
        if (a[i] & ~b[i])
            return false;
    return true;
}

static bool has(const uint64_t *set, int v)
{
    return set[v / 64] >> (v % 64) & 1;
}

/* The truth of a pair term for all choices from the sets: it holds for all, for none, or for some. */
static truth pair_truth(const hd_pairs_solver *s, const hd_pairs_node *n, const uint64_t *state)
{
    const uint64_t *left = state + s->first_word[n->parameter], *right = state + s->first_word[n->other];
    int width = hd_pairs_words(s, n->other);
    bool all = true, none = true;
    for (int a = 0; a < s->model->parameters.items[n->parameter].value_count; a++) {
        const uint64_t *partners = &s->words.items[n->words + (size_t)a * (size_t)width];
        if (!has(left, a))
            continue;
        all = all && within(right, partners, width);
        none = none && disjoint(right, partners, width);
    }
    return none ? truth_no : all ? truth_yes : truth_maybe;
}

/* Evaluates a node for all choices from the state's sets at once. */
static truth truth_of(const hd_pairs_solver *s, int at, const uint64_t *state)
{
    const hd_pairs_node *n = &s->nodes.items[at];
    if (n->kind == hd_pairs_node_pair)
        return pair_truth(s, n, state);
    if (n->kind == hd_pairs_node_set) {
        const uint64_t *set = state + s->first_word[n->parameter], *accepted = &s->words.items[n->words];
        int words = hd_pairs_words(s, n->parameter);
        return disjoint(set, accepted, words) ? truth_no : within(set, accepted, words) ? truth_yes : truth_maybe;
    }
    /* Three-valued logic: "no" decides an AND, "yes" an OR. */
    truth left = truth_of(s, n->left, state), decisive = n->kind == hd_pairs_node_and ? truth_no : truth_yes;
    if (left == decisive)
        return left;
    truth right = truth_of(s, n->right, state);
    /* Both are undecided or both are the other truth value: then so is the node. */
    if (right == decisive || left == right)
        return right;
    return truth_maybe;
}

/* A constraint is queued once, however many of its parameters have changed. */
static void enqueue(hd_pairs_solver *s, const hd_pairs_int_list *constraints)
{
    for (size_t i = 0; i < constraints->count; i++)
        if (s->active[constraints->items[i]] && !s->queued[constraints->items[i]]) {
            s->queued[constraints->items[i]] = true;
            hd_vec_push(&s->queue, constraints->items[i]);
        }
}

static void touch(hd_pairs_solver *s, int parameter)
{
    enqueue(s, &s->watchers[parameter]);
}

/* Keeps only the values in `keep`; false if none is left. */
static bool narrow(hd_pairs_solver *s, uint64_t *state, int parameter, const uint64_t *keep)
{
    uint64_t *set = state + s->first_word[parameter], left = 0;
    bool changed = false;
    for (int i = 0; i < hd_pairs_words(s, parameter); i++) {
        changed |= (set[i] & ~keep[i]) != 0;
        left |= set[i] &= keep[i];
    }
    /* Constraints on this parameter may now be able to remove more values. */
    if (changed)
        touch(s, parameter);
    return left != 0;
}

/* Arc consistency: keeps the values on both sides that have a partner on the other. */
static bool force_pair(hd_pairs_solver *s, const hd_pairs_node *n, uint64_t *state)
{
    int width = hd_pairs_words(s, n->other), values = s->model->parameters.items[n->parameter].value_count;
    uint64_t left[HD_PAIRS_MOST_VALUES / 64 + 1], right[HD_PAIRS_MOST_VALUES / 64 + 1];
    memset(left, 0, (size_t)hd_pairs_words(s, n->parameter) * sizeof *left);
    memset(right, 0, (size_t)width * sizeof *right);
    for (int a = 0; a < values; a++) {
        const uint64_t *partners = &s->words.items[n->words + (size_t)a * (size_t)width];
        if (!has(state + s->first_word[n->parameter], a) || disjoint(partners, state + s->first_word[n->other], width))
            continue;
        left[a / 64] |= 1ull << (a % 64);
        for (int i = 0; i < width; i++)
            right[i] |= partners[i];
    }
    return narrow(s, state, n->parameter, left) && narrow(s, state, n->other, right);
}

/* Makes the node hold as far as propagation can decide; false if it cannot hold. An OR is forced
 * only when one branch is impossible. */
static bool force(hd_pairs_solver *s, int at, uint64_t *state)
{
    const hd_pairs_node n = s->nodes.items[at];
    switch (n.kind) {
    case hd_pairs_node_set:
        return narrow(s, state, n.parameter, &s->words.items[n.words]);
    case hd_pairs_node_pair:
        return force_pair(s, &n, state);
    case hd_pairs_node_and:
        return force(s, n.left, state) && force(s, n.right, state);
    case hd_pairs_node_or:
        break;
    }
    /* The last possible branch of an OR is forced. */
    if (truth_of(s, n.left, state) == truth_no)
        return force(s, n.right, state);
    return truth_of(s, n.right, state) != truth_no || force(s, n.left, state);
}

static bool propagate(hd_pairs_solver *s, uint64_t *state)
{
    bool possible = true;
    /* The queue is drained even after a failure, so that `queued` is clear for the next question. */
    while (s->queue.count > 0) {
        int c = hd_vec_pop(&s->queue);
        s->queued[c] = false;
        possible = possible && force(s, s->roots[c], state);
    }
    return possible;
}

/* --- search ------------------------------------------------------------- */

/* The undecided parameter with the fewest values among those in constraints that are still open; -1
 * if every constraint holds for all choices. */
static int choose(const hd_pairs_solver *s, const hd_pairs_int_list *members, const uint64_t *state)
{
    int best = -1, fewest = 0;
    for (size_t i = 0; i < members->count; i++) {
        int p = members->items[i], size = hd_pairs_values_left(s, state, p);
        bool open = false;
        /* Truth is expensive to compute, so it is asked only for parameters that could be the best. */
        for (size_t w = 0; size > 1 && (best < 0 || size < fewest) && !open && w < s->watchers[p].count; w++) {
            int c = s->watchers[p].items[w];
            open = s->active[c] && truth_of(s, s->roots[c], state) != truth_yes;
        }
        if (open) {
            best = p;
            fewest = size;
        }
    }
    return best;
}

static void keep_only(const hd_pairs_solver *s, uint64_t *state, int p, int v)
{
    memset(state + s->first_word[p], 0, (size_t)hd_pairs_words(s, p) * sizeof *state);
    state[s->first_word[p] + v / 64] = 1ull << (v % 64);
}

/* Backtracking search: narrows `state` until every choice from it is a solution for the members. */
static bool solve(
    hd_pairs_solver *s, const hd_pairs_int_list *members, uint64_t *state, const hd_pairs_cell *const *preference)
{
    if (!propagate(s, state))
        return false;
    /* Every constraint holds for all choices that are left: no need to fix more values. */
    int p = choose(s, members, state);
    if (p < 0)
        return true;
    size_t size = (size_t)s->first_word[s->columns] * sizeof *state;
    /* Chronological backtracking: restore the state before the next value. */
    uint64_t *saved = hd_alloc(&hd_heap, size);
    memcpy(saved, state, size);
    bool found = false;
    for (int i = 0; !found && i < s->model->parameters.items[p].value_count; i++) {
        int v = preference ? preference[p][i] : i;
        if (!has(saved + s->first_word[p], v))
            continue;
        memcpy(state, saved, size);
        keep_only(s, state, p, v);
        /* Only constraints on p can be violated now. */
        touch(s, p);
        found = solve(s, members, state, preference);
    }
    hd_release(&hd_heap, saved, size);
    return found;
}

static void assign(hd_pairs_solver *s, const hd_pairs_component *c, const hd_pairs_cell *row, uint64_t *state)
{
    for (size_t i = 0; i < c->members.count; i++)
        if (row[c->members.items[i]] != HD_PAIRS_ANY)
            keep_only(s, state, c->members.items[i], row[c->members.items[i]]);
    enqueue(s, &c->constraints);
}

static uint64_t cost_of_check(const hd_pairs_solver *s)
{
    uint64_t answers = 0;
    for (size_t i = 0; i < s->components.count; i++)
        answers += s->components.items[i].answers.room;
    return (uint64_t)s->constraints * (uint64_t)s->columns * 8 + answers * 16 * (s->nodes.count + 1);
}

/* The answer for one component, from the cache if the same cells were asked about before. */
static bool component_extendable(hd_pairs_solver *s, hd_pairs_component *c, const hd_pairs_cell *row)
{
    uint64_t code = 0;
    bool assigned = false;
    for (size_t i = 0; i < c->members.count; i++) {
        int p = c->members.items[i];
        assigned |= row[p] != HD_PAIRS_ANY;
        /* A number in mixed radix; 0 is "any". It may wrap around, and is used only if it cannot
         * (`coded`). */
        code = code * (uint64_t)(s->model->parameters.items[p].value_count + 1) + (uint64_t)(row[p] + 1);
    }
    /* The most frequent question, answered once and for all. */
    if (!assigned)
        return c->has_base_row;
    uint64_t *known = c->coded ? hd_map_get(&c->answers, code) : NULL;
    if (known)
        return *known;
    size_t size = (size_t)s->first_word[s->columns] * sizeof(uint64_t);
    uint64_t *state = hd_alloc(&hd_heap, size);
    memcpy(state, s->start, size);
    assign(s, c, row, state);
    bool answer = solve(s, &c->members, state, NULL);
    hd_release(&hd_heap, state, size);
    if (c->coded)
        *hd_map_put(&c->answers, code) = answer;
    s->solved++;
    hd_check_valid(hd_pairs_solver_is_valid(s), cost_of_check(s), s->solved);
    return answer;
}

/* A rule of the language, not a constraint of the model: at most one negative value in a row. */
static int negatives_in(const hd_pairs_solver *s, const hd_pairs_cell *row)
{
    int count = 0;
    for (int p = 0; s->model->has_negative && p < s->columns; p++)
        count += row[p] != HD_PAIRS_ANY && s->model->parameters.items[p].values[row[p]].negative;
    return count;
}

bool hd_pairs_extendable(hd_pairs_solver *s, const hd_pairs_cell *row)
{
    if (negatives_in(s, row) > 1)
        return false;
    for (size_t i = 0; i < s->components.count; i++)
        if (!component_extendable(s, &s->components.items[i], row))
            return false;
    return true;
}

bool hd_pairs_extendable_at(hd_pairs_solver *s, const hd_pairs_cell *row, int column)
{
    if (negatives_in(s, row) > 1)
        return false;
    /* Other components have not changed. */
    int c = s->component_of[column];
    return c < 0 || component_extendable(s, &s->components.items[c], row);
}

static int pick(const hd_pairs_solver *s, const uint64_t *state, int p, const hd_pairs_cell *const *preference)
{
    for (int i = 0; i < s->model->parameters.items[p].value_count; i++) {
        int v = preference ? preference[p][i] : i;
        if (has(state + s->first_word[p], v))
            return v;
    }
    hd_panic("parameter %d has no value left", p);
}

bool hd_pairs_complete(hd_pairs_solver *s, hd_pairs_cell *row, const hd_pairs_cell *const *preference)
{
    size_t size = (size_t)s->first_word[s->columns] * sizeof(uint64_t);
    uint64_t *state = hd_alloc(&hd_heap, size);
    bool possible = negatives_in(s, row) <= 1;
    /* Components share no parameters and no constraints, so one state serves all of them. */
    memcpy(state, s->start, size);
    for (size_t i = 0; possible && i < s->components.count; i++) {
        const hd_pairs_component *c = &s->components.items[i];
        assign(s, c, row, state);
        possible = solve(s, &c->members, state, preference);
        for (size_t j = 0; possible && j < c->members.count; j++) {
            int p = c->members.items[j];
            if (row[p] == HD_PAIRS_ANY)
                row[p] = (hd_pairs_cell)pick(s, state, p, preference);
        }
    }
    hd_release(&hd_heap, state, size);
    return possible;
}

bool hd_pairs_constrained(const hd_pairs_solver *s, int column)
{
    return s->component_of[column] >= 0 || s->model->has_negative;
}

static bool all_have_values(const hd_pairs_solver *s, const hd_pairs_component *c, const uint64_t *state)
{
    for (size_t i = 0; i < c->members.count; i++)
        if (hd_pairs_values_left(s, state, c->members.items[i]) == 0)
            return false;
    return true;
}

bool hd_pairs_solve_component(hd_pairs_solver *s, const hd_pairs_component *c, uint64_t *state)
{
    if (!all_have_values(s, c, state))
        return false;
    enqueue(s, &c->constraints);
    return solve(s, &c->members, state, NULL);
}

/* --- for cores ---------------------------------------------------------- */

static bool satisfiable_from(hd_pairs_solver *s, const uint64_t *start, uint64_t *state)
{
    memcpy(state, start, (size_t)s->first_word[s->columns] * sizeof *state);
    for (size_t i = 0; i < s->components.count; i++)
        if (!hd_pairs_solve_component(s, &s->components.items[i], state))
            return false;
    return true;
}

/* A row with one negative value: that value is the only one left for its parameter, the others have
 * positive values. */
static bool satisfiable_with_negative(hd_pairs_solver *s, uint64_t *start, uint64_t *state)
{
    size_t size = (size_t)s->first_word[s->columns] * sizeof *state;
    for (int p = 0; p < s->columns; p++)
        for (int v = 0; v < s->model->parameters.items[p].value_count; v++) {
            if (!s->model->parameters.items[p].values[v].negative)
                continue;
            memcpy(start, s->start, size);
            keep_only(s, start, p, v);
            if (satisfiable_from(s, start, state))
                return true;
        }
    return false;
}

bool hd_pairs_satisfiable(hd_pairs_solver *s, const bool *chosen)
{
    size_t size = (size_t)s->first_word[s->columns] * sizeof(uint64_t);
    uint64_t *state = hd_alloc(&hd_heap, size), *start = hd_alloc(&hd_heap, size);
    memcpy(s->active, chosen, (size_t)s->constraints * sizeof *chosen);
    bool found = satisfiable_from(s, s->start, state) || satisfiable_with_negative(s, start, state);
    /* Answers in the caches were found with all constraints in force; this function does not use
     * them. */
    memset(s->active, true, (size_t)s->constraints * sizeof *s->active);
    hd_release(&hd_heap, state, size);
    hd_release(&hd_heap, start, size);
    return found;
}
