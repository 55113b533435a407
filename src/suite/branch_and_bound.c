/* Branch and bound over assignments of goals to tests (docs/algorithms/suite.md, `exact`, step 4), as in
 * exact graph colouring (DSATUR, Brélaz 1979): the next goal is always the one that fits into the fewest of the
 * existing tests. It is tried in each of these, and in a new test if that can still beat the best assignment. The
 * search is exhaustive unless it runs out of steps. */
#include "suite/part_internal.h"

#include <string.h>

enum { STEPS_AT_MOST = 300000, GOALS_AT_MOST = 400 };

typedef struct branching {
    hd_suite_part *part;
    uint32_t *test_of; /* or NOT_YET */
    hd_configuration *cones; /* of tests */
    uint32_t tests;
    uint32_t steps;
    bool *fits; /* goal * count + test */
    bool joint; /* goals that fit pairwise may not fit together (contexts, inputs) */
} branching;

enum { NOT_YET = 0xffffffffu };

static const hd_configuration *cone_of(const branching *b, uint32_t goal)
{
    return &b->part->packing->goals.cones[b->part->goals[goal]];
}

static bool *fit(const branching *b, uint32_t goal, uint32_t test)
{
    return &b->fits[(size_t)goal * b->part->count + test];
}

/* The unassigned goal with the fewest tests to go to. */
static uint32_t most_pressed(const branching *b)
{
    uint32_t best = NOT_YET, fewest = NOT_YET;
    for (uint32_t g = 0; g < b->part->count; g++) {
        uint32_t ways = 0;
        for (uint32_t t = 0; t < b->tests && b->test_of[g] == NOT_YET; t++)
            ways += *fit(b, g, t);
        if (b->test_of[g] == NOT_YET && ways < fewest) {
            fewest = ways;
            best = g;
        }
    }
    return best;
}

/* Updates which goals fit into `test` now that `goal` is in it; `before` saves the old values. */
static void narrow(branching *b, uint32_t goal, uint32_t test, bool *before)
{
    const hd_suite_part *p = b->part;
    for (uint32_t g = 0; g < p->count; g++) {
        bool *f = fit(b, g, test);
        before[g] = *f;
        /* Fitting pairwise is necessary; with contexts or inputs the whole test has to be checked. */
        if (*f && b->test_of[g] == NOT_YET)
            *f = hd_suite_graph_joins(p->graph, p->goals[g], p->goals[goal])
                && (!b->joint || hd_configurations_fit(p->packing->space, &b->cones[test], cone_of(b, g)));
    }
}

static void restore(branching *b, uint32_t test, const bool *before)
{
    for (uint32_t g = 0; g < b->part->count; g++)
        *fit(b, g, test) = before[g];
}

static void keep_best(branching *b)
{
    hd_suite_part *p = b->part;
    p->tests = b->tests;
    memcpy(p->test_of, b->test_of, p->count * sizeof *p->test_of);
}

static void search(branching *b, uint32_t assigned);

/* Assigns the goal to a test, searches on, and undoes the assignment. */
static void try(branching *b, uint32_t goal, uint32_t test, uint32_t assigned)
{
    hd_configuration saved = { 0 };
    bool *before = hd_alloc(&hd_heap, b->part->count + 1);
    bool fresh = test == b->tests;
    if (!fresh)
        hd_configuration_copy(&saved, &b->cones[test]);
    b->test_of[goal] = test;
    if (fresh) {
        b->tests++;
        hd_configuration_copy(&b->cones[test], cone_of(b, goal));
        for (uint32_t g = 0; g < b->part->count; g++)
            *fit(b, g, test) = true;
    } else {
        hd_configuration_join(&b->cones[test], cone_of(b, goal));
    }
    narrow(b, goal, test, before);
    search(b, assigned + 1);
    restore(b, test, before);
    b->test_of[goal] = NOT_YET;
    b->tests -= fresh;
    if (!fresh)
        hd_configuration_copy(&b->cones[test], &saved);
    hd_vec_fini(&saved);
    hd_release(&hd_heap, before, b->part->count + 1);
}

static void search(branching *b, uint32_t assigned)
{
    const hd_suite_part *p = b->part;
    /* Prune: not better than the best, already proved optimal, or out of steps. */
    if (b->tests >= p->tests || p->tests == p->lower || b->steps >= STEPS_AT_MOST)
        return;
    b->steps++;
    if (assigned == p->count) {
        keep_best(b);
        return;
    }
    uint32_t goal = most_pressed(b);
    for (uint32_t t = 0; t < b->tests && b->tests < p->tests; t++)
        if (*fit(b, goal, t))
            try(b, goal, t, assigned);
    /* All new tests are alike, so only one is tried. With those above, these are all tests that the goal
     * can be in: the search is exhaustive. */
    if (b->tests + 1 < p->tests)
        try(b, goal, b->tests, assigned);
}

void hd_suite_part_branch_and_bound(hd_suite_part *p)
{
    if (p->count > GOALS_AT_MOST)
        return;
    branching b = { .part = p };
    const hd_suite_problem *n = p->packing->problem;
    b.joint = !hd_configurations_only_need_chains(n->trees);
    b.test_of = hd_alloc(&hd_heap, (p->count + 1) * sizeof *b.test_of);
    b.cones = hd_alloc(&hd_heap, (p->count + 1) * sizeof *b.cones);
    b.fits = hd_alloc(&hd_heap, (size_t)p->count * p->count + 1);
    memset(b.test_of, 0xff, p->count * sizeof *b.test_of);
    search(&b, 0);
    /* The whole tree was searched: no assignment has fewer tests. */
    if (b.steps < STEPS_AT_MOST)
        p->lower = p->tests;
    for (uint32_t i = 0; i < p->count; i++)
        hd_vec_fini(&b.cones[i]);
    hd_release(&hd_heap, b.test_of, (p->count + 1) * sizeof *b.test_of);
    hd_release(&hd_heap, b.cones, (p->count + 1) * sizeof *b.cones);
    hd_release(&hd_heap, b.fits, (size_t)p->count * p->count + 1);
}
