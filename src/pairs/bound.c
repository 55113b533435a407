/* Lower bounds. The valid tuples of one interaction need one row each. And pairwise coverage needs
 * at least as many rows as if every column had two values, for which the minimum is known. */
#include "pairs/algebra.h"
#include "pairs/generate.h"

/* Columns of two values and more, if every two columns are needed together. */
static int pairwise_columns(const hd_pairs_problem *p)
{
    int count = 0, n = (int)p->model->parameters.count;
    for (int c = 0; c < n; c++)
        count += hd_pairs_levels(p->model, c) > 1;
    return p->interactions->widest == 2 && p->interactions->count == (size_t)n * (size_t)(n - 1) / 2 ? count : 0;
}

static const uint64_t most_questions = 20000; /* to the solver */

/* The tuples of the interaction that this run has to cover. */
static size_t valid_tuples(const hd_pairs_problem *p, const hd_pairs_column *columns, int size, hd_pairs_cell *row)
{
    hd_pairs_cell cells[64] = { 0 };
    size_t valid = 0;
    for (int at = 0; at < size;) {
        for (int c = 0; c < size; c++)
            row[columns[c]] = cells[c];
        valid += hd_pairs_negatives(p->model, columns, size, cells) == (int)p->negative
            && hd_pairs_extendable(p->solver, row);
        /* The next tuple in mixed radix; `at == size` after the last. */
        for (at = 0; at < size && ++cells[at] == hd_pairs_levels(p->model, columns[at]); at++)
            cells[at] = 0;
    }
    for (int c = 0; c < size; c++)
        row[columns[c]] = HD_PAIRS_ANY;
    return valid;
}

static uint64_t all_tuples(const hd_pairs_model *m, const hd_pairs_column *columns, int size)
{
    uint64_t tuples = 1;
    for (int c = 0; c < size; c++)
        tuples *= (uint64_t)hd_pairs_levels(m, columns[c]);
    return tuples;
}

size_t hd_pairs_lower_bound(const hd_pairs_problem *p)
{
    int binary = p->solver ? 0 : pairwise_columns(p), size;
    uint64_t bound = binary > 1 ? (uint64_t)hd_pairs_binary_size(binary) : 0, asked = 0;
    hd_pairs_cell *row = hd_alloc(&hd_heap, p->model->parameters.count * sizeof *row);
    for (size_t c = 0; c < p->model->parameters.count; c++)
        row[c] = HD_PAIRS_ANY;
    for (size_t i = 0; i < p->interactions->count; i++) {
        const hd_pairs_column *columns = hd_pairs_interaction(p->interactions, i, &size);
        uint64_t tuples = all_tuples(p->model, columns, size);
        /* Skip interactions that cannot raise the bound, and all once the budget for the solver is
         * spent: the bound stays valid, only weaker. */
        if (tuples <= bound || (p->solver && (asked += tuples) > most_questions))
            continue;
        tuples = p->solver ? valid_tuples(p, columns, size, row) : tuples;
        bound = tuples > bound ? tuples : bound;
    }
    hd_release(&hd_heap, row, p->model->parameters.count * sizeof *row);
    return (size_t)bound;
}
