/* Where the operations of an execution went: the source lines at which its busiest thread performed the most. For
 * executions that reach --depth. */
#ifndef HD_EXPLORE_BUSY_LINES_H
#define HD_EXPLORE_BUSY_LINES_H

#include "base/memory.h"
#include "event/plan.h"

/* "thread T1 performed 100 operations: 60 at a.c:7, 40 at a.c:9" */
void hd_busy_lines(const hd_execution *e, char *text, size_t size, hd_memory *memory);

#endif
