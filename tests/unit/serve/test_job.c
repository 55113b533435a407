#include "serve/job.h"
#include "unit/test.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static hd_serve_job *run(int (*work)(const void *), const void *context, hd_serve_limits limits)
{
    hd_error error;
    hd_serve_job *j = hd_serve_job_start(work, context, &limits, &error);
    while (j && !hd_serve_job_has_ended(j)) {
        fd_set reading;
        int most = -1;
        FD_ZERO(&reading);
        hd_serve_job_wait(j, &reading, &most);
        select(most + 1, &reading, NULL, NULL, &(struct timeval) { .tv_usec = 50000 });
        hd_serve_job_advance(j);
    }
    return j;
}

static int say(const void *context)
{
    printf("%s", (const char *)context);
    fflush(stdout);
    fprintf(stderr, "!");
    return 7;
}

TEST(a_job_has_an_output_and_a_status)
{
    hd_serve_job *j = run(say, "hello", (hd_serve_limits) { .output = 100 });
    CHECK_TEXT(hd_serve_job_output(j), "hello!");
    CHECK_INT(hd_serve_job_status(j), 7);
    CHECK(!hd_serve_job_is_cut(j));
    hd_serve_job_close(j);
}

static int chatter(const void *context)
{
    (void)context;
    for (int i = 0; i < 100000; i++)
        puts("0123456789");
    return 0;
}

TEST(output_is_limited)
{
    hd_serve_job *j = run(chatter, NULL, (hd_serve_limits) { .output = 1000 });
    CHECK_INT(strlen(hd_serve_job_output(j)), 1000);
    CHECK(hd_serve_job_is_cut(j));
    CHECK_INT(hd_serve_job_status(j), 0);
    hd_serve_job_close(j);
}

/* It ignores what can be ignored, and has a child that holds the pipe. */
static int stay(const void *context)
{
    (void)context;
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    fork();
    pause();
    return 0;
}

TEST(time_is_limited)
{
    hd_serve_job *j = run(stay, NULL, (hd_serve_limits) { .seconds = 0.2, .output = 10 });
    CHECK(hd_serve_job_is_cut(j));
    CHECK_INT(hd_serve_job_status(j), -1);
    hd_serve_job_close(j);
}

static int leave_child(const void *context)
{
    (void)context;
    if (fork() == 0)
        pause();
    return 0;
}

TEST(a_job_ends_though_a_child_holds_the_pipe)
{
    hd_serve_job *j = run(leave_child, NULL, (hd_serve_limits) { .output = 10 });
    CHECK_INT(hd_serve_job_status(j), 0);
    hd_serve_job_close(j);
}

TEST(closing_kills)
{
    hd_error error;
    hd_serve_job *j = hd_serve_job_start(stay, NULL, &(hd_serve_limits) { .output = 10 }, &error);
    CHECK(!hd_serve_job_has_ended(j));
    hd_serve_job_close(j);
}

static int wait_for_interrupt(const void *context)
{
    (void)context;
    pause();
    return 0;
}

static void check_interrupt(void)
{
    hd_error error;
    hd_serve_limits limits = { .seconds = 20, .output = 10 };
    hd_serve_job *j = hd_serve_job_start(wait_for_interrupt, NULL, &limits, &error);
    hd_serve_job_interrupt(j);
    while (!hd_serve_job_has_ended(j))
        hd_serve_job_advance(j);
    CHECK_INT(hd_serve_job_status(j), -1);
    CHECK(!hd_serve_job_is_cut(j));
    hd_serve_job_close(j);
}

TEST(an_interrupt_reaches_it)
{
    check_interrupt();
}

/* As a shell starts a server in the background. */
TEST(an_interrupt_reaches_it_though_the_server_ignores_it)
{
    signal(SIGINT, SIG_IGN);
    check_interrupt();
    signal(SIGINT, SIG_DFL);
}

static int count_descriptors(const void *context)
{
    int open = 0;
    (void)context;
    for (int fd = 3; fd < 256; fd++)
        open += dup2(fd, fd) == fd;
    return open;
}

TEST(the_descriptors_of_the_server_stay_with_it)
{
    int line[2];
    CHECK(!pipe(line));
    hd_serve_job *j = run(count_descriptors, NULL, (hd_serve_limits) { .output = 10 });
    CHECK_INT(hd_serve_job_status(j), 0);
    hd_serve_job_close(j);
    close(line[0]);
    close(line[1]);
}
