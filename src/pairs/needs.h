/* What a test set has to cover: interactions, that is, sets of columns whose
 * valid value combinations ("tuples") must all occur. Plain t-way testing has
 * one interaction per t columns; relations add some, and sub-models put a whole
 * group, with its own strength, in the place of one column.
 *
 * Columns inside an interaction ascend; the list is sorted and has no doubles.
 */
#ifndef HD_PAIRS_NEEDS_H
#define HD_PAIRS_NEEDS_H

#include "pairs/model.h"
#include "pairs/solver.h"

#include <signal.h>

typedef uint16_t hd_pairs_column;

typedef struct hd_pairs_interactions {
    hd_vec(hd_pairs_column) columns; /* of all interactions, one after the other */
    hd_vec(uint32_t) first; /* per interaction: where its columns start; one more at the end */
    size_t count;
    int widest; /* the most columns in one */
} hd_pairs_interactions;

/* Rows of cells, all as wide as the model has parameters. Open for speed, as the interactions: growth
 * and search read cells in their inner loops. */
typedef struct hd_pairs_rows {
    int columns;
    size_t count;
    hd_vec(hd_pairs_cell) cells;
} hd_pairs_rows;

/* One run of a generator. With negative values there are two: rows of positive
 * values only, then rows with exactly one negative value. */
typedef struct hd_pairs_problem {
    const hd_pairs_model *model;
    hd_pairs_solver *solver; /* NULL if every row is valid */
    const hd_pairs_interactions *interactions;
    bool negative; /* the second run */
    uint64_t seed;
    size_t bound; /* no set has fewer rows */
    const volatile sig_atomic_t *interrupted; /* not 0: growth and search end; NULL: never */
} hd_pairs_problem;

static inline bool hd_pairs_is_set(const volatile sig_atomic_t *interrupted)
{
    return interrupted && *interrupted;
}

static inline bool hd_pairs_is_interrupted(const hd_pairs_problem *p)
{
    return hd_pairs_is_set(p->interrupted);
}

/* Finds the interactions of a model; fails if a group's strength does not fit
 * or the tuples are too many to be counted in memory. */
bool hd_pairs_interactions_find(const hd_pairs_model *m, int strength, hd_pairs_interactions *into, hd_error *error);

/* Those of one group alone. */
bool hd_pairs_interactions_of_group(
    const hd_pairs_model *m, const hd_pairs_group *group, int strength, hd_pairs_interactions *into, hd_error *error);
void hd_pairs_interactions_fini(hd_pairs_interactions *i);

/* Checks that columns are the model's and ascend inside an interaction, that interactions ascend, so that none is
 * there twice, and that `widest` is the widest. */
bool hd_pairs_interactions_is_valid(const hd_pairs_model *m, const hd_pairs_interactions *i);

static inline const hd_pairs_column *hd_pairs_interaction(const hd_pairs_interactions *i, size_t at, int *size)
{
    *size = (int)(i->first.items[at + 1] - i->first.items[at]);
    return i->columns.items + i->first.items[at];
}

static inline int hd_pairs_levels(const hd_pairs_model *m, int column)
{
    return m->parameters.items[column].value_count;
}

static inline hd_pairs_cell *hd_pairs_row(const hd_pairs_rows *r, size_t at)
{
    return r->cells.items + at * (size_t)r->columns;
}

/* Appends a row of don't-cares. */
hd_pairs_cell *hd_pairs_rows_add(hd_pairs_rows *r);
void hd_pairs_rows_copy(hd_pairs_rows *to, const hd_pairs_rows *from); /* replaces what `to` had */
void hd_pairs_rows_remove(hd_pairs_rows *r, size_t at);
void hd_pairs_rows_fini(hd_pairs_rows *r);

/* Fills every don't-care so that the rows are valid, by weight where several values do. */
void hd_pairs_rows_fill(const hd_pairs_problem *p, hd_pairs_rows *r);

/* How many of the values are negative: 0, 1 or more. */
int hd_pairs_negatives(const hd_pairs_model *m, const hd_pairs_column *columns, int size, const hd_pairs_cell *cells);

#endif
