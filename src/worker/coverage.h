/* How many executions of a search have reached each line: of the lines at which a block of statements begins, in code
 * built with -fheddle-cover. It is in the region, so a worker that dies loses nothing, and the supervisor reads it. */
#ifndef HD_WORKER_COVERAGE_H
#define HD_WORKER_COVERAGE_H

#include "base/map.h"
#include "base/vec.h"
#include "event/plan.h"

typedef struct hd_reached_line {
    const char *file; /* in the region */
    uint32_t line;
    uint64_t executions;
    uint64_t last; /* the execution that was counted last */
} hd_reached_line;

typedef struct hd_coverage {
    hd_map sites; /* the address of a site → its line + 1 */
    hd_map places; /* a hash of file and line → its line + 1 */
    hd_vec(hd_reached_line) lines;
    uint64_t executions;
    hd_memory *memory;
} hd_coverage;

hd_coverage *hd_coverage_open(hd_memory *memory);

/* The search starts over. */
void hd_coverage_clear(hd_coverage *c);

void hd_coverage_add(hd_coverage *c, const hd_execution *e);

#endif
