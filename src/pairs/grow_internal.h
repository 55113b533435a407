/* Shared by the parts of growth only: the state for the column being added. */
#ifndef HD_PAIRS_GROW_INTERNAL_H
#define HD_PAIRS_GROW_INTERNAL_H

#include "abi/valid.h"
#include "base/rng.h"
#include "pairs/grow.h"

/* An interaction without its newest column. Its combinations are numbered in
 * mixed radix and start at `base` in `open`. */
typedef struct hd_pairs_prefix {
    const hd_pairs_column *columns; /* `size` of them */
    const uint32_t *strides;
    int size;
    size_t base, combinations;
    size_t left; /* bits still open */
} hd_pairs_prefix;

/* What the inner loop needs of a prefix of one column. */
typedef struct hd_pairs_pair {
    uint32_t base, column;
} hd_pairs_pair;

typedef struct hd_pairs_column_growth {
    const hd_pairs_problem *problem;
    const hd_pairs_growth *how;
    hd_pairs_rows *rows;
    hd_rng rng;
    int column, values, words; /* `words` of 64 bits per combination */
    bool constrained; /* the solver must be asked about this column */
    hd_arena arena; /* for the prefixes */
    hd_pairs_prefix *prefixes; /* those with bits left are the first `open_prefixes` */
    size_t prefix_count, open_prefixes;
    bool only_pairs; /* every prefix has one column */
    hd_pairs_pair *pairs; /* the open prefixes once more, if only pairs of few values matter; else NULL */
    uint64_t *open;
    size_t open_room;
    uint32_t *gains, *uses; /* per value */
} hd_pairs_column_growth;

static inline uint64_t *hd_pairs_open_at(const hd_pairs_column_growth *g, const hd_pairs_prefix *f, size_t combination)
{
    return g->open + (f->base + combination) * (size_t)g->words;
}

/* The combination that the row has in the prefix's columns; -1 if one is a don't-care. */
static inline int64_t hd_pairs_combination(const hd_pairs_prefix *f, const hd_pairs_cell *row)
{
    int64_t combination = 0;
    for (int i = 0; i < f->size; i++) {
        if (row[f->columns[i]] < 0)
            return -1;
        combination += (int64_t)row[f->columns[i]] * f->strides[i];
    }
    return combination;
}

/* Whether `row` may have value `v` in `column` besides what it has. */
bool hd_pairs_may_set(const hd_pairs_column_growth *g, hd_pairs_cell *row, int column, int v);

/* Closes what the row covers with its value in the growing column. */
void hd_pairs_mark(hd_pairs_column_growth *g, const hd_pairs_cell *row);

/* Checks:
 * - every row has a cell per column with a value of that column or none, and can be completed to a valid one;
 * - an open tuple is one of this run and in no row yet;
 * - a tuple of this run that is not open is in some row, or in no valid one: so nothing is missed;
 * - `left` counts the open bits, prefixes without any are the last, and `pairs` repeats the others. */
bool hd_pairs_column_growth_is_valid(const hd_pairs_column_growth *g);

/* After a change of rows and bits; `step` as in hd_check_valid. */
static inline void hd_pairs_check_growth(const hd_pairs_column_growth *g, uint64_t step)
{
    hd_check_valid(hd_pairs_column_growth_is_valid(g),
        64 * g->open_room + g->rows->count * (g->prefix_count + (size_t)g->rows->columns), step);
}

void hd_pairs_grow_horizontally(hd_pairs_column_growth *g);
bool hd_pairs_grow_vertically(hd_pairs_column_growth *g);

/* IPO_H_EC: the best of all ways to extend the rows; false if they are too many. */
bool hd_pairs_grow_optimally(hd_pairs_column_growth *g);

#endif
