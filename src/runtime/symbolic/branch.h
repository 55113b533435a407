/* Branches on expressions: BRANCH entries in the log. An expression on which a thread has branched in this run is not
 * logged again by that thread: its value is fixed by the path. */
#ifndef HD_RUNTIME_SYMBOLIC_BRANCH_H
#define HD_RUNTIME_SYMBOLIC_BRANCH_H

#include "abi/wire.h"

void hd_branch_init(void);
void hd_branch_reset(void);

/* The program branches on the expression, which has this value. Expression 0, a constant, is no branch. If the
 * program's value differs from the expression's (undefined behaviour that the optimiser has made use of), the
 * expression is only followed. */
void hd_branch(uint32_t expression, uint64_t value, const hd_site *site);

/* The same with flags for the log. */
void hd_branch_flagged(uint32_t expression, uint64_t value, const hd_site *site, uint16_t flags);

/* The program assumes that the expression, one bit wide, is 1. */
void hd_branch_assume(uint32_t expression, uint64_t value, const hd_site *site);

/* Follows the expression: fixes it to its value, because what the program does with it cannot be tracked. Other values
 * are not explored. */
void hd_branch_follow(uint32_t expression, const hd_site *site);

#endif
