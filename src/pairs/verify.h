/* Verifies a test set independently of how it was made: every tuple of every interaction is covered
 * by a valid row, or proved invalid by the solver, or missing.
 *
 * With negative values, a tuple of positive values counts only in a row of positive values, because
 * a negative value may mask it; a tuple with one negative value counts in a row that has no other.
 *
 * Both functions end early if `interrupted` becomes other than 0 (NULL: they do not). */
#ifndef HD_PAIRS_VERIFY_H
#define HD_PAIRS_VERIFY_H

#include "pairs/needs.h"

typedef struct hd_pairs_missing {
    uint32_t interaction;
    uint64_t tuple; /* in mixed radix, the first column's value varies fastest */
} hd_pairs_missing;

typedef struct hd_pairs_bad_row {
    size_t row;
    int constraint; /* the first one it violates; -1: more than one negative value; -2: a cell without a value */
} hd_pairs_bad_row;

typedef struct hd_pairs_coverage {
    uint64_t valid, covered; /* tuples */
    hd_vec(hd_pairs_missing) missing; /* the first HD_PAIRS_MOST_MISSING of them */
    hd_vec(hd_pairs_bad_row) bad;
    hd_vec(uint64_t) curve; /* per row that was looked at: tuples covered so far */
    bool cut; /* interrupted: what is bad or missing is so, but there may be more of it */
} hd_pairs_coverage;

enum { HD_PAIRS_MOST_MISSING = 1000 };

bool hd_pairs_verify(const hd_pairs_model *m, hd_pairs_solver *s, const hd_pairs_interactions *needed,
    const hd_pairs_rows *rows, const volatile sig_atomic_t *interrupted, hd_pairs_coverage *into, hd_error *error);
void hd_pairs_coverage_fini(hd_pairs_coverage *c);

/* A tuple that a row covers. */
typedef struct hd_pairs_covered {
    uint32_t interaction;
    uint64_t tuple;
    bool first; /* no earlier row covers it */
} hd_pairs_covered;

typedef hd_vec(hd_pairs_covered) hd_pairs_covered_list;

/* The tuples that row `at` covers; a row that is not valid covers none. */
bool hd_pairs_row_tuples(const hd_pairs_model *m, const hd_pairs_interactions *needed, const hd_pairs_rows *rows,
    size_t at, hd_pairs_covered_list *into, hd_error *error);

/* Writes the tuple's values, one per column of its interaction. */
void hd_pairs_tuple_cells(
    const hd_pairs_model *m, const hd_pairs_column *columns, int size, uint64_t tuple, hd_pairs_cell *cells);

/* Sorts valid rows so that each covers the most of what is still uncovered. `sorted` is how many rows, from the first
 * on, are in that order: all of them, if it was not interrupted. */
bool hd_pairs_sort_by_coverage(const hd_pairs_model *m, const hd_pairs_interactions *needed, hd_pairs_rows *rows,
    const volatile sig_atomic_t *interrupted, size_t *sorted, hd_error *error);

#endif
