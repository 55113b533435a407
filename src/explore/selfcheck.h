/* heddle checks itself: some plans are run twice, first in a process that has never run the program and then as usual,
 * and the executions are compared operation by operation, with values.
 *
 * An execution must depend on its plan alone. Resetting memory restores what heddle knows of; a fresh process has
 * nothing to restore. A difference between the two means that state has survived an earlier execution, or that the
 * program is not deterministic; then the search proves nothing. With fork isolation both processes are fresh, so a
 * difference means that the program is not deterministic.
 *
 * The first execution of a search is compared, then one at each doubling of their number, and the last one. Each
 * comparison costs a fork and a run. If all together would take more than 20 ms and more than a fiftieth of the time,
 * the next one is postponed; the last is left out if it alone takes that long. The fresh process runs first, because
 * the explorer learns from the other one. */
#ifndef HD_EXPLORE_SELFCHECK_H
#define HD_EXPLORE_SELFCHECK_H

#include "target/target.h"

typedef struct hd_selfcheck hd_selfcheck;

hd_selfcheck *hd_selfcheck_open(hd_memory *memory);
void hd_selfcheck_close(hd_selfcheck *c);

/* A search starts, from the beginning or again. */
void hd_selfcheck_start(hd_selfcheck *c);

/* The search goes on at another time: the time before counts as just enough for the comparisons so far. */
void hd_selfcheck_set_clock(hd_selfcheck *c);

/* Is a comparison due at execution `number` (from 1 on)? */
bool hd_selfcheck_is_due(hd_selfcheck *c, uint64_t number);

/* Is there time to compare the last one? */
bool hd_selfcheck_can_end(const hd_selfcheck *c);

/* Seconds of processor time in all fresh processes. */
double hd_selfcheck_spent(const hd_selfcheck *c);

/* Runs the plan in a fresh process and keeps the execution; the target's next execution, with `values` on, is compared
 * with it. If it learned a shared cell, there is nothing to compare. */
hd_execution hd_selfcheck_expect(hd_selfcheck *c, hd_target *target, const hd_plan *plan);

/* The execution of the fresh process; the parts that are not kept are those of `e`. */
hd_execution hd_selfcheck_kept(const hd_selfcheck *c, const hd_execution *e);

/* Is the execution the same? If not, `text` names the first difference. */
bool hd_selfcheck_holds(const hd_selfcheck *c, const hd_execution *e, char *text, size_t size);

#endif
