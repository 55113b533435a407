#include "pairs/generate.h"

#include "pairs/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double most_rows_in_full = 2e7;

bool hd_pairs_method_named(const char *name, hd_pairs_method *method)
{
    static const char *const methods[] = { "ipo", "best", "optimal" };
    for (int i = 0; i < 3; i++)
        if (!strcmp(name, methods[i])) {
            *method = (hd_pairs_method)i;
            return true;
        }
    return false;
}

bool hd_pairs_strength_named(const char *name, int *strength)
{
    char *end;
    long number = strtol(name, &end, 10);
    bool full = !strcmp(name, "full");
    *strength = full ? HD_PAIRS_FULL : (int)number;
    return full || (*name && !*end && number >= 1 && number <= HD_PAIRS_MOST_STRENGTH);
}

bool hd_pairs_check(const hd_pairs_model *m, hd_pairs_solver *s, hd_error *error)
{
    int constraints = (int)m->constraints.count;
    int *core = hd_alloc(&hd_heap, (size_t)constraints * sizeof *core);
    bool smallest;
    int size = hd_pairs_smallest_core(s, constraints, core, &smallest);
    char list[800] = "";
    size_t used = 0;
    for (int i = 0; i < size && used < sizeof list - 1; i++) {
        const hd_pairs_constraint *c = &m->constraints.items[core[i]];
        int more = snprintf(list + used, sizeof list - used, "\n  %s:%d: %s", m->name, c->line, c->text);
        used += (size_t)more < sizeof list - used ? (size_t)more : sizeof list - used - 1;
    }
    hd_release(&hd_heap, core, (size_t)constraints * sizeof *core);
    if (size < 0)
        return true;
    /* No constraint is to blame: the negative values alone rule out every row. */
    if (size == 0)
        return hd_fail(error, "%s: no row is possible: two parameters have negative values only", m->name);
    if (size == 1)
        return hd_fail(
            error, "%s: no row is possible; no combination of values satisfies this constraint:%s", m->name, list);
    return hd_fail(error, "%s: no row is possible; these %d constraints clash (%s):%s", m->name, size,
        smallest ? "the fewest that do" : "none of them can be left out", list);
}

/* --- all rows ------------------------------------------------------------- */

typedef struct enumeration {
    hd_pairs_solver *solver;
    hd_pairs_rows *rows;
    hd_pairs_cell *row;
    const hd_pairs_model *model;
    const volatile sig_atomic_t *interrupted;
} enumeration;

static void enumerate(enumeration *e, int column)
{
    if (column == (int)e->model->parameters.count) {
        memcpy(hd_pairs_rows_add(e->rows), e->row, (size_t)column * sizeof *e->row);
        return;
    }
    if (e->model->parameters.items[column].result) {
        enumerate(e, column + 1);
        return;
    }
    for (int v = 0; v < hd_pairs_levels(e->model, column) && !hd_pairs_is_set(e->interrupted); v++) {
        e->row[column] = (hd_pairs_cell)v;
        /* Every prefix in the recursion can be completed, so there are no dead ends. */
        if (hd_pairs_extendable_at(e->solver, e->row, column))
            enumerate(e, column + 1);
    }
    e->row[column] = HD_PAIRS_ANY;
}

/* Depth-first enumeration; the solver prunes prefixes that no valid row has. */
static bool all_rows(
    const hd_pairs_model *m, hd_pairs_solver *s, const hd_pairs_request *request, hd_pairs_rows *rows, hd_error *error)
{
    double product = 1;
    for (size_t p = 0; p < m->parameters.count; p++)
        product *= m->parameters.items[p].result ? 1 : hd_pairs_levels(m, (int)p);
    if (product > most_rows_in_full)
        return hd_fail(error, "%s: up to %.3g combinations are too many for --strength=full; use 2 to %d", m->name,
            product, HD_PAIRS_MOST_STRENGTH);
    enumeration e = { s, rows, hd_alloc(&hd_heap, m->parameters.count * sizeof *e.row), m, request->interrupted };
    for (size_t p = 0; p < m->parameters.count; p++)
        e.row[p] = HD_PAIRS_ANY;
    enumerate(&e, 0);
    hd_release(&hd_heap, e.row, m->parameters.count * sizeof *e.row);
    return true;
}

/* --- by tuples -------------------------------------------------------------- */

static int negatives_in_row(const hd_pairs_model *m, const hd_pairs_cell *row)
{
    int count = 0;
    for (size_t p = 0; p < m->parameters.count; p++)
        count += row[p] != HD_PAIRS_ANY && m->parameters.items[p].values[row[p]].negative;
    return count;
}

/* Adds rows to the kept ones by the requested method. */
static const char *fill_by_method(const hd_pairs_problem *p, const hd_pairs_request *request, hd_pairs_rows *rows)
{
    if (p->model->submodels.count > 0 && rows->count == 0 && !p->negative) {
        return hd_pairs_grow_submodels(p, request->strength, rows) ? "ipo" : NULL;
    }
    switch (request->method) {
    case hd_pairs_method_ipo:
        return hd_pairs_ipo(p, rows);
    case hd_pairs_method_optimal:
        return hd_pairs_grow(p, &(hd_pairs_growth) { .optimal = true }, rows) ? "ipo_h_ec + ipo_v" : NULL;
    case hd_pairs_method_best:
        return hd_pairs_best(p, request->effort, rows);
    }
    hd_panic("method %d", request->method);
}

static void run(const hd_pairs_problem *p, const hd_pairs_request *request, hd_pairs_result *result)
{
    hd_pairs_rows rows = { .columns = (int)p->model->parameters.count };
    for (size_t i = 0; request->start && i < request->start->count; i++) {
        const hd_pairs_cell *row = hd_pairs_row(request->start, i);
        if (negatives_in_row(p->model, row) == (int)p->negative)
            memcpy(hd_pairs_rows_add(&rows), row, (size_t)rows.columns * sizeof *row);
    }
    const char *how = fill_by_method(p, request, &rows);
    result->how = how ? how : "interrupted";
    result->complete &= how != NULL;
    result->smallest = result->smallest && result->complete && rows.count == p->bound;
    hd_pairs_rows_fill(p, &rows);
    for (size_t i = 0; i < rows.count; i++)
        memcpy(hd_pairs_rows_add(&result->rows), hd_pairs_row(&rows, i), (size_t)rows.columns * sizeof(hd_pairs_cell));
    hd_pairs_rows_fini(&rows);
}

bool hd_pairs_generate(const hd_pairs_model *m, hd_pairs_solver *s, const hd_pairs_request *request,
    hd_pairs_result *result, hd_error *error)
{
    *result = (hd_pairs_result) {
        .rows.columns = (int)m->parameters.count, .how = "every row", .complete = true, .smallest = true
    };
    if (request->strength == HD_PAIRS_FULL) {
        if (!all_rows(m, s, request, &result->rows, error))
            return false;
        result->complete = result->smallest = !hd_pairs_is_set(request->interrupted);
        hd_pairs_rows_fill(&(hd_pairs_problem) { .model = m, .solver = s, .seed = request->seed }, &result->rows);
        return true;
    }
    hd_pairs_interactions interactions;
    if (!hd_pairs_interactions_find(m, request->strength, &interactions, error))
        return false;
    /* Without constraints the solver is not asked at all. */
    bool free_rows = m->constraints.count == 0 && !m->has_negative;
    hd_pairs_problem p = { .model = m,
        .solver = free_rows ? NULL : s,
        .interactions = &interactions,
        .seed = request->seed,
        .interrupted = request->interrupted };
    /* Two runs if there are negative values: rows without them, then rows with exactly one (pairs/needs.h). */
    for (int negative = 0; negative <= (int)m->has_negative; negative++) {
        p.negative = negative;
        p.bound = hd_pairs_lower_bound(&p);
        run(&p, request, result);
    }
    hd_pairs_interactions_fini(&interactions);
    return true;
}

void hd_pairs_result_fini(hd_pairs_result *r)
{
    hd_pairs_rows_fini(&r->rows);
}
