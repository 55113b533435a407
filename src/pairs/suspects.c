/* Finds combinations of values that occur in failing rows only. */
#include "pairs/run.h"

#include <string.h>

typedef struct search {
    const hd_pairs_rows *rows;
    const hd_pairs_outcome *outcomes;
    bool *open; /* failing rows that are not explained yet */
    hd_pairs_suspect current, best;
    hd_pairs_suspects *into; /* where to put every one that is found; NULL: only the best counts */
    const hd_pairs_cell *like; /* columns take their values from this row */
    const bool *usable; /* columns that may be in a combination */
    const volatile sig_atomic_t *interrupted;
} search;

enum { MOST_SUSPECTS = 20, MOST_TOGETHER = 3 };

static bool contains(const hd_pairs_cell *row, const hd_pairs_suspect *s)
{
    for (int i = 0; i < s->size; i++)
        if (row[s->columns[i]] != s->values[i])
            return false;
    return true;
}

static bool in_passing_row(const search *x)
{
    for (size_t i = 0; i < x->rows->count; i++)
        if (x->outcomes[i].ran && x->outcomes[i].status == 0 && contains(hd_pairs_row(x->rows, i), &x->current))
            return true;
    return false;
}

static size_t open_rows_with(const search *x)
{
    size_t count = 0;
    for (size_t i = 0; i < x->rows->count; i++)
        count += x->open[i] && contains(hd_pairs_row(x->rows, i), &x->current);
    return count;
}

/* Tries every combination of `size` usable columns with the values of `like`. */
static void try_combinations(search *x, int size, int from)
{
    if (x->current.size == size) {
        if (in_passing_row(x))
            return;
        x->current.rows = open_rows_with(x);
        if (x->current.rows > x->best.rows)
            x->best = x->current;
        if (x->into && x->into->items.count < MOST_SUSPECTS)
            hd_vec_push(&x->into->items, x->current);
        return;
    }
    for (int c = from; c < x->rows->columns && !hd_pairs_is_set(x->interrupted); c++) {
        if (!x->usable[c])
            continue;
        x->current.columns[x->current.size] = c;
        x->current.values[x->current.size++] = x->like[c];
        try_combinations(x, size, c + 1);
        x->current.size--;
    }
}

/* All smallest combinations that every failing row has. */
static void find_shared(search *x, bool *usable, int most)
{
    const hd_pairs_cell *first = NULL;
    memset(usable, true, (size_t)x->rows->columns);
    for (size_t i = 0; i < x->rows->count; i++) {
        const hd_pairs_cell *row = hd_pairs_row(x->rows, i);
        if (!hd_pairs_failed(&x->outcomes[i]))
            continue;
        first = first ? first : row;
        for (int c = 0; c < x->rows->columns; c++)
            usable[c] &= row[c] == first[c];
    }
    x->like = first;
    x->usable = usable;
    /* Smallest combinations first; larger ones are tried only if there are none. */
    for (int size = 1; first && size <= most && x->into->items.count == 0; size++)
        try_combinations(x, size, 0);
}

/* Greedy set cover: repeatedly takes the combination that explains the most failing rows; smaller
 * combinations first. */
static void find_several(search *x, bool *usable, int most)
{
    hd_pairs_suspects *into = x->into;
    x->into = NULL;
    memset(usable, true, (size_t)x->rows->columns);
    for (int size = 1; size <= most && into->items.count < MOST_SUSPECTS;) {
        x->best.rows = 0;
        for (size_t i = 0; i < x->rows->count; i++) {
            x->like = hd_pairs_row(x->rows, i);
            if (x->open[i])
                try_combinations(x, size, 0);
        }
        if (x->best.rows == 0) {
            size++;
            continue;
        }
        hd_vec_push(&into->items, x->best);
        for (size_t i = 0; i < x->rows->count; i++)
            x->open[i] &= !contains(hd_pairs_row(x->rows, i), &x->best);
    }
}

void hd_pairs_find_suspects(const hd_pairs_rows *rows, const hd_pairs_outcome *outcomes, int most,
    const volatile sig_atomic_t *interrupted, hd_pairs_suspects *into)
{
    *into = (hd_pairs_suspects) { 0 };
    search x = { .rows = rows, .outcomes = outcomes, .into = into, .interrupted = interrupted };
    bool *usable = hd_alloc(&hd_heap, (size_t)rows->columns);
    x.open = hd_alloc(&hd_heap, rows->count);
    for (size_t i = 0; i < rows->count; i++)
        x.open[i] = hd_pairs_failed(&outcomes[i]);
    most = most < rows->columns ? most : rows->columns;
    most = most < HD_PAIRS_MOST_STRENGTH ? most : HD_PAIRS_MOST_STRENGTH;
    find_shared(&x, usable, most);
    into->shared = into->items.count > 0;
    if (!into->shared)
        find_several(&x, usable, most < MOST_TOGETHER ? most : MOST_TOGETHER);
    into->cut = hd_pairs_is_set(interrupted);
    hd_release(&hd_heap, usable, (size_t)rows->columns);
    hd_release(&hd_heap, x.open, rows->count);
}

void hd_pairs_suspects_fini(hd_pairs_suspects *s)
{
    hd_vec_fini(&s->items);
}
