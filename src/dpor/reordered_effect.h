/* What an operation does in another place.
 *
 * A try, a signal, an atomic update or the like may do something else when it is
 * moved before another step. Mostly that can be told: from the history of its
 * object without that step and what depends on it (is the lock held there, does
 * anybody wait, has a cancellation been sent), or from the value that the step
 * found in the same bytes. What an atomic block does after it has seen something
 * else cannot be told without running it.
 */
#ifndef HD_DPOR_REORDERED_EFFECT_H
#define HD_DPOR_REORDERED_EFFECT_H

#include "dpor/reversal.h"

/* Makes `op`, the k-th operation of `later`, what it is before `earlier`; false:
 * that is not known exactly, and it may do less than this. */
bool hd_reordered_effect(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t k, hd_op *op);

/* Did `later` see something that `earlier`, or what depends on it, did? */
bool hd_reordered_saw(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later);

/* Is `later` an atomic block that may do anything there? */
bool hd_reordered_is_unknown(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later);

/* Is it the look for a cancellation in a wait? Its step also looks at the thread. */
bool hd_reordered_polls(const hd_op *op);

#endif
