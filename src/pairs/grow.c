#include "pairs/grow_internal.h"

#include <stdlib.h>
#include <string.h>

/* The interactions that each column completes, for a given order of columns. */
typedef struct schedule {
    const int *order;
    int *rank; /* per column: its rank in the order */
    hd_vec(uint32_t) * completed; /* per column: interactions whose last column it is */
} schedule;

static int last_column(const hd_pairs_interactions *all, size_t at, const int *rank)
{
    int size;
    const hd_pairs_column *columns = hd_pairs_interaction(all, at, &size);
    int last = columns[0];
    for (int i = 1; i < size; i++)
        if (rank[columns[i]] > rank[last])
            last = columns[i];
    return last;
}

/* An interaction is dealt with when its last column is added: by then all others have values. */
static void schedule_init(schedule *s, const hd_pairs_problem *p, const int *order)
{
    int columns = (int)p->model->parameters.count;
    s->order = order;
    s->rank = hd_alloc(&hd_heap, (size_t)columns * sizeof *s->rank);
    s->completed = hd_alloc(&hd_heap, (size_t)columns * sizeof *s->completed);
    for (int i = 0; i < columns; i++)
        s->rank[order[i]] = i;
    for (size_t at = 0; at < p->interactions->count; at++)
        hd_vec_push(&s->completed[last_column(p->interactions, at, s->rank)], (uint32_t)at);
}

static void schedule_fini(schedule *s, int columns)
{
    for (int c = 0; c < columns; c++)
        hd_vec_fini(&s->completed[c]);
    hd_release(&hd_heap, s->completed, (size_t)columns * sizeof *s->completed);
    hd_release(&hd_heap, s->rank, (size_t)columns * sizeof *s->rank);
}

void hd_pairs_usual_order(const hd_pairs_model *m, int *order)
{
    int n = (int)m->parameters.count, most = 0, filled = 0;
    for (int c = 0; c < n; c++)
        most = hd_pairs_levels(m, c) > most ? hd_pairs_levels(m, c) : most;
    /* A stable counting sort. */
    for (int levels = most; filled < n; levels--)
        for (int c = 0; c < n; c++)
            if (hd_pairs_levels(m, c) == levels)
                order[filled++] = c;
}

/* --- what is open for a column ------------------------------------------- */

static void make_prefix(hd_pairs_column_growth *g, hd_pairs_prefix *f, const hd_pairs_column *all, int size)
{
    hd_pairs_column *columns = hd_arena_alloc(&g->arena, (size_t)size * sizeof *columns);
    uint32_t *strides = hd_arena_alloc(&g->arena, (size_t)size * sizeof *strides);
    *f = (hd_pairs_prefix) { .columns = columns, .strides = strides, .combinations = 1 };
    for (int i = 0; i < size; i++) {
        if (all[i] == g->column)
            continue;
        columns[f->size] = all[i];
        strides[f->size++] = (uint32_t)f->combinations;
        f->combinations *= (size_t)hd_pairs_levels(g->problem->model, all[i]);
    }
}

static void decode(const hd_pairs_column_growth *g, const hd_pairs_prefix *f, size_t combination, hd_pairs_cell *cells)
{
    for (int i = 0; i < f->size; i++)
        cells[i] =
            (hd_pairs_cell)(combination / f->strides[i] % (size_t)hd_pairs_levels(g->problem->model, f->columns[i]));
}

/* Keeps open only the tuples of this run: without negative values in the first run, with exactly
 * one in the second. */
static void keep_this_runs(hd_pairs_column_growth *g, hd_pairs_prefix *f)
{
    const hd_pairs_value *values = g->problem->model->parameters.items[g->column].values;
    hd_pairs_cell cells[64];
    for (size_t i = 0; i < f->combinations; i++) {
        decode(g, f, i, cells);
        int negatives = hd_pairs_negatives(g->problem->model, f->columns, f->size, cells);
        uint64_t *open = hd_pairs_open_at(g, f, i);
        for (int v = 0; v < g->values; v++)
            if (negatives + values[v].negative != g->problem->negative) {
                open[v / 64] &= ~(1ull << (v % 64));
                f->left--;
            }
    }
}

static void open_all(hd_pairs_column_growth *g, hd_pairs_prefix *f)
{
    f->left = f->combinations * (size_t)g->values;
    uint64_t last = g->values % 64 ? (1ull << (g->values % 64)) - 1 : ~0ull;
    for (size_t i = 0; i < f->combinations; i++) {
        uint64_t *open = hd_pairs_open_at(g, f, i);
        memset(open, 0xff, (size_t)g->words * sizeof *open);
        open[g->words - 1] = last;
    }
    if (g->problem->model->has_negative)
        keep_this_runs(g, f);
}

static void open_column(hd_pairs_column_growth *g, const schedule *s, int column)
{
    g->column = column;
    g->pairs = NULL;
    g->values = hd_pairs_levels(g->problem->model, column);
    g->words = (g->values + 63) / 64;
    g->constrained = g->problem->solver && hd_pairs_constrained(g->problem->solver, column);
    /* One prefix per interaction that this column completes. */
    g->prefix_count = g->open_prefixes = s->completed[column].count;
    hd_arena_init(&g->arena, &hd_heap);
    g->prefixes = hd_arena_alloc(&g->arena, g->prefix_count * sizeof *g->prefixes);
    g->gains = hd_arena_alloc(&g->arena, (size_t)g->values * sizeof *g->gains);
    g->uses = hd_arena_alloc(&g->arena, (size_t)g->values * sizeof *g->uses);
    size_t total = 0;
    for (size_t i = 0; i < g->prefix_count; i++) {
        int size;
        const hd_pairs_column *all =
            hd_pairs_interaction(g->problem->interactions, s->completed[column].items[i], &size);
        make_prefix(g, &g->prefixes[i], all, size);
        g->prefixes[i].base = total;
        total += g->prefixes[i].combinations;
    }
    size_t room = total * (size_t)g->words;
    if (room > g->open_room) {
        g->open = hd_resize(&hd_heap, g->open, g->open_room * sizeof *g->open, room * sizeof *g->open);
        /* The bit matrix is kept from column to column and only ever grows. */
        g->open_room = room;
    }
    for (size_t i = 0; i < g->prefix_count; i++)
        open_all(g, &g->prefixes[i]);
}

bool hd_pairs_may_set(const hd_pairs_column_growth *g, hd_pairs_cell *row, int column, int v)
{
    if (!g->problem->solver || !hd_pairs_constrained(g->problem->solver, column))
        return true;
    hd_pairs_cell before = row[column];
    row[column] = (hd_pairs_cell)v;
    /* The invariant of growth: no cell is set unless a valid row has it besides the others
     * (grow.h). */
    bool fine = hd_pairs_extendable_at(g->problem->solver, row, column);
    row[column] = before;
    return fine;
}

/* As hd_pairs_mark for prefixes of one column and at most LANES values: the hot loop. */
static void mark_pairs(hd_pairs_column_growth *g, const hd_pairs_cell *row)
{
    int v = row[g->column];
    for (size_t i = 0; i < g->open_prefixes; i++) {
        int w = row[g->pairs[i].column];
        if (w < 0)
            continue;
        uint64_t *open = &g->open[g->pairs[i].base + (uint32_t)w];
        g->prefixes[i].left -= *open >> v & 1;
        *open &= ~(1ull << v);
    }
}

void hd_pairs_mark(hd_pairs_column_growth *g, const hd_pairs_cell *row)
{
    /* Prefixes without open bits have been moved behind `open_prefixes`: nothing to mark there. */
    if (g->pairs) {
        mark_pairs(g, row);
        return;
    }
    int v = row[g->column];
    uint64_t bit = 1ull << (v % 64);
    for (size_t i = 0; i < g->open_prefixes; i++) {
        hd_pairs_prefix *f = &g->prefixes[i];
        int64_t combination = hd_pairs_combination(f, row);
        if (combination < 0)
            continue;
        uint64_t *open = hd_pairs_open_at(g, f, (size_t)combination) + v / 64;
        f->left -= (*open & bit) != 0;
        *open &= ~bit;
    }
}

/* Rows that were given may have a value in this column: they cover tuples from the start. */
static void mark_present(hd_pairs_column_growth *g)
{
    for (size_t i = 0; i < g->rows->count; i++) {
        const hd_pairs_cell *row = hd_pairs_row(g->rows, i);
        if (row[g->column] != HD_PAIRS_ANY)
            hd_pairs_mark(g, row);
    }
}

static bool grow_column(hd_pairs_column_growth *g, const schedule *s, int column)
{
    open_column(g, s, column);
    mark_present(g);
    if (!g->how->optimal || !hd_pairs_grow_optimally(g))
        hd_pairs_grow_horizontally(g);
    hd_pairs_check_growth(g, g->rows->count);
    bool fine = hd_pairs_grow_vertically(g);
    hd_arena_fini(&g->arena);
    return fine;
}

bool hd_pairs_grow(const hd_pairs_problem *p, const hd_pairs_growth *how, hd_pairs_rows *rows)
{
    int columns = (int)p->model->parameters.count;
    int *usual = hd_alloc(&hd_heap, (size_t)columns * sizeof *usual);
    hd_pairs_usual_order(p->model, usual);
    schedule s;
    schedule_init(&s, p, how->order ? how->order : usual);
    hd_pairs_column_growth g = { .problem = p, .how = how, .rows = rows };
    hd_rng_seed(&g.rng, how->seed);
    rows->columns = columns;
    bool fine = true;
    /* A column that completes no interaction needs no value. */
    for (int i = 0; fine && i < columns; i++)
        if (s.completed[s.order[i]].count > 0)
            fine = grow_column(&g, &s, s.order[i]) && !hd_pairs_is_interrupted(p);
    hd_release(&hd_heap, g.open, g.open_room * sizeof *g.open);
    schedule_fini(&s, columns);
    hd_release(&hd_heap, usual, (size_t)columns * sizeof *usual);
    return fine;
}
