/* Cyclic arrays, found by simulated annealing. Instead of the whole array only a few sequences of
 * symbols are searched for: developing them by shifts and by adding group elements yields the
 * array. It is a covering array if, for every two of their shifts, every difference of symbols
 * (every class of pairs) occurs. */
#include "pairs/algebra.h"

#include "base/rng.h"

#include <string.h>

/* Symbols are 0 .. group-1 and the fixed symbol `group`. Adding a group element keeps the class of
 * a pair of symbols: its difference; first fixed; second fixed; both fixed. So one pair of each
 * class covers all pairs. */
typedef struct cyclic {
    int length, sequences, group;
    int classes; /* number of classes that must occur; "both fixed" is not needed if a constant row is added */
    int last_used; /* shifts of the last sequence that become columns; of the other sequences all do */
    hd_pairs_cell *symbols; /* sequence by sequence */
    uint16_t *counts; /* per two sequences, shift and class */
    int missing; /* classes with count 0 */
    hd_rng rng;
} cyclic;

static int class_of(const cyclic *c, int a, int b)
{
    if (a == c->group)
        return b == c->group ? c->group + 2 : c->group;
    return b == c->group ? c->group + 1 : (a - b + c->group) % c->group;
}

/* Which combinations of sequences and shifts are counted: i < j with every shift, i = j with half
 * of them, since the rest is their mirror image. */
static bool counts_here(const cyclic *c, int i, int j, int shift)
{
    int used = i == c->sequences - 1 ? c->last_used : c->length;
    return i < j || (i == j && shift > 0 && 2 * shift <= c->length && (shift < used || c->length - shift < used));
}

static uint16_t *count_at(const cyclic *c, int i, int j, int shift, int class)
{
    size_t at = ((size_t)i * (size_t)c->sequences + (size_t)j) * (size_t)c->length + (size_t)shift;
    return &c->counts[at * (size_t)(c->group + 3) + (size_t) class];
}

static void count(cyclic *c, int i, int j, int shift, int a, int b, int by)
{
    int class = class_of(c, a, b);
    uint16_t *counter = count_at(c, i, j, shift, class);
    if (class < c->classes && by > 0)
        c->missing -= *counter == 0;
    *counter = (uint16_t)(*counter + by);
    if (class < c->classes && by < 0)
        c->missing += *counter == 0;
}

/* Adds (by = 1) or removes (by = -1) all pairs with the symbol at position `at` of sequence `i`. */
static void count_symbol(cyclic *c, int i, int at, int by)
{
    int n = c->length, mine = c->symbols[i * n + at];
    for (int j = 0; j < c->sequences; j++)
        for (int shift = 0; shift < n; shift++) {
            if (counts_here(c, i, j, shift))
                count(c, i, j, shift, mine, c->symbols[j * n + (at + shift) % n], by);
            if (counts_here(c, j, i, shift))
                count(c, j, i, shift, c->symbols[j * n + (at - shift + n) % n], mine, by);
        }
}

static void start(cyclic *c)
{
    int n = c->length;
    memset(c->counts, 0, (size_t)(c->sequences * c->sequences * n * (c->group + 3)) * sizeof *c->counts);
    c->missing = 0;
    for (int i = 0; i < c->sequences * n; i++)
        c->symbols[i] = (hd_pairs_cell)hd_rng_below(&c->rng, (uint64_t)c->group + 1);
    for (int i = 0; i < c->sequences; i++)
        for (int j = i; j < c->sequences; j++)
            for (int shift = 0; shift < n; shift++) {
                if (!counts_here(c, i, j, shift))
                    continue;
                /* Every counted combination of sequences and shift needs every class. */
                c->missing += c->classes;
                for (int at = 0; at < n; at++)
                    count(c, i, j, shift, c->symbols[i * n + at], c->symbols[j * n + (at + shift) % n], 1);
            }
}

static void set(cyclic *c, int i, int at, int symbol)
{
    count_symbol(c, i, at, -1);
    c->symbols[i * c->length + at] = (hd_pairs_cell)symbol;
    count_symbol(c, i, at, 1);
}

/* Metropolis rule: accept a loss with probability e^(-loss / heat), heat in thousandths. In
 * integers, so that every machine decides alike: 2^(-quarters / 4) is a table entry shifted. */
static bool accepts(cyclic *c, int loss, uint64_t heat)
{
    static const uint64_t quarter_powers[] = { 1ull << 63, 0x6ba27e656b4eb57a, 0x5a827999fcef3242, 0x4c1bf828c6dc54b8 };
    uint64_t quarters = (uint64_t)loss * 5771 / heat; /* 4 / ln 2 */
    return quarters < 4 * 63 && hd_rng_next(&c->rng) >> 1 < quarter_powers[quarters % 4] >> (quarters / 4);
}

/* Annealing; true when nothing is missing. */
static bool anneal(cyclic *c, uint64_t changes)
{
    start(c);
    for (uint64_t change = 0; change < changes && c->missing > 0; change++) {
        int i = (int)hd_rng_below(&c->rng, (uint64_t)c->sequences),
            at = (int)hd_rng_below(&c->rng, (uint64_t)c->length);
        int before = c->symbols[i * c->length + at], missing = c->missing;
        /* Change one symbol; take it back if the loss is not accepted. */
        set(c, i, at, (int)hd_rng_below(&c->rng, (uint64_t)c->group + 1));
        if (c->missing > missing && !accepts(c, c->missing - missing, 150 + 500 * (changes - change) / changes))
            set(c, i, at, before);
    }
    return c->missing == 0;
}

/* Row r is the sequences shifted by r / group with r added to all symbols but the fixed one; the
 * last row, if any, is all fixed. */
static hd_pairs_array develop(const cyclic *c, int columns)
{
    int n = c->length, rows = n * c->group + (c->classes == c->group + 2);
    hd_pairs_array a = { rows, columns, c->group + 1, NULL };
    a.cells = hd_alloc(&hd_heap, (size_t)rows * (size_t)columns * sizeof *a.cells);
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < columns; k++) {
            int symbol = c->symbols[k / n * n + (k + r / c->group) % n];
            bool fixed = symbol == c->group || r == n * c->group;
            a.cells[(size_t)r * (size_t)columns + (size_t)k] =
                (hd_pairs_cell)(fixed ? c->group : (symbol + r) % c->group);
        }
    return a;
}

hd_pairs_array hd_pairs_cyclic(int symbols, int rows, int columns, uint64_t seed, uint64_t changes)
{
    int length = rows / (symbols - 1), constant = rows % (symbols - 1);
    hd_assert(constant <= 1);
    cyclic c = { .length = length, .sequences = (columns + length - 1) / length, .group = symbols - 1 };
    c.classes = c.group + 3 - constant;
    c.last_used = columns - (c.sequences - 1) * length;
    size_t size = (size_t)(c.sequences * length), counts = size * (size_t)c.sequences * (size_t)(c.group + 3);
    hd_pairs_array found = { 0 };
    c.symbols = hd_alloc(&hd_heap, size * sizeof *c.symbols);
    c.counts = hd_alloc(&hd_heap, counts * sizeof *c.counts);
    hd_rng_seed(&c.rng, seed);
    if (anneal(&c, changes))
        found = develop(&c, columns);
    hd_release(&hd_heap, c.symbols, size * sizeof *c.symbols);
    hd_release(&hd_heap, c.counts, counts * sizeof *c.counts);
    return found;
}
