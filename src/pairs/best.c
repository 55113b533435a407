/* Method "best": what algebra offers for a part of the columns, grown to the
 * whole; plain growth; then search for rows that can go. */
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
static const double steps_per_second = 1e8;
enum { STEPS_OF_A_CHANGE = 60, CHANGES = 60000, TRIES = 2 };

static int levels(const contest *x, int place)
{
    return hd_pairs_levels(x->problem->model, x->order[place]);
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

/* Gives the array to the columns order[from ..], grows the rest, and keeps the result if it is the smallest. */
static void enter(contest *x, const hd_pairs_array *a, int from, const char *how)
{
    int count = a->columns < x->columns - from ? a->columns : x->columns - from;
    int *order = hd_alloc(&hd_heap, (size_t)x->columns * sizeof *order);
    hd_pairs_rows rows = { .columns = x->columns };
    order_from(x, from, count, order);
    for (int r = 0; r < a->rows; r++) {
        hd_pairs_cell *row = hd_pairs_rows_add(&rows);
        for (int i = 0; i < count; i++) {
            hd_pairs_cell symbol = a->cells[(size_t)r * (size_t)a->columns + (size_t)i];
            row[order[i]] = symbol < levels(x, from + i) ? symbol : HD_PAIRS_ANY;
        }
    }
    hd_pairs_growth growth = { .order = order, .most_rows = x->best.count - 1 };
    if (rows.count < x->best.count && hd_pairs_grow(x->problem, &growth, &rows)) {
        hd_pairs_rows_copy(&x->best, &rows);
        x->how = how;
    }
    hd_pairs_rows_fini(&rows);
    hd_release(&hd_heap, order, (size_t)x->columns * sizeof *order);
}

static double power(double base, int exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/* Orthogonal arrays and their products over the first fields that are large enough. */
static void enter_fields(contest *x, int from, int strength)
{
    int tried = 0;
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

/* Cyclic arrays for as many columns as possible, with fewer and fewer rows. */
static void enter_cyclic(contest *x, int from, int same)
{
    int v = levels(x, from), length = ((int)x->best.count - 2) / (v - 1);
    for (int failures = 0; v > 2 && length > v && failures < TRIES; length--) {
        hd_pairs_array a = { 0 };
        for (int columns = same; columns > 0 && !a.rows && x->steps > 0;
             columns = columns > length ? (columns - 1) / length * length : 0) {
            uint64_t cost = (uint64_t)STEPS_OF_A_CHANGE * (uint64_t)columns * CHANGES / 30;
            x->steps -= cost < x->steps ? cost : x->steps;
            a = hd_pairs_cyclic(v, length, columns, x->problem->seed, CHANGES);
        }
        size_t before = x->best.count;
        if (a.rows)
            enter(x, &a, from, "cyclic array");
        failures = x->best.count < before ? 0 : failures + 1;
        hd_pairs_array_fini(&a);
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

/* The strength, if every interaction of that many columns is needed and nothing else. */
static int plain_strength(const hd_pairs_problem *p)
{
    const hd_pairs_interactions *i = p->interactions;
    double subsets = 1;
    for (int k = 0; k < i->widest; k++)
        subsets = subsets * ((double)p->model->parameters.count - k) / (k + 1);
    bool plain = (double)i->count > subsets - 0.5 && i->columns.count == i->count * (size_t)i->widest;
    return plain && !p->solver ? i->widest : 0;
}

static void contest_run(contest *x, size_t kept)
{
    int strength = kept == 0 ? plain_strength(x->problem) : 0;
    if (strength == 2)
        enter_binary(x);
    if (strength >= 2 && x->best.count > x->bound)
        enter_arrays(x, strength);
    if (kept == 0 && hd_pairs_plain_pairs(x->problem))
        hd_pairs_tabu(x->problem, &x->steps, x->bound, &x->best);
    else
        hd_pairs_regrow(x->problem, &x->steps, x->bound, kept, &x->best);
}

const char *hd_pairs_best(const hd_pairs_problem *p, double effort, hd_pairs_rows *rows)
{
    size_t kept = rows->count;
    contest x = { .problem = p, .columns = (int)p->model->parameters.count, .bound = hd_pairs_lower_bound(p) };
    x.how = hd_pairs_ipo(p, rows);
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
