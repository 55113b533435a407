#include "pairs/verify.h"

#include <string.h>

/* One bit per tuple of every interaction. */
typedef struct bitmap {
    const hd_pairs_model *model;
    const hd_pairs_interactions *needed;
    const volatile sig_atomic_t *interrupted;
    uint64_t *first; /* per interaction: its first bit; one more at the end */
    uint64_t *bits;
    size_t words;
} bitmap;

static const uint64_t most_bits = 4000000000ull;

/* All combinations of values, valid or not. */
static uint64_t tuples_of(const hd_pairs_model *m, const hd_pairs_column *columns, int size)
{
    uint64_t tuples = 1;
    for (int i = 0; i < size; i++)
        tuples *= (uint64_t)hd_pairs_levels(m, columns[i]);
    return tuples;
}

static bool bitmap_init(bitmap *b, const hd_pairs_model *m, const hd_pairs_interactions *needed,
    const volatile sig_atomic_t *interrupted, hd_error *error)
{
    *b = (bitmap) { .model = m, .needed = needed, .interrupted = interrupted };
    b->first = hd_alloc(&hd_heap, (needed->count + 1) * sizeof *b->first);
    for (size_t i = 0; i < needed->count; i++) {
        int size;
        const hd_pairs_column *columns = hd_pairs_interaction(needed, i, &size);
        b->first[i + 1] = b->first[i] + tuples_of(m, columns, size);
    }
    uint64_t total = b->first[needed->count];
    if (total > most_bits) {
        hd_release(&hd_heap, b->first, (needed->count + 1) * sizeof *b->first);
        return hd_fail(error, "%s: %.3g tuples are too many to be checked", m->name, (double)total);
    }
    b->words = (size_t)(total / 64 + 1);
    b->bits = hd_alloc(&hd_heap, b->words * sizeof *b->bits);
    return true;
}

static void bitmap_fini(bitmap *b)
{
    hd_release(&hd_heap, b->first, (b->needed->count + 1) * sizeof *b->first);
    hd_release(&hd_heap, b->bits, b->words * sizeof *b->bits);
}

static int negatives_in_row(const hd_pairs_model *m, const hd_pairs_cell *row)
{
    int count = 0;
    for (size_t p = 0; m->has_negative && p < m->parameters.count; p++)
        count += m->parameters.items[p].values[row[p]].negative;
    return count;
}

/* The bit of the tuple that `row` has in interaction `i`; -1 if the tuple does not count in this
 * row because of a negative value elsewhere. */
static int64_t bit_of(const bitmap *b, size_t i, const hd_pairs_cell *row, int negatives)
{
    int size, found = 0;
    const hd_pairs_column *columns = hd_pairs_interaction(b->needed, i, &size);
    uint64_t tuple = 0, stride = 1;
    for (int c = 0; c < size; c++) {
        tuple += stride * (uint64_t)row[columns[c]];
        stride *= (uint64_t)hd_pairs_levels(b->model, columns[c]);
        found += negatives > 0 && b->model->parameters.items[columns[c]].values[row[columns[c]]].negative;
    }
    return found == negatives ? (int64_t)(b->first[i] + tuple) : -1;
}

/* The number of tuples that the row is the first to cover; marks them if `set`. */
static uint64_t news_in(bitmap *b, const hd_pairs_cell *row, bool set)
{
    uint64_t news = 0;
    int negatives = negatives_in_row(b->model, row);
    for (size_t i = 0; i < b->needed->count; i++) {
        int64_t bit = bit_of(b, i, row, negatives);
        if (bit < 0 || b->bits[bit / 64] >> (bit % 64) & 1)
            continue;
        news++;
        if (set)
            b->bits[bit / 64] |= 1ull << (bit % 64);
    }
    return news;
}

/* --- rows ------------------------------------------------------------------ */

/* Checked without the solver, so that an error there cannot hide. */
static bool is_bad(const hd_pairs_model *m, const hd_pairs_cell *row, int *constraint)
{
    for (size_t p = 0; p < m->parameters.count; p++)
        if (row[p] == HD_PAIRS_ANY) {
            *constraint = -2;
            return true;
        }
    *constraint = -1;
    if (negatives_in_row(m, row) > 1)
        return true;
    for (size_t c = 0; c < m->constraints.count; c++)
        if (!hd_pairs_holds(m, m->constraints.items[c].expression, row)) {
            *constraint = (int)c;
            return true;
        }
    return false;
}

static void check_rows(bitmap *b, const hd_pairs_rows *rows, hd_pairs_coverage *into)
{
    for (size_t i = 0; i < rows->count && !(into->cut = hd_pairs_is_set(b->interrupted)); i++) {
        hd_pairs_bad_row bad = { .row = i };
        /* An invalid row covers nothing. */
        if (is_bad(b->model, hd_pairs_row(rows, i), &bad.constraint))
            hd_vec_push(&into->bad, bad);
        else
            into->covered += news_in(b, hd_pairs_row(rows, i), true);
        hd_vec_push(&into->curve, into->covered);
    }
}

/* --- tuples ---------------------------------------------------------------- */

void hd_pairs_tuple_cells(
    const hd_pairs_model *m, const hd_pairs_column *columns, int size, uint64_t tuple, hd_pairs_cell *cells)
{
    for (int c = 0; c < size; c++) {
        uint64_t levels = (uint64_t)hd_pairs_levels(m, columns[c]);
        cells[c] = (hd_pairs_cell)(tuple % levels);
        tuple /= levels;
    }
}

/* Whether some valid row has these values (the row is all don't-cares, and is left so). */
static bool is_valid(
    hd_pairs_solver *s, const hd_pairs_column *columns, int size, const hd_pairs_cell *cells, hd_pairs_cell *row)
{
    for (int c = 0; c < size; c++)
        row[columns[c]] = cells[c];
    bool valid = hd_pairs_extendable(s, row);
    for (int c = 0; c < size; c++)
        row[columns[c]] = HD_PAIRS_ANY;
    return valid;
}

static void check_tuples(bitmap *b, hd_pairs_solver *s, hd_pairs_coverage *into)
{
    const hd_pairs_model *m = b->model;
    hd_pairs_cell cells[64], *row = hd_alloc(&hd_heap, m->parameters.count * sizeof *row);
    for (size_t p = 0; p < m->parameters.count; p++)
        row[p] = HD_PAIRS_ANY;
    /* A covered tuple is valid, because it is in a valid row; only the others need the solver. */
    into->valid = into->covered;
    for (size_t i = 0; i < b->needed->count && !into->cut; i++) {
        int size;
        const hd_pairs_column *columns = hd_pairs_interaction(b->needed, i, &size);
        for (uint64_t bit = b->first[i]; bit < b->first[i + 1] && !into->cut; bit++) {
            into->cut = hd_pairs_is_set(b->interrupted);
            if (into->cut || (b->bits[bit / 64] >> (bit % 64) & 1))
                continue;
            hd_pairs_tuple_cells(m, columns, size, bit - b->first[i], cells);
            if (!is_valid(s, columns, size, cells, row))
                continue;
            into->valid++;
            if (into->missing.count < HD_PAIRS_MOST_MISSING)
                hd_vec_push(&into->missing, ((hd_pairs_missing) { (uint32_t)i, bit - b->first[i] }));
        }
    }
    hd_release(&hd_heap, row, m->parameters.count * sizeof *row);
}

bool hd_pairs_verify(const hd_pairs_model *m, hd_pairs_solver *s, const hd_pairs_interactions *needed,
    const hd_pairs_rows *rows, const volatile sig_atomic_t *interrupted, hd_pairs_coverage *into, hd_error *error)
{
    bitmap b;
    *into = (hd_pairs_coverage) { 0 };
    if (!bitmap_init(&b, m, needed, interrupted, error))
        return false;
    check_rows(&b, rows, into);
    check_tuples(&b, s, into);
    bitmap_fini(&b);
    return true;
}

bool hd_pairs_row_tuples(const hd_pairs_model *m, const hd_pairs_interactions *needed, const hd_pairs_rows *rows,
    size_t at, hd_pairs_covered_list *into, hd_error *error)
{
    bitmap b;
    hd_pairs_coverage before = { 0 };
    const hd_pairs_cell *row = hd_pairs_row(rows, at);
    hd_pairs_rows earlier = *rows;
    int constraint;
    if (!bitmap_init(&b, m, needed, NULL, error))
        return false;
    earlier.count = at;
    check_rows(&b, &earlier, &before);
    bool covers = !is_bad(m, row, &constraint);
    int negatives = covers ? negatives_in_row(m, row) : 0;
    for (size_t i = 0; covers && i < needed->count; i++) {
        int64_t bit = bit_of(&b, i, row, negatives);
        if (bit >= 0)
            hd_vec_push(into,
                ((hd_pairs_covered) {
                    (uint32_t)i, (uint64_t)bit - b.first[i], !(b.bits[bit / 64] >> (bit % 64) & 1) }));
    }
    hd_pairs_coverage_fini(&before);
    bitmap_fini(&b);
    return true;
}

void hd_pairs_coverage_fini(hd_pairs_coverage *c)
{
    hd_vec_fini(&c->missing);
    hd_vec_fini(&c->bad);
    hd_vec_fini(&c->curve);
}

/* --- order ------------------------------------------------------------------ */

/* Lazy greedy selection: what a row newly covers only shrinks as other rows come first, so a row
 * whose count is still the largest after a recount is the best. False: interrupted. */
static bool best_row(bitmap *b, const hd_pairs_rows *rows, uint64_t *news, size_t from, size_t *best)
{
    while (!hd_pairs_is_set(b->interrupted)) {
        *best = from;
        for (size_t i = from + 1; i < rows->count; i++)
            if (news[i] > news[*best])
                *best = i;
        uint64_t now = news_in(b, hd_pairs_row(rows, *best), false);
        if (now == news[*best])
            return true;
        news[*best] = now;
    }
    return false;
}

/* Moves row `at` up to `to`; those between keep their order. */
static void move_up(hd_pairs_rows *rows, uint64_t *news, size_t at, size_t to, hd_pairs_cell *spare)
{
    size_t width = (size_t)rows->columns * sizeof *spare;
    uint64_t count = news[at];
    memcpy(spare, hd_pairs_row(rows, at), width);
    memmove(hd_pairs_row(rows, to + 1), hd_pairs_row(rows, to), (at - to) * width);
    memmove(news + to + 1, news + to, (at - to) * sizeof *news);
    memcpy(hd_pairs_row(rows, to), spare, width);
    news[to] = count;
}

bool hd_pairs_sort_by_coverage(const hd_pairs_model *m, const hd_pairs_interactions *needed, hd_pairs_rows *rows,
    const volatile sig_atomic_t *interrupted, size_t *sorted, hd_error *error)
{
    bitmap b;
    size_t best;
    *sorted = 0;
    if (!bitmap_init(&b, m, needed, interrupted, error))
        return false;
    uint64_t *news = hd_alloc(&hd_heap, (rows->count + 1) * sizeof *news);
    hd_pairs_cell *spare = hd_alloc(&hd_heap, (size_t)rows->columns * sizeof *spare);
    for (size_t i = 0; i < rows->count && !hd_pairs_is_set(interrupted); i++)
        news[i] = news_in(&b, hd_pairs_row(rows, i), false);
    for (; *sorted < rows->count && best_row(&b, rows, news, *sorted, &best); ++*sorted) {
        move_up(rows, news, best, *sorted, spare);
        news_in(&b, hd_pairs_row(rows, *sorted), true);
    }
    hd_release(&hd_heap, news, (rows->count + 1) * sizeof *news);
    hd_release(&hd_heap, spare, (size_t)rows->columns * sizeof *spare);
    bitmap_fini(&b);
    return true;
}
