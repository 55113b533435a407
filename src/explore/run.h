/* The loop that drives every explorer: next plan, run, learn, check. */
#ifndef HD_EXPLORE_RUN_H
#define HD_EXPLORE_RUN_H

#include "check/finding.h"
#include "explore/counts.h"
#include "explore/explorer.h"
#include "explore/minimise.h"
#include "target/target.h"

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
