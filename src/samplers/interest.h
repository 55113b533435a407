/* What surw finds interesting: the objects that several threads use, and how often each thread does
 * (docs/algorithms/surw.md).
 *
 * The counts are those of one execution, which is replaced from time to time. Counts of threads are estimates: another
 * schedule may use an object more or less often. */
#ifndef HD_SAMPLERS_INTEREST_H
#define HD_SAMPLERS_INTEREST_H

#include "base/rng.h"
#include "event/plan.h"

typedef struct hd_interest hd_interest;

hd_interest *hd_interest_open(hd_memory *memory);
void hd_interest_close(hd_interest *x);

/* Counts the operations of the execution; `flows`: plain accesses were no scheduling decisions. */
void hd_interest_learn(hd_interest *x, const hd_execution *e, bool flows);

/* Sets the plan's interesting operations: those on one object at random, all with the same probability; or, in one plan
 * of four, all operations. */
void hd_interest_plan(hd_interest *x, hd_rng *rng, hd_plan *plan);

#endif
