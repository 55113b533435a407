/* Race variants: a sequence in which one decision has another outcome, and from which all that happens after it is
 * removed. What is kept can be executed again, and the program goes on from there.
 *
 * One decision at a time is enough, because a variant is compared with all known sequences before it is run
 * (docs/algorithms/reach.md, "One change at a time"). A variant may be impossible although each of its pairs is
 * possible: receives that find nothing must come before the sends that they miss, and with causal delivery messages lie
 * in one queue. Then smaller variants are tried, which keep less. */
#ifndef HD_REACH_VARIANT_H
#define HD_REACH_VARIANT_H

#include "event/plan.h"
#include "reach/sequence.h"

/* The variants of one sequence, one after the other; opaque in use. */
typedef struct hd_sr_variants {
    const hd_sr *q;
    uint32_t decision, next; /* the next outcome to try of the decision */
    uint32_t to; /* the outcome of the current variant: a send, HD_SR_NONE (finds nothing), or of a choice */
    hd_vec(bool) kept; /* of each event */
    hd_vec(uint32_t) order; /* the kept events, as they can be executed */
    hd_vec(uint32_t) cuts; /* variants that keep less: of each as many bits as there are events */
    size_t tried; /* of `cuts` */
} hd_sr_variants;

void hd_sr_variants_init(hd_sr_variants *v, const hd_sr *q, hd_memory *memory);
void hd_sr_variants_fini(hd_sr_variants *v);

/* Goes on to the next variant; false: there is none. */
bool hd_sr_variants_next(hd_sr_variants *v);

/* The outcome of a kept event in the variant. */
uint32_t hd_sr_variant_outcome(const hd_sr_variants *v, uint32_t event);

typedef hd_vec(hd_choice) hd_sr_schedule;

/* The schedule that executes the current variant; `out` is cleared first. */
void hd_sr_variant_schedule(const hd_sr_variants *v, hd_sr_schedule *out);

#endif
