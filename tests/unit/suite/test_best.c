/* The best tests of a suite that may have only so many. */
#include "suite/best.h"
#include "unit/test.h"

#include <string.h>

enum { GOALS = 6, TESTS = 5 };

typedef struct fixture {
    hd_suite_maker maker;
    bool reached[GOALS];
} fixture;

static void add(fixture *f, hd_suite_fate fate, bool fails, const uint32_t *goals, size_t count)
{
    hd_suite_test test = { .fate = fate, .run = { .found = fails } };
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&test.goals, goals[i]);
    hd_vec_push(&f->maker.tests, test);
}

#define ADD(f, fate, fails, ...) \
    add(f, fate, fails, (const uint32_t[]) { __VA_ARGS__ }, sizeof(const uint32_t[]) { __VA_ARGS__ } / sizeof(uint32_t))

static void open(fixture *f)
{
    memset(f, 0, sizeof *f);
    f->maker.reached = f->reached;
    f->maker.goals.items.count = GOALS;
    memset(f->reached, 1, GOALS);
    ADD(f, HD_SUITE_ADDED, false, 0, 1);
    ADD(f, HD_SUITE_ADDED, false, 1, 2, 3);
    ADD(f, HD_SUITE_KEPT, true, 4);
    ADD(f, HD_SUITE_NEEDLESS, false, 0, 1, 2, 3, 4);
    ADD(f, HD_SUITE_KEPT, false, 5);
}

static void close_fixture(fixture *f)
{
    for (size_t i = 0; i < f->maker.tests.count; i++)
        hd_vec_fini(&f->maker.tests.items[i].goals);
    hd_vec_fini(&f->maker.tests);
}

static void check(uint32_t most, uint32_t lost, const char *left)
{
    static fixture f;
    open(&f);
    CHECK_INT(hd_suite_best(&f.maker, most), lost);
    for (size_t i = 0; i < TESTS; i++)
        CHECK((f.maker.tests.items[i].fate <= HD_SUITE_KEPT) == (left[i] == '+'));
    CHECK_INT(f.maker.tests.items[3].fate, HD_SUITE_NEEDLESS);
    for (uint32_t i = 0, count = 0; i < GOALS; i++)
        CHECK((count += f.reached[i]) <= GOALS - lost);
    close_fixture(&f);
}

TEST(the_test_with_the_most_new_goals_comes_first_then_failures)
{
    check(1, 3, "-+---");
    check(2, 2, "-++--");
    check(3, 1, "+++--");
    check(4, 0, "+++-+");
    check(9, 0, "+++-+");
}
