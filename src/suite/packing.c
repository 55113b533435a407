#include "suite/packing.h"

#include "events/candidates.h"
#include "suite/matching.h"

#include <string.h>

enum { EDGES_IN_ALL = 1 << 27, EDGES_AT_LEAST = 32 };

void hd_suite_packing_open(
    hd_suite_packing *p, const hd_suite_problem *n, const hd_suite_cover_watch *watch, hd_suite_cover *cover)
{
    *p = (hd_suite_packing) { .problem = n, .watch = watch, .cover = cover };
    p->space = hd_configuration_space_open(n->trees);
    hd_suite_goal_groups_init(&p->goals, n, p->space);
    p->test_of = hd_alloc(&hd_heap, (p->goals.count + 1) * sizeof *p->test_of);
}

void hd_suite_packing_close(hd_suite_packing *p)
{
    hd_release(&hd_heap, p->test_of, (p->goals.count + 1) * sizeof *p->test_of);
    hd_suite_goal_groups_fini(&p->goals);
    hd_configuration_space_close(p->space);
}

uint32_t hd_suite_packing_add(hd_suite_packing *p, const hd_configuration *cone)
{
    hd_configuration copy = { 0 };
    hd_configuration_copy(&copy, cone);
    hd_vec_push(&p->cover->tests, copy);
    return (uint32_t)p->cover->tests.count - 1;
}

void hd_suite_packing_clear(hd_suite_packing *p)
{
    while (p->cover->tests.count) {
        hd_vec_fini(hd_vec_last(&p->cover->tests));
        p->cover->tests.count--;
    }
}

void hd_suite_packing_tell(const hd_suite_packing *p)
{
    p->watch->bounds(p->watch->context, p->cover->lower, (uint32_t)p->cover->tests.count);
}

/* --- by threads --------------------------------------------------------------------------- */

/* Fills in which tests each goal of the group fits into; at most `most` per goal, which may cost
 * optimality but not correctness. */
static void find_edges(hd_suite_packing *p, uint32_t first, uint32_t end, hd_suite_bipartite *b)
{
    hd_candidates *index;
    size_t most = EDGES_IN_ALL / (end - first);
    most = most < EDGES_AT_LEAST ? EDGES_AT_LEAST : most;
    index = hd_candidates_open(p->problem->trees, p->cover->tests.items, (uint32_t)p->cover->tests.count,
        hd_suite_goal_groups_place(&p->goals, first));
    for (uint32_t g = first; g < end; g++) {
        uint32_t count, found = 0;
        const uint32_t *candidates = hd_candidates_of(index, &p->goals.cones[g], &count);
        for (uint32_t i = 0; i < count && found < most && hd_suite_packing_goes_on(p); i++)
            if (hd_configurations_fit(p->space, &p->cover->tests.items[candidates[i]], &p->goals.cones[g])) {
                hd_suite_bipartite_edge(b, candidates[i]);
                found++;
            }
        hd_suite_bipartite_end(b);
    }
    hd_candidates_close(index);
}

static void pack_group(hd_suite_packing *p, uint32_t first, uint32_t end)
{
    hd_suite_bipartite b;
    hd_suite_bipartite_init(&b, end - first, (uint32_t)p->cover->tests.count);
    find_edges(p, first, end, &b);
    /* Goals of one thread exclude each other, so each needs a test of its own in this group: a matching.
     * As many goals as possible share existing tests; the others open new ones. */
    hd_suite_bipartite_match(&b);
    for (uint32_t g = first; g < end; g++) {
        p->test_of[g] = b.left[g - first];
        if (p->test_of[g] == HD_UNMATCHED)
            p->test_of[g] = hd_suite_packing_add(p, &p->goals.cones[g]);
        else
            hd_configuration_join(&p->cover->tests.items[p->test_of[g]], &p->goals.cones[g]);
    }
    hd_suite_bipartite_fini(&b);
}

void hd_suite_packing_threads(hd_suite_packing *p)
{
    for (uint32_t i = 0; i < p->goals.group_count; i++)
        pack_group(p, p->goals.group[i], p->goals.group[i + 1]);
}

/* --- goals with a choice -------------------------------------------------------------------- */

static bool is_reached(const hd_suite_packing *p, const hd_suite_problem_goal *goal)
{
    for (size_t i = 0; i < p->cover->tests.count; i++)
        for (uint32_t m = 0; m < goal->member_count; m++)
            if (hd_configuration_has(
                    p->problem->trees, &p->cover->tests.items[i], p->problem->members.items[goal->member + m]))
                return true;
    return false;
}

/* First fit. */
static bool fits_somewhere(hd_suite_packing *p, const hd_suite_problem_goal *goal)
{
    hd_configuration cone = { 0 };
    bool done = false;
    for (uint32_t m = 0; m < goal->member_count && !done && hd_suite_packing_goes_on(p); m++) {
        hd_configuration_of(p->space, p->problem->members.items[goal->member + m], &cone);
        for (size_t i = 0; i < p->cover->tests.count && !done; i++) {
            done = hd_configurations_fit(p->space, &p->cover->tests.items[i], &cone);
            if (done)
                hd_configuration_join(&p->cover->tests.items[i], &cone);
        }
    }
    hd_vec_fini(&cone);
    return done;
}

void hd_suite_packing_choices(hd_suite_packing *p)
{
    for (size_t i = 0; i < p->goals.open.count; i++) {
        const hd_suite_problem_goal *goal = &p->problem->goals.items[p->goals.open.items[i]];
        /* Nothing to add if some test has one of the goal's events already. */
        if (is_reached(p, goal) || fits_somewhere(p, goal))
            continue;
        hd_configuration cone = { 0 };
        hd_configuration_of(p->space, p->problem->members.items[goal->member], &cone);
        hd_vec_push(&p->cover->tests, cone);
    }
}
