/* From the events that an exploration gathered to the cover problem. */
#ifndef HD_SUITE_BUILD_H
#define HD_SUITE_BUILD_H

#include "explore/gather.h"
#include "suite/problem.h"

/* What a suite must reach.
 *
 *   events      every local state: a goal for each event; but what lies behind a join
 *               or a wake-up alone does not make a thread's state another one, so events that
 *               differ in nothing else are one goal
 *   statements  every line that an event was at
 *   branches    every way that was taken where inputs or choices decide */
typedef enum hd_cover_what { HD_COVER_EVENTS, HD_COVER_STATEMENTS, HD_COVER_BRANCHES } hd_cover_what;

/* Makes the net; events have the numbers they have in `g`. */
void hd_suite_build(hd_problem *n, const hd_gather *g, hd_gather_net net, hd_cover_what what);

#endif
