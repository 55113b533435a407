#include "suite/problem.h"

void hd_suite_problem_init(hd_suite_problem *n, const hd_trees *trees)
{
    *n = (hd_suite_problem) { .trees = trees };
}

void hd_suite_problem_fini(hd_suite_problem *n)
{
    hd_vec_fini(&n->goals);
    hd_vec_fini(&n->members);
}

void hd_suite_problem_add_goal(hd_suite_problem *n, uint32_t number)
{
    hd_vec_push(&n->goals, ((hd_suite_problem_goal) { (uint32_t)n->members.count, 0, number }));
}

void hd_suite_problem_add_member(hd_suite_problem *n, uint32_t event)
{
    hd_vec_push(&n->members, event);
    hd_vec_last(&n->goals)->member_count++;
}

/* --- goals that come with others ------------------------------------------------------------------- */

static void imply_causes(const hd_trees *t, uint32_t event, bool *implied)
{
    uint32_t count, before = hd_trees_before(t, event);
    const uint32_t *causes = hd_trees_causes(t, event, &count);
    if (before != HD_NO_EVENT)
        implied[before] = true;
    for (uint32_t i = 0; i < count; i++)
        implied[causes[i]] = true;
}

/* Marks as needed the single-event goals whose event no other needed event implies. Of several
 * goals with the same event, the first is kept. */
static void drop_implied_singles(const hd_suite_problem *n, bool *implied, bool *needed)
{
    for (size_t g = 0; g < n->goals.count; g++) {
        uint32_t event = n->members.items[n->goals.items[g].member];
        needed[g] = n->goals.items[g].member_count == 1 && !implied[event];
        implied[event] |= needed[g];
    }
}

static bool is_met(const hd_suite_problem *n, const hd_suite_problem_goal *goal, const bool *implied)
{
    for (uint32_t m = 0; m < goal->member_count; m++)
        if (implied[n->members.items[goal->member + m]])
            return true;
    return false;
}

/* Drops goals that come with others: a test that reaches a single-event goal contains that event's
 * whole past. Events are visited from the last to the first, so implications propagate in one pass. */
void hd_suite_problem_close(hd_suite_problem *n)
{
    size_t events = n->trees->events.count;
    bool *implied = hd_alloc(&hd_heap, events + 1), *needed = hd_alloc(&hd_heap, n->goals.count + 1);
    bool *single = hd_alloc(&hd_heap, events + 1);
    size_t kept = 0;
    for (size_t g = 0; g < n->goals.count; g++)
        if (n->goals.items[g].member_count == 1)
            single[n->members.items[n->goals.items[g].member]] = true;
    /* The whole past of a single-event goal is implied, step by step. */
    for (size_t i = events; i-- > 0;)
        if (single[i] || implied[i])
            imply_causes(n->trees, (uint32_t)i, implied);
    drop_implied_singles(n, implied, needed);
    for (size_t g = 0; g < n->goals.count; g++)
        if (needed[g] || (n->goals.items[g].member_count > 1 && !is_met(n, &n->goals.items[g], implied)))
            n->goals.items[kept++] = n->goals.items[g];
    hd_release(&hd_heap, implied, events + 1);
    hd_release(&hd_heap, needed, n->goals.count + 1);
    hd_release(&hd_heap, single, events + 1);
    n->goals.count = kept;
}
