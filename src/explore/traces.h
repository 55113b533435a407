/* The fingerprint of an execution's Mazurkiewicz trace, straight from the definition. Two executions have the same
 * fingerprint iff one can be turned into the other by swapping adjacent steps that commute (but for hash collisions).
 * Tests compare the counts of the explorers with the number of fingerprints. */
#ifndef HD_EXPLORE_TRACES_H
#define HD_EXPLORE_TRACES_H

#include "base/memory.h"
#include "event/plan.h"

uint64_t hd_trace_fingerprint(const hd_execution *e, hd_memory *memory);

/* The same for SR-sequences (definition 15 of docs/algorithms/reach.md): executions with the same one have, in each
 * thread, the same sends, receives of the same messages, and choices. 0: it has none of these. */
uint64_t hd_sequence_fingerprint(const hd_execution *e);

#endif
