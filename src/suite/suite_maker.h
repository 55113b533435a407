/* From a program to tests that are known to work: explores it, chooses configurations that reach
 * every goal, runs each of them, keeps those that do what they claim, makes new tests for goals
 * that were missed, and removes redundant ones. */
#ifndef HD_SUITE_SUITE_MAKER_H
#define HD_SUITE_SUITE_MAKER_H

#include "supervisor/program.h"
#include "base/ending.h"
#include "supervisor/progress.h"
#include "suite/build.h"
#include "event/record.h"
#include "suite/cover.h"
#include "sym/solver.h"
#include "supervisor/supervisor.h"

typedef enum hd_suite_fate {
    HD_SUITE_ADDED,
    HD_SUITE_KEPT,
    HD_SUITE_UNFIT, /* dropped: it can no longer be followed */
    HD_SUITE_NEEDLESS, /* dropped: other tests reach its goals */
    HD_SUITE_BEYOND /* dropped: there are more than `most` tests */
} hd_suite_fate;

typedef struct hd_suite_test {
    hd_batch_test run; /* in the region */
    uint32_t number; /* in the suite; 0: of a new test that has none yet */
    const hd_record *old; /* of a test that was there before; NULL: none */
    hd_suite_fate fate;
    hd_vec(uint32_t) goals; /* that it reaches, each once */
} hd_suite_test;

typedef struct hd_suite_maker_config {
    const char *explorer;
    hd_net net;
    hd_suite_criterion cover;
    hd_suite_cover_method *method;
    const char *solver; /* path of the SMT solver (lib/heddle/smt) */
    const char *inputs_solver; /* path of the solver for inputs (lib/heddle/solve) */
    double seconds; /* 0: none */
    uint32_t most; /* tests; 0: no limit */
    uint64_t memory; /* memory limit of exploring in bytes; 0: a share of the machine's */
    hd_settings settings;
    hd_learned_facts facts; /* from the existing tests */
} hd_suite_maker_config;

/* Open: the file and the report of a suite are written from it. */
typedef struct hd_suite_maker {
    hd_suite_maker_config config;
    hd_progress *progress;
    hd_ending *ending;
    const hd_program *program;
    hd_supervisor *supervisor;
    hd_session *session;
    hd_trees trees;
    uint32_t seen; /* events; the first ones are in the trees */
    hd_suite_problem problem;
    hd_suite_goals goals;
    bool has_problem;
    uint32_t mark_count; /* number of known marks; a run may show others */
    uint32_t *goal_starts, *goals_by_mark; /* which goals a mark reaches */
    hd_solver *inputs; /* if branches depend on any */
    const char *bound; /* why not everything was explored, or NULL */
    bool cut; /* the end came before every test was run */
    bool unsure; /* some query about inputs had no answer */
    bool *reached; /* per goal: reached by a working test */

    hd_vec(hd_suite_test) tests; /* all tests, dropped ones included; see `fate` */
    uint32_t lower; /* lower bound: no suite has fewer tests */
    uint32_t unreached; /* goals that no test reached again */
    uint32_t lost; /* goals of tests beyond `most` */
    uint32_t mended; /* chosen tests that did not do what they claimed */
    bool chosen_early; /* the method was stopped early */
    double deadline, last_look, last_shown;
    uint32_t shown_lower, shown_upper;
    double explore_seconds, choose_seconds;
} hd_suite_maker;

bool hd_suite_maker_open(hd_suite_maker *x, const hd_suite_maker_config *config, const hd_program *program,
    hd_progress *progress, hd_ending *ending, hd_error *error);
void hd_suite_maker_close(hd_suite_maker *x);

/* Explores the program and collects the goals. */
bool hd_suite_maker_explore(hd_suite_maker *x, hd_error *error);

/* Runs existing tests; keeps those that can be followed and reach a goal that no test before them does, and those
 * that the end has kept from being run. `tests` have numbers and records. */
bool hd_suite_maker_keep(hd_suite_maker *x, hd_suite_test *tests, size_t count, hd_error *error);

/* Adds tests for all goals that are not reached yet. */
bool hd_suite_maker_add(hd_suite_maker *x, hd_error *error);

/* The number of tests with this fate. */
uint32_t hd_suite_maker_count(const hd_suite_maker *x, hd_suite_fate fate);

/* Was everything explored, and is every goal reached by a test? */
bool hd_suite_maker_is_complete(const hd_suite_maker *x);

#endif
