/* Builds the cover problem from the events that an exploration recorded (docs/algorithms/suite.md). */
#ifndef HD_SUITE_BUILD_H
#define HD_SUITE_BUILD_H

#include "suite/problem.h"

/* What a suite must reach.
 *
 *   events      every local state: a goal per event; events that differ only in what their thread
 *               had to wait for (a join, a wake-up) are one goal
 *   statements  every block of statements, in every thread that executes it
 *   branches    every way of every jump, in every thread that takes it
 *
 * Blocks and ways come from the cover hooks (abi/site.h: HD_COVER_…), so the program must be built
 * with them. */
typedef enum hd_suite_criterion { HD_SUITE_EVENTS, HD_SUITE_STATEMENTS, HD_SUITE_BRANCHES } hd_suite_criterion;

/* A goal as runs show it: a run reaches it if the run has one of the goal's marks. A mark is an
 * event or, for statements and branches, a way (events/events.h). */
typedef struct hd_suite_goal {
    uint64_t key; /* stays the same when the program is rebuilt */
    uint32_t mark, mark_count; /* in `marks` */
} hd_suite_goal;

typedef struct hd_suite_goals {
    hd_vec(hd_suite_goal) items;
    hd_vec(uint32_t) marks;
} hd_suite_goals;

void hd_suite_goals_fini(hd_suite_goals *goals);

/* Makes the problem and the goals from the events that are in the trees. The problem's goals are those to choose
 * tests for: goals that no other goal implies, each with the events of its marks. Every run that reaches the goal has
 * at least one of these events. */
void hd_suite_build(hd_suite_problem *n, hd_suite_goals *goals, const hd_trees *trees, const hd_events *s,
    hd_suite_criterion criterion);

#endif
