/* Ways to extend m rows by a column of d values, up to renaming the values
 * (Theorems 4.4.1 to 4.4.4): renaming does not change how many rows vertical
 * growth must add, so one representative per class is enough. Representatives
 * are the sequences in which each value is at most one above all before it. */
#ifndef HD_PAIRS_CLASSES_H
#define HD_PAIRS_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

/* N(m, d), the number of classes; UINT64_MAX if it does not fit. */
uint64_t hd_pairs_class_count(int m, int d);

/* Turns the representative in `values` (m of them, below d) into the next one;
 * all zeros is the first. False after the last. */
bool hd_pairs_next_class(int *values, int m, int d);

#endif
