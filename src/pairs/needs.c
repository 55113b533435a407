#include "pairs/needs.h"

#include "abi/valid.h"

#include <stdlib.h>
#include <string.h>

static const size_t most_interactions = 60000000;
static const double most_tuples = 4e9;

typedef hd_vec(int) int_list;

static void push(hd_pairs_interactions *into, const int *columns, int count)
{
    hd_vec_push(&into->first, (uint32_t)into->columns.count);
    for (int i = 0; i < count; i++)
        hd_vec_push(&into->columns, (hd_pairs_column)columns[i]);
    into->count++;
    if (count > into->widest)
        into->widest = count;
}

/* The next subset of {0 .. n-1} with `size` members, in lexicographic order: the rightmost member
 * that can move goes up by one, and those after it follow directly. */
static bool next_subset(int *subset, int size, int n)
{
    int i = size - 1;
    while (i >= 0 && subset[i] == n - size + i)
        i--;
    if (i < 0)
        return false;
    subset[i]++;
    for (int j = i + 1; j < size; j++)
        subset[j] = subset[j - 1] + 1;
    return true;
}

static double choose(double n, int k)
{
    double ways = 1;
    for (int i = 0; i < k; i++)
        ways *= (n - i) / (i + 1);
    return ways;
}

/* All subsets of `strength` members; of fewer members, all of them together. */
static bool add_subsets(const int_list *members, int strength, hd_pairs_interactions *into, hd_error *error)
{
    int n = (int)members->count, subset[HD_PAIRS_MOST_STRENGTH], columns[HD_PAIRS_MOST_STRENGTH];
    int size = strength < n ? strength : n;
    hd_vec_reserve(&into->columns, 1); /* also if all subsets are empty */
    if (choose(n, size) > (double)(most_interactions - into->count))
        return hd_fail(error, "%d parameters have too many groups of %d; use a lower --strength", n, size);
    for (int i = 0; i < size; i++)
        subset[i] = i;
    do {
        for (int i = 0; i < size; i++)
            columns[i] = members->items[subset[i]];
        push(into, columns, size);
    } while (next_subset(subset, size, n));
    return true;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* --- sub-models: units made of sub-models and of the columns outside ------ */

/* A unit is a column outside of sub-models, or a sub-model as a whole. */
typedef struct units {
    const hd_pairs_model *model;
    int strength;
    hd_vec(const hd_pairs_group *) groups; /* per unit; NULL for a single column */
    hd_vec(int) columns; /* per unit: that column */
    hd_pairs_interactions *into;
    hd_error *error;
} units;

enum { WIDEST = 24 };

static bool add_union(units *u, const int *picked, int count, int at, int *columns, int filled);

/* All choices of `strength` columns of the sub-model, each continued with the next unit. */
static bool add_group_choices(units *u, const int *picked, int count, int at, int *columns, int filled)
{
    const hd_pairs_group *group = u->groups.items[picked[at]];
    int size = group->strength ? group->strength : u->strength, subset[HD_PAIRS_MOST_STRENGTH];
    size = size < group->count ? size : group->count;
    if (filled + size > WIDEST)
        return hd_fail(u->error, "%s:%d: this sub-model and the strength make interactions of over %d parameters",
            u->model->name, group->line, WIDEST);
    for (int i = 0; i < size; i++)
        subset[i] = i;
    do {
        for (int i = 0; i < size; i++)
            columns[filled + i] = group->members[subset[i]];
        if (!add_union(u, picked, count, at + 1, columns, filled + size))
            return false;
    } while (next_subset(subset, size, group->count));
    return true;
}

static bool add_union(units *u, const int *picked, int count, int at, int *columns, int filled)
{
    if (at < count && u->groups.items[picked[at]])
        return add_group_choices(u, picked, count, at, columns, filled);
    if (at < count) {
        columns[filled] = u->columns.items[picked[at]];
        return add_union(u, picked, count, at + 1, columns, filled + 1);
    }
    /* Sub-models may overlap: an interaction lists each column once. */
    int sorted[WIDEST], distinct = 0;
    memcpy(sorted, columns, (size_t)filled * sizeof *sorted);
    qsort(sorted, (size_t)filled, sizeof *sorted, ascending);
    for (int i = 0; i < filled; i++)
        if (distinct == 0 || sorted[distinct - 1] != sorted[i])
            sorted[distinct++] = sorted[i];
    if (u->into->count == most_interactions)
        return hd_fail(u->error, "%s: the sub-models make too many interactions", u->model->name);
    push(u->into, sorted, distinct);
    return true;
}

static void find_units(units *u)
{
    const hd_pairs_model *m = u->model;
    bool *inside = hd_alloc(&hd_heap, m->parameters.count);
    for (size_t g = 0; g < m->submodels.count; g++) {
        hd_vec_push(&u->groups, &m->submodels.items[g]);
        hd_vec_push(&u->columns, -1);
        for (int i = 0; i < m->submodels.items[g].count; i++)
            inside[m->submodels.items[g].members[i]] = true;
    }
    for (size_t p = 0; p < m->parameters.count; p++)
        if (!inside[p] && !m->parameters.items[p].result) {
            hd_vec_push(&u->groups, NULL);
            hd_vec_push(&u->columns, (int)p);
        }
    hd_release(&hd_heap, inside, m->parameters.count);
}

static bool add_submodels(const hd_pairs_model *m, int strength, hd_pairs_interactions *into, hd_error *error)
{
    units u = { .model = m, .strength = strength, .into = into, .error = error };
    int picked[HD_PAIRS_MOST_STRENGTH], columns[WIDEST + HD_PAIRS_MOST_STRENGTH];
    find_units(&u);
    int n = (int)u.groups.count, size = strength < n ? strength : n;
    bool fine = true;
    for (int i = 0; i < size; i++)
        picked[i] = i;
    do
        fine = add_union(&u, picked, size, 0, columns, 0);
    while (fine && next_subset(picked, size, n));
    hd_vec_fini(&u.groups);
    hd_vec_fini(&u.columns);
    return fine;
}

/* --- all of it ------------------------------------------------------------ */

/* A parameter with a strength of its own, t: all sets of t columns that include it. */
static bool add_own_strength(const hd_pairs_model *m, int p, hd_pairs_interactions *into, hd_error *error)
{
    int_list others = { 0 };
    hd_pairs_interactions subsets = { 0 };
    int columns[HD_PAIRS_MOST_STRENGTH + 1], size;
    for (size_t q = 0; q < m->parameters.count; q++)
        if ((int)q != p && !m->parameters.items[q].result)
            hd_vec_push(&others, (int)q);
    bool fine = add_subsets(&others, m->parameters.items[p].strength - 1, &subsets, error);
    hd_vec_push(&subsets.first, (uint32_t)subsets.columns.count);
    for (size_t i = 0; fine && i < subsets.count; i++) {
        const hd_pairs_column *subset = hd_pairs_interaction(&subsets, i, &size);
        for (int j = 0; j < size; j++)
            columns[j] = subset[j];
        columns[size] = p;
        qsort(columns, (size_t)size + 1, sizeof *columns, ascending);
        push(into, columns, size + 1);
    }
    hd_vec_fini(&others);
    hd_pairs_interactions_fini(&subsets);
    return fine;
}

static bool add_root(const hd_pairs_model *m, int strength, hd_pairs_interactions *into, hd_error *error)
{
    if (m->submodels.count > 0)
        return add_submodels(m, strength, into, error);
    int_list all = { 0 };
    for (size_t p = 0; p < m->parameters.count; p++)
        if (!m->parameters.items[p].result)
            hd_vec_push(&all, (int)p);
    bool fine = all.count == 0 || add_subsets(&all, strength, into, error);
    hd_vec_fini(&all);
    return fine;
}

static bool add_group(const hd_pairs_group *group, int strength, hd_pairs_interactions *into, hd_error *error)
{
    int_list members = { 0 };
    for (int i = 0; i < group->count; i++)
        hd_vec_push(&members, group->members[i]);
    if (members.count)
        qsort(members.items, members.count, sizeof(int), ascending);
    bool fine = add_subsets(&members, group->strength ? group->strength : strength, into, error);
    hd_vec_fini(&members);
    return fine;
}

/* What relations and parameters with a strength of their own need beyond the model's strength. */
static bool add_relations(const hd_pairs_model *m, int strength, hd_pairs_interactions *into, hd_error *error)
{
    for (size_t g = 0; g < m->relations.count; g++)
        if (!add_group(&m->relations.items[g], strength, into, error))
            return false;
    for (size_t p = 0; p < m->parameters.count; p++)
        if (m->parameters.items[p].strength > 0 && !add_own_strength(m, (int)p, into, error))
            return false;
    return true;
}

/* The order makes equal interactions neighbours, and results independent of the order of groups. */
static int by_columns(const void *a, const void *b, void *interactions)
{
    const hd_pairs_interactions *sorting = interactions;
    int sizes[2];
    const hd_pairs_column *x = hd_pairs_interaction(sorting, *(const uint32_t *)a, &sizes[0]);
    const hd_pairs_column *y = hd_pairs_interaction(sorting, *(const uint32_t *)b, &sizes[1]);
    for (int i = 0; i < sizes[0] && i < sizes[1]; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return sizes[0] - sizes[1];
}

/* Groups and sub-models can produce the same interaction several times. */
static void sort_and_unify(hd_pairs_interactions *into)
{
    hd_pairs_interactions sorted = { .widest = into->widest };
    uint32_t *index = hd_alloc(&hd_heap, into->count * sizeof *index);
    for (size_t i = 0; i < into->count; i++)
        index[i] = (uint32_t)i;
    qsort_r(index, into->count, sizeof *index, by_columns, into);
    for (size_t i = 0; i < into->count; i++) {
        int size;
        if (i > 0 && by_columns(&index[i - 1], &index[i], into) == 0)
            continue;
        const hd_pairs_column *columns = hd_pairs_interaction(into, index[i], &size);
        hd_vec_push(&sorted.first, (uint32_t)sorted.columns.count);
        for (int c = 0; c < size; c++)
            hd_vec_push(&sorted.columns, columns[c]);
        sorted.count++;
    }
    hd_vec_push(&sorted.first, (uint32_t)sorted.columns.count);
    hd_release(&hd_heap, index, into->count * sizeof *index);
    hd_pairs_interactions_fini(into);
    *into = sorted;
}

/* Growth and verification keep a bit per tuple. */
static bool countable(const hd_pairs_model *m, const hd_pairs_interactions *i, hd_error *error)
{
    double total = 0;
    for (size_t at = 0; at < i->count; at++) {
        int size;
        const hd_pairs_column *columns = hd_pairs_interaction(i, at, &size);
        double tuples = 1;
        for (int c = 0; c < size; c++)
            tuples *= hd_pairs_levels(m, columns[c]);
        total += tuples;
    }
    return total <= most_tuples
        || hd_fail(error,
            "%s: %.3g tuples have to be covered, more than the %.0g that can be counted; use a lower "
            "strength or fewer values",
            m->name, total, most_tuples);
}

static bool interaction_is_valid(const hd_pairs_model *m, const hd_pairs_interactions *i, size_t at)
{
    int size;
    const hd_pairs_column *columns = hd_pairs_interaction(i, at, &size);
    for (int c = 0; c < size; c++)
        if (columns[c] >= m->parameters.count || (c && columns[c] <= columns[c - 1]))
            return false;
    return !at || by_columns(&(uint32_t) { (uint32_t)at - 1 }, &(uint32_t) { (uint32_t)at }, (void *)i) < 0;
}

bool hd_pairs_interactions_is_valid(const hd_pairs_model *m, const hd_pairs_interactions *i)
{
    uint32_t widest = 0;
    if (i->first.count != i->count + 1 || i->first.items[0] || i->first.items[i->count] != i->columns.count)
        return false;
    for (size_t at = 0; at < i->count; at++) {
        if (i->first.items[at] > i->first.items[at + 1] || i->first.items[at + 1] > i->columns.count
            || !interaction_is_valid(m, i, at))
            return false;
        uint32_t size = i->first.items[at + 1] - i->first.items[at];
        widest = size > widest ? size : widest;
    }
    return (int)widest == i->widest;
}

bool hd_pairs_interactions_find(const hd_pairs_model *m, int strength, hd_pairs_interactions *into, hd_error *error)
{
    *into = (hd_pairs_interactions) { 0 };
    /* Subsets of one list are sorted and different by construction. */
    bool mixed = m->submodels.count > 0 || m->relations.count > 0;
    for (size_t p = 0; p < m->parameters.count; p++)
        mixed |= m->parameters.items[p].strength > 0;
    bool fine = add_root(m, strength, into, error) && add_relations(m, strength, into, error);
    hd_vec_push(&into->first, (uint32_t)into->columns.count);
    if (fine && mixed)
        sort_and_unify(into);
    hd_check_valid(!fine || hd_pairs_interactions_is_valid(m, into), 0, 0);
    return fine && countable(m, into, error);
}

bool hd_pairs_interactions_of_group(
    const hd_pairs_model *m, const hd_pairs_group *group, int strength, hd_pairs_interactions *into, hd_error *error)
{
    *into = (hd_pairs_interactions) { 0 };
    bool fine = add_group(group, strength, into, error);
    hd_vec_push(&into->first, (uint32_t)into->columns.count);
    hd_check_valid(!fine || hd_pairs_interactions_is_valid(m, into), 0, 0);
    return fine && countable(m, into, error);
}

void hd_pairs_interactions_fini(hd_pairs_interactions *i)
{
    hd_vec_fini(&i->columns);
    hd_vec_fini(&i->first);
}
