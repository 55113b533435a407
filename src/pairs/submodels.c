/* Sub-models stand for what is costly to set up, so few different configurations of their
 * parameters should occur. Each sub-model's own rows are computed first; the model is then grown
 * under the additional constraint that the sub-model's parameters have the values of one of these
 * rows. Tuples that only other configurations allow are added at the end, without that constraint. */
#include "pairs/generate.h"
#include "pairs/grow.h"

enum { MOST_TERMS = 20000 };

static hd_pairs_expression *node(hd_arena *arena, hd_pairs_expression e)
{
    hd_pairs_expression *copy = hd_arena_alloc(arena, sizeof e);
    *copy = e;
    return copy;
}

static const hd_pairs_expression *has_value(const hd_pairs_model *m, int p, int v, hd_arena *arena)
{
    bool *accepted = hd_arena_alloc(arena, (size_t)hd_pairs_levels(m, p) * sizeof *accepted);
    accepted[v] = true;
    return node(arena, (hd_pairs_expression) { .kind = hd_pairs_one_of, .parameter = p, .accepted = accepted });
}

/* "The group has the values of one of these rows." */
static const hd_pairs_expression *one_of_rows(
    const hd_pairs_model *m, const hd_pairs_group *group, const hd_pairs_rows *rows, hd_arena *arena)
{
    const hd_pairs_expression *any = NULL;
    for (size_t r = 0; r < rows->count; r++) {
        const hd_pairs_expression *all = NULL;
        for (int i = 0; i < group->count; i++) {
            int p = group->members[i];
            const hd_pairs_expression *one = has_value(m, p, hd_pairs_row(rows, r)[p], arena);
            all = all ? node(arena, (hd_pairs_expression) { .kind = hd_pairs_and, .left = all, .right = one }) : one;
        }
        any = any ? node(arena, (hd_pairs_expression) { .kind = hd_pairs_or, .left = any, .right = all }) : all;
    }
    return any;
}

/* Rows that cover the sub-model alone; none if no valid row has positive values only. */
static void grow_group(const hd_pairs_problem *p, const hd_pairs_group *group, int strength, hd_pairs_rows *rows)
{
    hd_pairs_interactions needed;
    hd_error error;
    if (hd_pairs_interactions_of_group(p->model, group, strength, &needed, &error)) {
        hd_pairs_problem part = *p;
        part.interactions = &needed;
        part.bound = hd_pairs_lower_bound(&part);
        hd_pairs_ipo(&part, rows);
        hd_pairs_rows_fill(&part, rows);
    }
    hd_pairs_interactions_fini(&needed);
}

/* The model with one more constraint per sub-model. It shares everything with the original but the
 * list of constraints. */
static hd_pairs_model restricted(const hd_pairs_problem *p, int strength, hd_arena *arena)
{
    hd_pairs_model m = *p->model;
    m.constraints.items = NULL;
    m.constraints.count = m.constraints.room = 0;
    for (size_t c = 0; c < p->model->constraints.count; c++)
        hd_vec_push(&m.constraints, p->model->constraints.items[c]);
    for (size_t g = 0; g < p->model->submodels.count; g++) {
        const hd_pairs_group *group = &p->model->submodels.items[g];
        hd_pairs_rows rows = { .columns = (int)m.parameters.count };
        grow_group(p, group, strength, &rows);
        if (rows.count > 0 && rows.count * (size_t)group->count <= MOST_TERMS)
            hd_vec_push(&m.constraints, ((hd_pairs_constraint) { one_of_rows(&m, group, &rows, arena), "", 0 }));
        hd_pairs_rows_fini(&rows);
    }
    return m;
}

bool hd_pairs_grow_submodels(const hd_pairs_problem *p, int strength, hd_pairs_rows *rows)
{
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    hd_pairs_model m = restricted(p, strength, &arena);
    hd_pairs_solver *solver = hd_pairs_solver_open(&m);
    hd_pairs_problem part = *p;
    part.model = &m;
    part.solver = solver;
    part.bound = hd_pairs_lower_bound(&part);
    hd_pairs_ipo(&part, rows);
    hd_pairs_rows_fill(&part, rows);
    hd_pairs_solver_close(solver);
    hd_vec_fini(&m.constraints);
    hd_arena_fini(&arena);
    return hd_pairs_grow(p, &(hd_pairs_growth) { 0 }, rows);
}
