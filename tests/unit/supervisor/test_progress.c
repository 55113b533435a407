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
