#include "pairs/solver_internal.h"

#include <string.h>

static size_t times_in(const hd_pairs_int_list *list, int item)
{
    size_t times = 0;
    for (size_t i = 0; i < list->count; i++)
        times += list->items[i] == item;
    return times;
}

static bool mentions(const hd_pairs_solver *s, int at, int p)
{
    const hd_pairs_node *n = &s->nodes.items[at];
    if (n->kind == hd_pairs_node_and || n->kind == hd_pairs_node_or)
        return mentions(s, n->left, p) || mentions(s, n->right, p);
    return n->parameter == p || (n->kind == hd_pairs_node_pair && n->other == p);
}

static bool constraint_is_valid(const hd_pairs_solver *s, int constraint)
{
    size_t listed = 0;
    for (size_t i = 0; i < s->components.count; i++)
        listed += times_in(&s->components.items[i].constraints, constraint);
    for (int p = 0; p < s->columns; p++) {
        bool mentioned = mentions(s, s->roots[constraint], p);
        if (times_in(&s->watchers[p], constraint) != mentioned)
            return false;
        if (mentioned && times_in(&s->components.items[s->component_of[p]].constraints, constraint) != 1)
            return false;
    }
    return listed == 1 && s->active[constraint] && !s->queued[constraint];
}

/* The column's component lists it and no other does; the start state has its positive values. */
static bool column_is_valid(const hd_pairs_solver *s, int p)
{
    if (s->component_of[p] < -1 || s->component_of[p] >= (int)s->components.count)
        return false;
    for (int i = 0; i < (int)s->components.count; i++)
        if (times_in(&s->components.items[i].members, p) != (s->component_of[p] == i))
            return false;
    for (int v = 0; v < s->model->parameters.items[p].value_count; v++) {
        bool starts = s->start[s->first_word[p] + v / 64] >> (v % 64) & 1;
        if (starts == s->model->parameters.items[p].values[v].negative)
            return false;
    }
    return s->component_of[p] >= 0 || s->watchers[p].count == 0;
}

/* Every choice from the state is a solution, so this one is: the first values, or the last. */
static bool choice_holds(const hd_pairs_solver *s, const hd_pairs_component *c, const uint64_t *state, bool last)
{
    hd_pairs_cell *row = hd_alloc(&hd_heap, (size_t)s->columns * sizeof *row);
    for (size_t i = 0; i < c->members.count; i++) {
        int p = c->members.items[i], values = s->model->parameters.items[p].value_count;
        for (int k = 0; k < values; k++) {
            int v = last ? k : values - 1 - k;
            if (state[s->first_word[p] + v / 64] >> (v % 64) & 1)
                row[p] = (hd_pairs_cell)v;
        }
    }
    bool holds = true;
    for (size_t i = 0; holds && i < c->constraints.count; i++)
        holds = hd_pairs_holds(s->model, s->model->constraints.items[c->constraints.items[i]].expression, row);
    hd_release(&hd_heap, row, (size_t)s->columns * sizeof *row);
    return holds;
}

/* Restricts the state to the cells of a partial assignment by its code. False: there is no such code. */
static bool decode(const hd_pairs_solver *s, const hd_pairs_component *c, uint64_t code, uint64_t *state)
{
    for (size_t i = c->members.count; i-- > 0;) {
        int p = c->members.items[i];
        uint64_t digits = (uint64_t)s->model->parameters.items[p].value_count + 1, digit = code % digits;
        code /= digits;
        if (!digit)
            continue;
        memset(state + s->first_word[p], 0, (size_t)hd_pairs_words(s, p) * sizeof *state);
        state[s->first_word[p] + (int)(digit - 1) / 64] = 1ull << ((digit - 1) % 64);
    }
    return code == 0;
}

/* Answers the question anew, without the cache. The constraints themselves are asked about a solution, not what they
 * were compiled into. */
static bool answer_is_valid(hd_pairs_solver *s, const hd_pairs_component *c, uint64_t code, uint64_t answer)
{
    size_t size = (size_t)s->first_word[s->columns] * sizeof(uint64_t);
    uint64_t *state = hd_alloc(&hd_heap, size);
    memcpy(state, s->start, size);
    bool valid = decode(s, c, code, state) && hd_pairs_solve_component(s, c, state) == answer;
    if (valid && answer)
        valid = choice_holds(s, c, state, false) && choice_holds(s, c, state, true);
    hd_release(&hd_heap, state, size);
    return valid;
}

static bool answers_are_valid(hd_pairs_solver *s, const hd_pairs_component *c)
{
    if (!answer_is_valid(s, c, 0, c->has_base_row))
        return false;
    for (size_t i = 0; i < c->answers.room; i++)
        if (c->answers.slots[i].used && !answer_is_valid(s, c, c->answers.slots[i].key, c->answers.slots[i].value))
            return false;
    return true;
}

bool hd_pairs_solver_is_valid(hd_pairs_solver *s)
{
    bool valid = s->queue.count == 0;
    for (int p = 0; valid && p < s->columns; p++)
        valid = column_is_valid(s, p);
    for (int c = 0; valid && c < s->constraints; c++)
        valid = constraint_is_valid(s, c);
    for (size_t i = 0; valid && i < s->components.count; i++)
        valid = answers_are_valid(s, &s->components.items[i]);
    return valid;
}
