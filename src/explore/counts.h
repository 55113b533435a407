/* The counters of an exploration. Plain data, as reports and their tests use it, too. */
#ifndef HD_EXPLORE_COUNTS_H
#define HD_EXPLORE_COUNTS_H

#include "sym/counts.h"

/* What an explorer keeps of the executions. */
typedef struct hd_kept {
    uint64_t events, bytes;
} hd_kept;

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

#endif
