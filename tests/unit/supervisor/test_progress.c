#include "supervisor/progress.h"
#include "unit/test.h"

TEST(steady_work_is_estimated_by_its_speed)
{
    hd_estimate e = { 0 };
    for (int second = 1; second <= 50; second++)
        hd_estimate_add(&e, 100.0 * second, second / 100.0, 1);
    CHECK(hd_estimate_seconds(&e) > 45 && hd_estimate_seconds(&e) < 60);
}

/* Each execution brings another one into sight: there are always 300 left. */
TEST(work_that_grows_as_it_is_done_has_no_end_in_sight)
{
    hd_estimate e = { 0 };
    for (int second = 1; second <= 50; second++) {
        hd_estimate_add(&e, 10000.0 * second, 10000.0 * second / (10000.0 * second + 300), 1);
        CHECK(hd_estimate_seconds(&e) < 0);
    }
}

TEST(an_unknown_share_has_no_estimate)
{
    hd_estimate e = { 0 };
    hd_estimate_add(&e, 10, 0.5, 1);
    hd_estimate_add(&e, 20, -1, 1);
    CHECK(hd_estimate_seconds(&e) < 0);
    CHECK(e.total == 0);
}

TEST(the_speed_counts_hunting_executions)
{
    hd_speed s = { 0 };
    for (uint64_t second = 1; second <= 30; second++)
        hd_speed_add(&s, 100 * second + 900 * second, 1);
    CHECK(s.rate > 999 && s.rate < 1001);
    hd_speed_add(&s, 10, 1); /* started over */
    CHECK(s.rate > 0 && s.rate < 1000);
}

TEST(the_line_tells_hunting_from_exploring)
{
    char text[400];
    hd_estimate none = { 0 };
    hd_speed s = { .rate = 1234 };
    hd_run_counts c = { .tests = 12 };
    hd_progress_write(&c, 1, &s, &none, text, sizeof text);
    CHECK_TEXT(text, "12 tests, 1234/s, 1 finding");
    c.hunted = 345;
    hd_progress_write(&c, 0, &s, &none, text, sizeof text);
    CHECK_TEXT(text, "12 tests and 345 hunting, 1234/s, 0 findings");
}
