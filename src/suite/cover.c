#include "suite/cover.h"

#include <stdlib.h>

void hd_suite_cover_fini(hd_suite_cover *c)
{
    for (size_t i = 0; i < c->tests.count; i++)
        hd_vec_fini(&c->tests.items[i]);
    hd_vec_fini(&c->tests);
}

static bool reaches(const hd_suite_problem *n, const hd_configuration *test, const hd_suite_problem_goal *goal)
{
    for (uint32_t m = 0; m < goal->member_count; m++)
        if (hd_configuration_has(n->trees, test, n->members.items[goal->member + m]))
            return true;
    return false;
}

/* By definition: the union of the cones of the test's events must be the test itself. */
static bool is_configuration(const hd_trees *t, hd_configuration_space *s, const hd_configuration *test)
{
    const uint32_t *events;
    uint32_t count;
    hd_configuration whole = { 0 }, one = { 0 };
    bool fine = true;
    if (!hd_configuration_linearise(s, test, &events, &count))
        return false;
    /* hd_configuration_of reuses the space that `events` points into. */
    uint32_t *kept = hd_alloc(&hd_heap, (count + 1) * sizeof *kept);
    for (uint32_t i = 0; i < count; i++)
        kept[i] = events[i];
    for (uint32_t i = 0; i < count && fine; i++) {
        hd_configuration_of(s, kept[i], &one);
        fine = hd_configurations_consistent(t, &whole, &one);
        if (fine)
            hd_configuration_join(&whole, &one);
    }
    fine = fine && whole.count == test->count && hd_configurations_fit(s, &whole, test);
    for (size_t i = 0; i < whole.count && fine; i++)
        fine = whole.items[i].place == test->items[i].place && whole.items[i].use == test->items[i].use;
    hd_release(&hd_heap, kept, (count + 1) * sizeof *kept);
    hd_vec_fini(&whole);
    hd_vec_fini(&one);
    return fine;
}

bool hd_suite_cover_is_valid(const hd_suite_problem *n, const hd_suite_cover *c)
{
    bool fine = true;
    hd_configuration_space *space = hd_configuration_space_open(n->trees);
    for (size_t i = 0; i < c->tests.count && fine; i++)
        fine = is_configuration(n->trees, space, &c->tests.items[i]);
    for (size_t g = 0; g < n->goals.count && fine; g++) {
        bool reached = false;
        for (size_t i = 0; i < c->tests.count && !reached; i++)
            reached = reaches(n, &c->tests.items[i], &n->goals.items[g]);
        fine = reached;
    }
    hd_configuration_space_close(space);
    return fine;
}
