/* Where a thread's way depends on an expression: BRANCH entries in the log. What
 * a thread has decided once in a run is not logged again. */
#ifndef HD_RUNTIME_SYMBOLIC_BRANCH_H
#define HD_RUNTIME_SYMBOLIC_BRANCH_H

#include "abi/wire.h"

void hd_branch_init(void);
void hd_branch_reset(void);

/* The expression has this value, and the program goes on accordingly. 0, a
 * constant, is no branch. Where the program's value is not the expression's
 * (its behaviour is undefined, and the optimiser has made use of it), the
 * expression is only followed. */
void hd_branch(uint32_t expression, uint64_t value, const hd_site *site);

/* The same with flags for the log. */
void hd_branch_flagged(uint32_t expression, uint64_t value, const hd_site *site, uint16_t flags);

/* The program wants the expression, one bit wide, to be 1. */
void hd_branch_assume(uint32_t expression, uint64_t value, const hd_site *site);

/* Other values than the one it has are not explored. */
void hd_branch_follow(uint32_t expression, const hd_site *site);

#endif
