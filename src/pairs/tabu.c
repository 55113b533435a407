/* Tabu search for pairwise arrays without constraints: removes a row, then repairs the uncovered
 * pairs by changes of single cells. */
#include "pairs/search.h"

#include "abi/valid.h"
#include "base/rng.h"

#include <string.h>

enum { MOST_SYMBOLS = 2000, SHORTEST_BAN = 2, BANS = 9 };

/* A symbol is a value of a column; symbols are numbered through all columns.
 * counts[a][b] says in how many rows the two are together (symmetric). */
typedef struct tabu {
    int columns, symbols;
    size_t rows;
    int *first; /* per column: its first symbol; [columns] is their number */
    int *column_of;
    uint16_t *cells; /* row by row, symbols */
    uint16_t *counts;
    uint32_t *where; /* per pair a < b: its index in `open`, plus 1; 0 if it is covered */
    hd_vec(uint32_t) open; /* uncovered pairs, a * symbols + b */
    uint64_t *ban; /* per cell: the move from which on it may change again */
    uint64_t move;
    hd_rng rng;
} tabu;

typedef struct change {
    size_t row;
    int column, symbol, loss;
} change;

bool hd_pairs_plain_pairs(const hd_pairs_problem *p)
{
    size_t n = p->model->parameters.count, symbols = 0;
    for (size_t c = 0; c < n; c++)
        symbols += (size_t)hd_pairs_levels(p->model, (int)c);
    return !p->solver && n > 1 && p->interactions->widest == 2 && p->interactions->count == n * (n - 1) / 2
        && p->interactions->columns.count == n * (n - 1) && symbols <= MOST_SYMBOLS;
}

static uint16_t *row_of(const tabu *t, size_t row)
{
    return t->cells + row * (size_t)t->columns;
}

/* Constant time: the last open pair moves to where the one was that is removed. */
static void set_open(tabu *t, int a, int b, bool open)
{
    uint32_t pair = (uint32_t)(a < b ? a * t->symbols + b : b * t->symbols + a), *index = &t->where[pair];
    if (open) {
        hd_vec_push(&t->open, pair);
        *index = (uint32_t)t->open.count;
        return;
    }
    uint32_t last = hd_vec_pop(&t->open);
    if (last != pair) {
        t->open.items[*index - 1] = last;
        t->where[last] = *index;
    }
    *index = 0;
}

static void count_pair(tabu *t, int a, int b, int by)
{
    uint16_t *count = &t->counts[a * t->symbols + b], *mirror = &t->counts[b * t->symbols + a];
    if (*count == 0)
        set_open(t, a, b, false);
    *count = (uint16_t)(*count + by);
    *mirror = *count;
    if (*count == 0)
        set_open(t, a, b, true);
}

static void set_cell(tabu *t, size_t row, int column, int symbol)
{
    uint16_t *cells = row_of(t, row);
    int before = cells[column];
    for (int c = 0; c < t->columns; c++)
        if (c != column) {
            count_pair(t, before, cells[c], -1);
            count_pair(t, symbol, cells[c], 1);
        }
    cells[column] = (uint16_t)symbol;
}

/* Pairs that would be lost minus pairs that would be won by the change. */
static int loss_of(const tabu *t, size_t row, int column, int symbol)
{
    const uint16_t *cells = row_of(t, row), *old = t->counts + (size_t)cells[column] * (size_t)t->symbols,
                   *new = t->counts + (size_t)symbol *(size_t)t->symbols;
    int loss = 0;
    for (int c = 0; c < t->columns; c++)
        loss += (old[cells[c]] == 1) - (new[cells[c]] == 0);
    /* its own column contributed to the sum, but symbols of one column are never together */
    return loss + (new[cells[column]] == 0) - (old[cells[column]] == 1);
}

static void consider(tabu *t, change *best, uint32_t *equals, size_t row, int column, int symbol)
{
    if (t->ban[row * (size_t)t->columns + (size_t)column] > t->move)
        return;
    int loss = loss_of(t, row, column, symbol);
    if (best->column < 0 || loss < best->loss) {
        *best = (change) { row, column, symbol, loss };
        *equals = 1;
    } else if (loss == best->loss && hd_rng_below(&t->rng, ++*equals) == 0) {
        *best = (change) { row, column, symbol, loss };
    }
}

/* A change that loses more than it wins is made with probability 8^-loss only. */
static bool refuses(tabu *t, int loss)
{
    int bits = loss < 20 ? 3 * loss : 60;
    return loss > 0 && (hd_rng_next(&t->rng) & ((1ull << bits) - 1)) != 0;
}

/* Covers a random open pair by the cheapest change of one cell in a row that has one of the two
 * symbols, or of both cells of a random row if there is no such row. The changed cell is banned for
 * a few moves. */
static uint64_t make_move(tabu *t)
{
    uint32_t pair = t->open.items[hd_rng_below(&t->rng, t->open.count)], equals = 1;
    int a = (int)(pair / (uint32_t)t->symbols), b = (int)(pair % (uint32_t)t->symbols);
    int ca = t->column_of[a], cb = t->column_of[b];
    uint64_t looks = t->rows;
    change best = { .column = -1 };
    for (size_t r = 0; r < t->rows; r++) {
        const uint16_t *cells = row_of(t, r);
        if (cells[ca] == a)
            consider(t, &best, &equals, r, cb, b);
        else if (cells[cb] == b)
            consider(t, &best, &equals, r, ca, a);
        else
            continue;
        looks += (uint64_t)t->columns;
    }
    t->move++;
    if (best.column < 0) {
        size_t r = hd_rng_below(&t->rng, t->rows);
        if (row_of(t, r)[ca] != a)
            set_cell(t, r, ca, a);
        best = (change) { r, cb, b, 0 };
    }
    if (refuses(t, best.loss))
        return looks;
    set_cell(t, best.row, best.column, best.symbol);
    t->ban[best.row * (size_t)t->columns + (size_t)best.column] = t->move + SHORTEST_BAN + hd_rng_below(&t->rng, BANS);
    return looks + 4 * (uint64_t)t->columns + 100;
}

static void count_row(tabu *t, size_t row, int by)
{
    const uint16_t *cells = row_of(t, row);
    for (int i = 0; i < t->columns; i++)
        for (int j = i + 1; j < t->columns; j++)
            count_pair(t, cells[i], cells[j], by);
}

/* The row with the fewest pairs that no other row has. */
static size_t cheapest_row(const tabu *t)
{
    size_t best = 0;
    int least = -1;
    for (size_t r = 0; r < t->rows; r++) {
        const uint16_t *cells = row_of(t, r);
        int unique = 0;
        for (int i = 0; i < t->columns; i++)
            for (int j = i + 1; j < t->columns; j++)
                unique += t->counts[cells[i] * t->symbols + cells[j]] == 1;
        if (least < 0 || unique < least) {
            least = unique;
            best = r;
        }
    }
    return best;
}

static void remove_row(tabu *t)
{
    size_t row = cheapest_row(t);
    count_row(t, row, -1);
    memmove(row_of(t, row), row_of(t, t->rows - 1), (size_t)t->columns * sizeof *t->cells);
    t->rows--;
}

/* --- validity ---------------------------------------------------------------------- */

static bool cells_are_valid(const tabu *t)
{
    for (size_t r = 0; r < t->rows; r++)
        for (int c = 0; c < t->columns; c++)
            if (row_of(t, r)[c] < t->first[c] || row_of(t, r)[c] >= t->first[c + 1])
                return false;
    return true;
}

static int rows_with(const tabu *t, int a, int b)
{
    int count = 0;
    for (size_t r = 0; r < t->rows; r++)
        count += row_of(t, r)[t->column_of[a]] == a && row_of(t, r)[t->column_of[b]] == b;
    return count;
}

/* Every cell has a symbol of its column. The counts of pairs are those of the rows, in both directions. The list of
 * open pairs has those that no row has, each at the index that `where` says. */
static bool tabu_is_valid(const tabu *t)
{
    size_t open = 0;
    if (!cells_are_valid(t))
        return false;
    for (int a = 0; a < t->symbols; a++)
        for (int b = a + 1; b < t->symbols; b++) {
            uint32_t pair = (uint32_t)(a * t->symbols + b), index = t->where[pair];
            bool needed = t->column_of[a] != t->column_of[b];
            int count = needed ? rows_with(t, a, b) : 0;
            if (t->counts[pair] != count || t->counts[b * t->symbols + a] != count
                || (index != 0) != (needed && count == 0))
                return false;
            if (index && (index > t->open.count || t->open.items[index - 1] != pair))
                return false;
            open += index != 0;
        }
    return open == t->open.count;
}

/* --- to and from rows -------------------------------------------------------------- */

static void tabu_init(tabu *t, const hd_pairs_problem *p, const hd_pairs_rows *rows)
{
    *t = (tabu) { .columns = rows->columns, .rows = rows->count };
    t->first = hd_alloc(&hd_heap, (size_t)(t->columns + 1) * sizeof *t->first);
    for (int c = 0; c < t->columns; c++)
        t->first[c + 1] = t->first[c] + hd_pairs_levels(p->model, c);
    t->symbols = t->first[t->columns];
    size_t pairs = (size_t)t->symbols * (size_t)t->symbols;
    t->column_of = hd_alloc(&hd_heap, (size_t)t->symbols * sizeof *t->column_of);
    t->cells = hd_alloc(&hd_heap, rows->cells.count * sizeof *t->cells);
    t->ban = hd_alloc(&hd_heap, rows->cells.count * sizeof *t->ban);
    t->counts = hd_alloc(&hd_heap, pairs * sizeof *t->counts);
    t->where = hd_alloc(&hd_heap, pairs * sizeof *t->where);
    /* A stream of its own, different from that of growth. */
    hd_rng_seed(&t->rng, 2 * p->seed + 1);
    for (int c = 0; c < t->columns; c++)
        for (int s = t->first[c]; s < t->first[c + 1]; s++) {
            t->column_of[s] = c;
            for (int other = t->first[c + 1]; other < t->symbols; other++)
                set_open(t, s, other, true);
        }
    for (size_t r = 0; r < t->rows; r++) {
        for (int c = 0; c < t->columns; c++)
            row_of(t, r)[c] = (uint16_t)(t->first[c] + hd_pairs_row(rows, r)[c]);
        count_row(t, r, 1);
    }
}

static void tabu_fini(tabu *t)
{
    void *blocks[] = { t->first, t->column_of, t->cells, t->ban, t->counts, t->where };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        hd_release(&hd_heap, blocks[i], 1);
    hd_vec_fini(&t->open);
}

static void save(const tabu *t, hd_pairs_rows *rows)
{
    rows->count = t->rows;
    rows->cells.count = t->rows * (size_t)t->columns;
    for (size_t r = 0; r < t->rows; r++)
        for (int c = 0; c < t->columns; c++)
            hd_pairs_row(rows, r)[c] = (hd_pairs_cell)(row_of(t, r)[c] - t->first[c]);
}

void hd_pairs_tabu(const hd_pairs_problem *p, uint64_t *steps, size_t bound, hd_pairs_rows *rows)
{
    tabu t;
    hd_pairs_rows_fill(p, rows);
    tabu_init(&t, p, rows);
    while (*steps > 0 && t.rows > bound && !hd_pairs_is_interrupted(p)) {
        /* Everything is covered: save, remove a row and repair again. */
        if (t.open.count == 0) {
            save(&t, rows);
            remove_row(&t);
            continue;
        }
        uint64_t looks = make_move(&t);
        hd_check_valid(tabu_is_valid(&t), (uint64_t)t.symbols * (uint64_t)t.symbols * t.rows, t.move);
        *steps -= looks < *steps ? looks : *steps;
    }
    if (t.open.count == 0)
        save(&t, rows);
    tabu_fini(&t);
}
