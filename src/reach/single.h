/* One race at a time (Tai; 3.1 and 3.2 of the paper): variants in which one decision has another outcome, and that keep
 * all that does not happen after it. Several of them may lead to the same sequence. */
#ifndef HD_REACH_SINGLE_H
#define HD_REACH_SINGLE_H

#include "reach/variant.h"

/* Opaque in use. */
typedef struct hd_sr_singles {
    hd_sr_variant variant;
    uint32_t decision, next; /* the next outcome of the decision */
} hd_sr_singles;

void hd_sr_singles_init(hd_sr_singles *v, const hd_sr *q, hd_memory *memory);
void hd_sr_singles_fini(hd_sr_singles *v);

/* Goes on to the next variant; false: there is none. */
bool hd_sr_singles_next(hd_sr_singles *v);

#endif
