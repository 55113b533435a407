/* From a program to tests that are known to work: explore it, choose configurations that
 * reach every goal, run each of them, keep what does as it claims, mend what does not, and take
 * out what is not needed. */
#ifndef HD_CLI_SUITING_H
#define HD_CLI_SUITING_H

#include "cli/program.h"
#include "cli/progress.h"
#include "suite/build.h"
#include "suite/cover.h"
#include "sym/solver.h"
#include "worker/supervisor.h"

typedef enum hd_suite_fate {
    HD_SUITE_ADDED,
    HD_SUITE_KEPT,
    HD_SUITE_UNFIT, /* dropped: it can no longer be followed */
    HD_SUITE_NEEDLESS /* dropped: others reach what it does */
} hd_suite_fate;

typedef struct hd_suite_test {
    hd_batch_test run; /* in the region */
    const char *file; /* of a test that was there before */
    hd_suite_fate fate;
    hd_vec(uint32_t) goals; /* that it reaches, each once */
} hd_suite_test;

typedef struct hd_suiting_config {
    const char *explorer;
    hd_gather_net net;
    hd_cover_what cover;
    hd_cover_method *method;
    const char *solver; /* heddle's program that solves texts */
    const char *inputs_solver; /* the one that finds inputs */
    double seconds; /* 0: none */
    uint64_t memory; /* bytes that exploring may take; 0: as the machine permits */
    uint32_t depth;
    bool races, fork, any_exit;
    hd_lessons lessons; /* of the tests that there are */
} hd_suiting_config;

typedef struct hd_suiting {
    hd_suiting_config config;
    hd_progress *progress;
    hd_supervisor supervisor;
    hd_session *session;
    hd_problem problem;
    hd_suite_goals goals;
    bool has_problem;
    uint32_t mark_count; /* that the goals are about; a run may show others */
    uint32_t *goal_starts, *goals_by_mark; /* which goals a mark reaches */
    hd_solver *inputs; /* if branches depend on any */
    const char *bound; /* why not everything was explored, or NULL */
    bool unsure; /* some question about inputs had no answer */
    bool *reached; /* per goal: by a test that works */

    hd_vec(hd_suite_test) tests; /* all there were; see `fate` */
    uint32_t lower; /* no suite has fewer tests */
    uint32_t unreached; /* goals that no run of theirs reached again */
    uint32_t mended; /* tests that did not do as they claimed */
    bool chosen_early; /* the method was stopped */
    double deadline, last_look, last_shown;
    uint32_t shown_lower, shown_upper;
    double explore_seconds, choose_seconds;
} hd_suiting;

bool hd_suiting_open(
    hd_suiting *x, const hd_suiting_config *config, const hd_program *program, hd_progress *progress, hd_error *error);
void hd_suiting_close(hd_suiting *x);

/* Runs everything and gathers the goals. */
bool hd_suiting_explore(hd_suiting *x, hd_error *error);

/* Runs tests that there are already; keeps those that can be followed and reach what
 * none before them does. `tests` have `file` and records. */
bool hd_suiting_keep(hd_suiting *x, hd_suite_test *tests, size_t count, hd_error *error);

/* Adds tests for all goals that are not reached yet. */
bool hd_suiting_add(hd_suiting *x, hd_error *error);

/* How many tests there are, of this fate. */
uint32_t hd_suiting_count(const hd_suiting *x, hd_suite_fate fate);

#endif
