/* The effect of an operation that is moved before another step.
 *
 * A try, a signal, an atomic update and the like may have another effect there. Mostly
 * it can be computed: from the history of its object without that step and its dependents
 * (is the lock held, does a thread wait, has a cancellation been sent), or from the value
 * that the step found in the same bytes. What an atomic block does after it has read
 * something else cannot be known without running it.
 * (docs/algorithms/dpor.md, "Where we differ from the papers") */
#ifndef HD_DPOR_REORDERED_EFFECT_H
#define HD_DPOR_REORDERED_EFFECT_H

#include "dpor/reversal.h"

/* Changes `op`, the k-th operation of `later`, to what it is before `earlier`. False: that is not known exactly; it may
 * conflict with less than `op` says. */
bool hd_reordered_effect(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t k, hd_op *op);

/* Did `later` see an effect of `earlier` or of a step that depends on it? */
bool hd_reordered_saw(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later);

/* Is `later` an atomic block, or a composed step, whose effect there is unknown? */
bool hd_reordered_is_unknown(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later);

/* Does the operation check for a cancellation while it waits? Its step also reads the thread's cancellation state. */
bool hd_reordered_polls(const hd_op *op);

#endif
