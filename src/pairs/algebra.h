/* Covering arrays by algebra. Over a field of q elements, q^t rows cover every t of q + 1 columns
 * exactly once (an orthogonal array, Bush 1952); products make pairwise arrays of many more columns
 * (Stevens and Mendelsohn 1999); and for two values the smallest array of any width is known
 * (Kleitman and Spencer, Katona 1973).
 *
 * The caller writes an array into chosen columns of its rows; symbols that a column does not have
 * become don't-cares. */
#ifndef HD_PAIRS_ALGEBRA_H
#define HD_PAIRS_ALGEBRA_H

#include "pairs/needs.h"

/* An array of `rows` × `columns` symbols 0 .. symbols-1; -1: any symbol. */
typedef struct hd_pairs_array {
    int rows, columns, symbols;
    hd_pairs_cell *cells; /* row by row */
} hd_pairs_array;

/* Whether there is a field of q elements: q is a power of a prime (here: below 128). */
bool hd_pairs_field_exists(int q);

/* The orthogonal array of q^strength rows and q + 1 columns. */
hd_pairs_array hd_pairs_orthogonal(int q, int strength);

/* A pairwise array of at least `columns` columns over q symbols: the orthogonal
 * array, multiplied with itself until it is wide enough. */
hd_pairs_array hd_pairs_product(int q, int columns);

/* How many rows pairwise covering of `columns` columns of two values needs, and such an array. */
int hd_pairs_binary_size(int columns);
hd_pairs_array hd_pairs_binary(int columns);

/* A pairwise array developed from cyclic sequences of symbols: its rows are all
 * their shifts, with each element of Z_(symbols-1) added to all symbols but the
 * last, which stays (Meagher and Stevens 2005); and, if `rows` is not a multiple
 * of symbols-1 but one more, a row of the last symbol only. Searches for the
 * sequences in at most `changes` changes; gives no rows if it finds none. */
hd_pairs_array hd_pairs_cyclic(int symbols, int rows, int columns, uint64_t seed, uint64_t changes);

void hd_pairs_array_fini(hd_pairs_array *a);

#endif
