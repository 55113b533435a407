/* A fast pre-check for data races: one pass over the log of an execution, without a trace. For samplers, which need
 * nothing else from most executions.
 *
 * It computes sync clocks as a trace does (event/trace.h), but keeps less per object: for each thread the number of its
 * last access of each sort, the clock of the last release, and the join of the clocks of releases that commute.
 * Wherever information is lost, less order is assumed than there is. So "no" is certain; after "yes" a trace decides.
 *
 * Most memory is passed from thread to thread with proper synchronisation. Then one comparison is enough, as in
 * FastTrack (Flanagan and Freund, 2009): with the last access of the *owner*, which all other accesses happen before.
 * Here it covers accesses of all sorts and all bytes of a cell, and a new owner is found as soon as a thread's clock
 * covers everything again. */
#ifndef HD_EVENT_SCAN_H
#define HD_EVENT_SCAN_H

#include "base/memory.h"
#include "event/plan.h"

typedef struct hd_scan hd_scan;

hd_scan *hd_scan_open(hd_memory *memory);
void hd_scan_close(hd_scan *s);

/* May two accesses of the execution race? */
bool hd_scan_may_race(hd_scan *s, const hd_execution *e);

#endif
