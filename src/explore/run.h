/* The loop that drives every explorer: next plan, run, learn, check. */
#ifndef HD_EXPLORE_RUN_H
#define HD_EXPLORE_RUN_H

#include "check/finding.h"
#include "explore/explorer.h"
#include "explore/minimise.h"
#include "target/target.h"

/* How far a run has come; readable while it goes on. */
typedef struct hd_run_counts {
    uint64_t tests; /* executions that ran to their end */
    uint64_t blocked; /* redundant ones that were cut */
    uint64_t events; /* operations in them */
    uint64_t assumed; /* ended by an assumption: not tests */
    uint64_t restarts; /* because something turned out to be shared */
    uint64_t deep, hung; /* tests that ended at a bound */
    uint64_t hung_at; /* the address of the code that the last of those was in */
    uint64_t unseen; /* tests in which assembly accesses memory in a way that is not known */
    char unseen_at[160]; /* where, in the first of them */
    uint64_t clocked; /* tests with a branch on what a clock says */
    char clocked_at[160]; /* where, in the first of them */
    uint64_t limited; /* tests that ended at a call that is not modelled */
    uint64_t states, state_sum; /* distinct final states, and their sum */
    uint64_t locals, local_sum; /* distinct local states of threads, and their sum */
    uint64_t traces; /* distinct traces, with their paths, where they are counted */
    uint64_t inputs; /* the most that a test asked for */
    uint64_t compared, differed; /* with what a fresh process does, see selfcheck.h: executions */
    double comparing; /* seconds that this took */
    uint64_t followed; /* branches that are not explored: inputs went into something computed concretely */
    hd_kept kept;
    hd_solver_counts solver;
    double progress; /* explored share, or < 0 */
} hd_run_counts;

typedef enum hd_run_end {
    HD_END_COMPLETE, /* nothing is left */
    HD_END_STOPPED, /* the listener said so */
    HD_END_EXHAUSTED, /* nothing is left, but something was left out */
    HD_END_NONDETERMINISTIC
} hd_run_end;

typedef struct hd_run_listener {
    void *context;
    /* Something is wrong in the execution of this test; false: stop. It may run
     * others. */
    bool (*found)(void *context, const hd_finding *f, const hd_test_case *test);
    /* After every execution; false: stop. */
    bool (*goes_on)(void *context);
    void (*notice)(void *context, const char *text);
    /* All that was explored so far is void: it starts over. */
    void (*starts_over)(void *context);
    /* An execution that ran to its end; NULL: nobody asks. */
    void (*ran)(void *context, const hd_execution *e);
} hd_run_listener;

typedef struct hd_run_config {
    const hd_explorer *explorer;
    const hd_explorer *second; /* takes turns with it, see turns.h; NULL: none */
    hd_explore_config explore;
    bool count_states, count_traces;
} hd_run_config;

/* A run that can be left and taken up again: all of it is in `memory`. */
typedef struct hd_run hd_run;

hd_run *hd_run_open(const hd_run_config *config, hd_target *target, hd_run_counts *counts, hd_memory *memory);
void hd_run_close(hd_run *run);

hd_run_end hd_run_go(hd_run *run, const hd_run_listener *listener);

/* The first explorer has to give up, for this reason: the second goes on alone. False: there
 * is none. */
bool hd_run_give_up(hd_run *run, const char *why, const hd_run_listener *listener);

/* Whose turn it is; at the end, who had nothing left. */
const hd_explorer *hd_run_explorer(const hd_run *run);

/* The explorer's drawing, in the run's memory; NULL if it has none. */
const char *hd_run_draw(hd_run *run, size_t *size);

/* In another process than the one that opened it: `config` has this process's
 * explorer. If that process died while the program ran, `died` is the execution
 * as far as it got: it is tried once more, and if it is deadly again it counts
 * as a crash. NULL: nothing was running. */
void hd_run_take_up(
    hd_run *run, const hd_run_config *config, const hd_execution *died, const hd_run_listener *listener);

#endif
