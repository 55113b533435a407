/* Where the operations of an execution that reaches --depth went: the source lines at which the thread that was cut off
 * performed the most; those after its last visible operation, if the rest was invisible (docs/algorithms/sss.md,
 * BoundedInvis). */
#ifndef HD_EXPLORE_BUSY_LINES_H
#define HD_EXPLORE_BUSY_LINES_H

#include "base/memory.h"
#include "event/plan.h"

/* "thread T1 performed 100 operations: 60 at a.c:7, 40 at a.c:9", or "thread T1 performed 100 operations, none of them
 * visible since a.c:6, at a.c:7, a.c:9". */
void hd_busy_lines(const hd_execution *e, uint32_t depth, char *text, size_t size, hd_memory *memory);

#endif
