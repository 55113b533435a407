/* Method "ipo": the paper's growth. Small systems are grown again with other
 * ways to break ties, as long as a fixed amount of work lasts. */
#include "pairs/generate.h"
#include "pairs/grow.h"

enum { MOST_RUNS = 1700, MOST_BALANCED = 40, MANY_VALUES = 8 };
static const size_t small_work = 230000, most_work = 1200000; /* in look-ups: rows × interactions */
static const size_t solver_cost = 16;

/* The rules for ties of the i-th run: the paper's first; then random ones, alternating with "rarest
 * value first" for fewer and fewer of the first columns. */
static hd_pairs_growth variation(uint64_t i, uint64_t seed)
{
    if (i == 0)
        return (hd_pairs_growth) { .tie = hd_pairs_tie_first };
    if (i == 2)
        return (hd_pairs_growth) { .tie = hd_pairs_tie_rarest };
    if (i % 2 == 0 && i < MOST_BALANCED)
        return (hd_pairs_growth) { .balanced = 112 / i };
    return (hd_pairs_growth) { .tie = hd_pairs_tie_random, .seed = seed * MOST_RUNS + i };
}

/* Whether another run is worth its time. With many values the paper's rule can follow the pattern
 * of a Latin square that cannot be continued, so there at least one random run is made. */
static bool worthwhile(const hd_pairs_problem *p, uint64_t runs, size_t work)
{
    bool many_values = p->bound > MANY_VALUES * MANY_VALUES && runs == 1;
    return work < most_work && (work <= small_work * runs || many_values);
}

const char *hd_pairs_ipo(const hd_pairs_problem *p, hd_pairs_rows *rows)
{
    hd_pairs_rows start = { 0 }, best = { 0 };
    size_t work = 0;
    hd_pairs_rows_copy(&start, rows);
    for (uint64_t i = 0; i < MOST_RUNS; i++) {
        hd_pairs_growth how = variation(i, p->seed);
        /* A run that cannot beat the best is abandoned. */
        how.most_rows = best.count > 0 ? best.count - 1 : 0;
        hd_pairs_rows_copy(rows, &start);
        if (hd_pairs_grow(p, &how, rows))
            hd_pairs_rows_copy(&best, rows);
        work += (rows->count + 1) * p->interactions->count * (p->solver ? solver_cost : 1);
        if (hd_pairs_is_interrupted(p) || !worthwhile(p, i + 1, work) || best.count <= p->bound
            || best.count <= start.count)
            break;
    }
    bool complete = best.count > 0 || !hd_pairs_is_interrupted(p);
    if (complete)
        hd_pairs_rows_copy(rows, &best);
    hd_pairs_rows_fini(&start);
    hd_pairs_rows_fini(&best);
    return complete ? "ipo" : NULL;
}
