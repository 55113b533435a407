/* A suite of at most so many tests (`heddle suite --max=N`): those that reach the most goals together.
 *
 * Greedy: again and again the test that reaches the most goals which no chosen test reaches; of equal ones, a test that
 * shows a failure, then the first. So N tests reach at least 63 % of the goals that any N of them reach (Nemhauser,
 * Wolsey, Fisher, 1978). The goals of the others are *lost*. */
#ifndef HD_SUITE_BEST_H
#define HD_SUITE_BEST_H

#include "suite/suite_maker.h"

/* Keeps the best `most` tests of those that were added or kept, and marks the others as HD_SUITE_BEYOND. Goals that
 * only those reach are no longer reached. Returns the number of lost goals. */
uint32_t hd_suite_best(hd_suite_maker *x, uint32_t most);

#endif
