/* IPO_H_IV, horizontal growth: each row in turn gets the value that closes the most open tuples.
 * The counts for all values are summed at once, as bytes of words. */
#include "pairs/grow_internal.h"

#include <string.h>

enum { LANES = 8, MOST_IN_LANE = 255, ROWS_BETWEEN_CLEANUPS = 16 };

/* Weights: a tuple that a set value closes counts 2; one that a don't-care may close counts 1,
 * because another row may need that cell. */
enum { SURE = 2, PERHAPS = 1 };

/* Sums of bit sets: the count of value v is byte v % 8 of lanes[v / 8]; it is moved to `gains`
 * before it can overflow. */
typedef struct tally {
    uint64_t *lanes;
    int lane_count, pending, values;
    uint32_t *gains;
} tally;

/* Spreads a byte: bit i becomes the value 1 of byte i. The multiplication copies the byte into all
 * bytes, the mask leaves bit i in byte i, and adding 0x7f carries any nonzero byte into its top
 * bit. */
static inline uint64_t spread(uint64_t byte)
{
    uint64_t copies = byte * 0x0101010101010101u & 0x8040201008040201u;
    return (copies + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}

static void tally_empty(tally *t)
{
    for (int v = 0; v < t->values; v++)
        t->gains[v] += t->lanes[v / LANES] >> (v % LANES * 8) & 0xff;
    memset(t->lanes, 0, (size_t)t->lane_count * sizeof *t->lanes);
    t->pending = 0;
}

/* Each bit counts `times`. */
static inline void tally_add(tally *t, const uint64_t *open, int times)
{
    for (int i = 0; i < t->lane_count; i++)
        t->lanes[i] += spread(open[i / LANES] >> (i % LANES * 8) & 0xff) * (unsigned)times;
    t->pending += times;
    if (t->pending > MOST_IN_LANE - SURE)
        tally_empty(t);
}

static uint64_t any_open(const hd_pairs_column_growth *g, const hd_pairs_prefix *f)
{
    uint64_t any = 0;
    for (size_t i = 0; i < f->combinations; i++)
        any |= *hd_pairs_open_at(g, f, i);
    return any;
}

/* A don't-care in the prefix's column can close every value that is open with any value of that
 * column (the paper's θ). */
static void tally_add_any(tally *t, const hd_pairs_column_growth *g, const hd_pairs_prefix *f)
{
    uint64_t any[HD_PAIRS_MOST_VALUES / 64 + 1];
    memset(any, 0, (size_t)g->words * sizeof *any);
    for (size_t i = 0; i < f->combinations; i++)
        for (int w = 0; w < g->words; w++)
            any[w] |= hd_pairs_open_at(g, f, i)[w];
    tally_add(t, any, PERHAPS);
}

/* As count_gains for pairs of up to LANES values, in one word; a block of 127 prefixes with weight
 * 2 fits into a byte. */
static void count_pair_gains(hd_pairs_column_growth *g, const hd_pairs_cell *row)
{
    enum { BLOCK = MOST_IN_LANE / SURE };
    uint64_t lane = 0;
    memset(g->gains, 0, (size_t)g->values * sizeof *g->gains);
    for (size_t i = 0, end = 0; i < g->open_prefixes; i = end) {
        end = end + BLOCK < g->open_prefixes ? end + BLOCK : g->open_prefixes;
        for (size_t k = i; k < end; k++) {
            int w = row[g->pairs[k].column];
            const uint64_t *open = g->open + g->pairs[k].base;
            if (w >= 0)
                lane += spread(open[w]) * SURE;
            else
                lane += spread(any_open(g, &g->prefixes[k])) * PERHAPS;
        }
        for (int v = 0; v < g->values; v++)
            g->gains[v] += lane >> (v * 8) & 0xff;
        lane = 0;
    }
}

static void count_gains(hd_pairs_column_growth *g, const hd_pairs_cell *row, uint64_t *lanes)
{
    tally t = { lanes, (g->values + LANES - 1) / LANES, 0, g->values, g->gains };
    memset(g->gains, 0, (size_t)g->values * sizeof *g->gains);
    memset(lanes, 0, (size_t)t.lane_count * sizeof *lanes);
    for (size_t i = 0; i < g->open_prefixes; i++) {
        const hd_pairs_prefix *f = &g->prefixes[i];
        int64_t combination = hd_pairs_combination(f, row);
        /* A prefix of several columns with a don't-care is not counted: its contribution is not known. */
        if (combination >= 0)
            tally_add(&t, hd_pairs_open_at(g, f, (size_t)combination), SURE);
        else if (f->size == 1)
            tally_add_any(&t, g, f);
    }
    tally_empty(&t);
}

/* Breaks a tie between values that close equally many: by weight first, then by the rule of this
 * growth. The random rule is reservoir sampling. */
static bool wins_tie(hd_pairs_column_growth *g, int a, int b, uint32_t *equals)
{
    const hd_pairs_value *values = g->problem->model->parameters.items[g->column].values;
    if (values[a].weight != values[b].weight)
        return values[a].weight > values[b].weight;
    switch (g->prefix_count < g->how->balanced ? hd_pairs_tie_rarest : g->how->tie) {
    case hd_pairs_tie_first:
        return false;
    case hd_pairs_tie_rarest:
        return g->uses[a] < g->uses[b];
    case hd_pairs_tie_random:
        return hd_rng_below(&g->rng, ++*equals) == 0;
    }
    hd_panic("tie rule %d", g->how->tie);
}

/* The value that closes the most and that the solver allows; -1 if none closes anything. */
static int choose_value(hd_pairs_column_growth *g, hd_pairs_cell *row)
{
    for (;;) {
        int best = -1;
        uint32_t equals = 1;
        for (int v = 0; v < g->values; v++) {
            if (g->gains[v] == 0)
                continue;
            if (best < 0 || g->gains[v] > g->gains[best]) {
                best = v;
                equals = 1;
            } else if (g->gains[v] == g->gains[best] && wins_tie(g, v, best, &equals)) {
                best = v;
            }
        }
        if (best < 0 || !g->constrained || hd_pairs_may_set(g, row, g->column, best))
            return best;
        /* The solver refuses the value in this row: try the next best. */
        g->gains[best] = 0;
    }
}

/* How many open tuples the row closes through `column` if that cell becomes `w`. */
static int closes_through(const hd_pairs_column_growth *g, hd_pairs_cell *row, int column, int w)
{
    int count = 0, v = row[g->column];
    row[column] = (hd_pairs_cell)w;
    for (size_t i = 0; i < g->open_prefixes; i++) {
        const hd_pairs_prefix *f = &g->prefixes[i];
        bool concerned = false;
        for (int c = 0; c < f->size; c++)
            concerned |= f->columns[c] == column;
        int64_t combination = concerned ? hd_pairs_combination(f, row) : -1;
        if (combination >= 0)
            count += hd_pairs_open_at(g, f, (size_t)combination)[v / 64] >> (v % 64) & 1;
    }
    row[column] = HD_PAIRS_ANY;
    return count;
}

/* Sets a don't-care to the value that closes the most open tuples together with the new value, if any. */
static void settle(hd_pairs_column_growth *g, hd_pairs_cell *row, int column)
{
    int best = -1, most = 0;
    for (int w = 0; w < hd_pairs_levels(g->problem->model, column); w++) {
        int count = closes_through(g, row, column, w);
        if (count > most && hd_pairs_may_set(g, row, column, w)) {
            best = w;
            most = count;
        }
    }
    if (best >= 0)
        row[column] = (hd_pairs_cell)best;
}

/* As settle for pairs: the first value that is open (the paper's θ). */
static void settle_pair(hd_pairs_column_growth *g, hd_pairs_cell *row, const hd_pairs_prefix *f)
{
    int v = row[g->column], column = f->columns[0];
    for (size_t w = 0; row[column] == HD_PAIRS_ANY && w < f->combinations; w++)
        if (hd_pairs_open_at(g, f, w)[v / 64] >> (v % 64) & 1 && hd_pairs_may_set(g, row, column, (int)w))
            row[column] = (hd_pairs_cell)w;
}

static void settle_row(hd_pairs_column_growth *g, hd_pairs_cell *row)
{
    for (size_t i = 0; i < g->open_prefixes; i++) {
        const hd_pairs_prefix *f = &g->prefixes[i];
        for (int c = 0; c < f->size; c++)
            if (row[f->columns[c]] == HD_PAIRS_ANY)
                g->only_pairs ? settle_pair(g, row, f) : settle(g, row, f->columns[c]);
    }
}

/* Moves prefixes without open bits to the end, so that the inner loops skip them. */
static void forget_closed(hd_pairs_column_growth *g)
{
    for (size_t i = 0; i < g->open_prefixes;) {
        if (g->prefixes[i].left > 0) {
            i++;
            continue;
        }
        hd_pairs_prefix closed = g->prefixes[i];
        g->prefixes[i] = g->prefixes[--g->open_prefixes];
        g->prefixes[g->open_prefixes] = closed;
    }
    for (size_t i = 0; g->pairs && i < g->open_prefixes; i++)
        g->pairs[i] = (hd_pairs_pair) { (uint32_t)g->prefixes[i].base, g->prefixes[i].columns[0] };
}

static bool has_only_pairs(const hd_pairs_column_growth *g)
{
    for (size_t i = 0; i < g->prefix_count; i++)
        if (g->prefixes[i].size != 1)
            return false;
    return true;
}

void hd_pairs_grow_horizontally(hd_pairs_column_growth *g)
{
    uint64_t *lanes = hd_arena_alloc(&g->arena, (size_t)(g->words * LANES) * sizeof *lanes);
    g->only_pairs = has_only_pairs(g);
    g->pairs =
        g->only_pairs && g->values <= LANES ? hd_arena_alloc(&g->arena, g->prefix_count * sizeof *g->pairs) : NULL;
    for (size_t i = 0; i < g->rows->count && !hd_pairs_is_interrupted(g->problem); i++) {
        hd_pairs_cell *row = hd_pairs_row(g->rows, i);
        if (i % ROWS_BETWEEN_CLEANUPS == 0)
            forget_closed(g);
        if (row[g->column] != HD_PAIRS_ANY)
            continue;
        if (g->pairs)
            count_pair_gains(g, row);
        else
            count_gains(g, row, lanes);
        int v = choose_value(g, row);
        /* Nothing to gain: the cell stays a don't-care, for later columns to use. */
        if (v < 0)
            continue;
        row[g->column] = (hd_pairs_cell)v;
        g->uses[v]++;
        settle_row(g, row);
        hd_pairs_mark(g, row);
        hd_pairs_check_growth(g, i + 1);
    }
    forget_closed(g);
}
