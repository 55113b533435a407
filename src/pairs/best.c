/* Method "best": several constructions compete. Algebraic arrays fill some columns and are grown to
 * the rest; plain growth is the start; then rows are removed by search. All work is counted in
 * steps, so results do not depend on the machine. */
#include "pairs/algebra.h"
#include "pairs/generate.h"
#include "pairs/grow.h"
#include "pairs/search.h"

#include <string.h>

typedef struct contest {
    const hd_pairs_problem *problem;
    int columns;
    int *order; /* most values first */
    size_t bound;
    hd_pairs_rows best;
    const char *how;
    uint64_t steps; /* still to be spent */
} contest;

/* What one nominal second of search buys, in look-ups. */
static const double steps_per_second = 6e8;
enum { COST_OF_GROWTH = 16, MOST_GROWTHS = 50, STEPS_OF_A_CHANGE = 16, CHANGES = 60000, MOST_FAILURES = 3, SHARE = 12 };

static void spend(contest *x, uint64_t steps)
{
    x->steps -= steps < x->steps ? steps : x->steps;
}

static int levels(const contest *x, int rank)
{
    return hd_pairs_levels(x->problem->model, x->order[rank]);
}

/* The columns order[from .. from+count-1], then all others. */
static void order_from(const contest *x, int from, int count, int *order)
{
    int filled = 0;
    for (int i = 0; i < count; i++)
        order[filled++] = x->order[from + i];
    for (int i = 0; i < x->columns; i++)
        if (i < from || i >= from + count)
            order[filled++] = x->order[i];
}

/* The array in columns order[0 .. count-1] of otherwise empty rows. */
static void put_array(const contest *x, const hd_pairs_array *a, const int *order, int count, hd_pairs_rows *rows)
{
    for (int r = 0; r < a->rows; r++) {
        hd_pairs_cell *row = hd_pairs_rows_add(rows);
        for (int i = 0; i < count; i++) {
            hd_pairs_cell symbol = a->cells[(size_t)r * (size_t)a->columns + (size_t)i];
            row[order[i]] = symbol < hd_pairs_levels(x->problem->model, order[i]) ? symbol : HD_PAIRS_ANY;
        }
    }
}

/* Keeps the rows if they are fewer than the best so far. If they are not, a share of the remaining
 * steps goes into making them so. */
static bool compare(contest *x, hd_pairs_rows *rows, const char *how)
{
    if (rows->count >= x->best.count && hd_pairs_plain_pairs(x->problem)) {
        uint64_t share = x->steps / SHARE, left = share;
        hd_pairs_tabu(x->problem, &left, x->bound, rows);
        x->steps -= share - left;
    }
    if (rows->count >= x->best.count)
        return false;
    hd_pairs_rows_copy(&x->best, rows);
    x->how = how;
    return true;
}

/* Places the array in the columns order[from ..] and grows the other columns. */
static bool enter(contest *x, const hd_pairs_array *a, int from, const char *how)
{
    /* An array with as many rows as the best cannot win: growth only adds rows. */
    if (a->rows == 0 || a->rows >= (int)x->best.count)
        return false;
    int count = a->columns < x->columns - from ? a->columns : x->columns - from;
    int *order = hd_alloc(&hd_heap, (size_t)x->columns * sizeof *order);
    hd_pairs_rows rows = { .columns = x->columns };
    order_from(x, from, count, order);
    put_array(x, a, order, count, &rows);
    hd_pairs_growth growth = { .order = order };
    bool grown = hd_pairs_grow(x->problem, &growth, &rows);
    spend(x, rows.count * x->problem->interactions->count * COST_OF_GROWTH);
    bool won = grown && compare(x, &rows, how);
    hd_pairs_rows_fini(&rows);
    hd_release(&hd_heap, order, (size_t)x->columns * sizeof *order);
    return won;
}

static double power(double base, int exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/* Orthogonal arrays and their products over the first fields that are large enough. */
static void enter_fields(contest *x, int from, int strength)
{
    int tried = 0;
    /* Only the two smallest fields that are large enough: larger ones have more rows. */
    for (int q = levels(x, from); tried < 2 && power(q, strength) < (double)x->best.count; q++) {
        if (q < 2 || !hd_pairs_field_exists(q))
            continue;
        tried++;
        hd_pairs_array a = hd_pairs_orthogonal(q, strength);
        enter(x, &a, from, "orthogonal array");
        while (strength == 2 && a.columns < x->columns - from && a.rows + q * q - q < (int)x->best.count) {
            hd_pairs_array wider = hd_pairs_product(q, a.columns + 1);
            hd_pairs_array_fini(&a);
            a = wider;
            enter(x, &a, from, "product of orthogonal arrays");
        }
        hd_pairs_array_fini(&a);
    }
}

/* Searches for a cyclic array with this many rows, for all of the columns or else for fewer. */
static hd_pairs_array find_cyclic(contest *x, int symbols, int rows, int columns)
{
    int length = rows / (symbols - 1);
    hd_pairs_array a = { 0 };
    while (columns > 0 && !a.rows && x->steps > 0 && !hd_pairs_is_interrupted(x->problem)) {
        uint64_t cost = (uint64_t)STEPS_OF_A_CHANGE * (uint64_t)columns * CHANGES;
        spend(x, cost);
        a = hd_pairs_cyclic(symbols, rows, columns, x->problem->seed, CHANGES);
        /* On failure try one sequence fewer. */
        columns = columns > length ? (columns - 1) / length * length : 0;
    }
    return a;
}

/* Cyclic arrays with fewer and fewer rows for the `same` columns that have as many values as order[from]. */
static void enter_cyclic(contest *x, int from, int same)
{
    int v = levels(x, from), rows = (int)x->best.count - 1;
    for (int failures = 0; v > 2 && rows / (v - 1) > v && failures < MOST_FAILURES; rows--) {
        /* A cyclic array has a multiple of v - 1 rows, or one more. */
        if (rows % (v - 1) > 1)
            continue;
        hd_pairs_array a = find_cyclic(x, v, rows, same);
        failures = enter(x, &a, from, "cyclic array") ? 0 : failures + 1;
        hd_pairs_array_fini(&a);
        rows = rows < (int)x->best.count ? rows : (int)x->best.count;
    }
}

/* Repeats plain growth with other rules for ties, in at most half of the remaining steps. */
static void enter_growth(contest *x)
{
    /* A set that is not smaller than the best is abandoned early (most_rows). */
    uint64_t cost = (x->best.count + 1) * x->problem->interactions->count * COST_OF_GROWTH, share = x->steps / 2;
    bool goes_on = true;
    for (uint64_t i = 1; goes_on && share >= cost && i < MOST_GROWTHS && x->best.count > x->bound; i++, share -= cost) {
        hd_pairs_growth how = { .tie = i == 1 ? hd_pairs_tie_rarest : hd_pairs_tie_random };
        how.seed = x->problem->seed + i;
        how.most_rows = x->best.count - 1;
        hd_pairs_rows rows = { .columns = x->columns };
        if (hd_pairs_grow(x->problem, &how, &rows))
            compare(x, &rows, "ipo");
        hd_pairs_rows_fini(&rows);
        x->steps -= cost;
        goes_on = !hd_pairs_is_interrupted(x->problem);
    }
}

static void enter_arrays(contest *x, int strength)
{
    for (int from = 0, to; from < x->columns; from = to) {
        for (to = from + 1; to < x->columns && levels(x, to) == levels(x, from);)
            to++;
        enter_fields(x, from, strength);
        if (strength == 2)
            enter_cyclic(x, from, to - from);
    }
}

static void enter_binary(contest *x)
{
    int wide = 0;
    while (wide < x->columns && levels(x, wide) == 2)
        wide++;
    if (wide < 2)
        return;
    hd_pairs_array a = hd_pairs_binary(wide);
    enter(x, &a, 0, "binary bound");
    hd_pairs_array_fini(&a);
}

/* The strength, if the interactions are exactly all sets of that many columns and there are no
 * constraints; else 0. */
static int plain_strength(const hd_pairs_problem *p)
{
    const hd_pairs_interactions *i = p->interactions;
    double subsets = 1;
    for (int k = 0; k < i->widest; k++)
        subsets = subsets * ((double)p->model->parameters.count - k) / (k + 1);
    bool plain = (double)i->count > subsets - 0.5 && i->columns.count == i->count * (size_t)i->widest;
    return plain && !p->solver ? i->widest : 0;
}

/* Improves the result of growth by tabu search first: it often ends lower than the algebraic starts. */
static void enter_searched(contest *x)
{
    uint64_t share = x->steps / 2, left = share;
    hd_pairs_tabu(x->problem, &left, x->bound, &x->best);
    x->steps -= share - left;
}

static void contest_run(contest *x, size_t kept)
{
    /* Rows to keep rule out arrays: these would not contain them. */
    int strength = kept == 0 ? plain_strength(x->problem) : 0;
    if (strength == 2)
        enter_binary(x);
    if (kept == 0 && hd_pairs_plain_pairs(x->problem))
        enter_searched(x);
    if (strength >= 2 && x->best.count > x->bound)
        enter_arrays(x, strength);
    if (strength > 2)
        enter_growth(x);
    if (kept == 0 && hd_pairs_plain_pairs(x->problem))
        hd_pairs_tabu(x->problem, &x->steps, x->bound, &x->best);
    else
        hd_pairs_regrow(x->problem, &x->steps, x->bound, kept, &x->best);
}

const char *hd_pairs_best(const hd_pairs_problem *p, double effort, hd_pairs_rows *rows)
{
    size_t kept = rows->count;
    contest x = { .problem = p, .columns = (int)p->model->parameters.count, .bound = p->bound };
    x.how = hd_pairs_ipo(p, rows);
    if (!x.how)
        return NULL;
    x.order = hd_alloc(&hd_heap, (size_t)x.columns * sizeof *x.order);
    x.steps = (uint64_t)(effort * steps_per_second);
    x.best = *rows;
    hd_pairs_usual_order(p->model, x.order);
    if (rows->count > x.bound && rows->count > kept)
        contest_run(&x, kept);
    *rows = x.best;
    hd_release(&hd_heap, x.order, (size_t)x.columns * sizeof *x.order);
    return x.how;
}
