/* Runs many recorded tests, each on the program as it is now. Tests with the same settings share a worker,
 * so they run at the speed of exploration. */
#ifndef HD_SUPERVISOR_REPLAY_ALL_H
#define HD_SUPERVISOR_REPLAY_ALL_H

#include "base/ending.h"
#include "event/record.h"
#include "report/cases.h"

/* Fills in a case per record; texts are in `arena`. False: a program does not start. */
bool hd_replay_all(const hd_record *records, size_t count, const char *const *names, hd_report_case *cases,
    hd_ending *ending, hd_arena *arena, hd_error *error);

#endif
