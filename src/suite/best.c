#include "suite/best.h"

#include <string.h>

typedef struct choice {
    uint32_t gain; /* goals that it would add; an upper bound, as it only ever falls */
    bool chosen;
} choice;

static bool is_in(const hd_suite_test *test)
{
    return test->fate == HD_SUITE_ADDED || test->fate == HD_SUITE_KEPT;
}

static uint32_t gain_of(const hd_suite_maker *x, const hd_suite_test *test)
{
    uint32_t gain = 0;
    for (size_t i = 0; i < test->goals.count; i++)
        gain += !x->reached[test->goals.items[i]];
    return gain;
}

static bool is_better(const hd_suite_maker *x, const choice *choices, size_t a, size_t b)
{
    return choices[a].gain != choices[b].gain ? choices[a].gain > choices[b].gain
                                              : x->tests.items[a].run.found && !x->tests.items[b].run.found;
}

/* Chooses the best of the tests that are left; false: there are none. Gains are computed only for tests that could be
 * the best. */
static bool choose_next(hd_suite_maker *x, choice *choices)
{
    size_t count = x->tests.count, best = count;
    for (size_t i = 0; i < count; i++) {
        if (choices[i].chosen || !is_in(&x->tests.items[i]) || (best < count && choices[i].gain < choices[best].gain))
            continue;
        choices[i].gain = gain_of(x, &x->tests.items[i]);
        if (best == count || is_better(x, choices, i, best))
            best = i;
    }
    if (best == count)
        return false;
    choices[best].chosen = true;
    for (size_t i = 0; i < x->tests.items[best].goals.count; i++)
        x->reached[x->tests.items[best].goals.items[i]] = true;
    return true;
}

static uint32_t count_reached(const hd_suite_maker *x)
{
    uint32_t count = 0;
    for (size_t i = 0; i < x->goals.items.count; i++)
        count += x->reached[i];
    return count;
}

uint32_t hd_suite_best(hd_suite_maker *x, uint32_t most)
{
    uint32_t before = count_reached(x);
    choice *choices = hd_alloc(&hd_heap, (x->tests.count + 1) * sizeof *choices);
    for (size_t i = 0; i < x->tests.count; i++)
        choices[i].gain = (uint32_t)x->tests.items[i].goals.count;
    memset(x->reached, 0, x->goals.items.count);
    for (uint32_t i = 0; i < most && choose_next(x, choices); i++) { }
    for (size_t i = 0; i < x->tests.count; i++)
        if (is_in(&x->tests.items[i]) && !choices[i].chosen)
            x->tests.items[i].fate = HD_SUITE_BEYOND;
    hd_release(&hd_heap, choices, (x->tests.count + 1) * sizeof *choices);
    return before - count_reached(x);
}
