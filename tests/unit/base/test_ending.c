#include "base/ending.h"
#include "unit/test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(without_limit_and_signal_the_end_is_never_due)
{
    hd_ending *e = hd_ending_open();
    hd_ending_set_time(e, 0);
    CHECK(!hd_ending_is_due(e, 0));
    CHECK(!hd_ending_time(e));
    hd_ending_close(e);
}

TEST(the_time_limit_is_followed_by_the_lateness_that_a_stage_may_have)
{
    hd_ending *e = hd_ending_open();
    hd_ending_set_time(e, 1000);
    CHECK(!hd_ending_is_due(e, 0));
    CHECK(hd_ending_is_due(e, -2000));
    hd_ending_set_time(e, 1e-9);
    CHECK(hd_ending_is_due(e, 0));
    CHECK(!hd_ending_is_due(e, 1000));
    hd_ending_close(e);
}

TEST(either_signal_makes_the_end_due_whatever_the_limit)
{
    const int signals[] = { SIGINT, SIGTERM };
    for (int i = 0; i < 2; i++) {
        hd_ending *e = hd_ending_open();
        raise(signals[i]);
        CHECK(hd_ending_is_due(e, 0));
        CHECK(!hd_ending_is_due(e, 1000));
        hd_ending_set_time(e, 1000); /* the next stage */
        CHECK(hd_ending_is_due(e, 0));
        hd_ending_close(e);
    }
}

TEST(a_second_signal_ends_the_process)
{
    pid_t child = fork();
    if (!child) {
        hd_ending *e = hd_ending_open();
        raise(SIGINT);
        hd_ending_is_due(e, 0);
        raise(SIGTERM);
        hd_ending_is_due(e, 0);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

/* The report is complete by then. */
TEST(a_signal_that_nothing_noticed_does_not_end_heddle)
{
    hd_ending *e = hd_ending_open();
    raise(SIGINT);
    raise(SIGTERM);
    hd_ending_close(e);
    CHECK(true);
}
