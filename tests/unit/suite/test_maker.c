#include "suite/suite_maker.h"
#include "unit/test.h"

#include <signal.h>
#include <unistd.h>

/* An update that is interrupted before it can run the existing tests must not drop them. */
TEST(tests_that_were_not_run_are_kept)
{
    hd_error error = { "" };
    hd_record records[2] = { { .kind = "test" }, { .kind = "test" } };
    hd_suite_test tests[2] = { { .number = 3, .old = &records[0] }, { .number = 5, .old = &records[1] } };
    hd_suite_maker x = { .ending = hd_ending_open() };
    raise(SIGTERM);
    CHECK(hd_ending_is_due(x.ending, 0));
    usleep(1000 * (useconds_t)(1000 * HD_LATE_RUNNING + 100));
    CHECK(hd_suite_maker_keep(&x, tests, 2, &error));
    CHECK(x.cut);
    CHECK_INT(hd_suite_maker_count(&x, HD_SUITE_KEPT), 2);
    CHECK_INT(x.tests.items[1].number, 5);
    hd_vec_fini(&x.tests);
    hd_ending_close(x.ending);
}
