/* Regrowth: loosens a test set, removes one row and grows the set again. For any problem. */
#include "pairs/search.h"

#include "abi/valid.h"
#include "base/rng.h"
#include "pairs/grow.h"

#include <string.h>

/* The number of rows that have each tuple of each interaction. */
typedef struct census {
    const hd_pairs_problem *problem;
    uint64_t *first; /* per interaction: its first counter; one more at the end */
    uint16_t *counts;
    hd_vec(uint32_t) * through; /* per column: the interactions it is in */
    hd_rng rng;
} census;

static const uint64_t most_counters = 30000000;

static bool census_init(census *c, const hd_pairs_problem *p)
{
    const hd_pairs_interactions *all = p->interactions;
    *c = (census) { .problem = p };
    c->first = hd_alloc(&hd_heap, (all->count + 1) * sizeof *c->first);
    c->through = hd_alloc(&hd_heap, p->model->parameters.count * sizeof *c->through);
    for (size_t i = 0; i < all->count; i++) {
        int size;
        const hd_pairs_column *columns = hd_pairs_interaction(all, i, &size);
        uint64_t tuples = 1;
        for (int k = 0; k < size; k++) {
            tuples *= (uint64_t)hd_pairs_levels(p->model, columns[k]);
            hd_vec_push(&c->through[columns[k]], (uint32_t)i);
        }
        c->first[i + 1] = c->first[i] + tuples;
    }
    hd_rng_seed(&c->rng, p->seed);
    /* Too many tuples to count: no regrowth. */
    if (c->first[all->count] > most_counters)
        return false;
    c->counts = hd_alloc(&hd_heap, c->first[all->count] * sizeof *c->counts);
    return true;
}

static void census_fini(census *c)
{
    for (size_t p = 0; p < c->problem->model->parameters.count; p++)
        hd_vec_fini(&c->through[p]);
    hd_release(&hd_heap, c->through, 1);
    hd_release(&hd_heap, c->first, 1);
    hd_release(&hd_heap, c->counts, 1);
}

/* The counter of what the row has in an interaction; NULL if a cell is a don't-care. */
static uint16_t *counter(const census *c, size_t interaction, const hd_pairs_cell *row)
{
    int size;
    const hd_pairs_column *columns = hd_pairs_interaction(c->problem->interactions, interaction, &size);
    uint64_t tuple = 0, stride = 1;
    for (int k = 0; k < size; k++) {
        if (row[columns[k]] == HD_PAIRS_ANY)
            return NULL;
        tuple += stride * (uint64_t)row[columns[k]];
        stride *= (uint64_t)hd_pairs_levels(c->problem->model, columns[k]);
    }
    return &c->counts[c->first[interaction] + tuple];
}

static void take(census *c, const hd_pairs_rows *rows)
{
    memset(c->counts, 0, c->first[c->problem->interactions->count] * sizeof *c->counts);
    for (size_t r = 0; r < rows->count; r++)
        for (size_t i = 0; i < c->problem->interactions->count; i++) {
            uint16_t *count = counter(c, i, hd_pairs_row(rows, r));
            /* A saturated counter reads too low later on, which only keeps cells that could have
             * been loosened. */
            if (count && *count < UINT16_MAX)
                ++*count;
        }
}

/* The counts are those of the rows: so a cell that is loosened takes no tuple away from the set. Counts that were
 * saturated are not checked. */
static bool census_is_valid(const census *c, const hd_pairs_rows *rows)
{
    uint64_t total = c->first[c->problem->interactions->count];
    census fresh = *c;
    fresh.counts = hd_alloc(&hd_heap, total * sizeof *fresh.counts);
    take(&fresh, rows);
    bool valid = rows->count >= UINT16_MAX || !memcmp(fresh.counts, c->counts, total * sizeof *fresh.counts);
    hd_release(&hd_heap, fresh.counts, total * sizeof *fresh.counts);
    return valid;
}

/* Turns the cell into a don't-care if all tuples through it are in other rows as well. A negative
 * value stays, because the row belongs to its run by it. */
static bool loosen(census *c, hd_pairs_cell *row, int column)
{
    const hd_pairs_problem *p = c->problem;
    if (row[column] == HD_PAIRS_ANY || p->model->parameters.items[column].values[row[column]].negative)
        return false;
    for (size_t i = 0; i < c->through[column].count; i++) {
        const uint16_t *count = counter(c, c->through[column].items[i], row);
        if (count && *count == 1)
            return false;
    }
    for (size_t i = 0; i < c->through[column].count; i++) {
        uint16_t *count = counter(c, c->through[column].items[i], row);
        if (count)
            --*count;
    }
    row[column] = HD_PAIRS_ANY;
    return true;
}

static void shuffle(hd_rng *rng, size_t *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        items[i] = i;
    for (size_t i = count; i > 1; i--) {
        size_t j = hd_rng_below(rng, i), item = items[i - 1];
        items[i - 1] = items[j];
        items[j] = item;
    }
}

/* Loosens all rows after the first `kept`, in random order, and removes the row with the most don't-cares. */
static void loosen_rows(census *c, size_t kept, hd_pairs_rows *rows)
{
    size_t *rows_in_turn = hd_alloc(&hd_heap, rows->count * sizeof *rows_in_turn), loosest = kept;
    size_t *columns_in_turn = hd_alloc(&hd_heap, (size_t)rows->columns * sizeof *columns_in_turn);
    int most = -1;
    take(c, rows);
    shuffle(&c->rng, rows_in_turn, rows->count);
    for (size_t i = 0; i < rows->count; i++) {
        if (rows_in_turn[i] < kept)
            continue;
        int free_cells = 0;
        hd_pairs_cell *row = hd_pairs_row(rows, rows_in_turn[i]);
        shuffle(&c->rng, columns_in_turn, (size_t)rows->columns);
        for (int k = 0; k < rows->columns; k++)
            loosen(c, row, (int)columns_in_turn[k]);
        hd_check_valid(census_is_valid(c, rows),
            c->first[c->problem->interactions->count] + rows->count * c->problem->interactions->count, i);
        for (int k = 0; k < rows->columns; k++)
            free_cells += row[k] == HD_PAIRS_ANY;
        if (free_cells > most) {
            most = free_cells;
            loosest = rows_in_turn[i];
        }
    }
    hd_pairs_rows_remove(rows, loosest);
    hd_release(&hd_heap, rows_in_turn, 1);
    hd_release(&hd_heap, columns_in_turn, 1);
}

void hd_pairs_regrow(const hd_pairs_problem *p, uint64_t *steps, size_t bound, size_t kept, hd_pairs_rows *rows)
{
    census c;
    hd_pairs_rows now = { 0 };
    bool possible = census_init(&c, p);
    uint64_t looks = p->solver ? 500 : 40; /* per tuple of a row and column of it */
    uint64_t always = 60000;
    uint64_t cost = (rows->count + 1) * p->interactions->count * (uint64_t)p->interactions->widest * looks + always;
    for (uint64_t seed = p->seed;
         possible && *steps >= cost && rows->count > bound && rows->count > kept && !hd_pairs_is_interrupted(p);
         seed++) {
        hd_pairs_rows_copy(&now, rows);
        loosen_rows(&c, kept, &now);
        hd_pairs_growth how = { .tie = hd_pairs_tie_random, .seed = seed, .most_rows = rows->count };
        /* An equally large set is taken too: that moves the search on. */
        if (hd_pairs_grow(p, &how, &now))
            hd_pairs_rows_copy(rows, &now);
        *steps -= cost;
    }
    hd_pairs_rows_fini(&now);
    census_fini(&c);
}
