/* hd_pairs_column_growth_is_valid notices a wrong field of each kind. Growth opens its columns in private; this test is
 * the only one that looks inside. */
#include "pairs/grow.c"

#include "unit/test.h"

#define CHECK_GROWTH(field, wrong) CHECK_NOTICED(hd_pairs_column_growth_is_valid(g), g->field, wrong)

/* How many tuples were broken: open ones, covered ones, those of another run. */
typedef struct seen {
    size_t open, covered, other;
} seen;

static bool is_in_a_row(const hd_pairs_column_growth *g, const hd_pairs_prefix *f, size_t combination, int v)
{
    for (size_t i = 0; i < g->rows->count; i++)
        if (hd_pairs_row(g->rows, i)[g->column] == v
            && hd_pairs_combination(f, hd_pairs_row(g->rows, i)) == (int64_t)combination)
            return true;
    return false;
}

static bool is_of_another_run(const hd_pairs_column_growth *g, const hd_pairs_prefix *f, size_t combination, int v)
{
    hd_pairs_cell cells[64];
    decode(g, f, combination, cells);
    return hd_pairs_negatives(g->problem->model, f->columns, f->size, cells)
        + g->problem->model->parameters.items[g->column].values[v].negative
        != g->problem->negative;
}

static bool is_in_a_valid_row(const hd_pairs_column_growth *g, const hd_pairs_prefix *f, size_t combination, int v)
{
    hd_pairs_cell cells[64], row[8];
    decode(g, f, combination, cells);
    for (int i = 0; i < g->rows->columns; i++)
        row[i] = HD_PAIRS_ANY;
    for (int i = 0; i < f->size; i++)
        row[f->columns[i]] = cells[i];
    row[g->column] = (hd_pairs_cell)v;
    return hd_pairs_extendable(g->problem->solver, row);
}

static void break_bit(hd_pairs_column_growth *g, hd_pairs_prefix *f, size_t combination, int v, seen *x)
{
    uint64_t *word = hd_pairs_open_at(g, f, combination) + v / 64, bit = 1ull << (v % 64);
    CHECK_NOTICED(hd_pairs_column_growth_is_valid(g), *word, *word ^ bit);
    bool open = *word & bit, beyond = v == g->values, covered = !beyond && is_in_a_row(g, f, combination, v);
    bool other = !beyond && is_of_another_run(g, f, combination, v);
    x->open += open;
    x->covered += covered;
    x->other += other;
    /* A tuple that is in no valid row may be open. */
    if (!open && !beyond && !covered && !other)
        return;
    /* The count agrees, but a tuple is missed, or covered twice. */
    size_t left = f->left;
    *word ^= bit;
    f->left += open ? (size_t)-1 : 1;
    CHECK(hd_pairs_column_growth_is_valid(g) == (open && !is_in_a_valid_row(g, f, combination, v)));
    *word ^= bit;
    f->left = left;
}

static void break_bits(hd_pairs_column_growth *g, hd_pairs_prefix *f, seen *x)
{
    CHECK_NOTICED(hd_pairs_column_growth_is_valid(g), f->left, f->left + 1);
    for (size_t i = 0; i < f->combinations; i++)
        for (int v = 0; v <= g->values; v++)
            break_bit(g, f, i, v, x);
}

static void break_growth(hd_pairs_column_growth *g, seen *x)
{
    CHECK(hd_pairs_column_growth_is_valid(g));
    for (size_t i = 0; i < g->prefix_count; i++)
        break_bits(g, &g->prefixes[i], x);
    for (size_t i = 0; g->pairs && i < g->open_prefixes; i++) {
        CHECK_GROWTH(pairs[i].base, g->pairs[i].base + 1);
        CHECK_GROWTH(pairs[i].column, g->pairs[i].column + 1);
    }
    if (g->open_prefixes && g->prefixes[g->open_prefixes - 1].left)
        CHECK_GROWTH(open_prefixes, g->open_prefixes - 1);
    CHECK_GROWTH(rows->count, g->rows->count + 1);
    for (size_t i = 0; i < g->rows->count; i++) {
        hd_pairs_cell *row = hd_pairs_row(g->rows, i);
        CHECK_NOTICED(hd_pairs_column_growth_is_valid(g), row[g->column], 99);
        CHECK_NOTICED(hd_pairs_column_growth_is_valid(g), row[g->column], -2);
    }
}

/* Breaks growth after each part of each column. `text` has constraints. */
static seen grow_and_break(const char *text, int strength, bool negative)
{
    hd_pairs_model m;
    hd_pairs_interactions needed;
    hd_error error;
    seen x = { 0 };
    hd_pairs_model_init(&m, "test", hd_pairs_usual_syntax());
    CHECK(hd_pairs_parse(&m, text, &error));
    CHECK(hd_pairs_interactions_find(&m, strength, &needed, &error));
    hd_pairs_problem p = {
        .model = &m, .solver = hd_pairs_solver_open(&m), .interactions = &needed, .negative = negative
    };
    hd_pairs_growth how = { .tie = hd_pairs_tie_first };
    hd_pairs_rows rows = { .columns = (int)m.parameters.count };
    hd_pairs_column_growth g = { .problem = &p, .how = &how, .rows = &rows };
    int order[8];
    schedule s;
    hd_pairs_usual_order(&m, order);
    schedule_init(&s, &p, order);
    for (int i = 0; i < rows.columns; i++) {
        if (s.completed[order[i]].count == 0)
            continue;
        open_column(&g, &s, order[i]);
        mark_present(&g);
        break_growth(&g, &x);
        hd_pairs_grow_horizontally(&g);
        break_growth(&g, &x);
        CHECK(hd_pairs_grow_vertically(&g));
        break_growth(&g, &x);
        hd_arena_fini(&g.arena);
    }
    CHECK(x.open && x.covered);
    hd_release(&hd_heap, g.open, g.open_room * sizeof *g.open);
    schedule_fini(&s, rows.columns);
    hd_pairs_rows_fini(&rows);
    hd_pairs_solver_close(p.solver);
    hd_pairs_interactions_fini(&needed);
    hd_pairs_model_fini(&m);
    return x;
}

TEST(validity_notices_what_is_wrong_with_growth)
{
    static const char model[] = "A: 1,2,3\nB: 1,2,3\nC: 1,2\nD: 1,2\n[A] <> [B]; IF [C] = 1 THEN [D] = 2;";
    grow_and_break(model, 2, false);
    grow_and_break(model, 3, false);
    CHECK(grow_and_break("A: 1,2,~3\nB: 1,~2,3\nC: 1,2\n[A] <> [C];", 2, true).other > 0);
}

/* A bit of the row's column is not concerned: C and D are never both 2. */
TEST(validity_notices_a_row_that_cannot_be_completed)
{
    hd_pairs_model m;
    hd_error error;
    hd_pairs_model_init(&m, "test", hd_pairs_usual_syntax());
    CHECK(hd_pairs_parse(&m, "C: 1,2\nD: 1,2\nE: 1,2\n[C] = 1 OR [D] = 1;", &error));
    hd_pairs_problem p = { .model = &m, .solver = hd_pairs_solver_open(&m) };
    hd_pairs_rows rows = { .columns = 3 };
    hd_pairs_column_growth g = { .problem = &p, .rows = &rows, .column = 2, .values = 2, .words = 1 };
    hd_pairs_cell *row = hd_pairs_rows_add(&rows);
    row[0] = 1;
    CHECK_NOTICED(hd_pairs_column_growth_is_valid(&g), row[1], 1);
    hd_pairs_rows_fini(&rows);
    hd_pairs_solver_close(p.solver);
    hd_pairs_model_fini(&m);
}
