/* A failing schedule that a person can read: as few context switches as still
 * show the same finding. */
#ifndef HD_EXPLORE_MINIMISE_H
#define HD_EXPLORE_MINIMISE_H

#include "base/vec.h"
#include "check/finding.h"
#include "target/target.h"

typedef hd_vec(hd_choice) hd_schedule;

/* The steps of an execution. */
void hd_schedule_of(const hd_execution *e, hd_schedule *out);

/* Shortens `schedule`, which shows the finding with this key, by running
 * variations of it. `races`: look for data races as well. */
void hd_minimise(hd_target *target, uint64_t key, bool races, hd_schedule *schedule, hd_memory *memory);

#endif
