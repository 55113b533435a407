/* IPO_H_EC, optimal horizontal growth: tries one representative of every class of extensions and
 * takes the one after which vertical growth adds the fewest rows. */
#include "pairs/classes.h"
#include "pairs/grow_internal.h"

#include <string.h>

static const uint64_t most_classes = 300000;

/* Theorem 4.4.3: choose the i rows that have the first row's value, then the classes of the other m
 * - i rows with d - 1 values. */
uint64_t hd_pairs_class_count(int m, int d)
{
    if (m == 0 || m == 1 || d == 1)
        return 1;
    unsigned __int128 total = 0, ways = 1; /* ways: i-1 out of m-1 */
    for (int i = 1; i <= m; i++) {
        uint64_t rest = hd_pairs_class_count(m - i, d - 1);
        total += ways * rest;
        if (rest == UINT64_MAX || total >= UINT64_MAX)
            return UINT64_MAX;
        ways = ways * (unsigned)(m - i) / (unsigned)i;
    }
    return (uint64_t)total;
}

/* The next restricted growth string in lexicographic order: values[i] may be at most one above the
 * maximum before it. */
bool hd_pairs_next_class(int *values, int m, int d)
{
    for (int i = m - 1; i > 0; i--) {
        int most = 0;
        for (int j = 0; j < i; j++)
            most = values[j] > most ? values[j] : most;
        if (values[i] <= most && values[i] + 1 < d) {
            values[i]++;
            memset(values + i + 1, 0, (size_t)(m - i - 1) * sizeof *values);
            return true;
        }
    }
    return false;
}

/* The theorem counts plain pairs of complete rows, so only those. */
static bool applies(const hd_pairs_column_growth *g)
{
    if (g->problem->solver || g->words > 1 || g->rows->count == 0 || g->rows->count > 64)
        return false;
    for (size_t i = 0; i < g->prefix_count; i++) {
        if (g->prefixes[i].size != 1)
            return false;
        for (size_t r = 0; r < g->rows->count; r++)
            if (hd_pairs_row(g->rows, r)[g->prefixes[i].columns[0]] == HD_PAIRS_ANY)
                return false;
    }
    for (size_t r = 0; r < g->rows->count; r++)
        if (hd_pairs_row(g->rows, r)[g->column] != HD_PAIRS_ANY)
            return false;
    /* N(m, d) is at least 2^(m-1) for d > 1: no need to count when m is large. */
    return g->rows->count <= 20 && hd_pairs_class_count((int)g->rows->count, g->values) <= most_classes;
}

/* The number of rows that vertical growth adds (Theorem 4.3.1): for each value, the largest number
 * of open pairs with one column. */
static int weight(const hd_pairs_column_growth *g, const int *values, uint64_t *open)
{
    int most[64] = { 0 }, total = 0;
    for (size_t i = 0; i < g->prefix_count; i++) {
        const hd_pairs_prefix *f = &g->prefixes[i];
        int count[64] = { 0 };
        /* A copy of the open pairs, from which this extension's pairs are removed. */
        memcpy(open, hd_pairs_open_at(g, f, 0), f->combinations * sizeof *open);
        for (size_t r = 0; r < g->rows->count; r++)
            open[hd_pairs_row(g->rows, r)[f->columns[0]]] &= ~(1ull << values[r]);
        for (size_t w = 0; w < f->combinations; w++)
            for (int v = 0; v < g->values; v++)
                count[v] += open[w] >> v & 1;
        for (int v = 0; v < g->values; v++)
            most[v] = count[v] > most[v] ? count[v] : most[v];
    }
    for (int v = 0; v < g->values; v++)
        total += most[v];
    return total;
}

bool hd_pairs_grow_optimally(hd_pairs_column_growth *g)
{
    if (!applies(g))
        return false;
    int values[64] = { 0 }, best[64], lightest = -1, m = (int)g->rows->count;
    uint64_t *open = hd_arena_alloc(&g->arena, HD_PAIRS_MOST_VALUES * sizeof *open);
    do {
        int w = weight(g, values, open);
        if (lightest < 0 || w < lightest) {
            lightest = w;
            memcpy(best, values, sizeof best);
        }
    } while (lightest > 0 && hd_pairs_next_class(values, m, g->values));
    for (int r = 0; r < m; r++) {
        hd_pairs_cell *row = hd_pairs_row(g->rows, (size_t)r);
        row[g->column] = (hd_pairs_cell)best[r];
        hd_pairs_mark(g, row);
    }
    return true;
}
