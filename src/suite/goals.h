/* The goals of a net, as methods take them up: those that one event alone can
 * reach, by thread, the thread with the most first; then those with a choice. Of
 * the goals of one thread, no two fit into one test. */
#ifndef HD_SUITE_GOALS_H
#define HD_SUITE_GOALS_H

#include "suite/config.h"

typedef struct hd_goals {
    const hd_problem *problem;
    uint32_t count; /* of goals that one event reaches */
    uint32_t *event; /* that reaches each of those */
    hd_cone *cones;
    uint32_t *group; /* where each thread's begin; one more at the end */
    uint32_t group_count;
    hd_vec(uint32_t) open; /* the others, as goals of the net */
} hd_goals;

void hd_goals_init(hd_goals *g, hd_space *s);
void hd_goals_fini(hd_goals *g);

/* The place of a goal's thread. */
static inline uint32_t hd_goals_place(const hd_goals *g, uint32_t goal)
{
    return g->problem->uses.items[g->problem->events.items[g->event[goal]].use].place;
}

#endif
