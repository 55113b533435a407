/* The state shared by all methods that pack goals into tests (docs/algorithms/suite.md, `greedy`).
 *
 * Invariant: every test of the cover is a configuration, because a goal's cone is joined to a test only if
 * the two fit (hd_configurations_fit). */
#ifndef HD_SUITE_PACKING_H
#define HD_SUITE_PACKING_H

#include "suite/cover.h"
#include "suite/goal_groups.h"

/* Open: methods work on the goals and the cover in turn. */
typedef struct hd_suite_packing {
    const hd_suite_problem *problem;
    const hd_suite_cover_watch *watch;
    hd_configuration_space *space;
    hd_suite_goal_groups goals;
    hd_suite_cover *cover;
    uint32_t *test_of; /* per single-event goal: its test, once it has one */
} hd_suite_packing;

void hd_suite_packing_open(
    hd_suite_packing *p, const hd_suite_problem *n, const hd_suite_cover_watch *watch, hd_suite_cover *cover);
void hd_suite_packing_close(hd_suite_packing *p);

static inline bool hd_suite_packing_goes_on(const hd_suite_packing *p)
{
    return p->watch->goes_on(p->watch->context);
}

/* Adds a test that starts as this cone; returns its number. */
uint32_t hd_suite_packing_add(hd_suite_packing *p, const hd_configuration *cone);

/* Removes all tests. */
void hd_suite_packing_clear(hd_suite_packing *p);

/* Packs single-event goals, thread by thread, by bipartite matching. */
void hd_suite_packing_threads(hd_suite_packing *p);

/* Packs goals with several events: nothing to do if a test has one of the events, else into a test
 * where one fits, else into a test of their own. */
void hd_suite_packing_choices(hd_suite_packing *p);

/* Reports the bounds to the caller. */
void hd_suite_packing_tell(const hd_suite_packing *p);

#endif
