/* The cover problem: the events of a program as trees (events/trees.h), and goals, each a set of events of which at
 * least one must be in some test. A test is a configuration. */
#ifndef HD_SUITE_PROBLEM_H
#define HD_SUITE_PROBLEM_H

#include "events/trees.h"

typedef struct hd_suite_problem_goal {
    uint32_t member, member_count;
    uint32_t number; /* the caller's number for it */
} hd_suite_problem_goal;

/* Open: plain data. Methods make problems with some of the goals of another. */
typedef struct hd_suite_problem {
    const hd_trees *trees;
    hd_vec(hd_suite_problem_goal) goals;
    hd_vec(uint32_t) members; /* of goals: events */
} hd_suite_problem;

void hd_suite_problem_init(hd_suite_problem *n, const hd_trees *trees);
void hd_suite_problem_fini(hd_suite_problem *n);

/* Adds a goal, then its members. */
void hd_suite_problem_add_goal(hd_suite_problem *n, uint32_t number);
void hd_suite_problem_add_member(hd_suite_problem *n, uint32_t event);

/* To be called when all goals are added: drops goals that are reached whenever another goal is. Afterwards no two
 * single-event goals of one thread fit into one configuration: their events are different, and neither is in the
 * other's past. */
void hd_suite_problem_close(hd_suite_problem *n);

#endif
