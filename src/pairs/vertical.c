/* IPO_V, vertical growth: open tuples go into rows with don't-cares, then into new rows. For pairs
 * the number of new rows is the least possible (Theorem 4.3.1): each value of the new column needs
 * as many as the largest number of open pairs with one column. A tuple that the solver refuses is
 * in no valid row. */
#include "pairs/grow_internal.h"

#include <string.h>

typedef hd_vec(uint32_t) row_list;

typedef struct vertical {
    hd_pairs_column_growth *g;
    row_list *with_value; /* per value: rows that have it and a don't-care elsewhere */
    row_list without; /* rows with a don't-care in the growing column */
    hd_pairs_cell *tuple; /* a row with the current tuple and nothing else */
} vertical;

/* Does the row have a don't-care in a column that open tuples use? */
static bool has_any(const hd_pairs_column_growth *g, const hd_pairs_cell *row)
{
    for (size_t i = 0; i < g->open_prefixes; i++)
        for (int c = 0; c < g->prefixes[i].size; c++)
            if (row[g->prefixes[i].columns[c]] == HD_PAIRS_ANY)
                return true;
    return false;
}

static void sort_rows(vertical *x)
{
    for (size_t i = 0; i < x->g->rows->count; i++) {
        const hd_pairs_cell *row = hd_pairs_row(x->g->rows, i);
        if (row[x->g->column] == HD_PAIRS_ANY)
            hd_vec_push(&x->without, (uint32_t)i);
        else if (has_any(x->g, row))
            hd_vec_push(&x->with_value[row[x->g->column]], (uint32_t)i);
    }
}

static bool agrees(const hd_pairs_prefix *f, const hd_pairs_cell *row, const hd_pairs_cell *tuple)
{
    for (int i = 0; i < f->size; i++) {
        hd_pairs_cell cell = row[f->columns[i]];
        if (cell != HD_PAIRS_ANY && cell != tuple[f->columns[i]])
            return false;
    }
    return true;
}

/* Puts the tuple into the row; undoes it if the solver refuses the row. */
static bool put(vertical *x, const hd_pairs_prefix *f, hd_pairs_cell *row)
{
    hd_pairs_cell before[64];
    int column = x->g->column;
    hd_pairs_cell last = row[column];
    for (int i = 0; i < f->size; i++) {
        before[i] = row[f->columns[i]];
        row[f->columns[i]] = x->tuple[f->columns[i]];
    }
    row[column] = x->tuple[column];
    if (!x->g->problem->solver || hd_pairs_extendable(x->g->problem->solver, row))
        return true;
    for (int i = 0; i < f->size; i++)
        row[f->columns[i]] = before[i];
    row[column] = last;
    return false;
}

/* The first row of the list that can take the tuple in; -1 if there is none. */
static int64_t row_for(vertical *x, const hd_pairs_prefix *f, const row_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        hd_pairs_cell *row = hd_pairs_row(x->g->rows, list->items[i]);
        if (agrees(f, row, x->tuple) && put(x, f, row))
            return (int64_t)i;
    }
    return -1;
}

static void drop(row_list *list, size_t at)
{
    memmove(list->items + at, list->items + at + 1, (list->count - at - 1) * sizeof *list->items);
    list->count--;
}

/* First a row with this value, then a row without a value, then a new row. Rows without don't-cares
 * are dropped from the lists, so that they are not tried again. */
static void cover(vertical *x, const hd_pairs_prefix *f)
{
    hd_pairs_column_growth *g = x->g;
    row_list *mine = &x->with_value[x->tuple[g->column]];
    uint32_t changed;
    int64_t at = row_for(x, f, mine);
    if (at >= 0) {
        changed = mine->items[at];
        if (!has_any(g, hd_pairs_row(g->rows, changed)))
            drop(mine, (size_t)at);
    } else if ((at = row_for(x, f, &x->without)) >= 0) {
        changed = x->without.items[at];
        drop(&x->without, (size_t)at);
        hd_vec_push(mine, changed);
    } else {
        changed = (uint32_t)g->rows->count;
        memcpy(hd_pairs_rows_add(g->rows), x->tuple, (size_t)g->rows->columns * sizeof *x->tuple);
        if (has_any(g, x->tuple))
            hd_vec_push(mine, changed);
    }
    hd_pairs_mark(g, hd_pairs_row(g->rows, changed));
}

static void cover_if_valid(vertical *x, hd_pairs_prefix *f, size_t combination, int v)
{
    hd_pairs_column_growth *g = x->g;
    for (int i = 0; i < f->size; i++)
        x->tuple[f->columns[i]] =
            (hd_pairs_cell)(combination / f->strides[i] % (size_t)hd_pairs_levels(g->problem->model, f->columns[i]));
    x->tuple[g->column] = (hd_pairs_cell)v;
    if (!g->problem->solver || hd_pairs_extendable(g->problem->solver, x->tuple)) {
        cover(x, f);
    } else {
        /* Proved invalid: the tuple is no longer open. */
        hd_pairs_open_at(g, f, combination)[v / 64] &= ~(1ull << (v % 64));
        f->left--;
    }
    for (int i = 0; i < f->size; i++)
        x->tuple[f->columns[i]] = HD_PAIRS_ANY;
    hd_pairs_check_growth(g, g->rows->count + f->left);
}

static void cover_prefix(vertical *x, hd_pairs_prefix *f)
{
    for (size_t i = 0; f->left > 0 && i < f->combinations && !hd_pairs_is_interrupted(x->g->problem); i++)
        for (int w = 0; w < x->g->words; w++)
            for (uint64_t *open = hd_pairs_open_at(x->g, f, i) + w; *open;)
                cover_if_valid(x, f, i, w * 64 + __builtin_ctzll(*open));
}

bool hd_pairs_grow_vertically(hd_pairs_column_growth *g)
{
    vertical x = { .g = g };
    size_t most = g->how->most_rows ? g->how->most_rows : SIZE_MAX;
    x.with_value = hd_arena_alloc(&g->arena, (size_t)g->values * sizeof *x.with_value);
    x.tuple = hd_arena_alloc(&g->arena, (size_t)g->rows->columns * sizeof *x.tuple);
    for (int c = 0; c < g->rows->columns; c++)
        x.tuple[c] = HD_PAIRS_ANY;
    sort_rows(&x);
    for (size_t i = 0; i < g->open_prefixes && g->rows->count <= most; i++)
        cover_prefix(&x, &g->prefixes[i]);
    for (int v = 0; v < g->values; v++)
        hd_vec_fini(&x.with_value[v]);
    hd_vec_fini(&x.without);
    return g->rows->count <= most;
}
