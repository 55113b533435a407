/* Validity checks in debug builds (make DEBUG=1).
 *
 * A central structure has a function `hd_x_is_valid`. Its header says which invariants it checks, and its
 * unit test breaks each of them. hd_check_valid calls it after every step that changes the structure; in
 * release builds it is compiled and never called. A structure that is not valid ends the process: hd_assert, which
 * the includer has from base/error.h or, in the runtime, from runtime/core/assert.h.
 *
 * The cost is graded. `cost` estimates what one check takes, in comparisons. Up to HD_VALID_BUDGET every
 * step is checked. A more expensive check runs at every n-th step only, so that a step costs about as
 * much on average, however large the structure is. `step` counts the steps: which of them are checked
 * depends on counts alone, so a check that fails does so in every run. It may be the size that the cost
 * comes from. */
#ifndef HD_ABI_VALID_H
#define HD_ABI_VALID_H

#include <stdint.h>

enum { HD_VALID_BUDGET = 1024 };

static inline int hd_valid_is_due(uint64_t cost, uint64_t step)
{
    /* Scrambled: the remainder of a size by a fraction of itself might never be 0. */
    return cost <= HD_VALID_BUDGET || (step * 0x9e3779b97f4a7c15u >> 32) % (cost / HD_VALID_BUDGET + 1) == 0;
}

#ifdef HD_DEBUG
#define hd_check_valid(valid, cost, step) ((void)(hd_valid_is_due(cost, step) && (hd_assert(valid), 1)))
#else
#define hd_check_valid(valid, cost, step) ((void)(0 && hd_valid_is_due(cost, step) && (valid)))
#endif

#endif
