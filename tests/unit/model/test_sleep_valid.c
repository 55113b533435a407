/* hd_model_sleeps_is_valid notices a receive that has fallen asleep since the last expansion. Sleep sets are opaque;
 * this test is the only one that looks inside. */
#include "model/sleep.c"

#include "unit/test.h"

#define CHECK_SLEEPS(field, wrong) CHECK_NOTICED(hd_model_sleeps_is_valid(all), all->states.items[0].field, wrong)

TEST(validity_notices_what_is_wrong_with_sleep_sets)
{
    hd_model_sleeps *all = hd_model_sleeps_open();
    hd_model_sleepers with = { 0 }, asleep = { 0 }, woken = { 0 };
    bool first;
    hd_vec_push(&with, ((hd_model_sleeper) { .message = 7, .pid = 1, .transition = 2 }));
    hd_vec_push(&with, ((hd_model_sleeper) { .message = 8, .pid = 2, .transition = 3 }));
    CHECK(hd_model_sleeps_reach(all, 0, &with));
    CHECK(hd_model_sleeps_expand(all, 0, &asleep, &woken, &first));
    CHECK_SLEEPS(is_expanded, false);
    with.count = 1;
    CHECK(hd_model_sleeps_reach(all, 0, &with));
    CHECK_SLEEPS(now.items[0].message, 9);
    CHECK_SLEEPS(now.items[0].pid, 3);
    CHECK_SLEEPS(expanded.count, 0);
    hd_vec_fini(&with);
    hd_vec_fini(&asleep);
    hd_vec_fini(&woken);
    hd_model_sleeps_close(all);
}
