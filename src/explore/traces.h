/* Counting traces without any cleverness: the fingerprint of an execution's
 * Mazurkiewicz trace, from the definition. Two executions have the same one iff
 * one can be turned into the other by swapping neighbours that commute (but for
 * hash collisions). The oracle that the explorers' counts are checked against. */
#ifndef HD_EXPLORE_TRACES_H
#define HD_EXPLORE_TRACES_H

#include "base/memory.h"
#include "event/plan.h"

uint64_t hd_trace_fingerprint(const hd_execution *e, hd_memory *memory);

#endif
