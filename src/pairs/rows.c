#include "pairs/needs.h"

#include "base/rng.h"

#include <string.h>

hd_pairs_cell *hd_pairs_rows_add(hd_pairs_rows *r)
{
    /* Reserves room for one more row; pointers to rows are valid until the next call. */
    hd_vec_reserve(&r->cells, (size_t)r->columns);
    hd_pairs_cell *row = r->cells.items + r->cells.count;
    for (int c = 0; c < r->columns; c++)
        row[c] = HD_PAIRS_ANY;
    r->cells.count += (size_t)r->columns;
    r->count++;
    return row;
}

void hd_pairs_rows_copy(hd_pairs_rows *to, const hd_pairs_rows *from)
{
    to->columns = from->columns;
    to->count = from->count;
    hd_vec_clear(&to->cells);
    hd_vec_reserve(&to->cells, from->cells.count);
    if (from->cells.count > 0)
        memcpy(to->cells.items, from->cells.items, from->cells.count * sizeof *from->cells.items);
    to->cells.count = from->cells.count;
}

void hd_pairs_rows_remove(hd_pairs_rows *r, size_t at)
{
    size_t width = (size_t)r->columns;
    memmove(hd_pairs_row(r, at), hd_pairs_row(r, at) + width, (r->count - at - 1) * width * sizeof(hd_pairs_cell));
    r->cells.count -= width;
    r->count--;
}

void hd_pairs_rows_fini(hd_pairs_rows *r)
{
    hd_vec_fini(&r->cells);
    r->count = 0;
}

int hd_pairs_negatives(const hd_pairs_model *m, const hd_pairs_column *columns, int size, const hd_pairs_cell *cells)
{
    int count = 0;
    for (int i = 0; i < size; i++)
        count += m->parameters.items[columns[i]].values[cells[i]].negative;
    return count;
}

/* A random order of the values in which heavy ones tend to come first: drawing without replacement,
 * by weight. */
static void rank_by_weight(const hd_pairs_parameter *p, hd_rng *rng, hd_pairs_cell *ranking)
{
    int64_t left = 0;
    for (int v = 0; v < p->value_count; v++) {
        ranking[v] = (hd_pairs_cell)v;
        left += p->values[v].weight;
    }
    for (int i = 0; i < p->value_count; i++) {
        int64_t at = (int64_t)hd_rng_below(rng, (uint64_t)left);
        int j = i;
        while (at >= p->values[ranking[j]].weight)
            at -= p->values[ranking[j++]].weight;
        hd_pairs_cell picked = ranking[j];
        ranking[j] = ranking[i];
        ranking[i] = picked;
        left -= p->values[picked].weight;
    }
}

static bool complete(const hd_pairs_cell *row, int columns)
{
    for (int c = 0; c < columns; c++)
        if (row[c] == HD_PAIRS_ANY)
            return false;
    return true;
}

static void fill_row(const hd_pairs_problem *p, hd_pairs_cell *row, hd_pairs_cell **rankings, hd_rng *rng)
{
    const hd_pairs_model *m = p->model;
    for (size_t c = 0; c < m->parameters.count; c++)
        if (row[c] == HD_PAIRS_ANY || p->solver)
            rank_by_weight(&m->parameters.items[c], rng, rankings[c]);
    /* Every row can be completed: growth sets a cell only after the solver agreed. */
    if (p->solver)
        hd_assert(hd_pairs_complete(p->solver, row, (const hd_pairs_cell *const *)rankings));
    for (size_t c = 0; c < m->parameters.count; c++)
        for (int i = 0; row[c] == HD_PAIRS_ANY && i < hd_pairs_levels(m, (int)c); i++)
            /* Without constraints any positive value will do; a negative one would make another
             * test of the row. */
            if (!m->parameters.items[c].values[rankings[c][i]].negative)
                row[c] = rankings[c][i];
}

void hd_pairs_rows_fill(const hd_pairs_problem *p, hd_pairs_rows *r)
{
    hd_arena arena;
    hd_rng rng;
    hd_arena_init(&arena, &hd_heap);
    hd_rng_seed(&rng, p->seed);
    hd_pairs_cell **rankings = hd_arena_alloc(&arena, (size_t)r->columns * sizeof *rankings);
    for (int c = 0; c < r->columns; c++)
        rankings[c] = hd_arena_alloc(&arena, (size_t)hd_pairs_levels(p->model, c) * sizeof **rankings);
    for (size_t i = 0; i < r->count; i++)
        if (!complete(hd_pairs_row(r, i), r->columns))
            fill_row(p, hd_pairs_row(r, i), rankings, &rng);
    hd_arena_fini(&arena);
}
