#include "pairs/algebra.h"

#include <string.h>

enum { LARGEST_FIELD = 127 };

/* Arithmetic in a finite field: elements are 0 .. q-1, the digits of an
 * element in base p are the coefficients of a polynomial. */
typedef struct field {
    int q, p, degree;
    int reduction[8]; /* x^degree in terms of lower powers */
} field;

static hd_pairs_array array_init(int rows, int columns, int symbols)
{
    hd_pairs_array a = { rows, columns, symbols, NULL };
    a.cells = hd_alloc(&hd_heap, (size_t)rows * (size_t)columns * sizeof *a.cells);
    return a;
}

void hd_pairs_array_fini(hd_pairs_array *a)
{
    hd_release(&hd_heap, a->cells, (size_t)a->rows * (size_t)a->columns * sizeof *a->cells);
    *a = (hd_pairs_array) { 0 };
}

static hd_pairs_cell *cell(const hd_pairs_array *a, int row, int column)
{
    return &a->cells[(size_t)row * (size_t)a->columns + (size_t)column];
}

/* --- fields ------------------------------------------------------------------- */

/* Divides by the smallest prime factor until 1 is left, or something else. */
static bool prime_power(int q, int *p, int *degree)
{
    for (*p = 2; *p <= q; ++*p)
        if (q % *p == 0)
            break;
    *degree = 0;
    while (q > 1 && q % *p == 0) {
        q /= *p;
        ++*degree;
    }
    return q == 1 && *degree > 0;
}

bool hd_pairs_field_exists(int q)
{
    int p, degree;
    return q <= LARGEST_FIELD && prime_power(q, &p, &degree);
}

static int add(const field *f, int a, int b)
{
    int sum = 0;
    for (int i = 0, weight = 1; i < f->degree; i++, weight *= f->p, a /= f->p, b /= f->p)
        sum += (a % f->p + b % f->p) % f->p * weight;
    return sum;
}

/* a·x */
static int times_x(const field *f, int a)
{
    /* Shift all digits up by one; the digit that falls out at the top is replaced by that multiple
     * of x^degree. */
    int top = a / (f->q / f->p), low = a % (f->q / f->p) * f->p;
    for (int i = 0; i < top; i++) {
        int reduction = 0;
        for (int k = f->degree - 1; k >= 0; k--)
            reduction = reduction * f->p + f->reduction[k];
        low = add(f, low, reduction);
    }
    return low;
}

/* Horner's scheme over the digits of b. */
static int multiply(const field *f, int a, int b)
{
    int product = 0;
    for (; b > 0; b /= f->p, a = times_x(f, a))
        for (int i = 0; i < b % f->p; i++)
            product = add(f, product, a);
    return product;
}

/* Whether x generates all q - 1 nonzero elements: then all of these have inverses, and the
 * reduction gives a field. */
static bool x_generates(const field *f)
{
    int power = times_x(f, 1), order = 1;
    for (; power != 1; power = times_x(f, power), order++)
        if (power == 0 || order == f->q)
            return false;
    return order == f->q - 1;
}

/* Tries reduction polynomials until one is primitive; there is one for every prime power. */
static field field_of(int q)
{
    field f = { .q = q };
    hd_assert(prime_power(q, &f.p, &f.degree));
    for (int code = 0; f.degree > 1 && code < q; code++) {
        for (int k = 0, rest = code; k < f.degree; k++, rest /= f.p)
            f.reduction[k] = rest % f.p;
        if (x_generates(&f))
            break;
    }
    return f;
}

/* --- orthogonal arrays and products ---------------------------------------------- */

hd_pairs_array hd_pairs_orthogonal(int q, int strength)
{
    field f = field_of(q);
    int rows = 1, coefficients[HD_PAIRS_MOST_STRENGTH];
    for (int i = 0; i < strength; i++)
        rows *= q;
    hd_pairs_array a = array_init(rows, q + 1, q);
    for (int r = 0; r < rows; r++) {
        for (int i = 0, rest = r; i < strength; i++, rest /= q)
            coefficients[i] = rest % q;
        for (int x = 0; x < q; x++) {
            int value = 0;
            /* The value at x of the polynomial with the row's coefficients (Bush): polynomials of
             * degree below t that agree at t points are equal, so any t columns have each tuple
             * once. The last column, the leading coefficient, is "x = infinity". */
            for (int i = strength - 1; i >= 0; i--)
                value = add(&f, multiply(&f, value, x), coefficients[i]);
            *cell(&a, r, x) = (hd_pairs_cell)value;
        }
        *cell(&a, r, q) = (hd_pairs_cell)coefficients[strength - 1];
    }
    return a;
}

/* The product (Stevens and Mendelsohn): column (i, x) is column i of `a` in the first rows, then
 * column x of the orthogonal array in those of its rows that are not constant there (its first q
 * rows are constant). One more column takes the orthogonal array's last one, and zeros before.
 * Columns with different i are covered by `a`, those with equal i by the orthogonal array; pairs of
 * equal symbols are in `a` already. */
static hd_pairs_array multiply_arrays(const hd_pairs_array *a, const hd_pairs_array *b)
{
    int q = b->symbols;
    hd_pairs_array c = array_init(a->rows + q * q - q, a->columns * q + 1, q);
    for (int r = 0; r < a->rows; r++)
        for (int k = 0; k < c.columns - 1; k++)
            *cell(&c, r, k) = *cell(a, r, k / q);
    for (int r = q; r < q * q; r++) {
        int to = a->rows + r - q;
        for (int k = 0; k < c.columns - 1; k++)
            *cell(&c, to, k) = *cell(b, r, k % q);
        *cell(&c, to, c.columns - 1) = *cell(b, r, q);
    }
    return c;
}

hd_pairs_array hd_pairs_product(int q, int columns)
{
    hd_pairs_array b = hd_pairs_orthogonal(q, 2), a = hd_pairs_orthogonal(q, 2);
    while (a.columns < columns) {
        hd_pairs_array wider = multiply_arrays(&a, &b);
        hd_pairs_array_fini(&a);
        a = wider;
    }
    hd_pairs_array_fini(&b);
    return a;
}

/* --- two values ------------------------------------------------------------------- */

static double choose(int n, int k)
{
    double ways = 1;
    for (int i = 0; i < k; i++)
        ways = ways * (n - i) / (i + 1);
    return ways;
}

/* The smallest N with C(N - 1, ceil(N/2)) >= columns (Kleitman and Spencer, Katona). */
int hd_pairs_binary_size(int columns)
{
    int rows = 4;
    while (choose(rows - 1, (rows + 1) / 2) + 0.5 < columns)
        rows++;
    return rows;
}

/* Each column is the indicator of a different set of ⌈N/2⌉ rows after the first. Two such sets
 * always intersect (both values 1), neither contains the other (1 and 0, 0 and 1), and the first
 * row has 0 in all columns. */
hd_pairs_array hd_pairs_binary(int columns)
{
    int rows = hd_pairs_binary_size(columns), size = (rows + 1) / 2;
    hd_pairs_array a = array_init(rows, columns, 2);
    uint64_t set = (1ull << size) - 1;
    for (int c = 0; c < columns; c++) {
        for (int r = 1; r < rows; r++)
            *cell(&a, r, c) = set >> (r - 1) & 1;
        uint64_t low = set & -set, up = set + low; /* the next greater number with as many bits set (Gosper) */
        set = up | ((set ^ up) / low) >> 2;
    }
    return a;
}
