/* The goals of a net in the order in which methods use them: goals with a single event, grouped by
 * thread, the largest group first; then goals with several events. No two single-event goals of one
 * thread fit into one test (hd_problem_close). */
#ifndef HD_SUITE_GOAL_GROUPS_H
#define HD_SUITE_GOAL_GROUPS_H

#include "events/configuration.h"
#include "suite/problem.h"

/* Open: plain data. */
typedef struct hd_suite_goal_groups {
    const hd_suite_problem *problem;
    uint32_t count; /* of goals with a single event */
    uint32_t *event; /* the event of each of these */
    hd_configuration *cones;
    uint32_t *group; /* where each thread's group begins; one more at the end */
    uint32_t group_count;
    hd_vec(uint32_t) open; /* goals with several events, as numbers of the net's goals */
} hd_suite_goal_groups;

void hd_suite_goal_groups_init(hd_suite_goal_groups *g, const hd_suite_problem *n, hd_configuration_space *s);
void hd_suite_goal_groups_fini(hd_suite_goal_groups *g);

/* The place of a goal's thread. */
static inline uint32_t hd_suite_goal_groups_place(const hd_suite_goal_groups *g, uint32_t goal)
{
    return hd_trees_home(g->problem->trees, g->event[goal])->place;
}

#endif
