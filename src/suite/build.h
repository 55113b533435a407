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
 *   statements  every block of statements, in every thread that comes to it
 *   branches    every way of every jump, in every thread that takes it
 *
 * Blocks and ways are what cover hooks tell (abi/site.h: HD_COVER_…), so the program must be built with them. */
typedef enum hd_cover_what { HD_COVER_EVENTS, HD_COVER_STATEMENTS, HD_COVER_BRANCHES } hd_cover_what;

/* A goal as runs show it: a run reaches it if it has one of its marks. A mark is an event or, for statements and
 * branches, a way (explore/gather.h). */
typedef struct hd_suite_goal {
    uint64_t key; /* the same after the program is built again */
    uint32_t mark, mark_count; /* in `marks` */
} hd_suite_goal;

typedef struct hd_suite_goals {
    hd_vec(hd_suite_goal) items;
    hd_vec(uint32_t) marks;
} hd_suite_goals;

void hd_suite_goals_fini(hd_suite_goals *goals);

/* Makes the net and the goals; events have the numbers they have in `g`. The net's goals are for choosing: those
 * that no other implies, each with the events of its marks, one of which every run has that reaches it. */
void hd_suite_build(hd_problem *n, hd_suite_goals *goals, const hd_gather *g, hd_gather_net net, hd_cover_what what);

#endif
