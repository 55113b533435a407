#include "pairs/grow_internal.h"

static bool rows_are_valid(const hd_pairs_column_growth *g)
{
    const hd_pairs_rows *r = g->rows;
    if (r->cells.count != r->count * (size_t)r->columns)
        return false;
    for (size_t i = 0; i < r->count; i++) {
        for (int c = 0; c < r->columns; c++)
            if (hd_pairs_row(r, i)[c] < HD_PAIRS_ANY || hd_pairs_row(r, i)[c] >= hd_pairs_levels(g->problem->model, c))
                return false;
        if (g->problem->solver && !hd_pairs_extendable(g->problem->solver, hd_pairs_row(r, i)))
            return false;
    }
    return true;
}

/* A bit per tuple, as in `open`: some row has it. */
static uint64_t *find_covered(const hd_pairs_column_growth *g)
{
    uint64_t *covered = hd_alloc(&hd_heap, (g->open_room + 1) * sizeof *covered);
    for (size_t i = 0; i < g->rows->count; i++) {
        const hd_pairs_cell *row = hd_pairs_row(g->rows, i);
        int v = row[g->column];
        for (size_t k = 0; v >= 0 && k < g->prefix_count; k++) {
            int64_t combination = hd_pairs_combination(&g->prefixes[k], row);
            if (combination >= 0)
                covered[(g->prefixes[k].base + (size_t)combination) * (size_t)g->words + (size_t)v / 64] |= 1ull
                    << (v % 64);
        }
    }
    return covered;
}

/* What the checks of bits need: the covered tuples, and a row of don't-cares. */
typedef struct scratch {
    uint64_t *covered;
    hd_pairs_cell *row;
} scratch;

/* Puts the tuple into a row of don't-cares. Is it one of this run, by its negative values? */
static bool put_tuple(
    const hd_pairs_column_growth *g, const hd_pairs_prefix *f, size_t combination, int v, hd_pairs_cell *row)
{
    const hd_pairs_model *m = g->problem->model;
    int negatives = m->parameters.items[g->column].values[v].negative;
    for (int i = 0; i < f->size; i++) {
        const hd_pairs_parameter *other = &m->parameters.items[f->columns[i]];
        row[f->columns[i]] = (hd_pairs_cell)(combination / f->strides[i] % (size_t)other->value_count);
        negatives += other->values[row[f->columns[i]]].negative;
    }
    row[g->column] = (hd_pairs_cell)v;
    return negatives == g->problem->negative;
}

static bool bit_is_valid(
    const hd_pairs_column_growth *g, const hd_pairs_prefix *f, size_t combination, int v, const scratch *x)
{
    const uint64_t *open = hd_pairs_open_at(g, f, combination) + v / 64;
    bool is_open = *open >> (v % 64) & 1, covered = x->covered[open - g->open] >> (v % 64) & 1;
    if (v >= g->values)
        return !is_open;
    bool is_ours = put_tuple(g, f, combination, v, x->row);
    hd_pairs_solver *solver = g->problem->solver;
    bool valid =
        is_open ? is_ours && !covered : !is_ours || covered || (solver && !hd_pairs_extendable(solver, x->row));
    for (int i = 0; i < f->size; i++)
        x->row[f->columns[i]] = HD_PAIRS_ANY;
    x->row[g->column] = HD_PAIRS_ANY;
    return valid;
}

/* Counts the open bits. False: one is wrong. */
static bool bits_are_valid(const hd_pairs_column_growth *g, const hd_pairs_prefix *f, size_t *open, const scratch *x)
{
    for (size_t i = 0; i < f->combinations; i++) {
        for (int v = 0; v < g->words * 64; v++)
            if (!bit_is_valid(g, f, i, v, x))
                return false;
        for (int w = 0; w < g->words; w++)
            *open += (size_t)__builtin_popcountll(hd_pairs_open_at(g, f, i)[w]);
    }
    return true;
}

static bool prefix_is_valid(const hd_pairs_column_growth *g, size_t index, const scratch *x)
{
    const hd_pairs_prefix *f = &g->prefixes[index];
    size_t open = 0;
    if (g->pairs && index < g->open_prefixes
        && (g->pairs[index].base != f->base || g->pairs[index].column != f->columns[0]))
        return false;
    return bits_are_valid(g, f, &open, x) && open == f->left && (index < g->open_prefixes || open == 0);
}

bool hd_pairs_column_growth_is_valid(const hd_pairs_column_growth *g)
{
    if (!rows_are_valid(g))
        return false;
    size_t size = (size_t)g->rows->columns * sizeof(hd_pairs_cell);
    scratch x = { find_covered(g), hd_alloc(&hd_heap, size) };
    for (int c = 0; c < g->rows->columns; c++)
        x.row[c] = HD_PAIRS_ANY;
    bool valid = true;
    for (size_t i = 0; valid && i < g->prefix_count; i++)
        valid = prefix_is_valid(g, i, &x);
    hd_release(&hd_heap, x.covered, (g->open_room + 1) * sizeof *x.covered);
    hd_release(&hd_heap, x.row, size);
    return valid;
}
