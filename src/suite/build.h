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
 *   statements  every statement of every thread: where blocks of them begin, as the
 *               program says if it was built to (abi/site.h: HD_COVER_STATEMENT); else the
 *               lines that its operations are in
 *   branches    every way that a thread went at a jump, as such a program says; and where
 *               inputs or choices decide */
typedef enum hd_cover_what { HD_COVER_EVENTS, HD_COVER_STATEMENTS, HD_COVER_BRANCHES } hd_cover_what;

/* The place of such a goal: its site, and HD_COVER_STATEMENT or which way. */
#define HD_GOAL_PLACE(site, what) ((site)*4 + (what) + 1)
#define HD_GOAL_SITE(place) (((place)-1) / 4)
#define HD_GOAL_WHAT(place) (((place)-1) % 4)

/* Makes the net; events have the numbers they have in `g`. */
void hd_suite_build(hd_problem *n, const hd_gather *g, hd_gather_net net, hd_cover_what what);

#endif
