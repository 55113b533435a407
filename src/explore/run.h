/* The loop that drives every explorer: next plan, run, learn, check. */
#ifndef HD_EXPLORE_RUN_H
#define HD_EXPLORE_RUN_H

#include "check/finding.h"
#include "explore/counts.h"
#include "explore/explorer.h"
#include "explore/minimise.h"
#include "target/target.h"

typedef enum hd_run_end {
    HD_END_COMPLETE, /* everything is explored */
    HD_END_STOPPED, /* by the listener */
    HD_END_BOUNDED, /* everything within a bound of schedules is explored */
    HD_END_EXHAUSTED, /* the explorer has finished, but something was left out */
    HD_END_NONDETERMINISTIC
} hd_run_end;

typedef struct hd_run_listener {
    void *context;
    /* A finding in the execution of this test; false: stop. It may run other executions. */
    bool (*found)(void *context, const hd_finding *f, const hd_test_case *test);
    /* After every execution; false: stop. */
    bool (*goes_on)(void *context);
    void (*notice)(void *context, const char *text);
    /* The search starts over: what was explored so far does not count. */
    void (*starts_over)(void *context);
    /* After each execution that ran to its end; may be NULL. */
    void (*ran)(void *context, const hd_execution *e);
} hd_run_listener;

typedef struct hd_run_config {
    const hd_explorer *explorer;
    const hd_explorer *second; /* alternates with it (turns.h); NULL: none */
    bool hunts; /* with hunters (turns.h) */
    hd_explore_config explore;
    hd_settings settings;
    bool count_states, count_traces;
    bool warm; /* what there is to learn before the search is known */
} hd_run_config;

/* A search. All of it is in `memory`, so that another process can continue it. */
typedef struct hd_run hd_run;

hd_run *hd_run_open(const hd_run_config *config, hd_target *target, hd_run_counts *counts, hd_memory *memory);
void hd_run_close(hd_run *run);

hd_run_end hd_run_go(hd_run *run, const hd_run_listener *listener);

/* The first explorer must give up, for this reason; the second continues alone. False: there is no second one. */
bool hd_run_give_up(hd_run *run, const char *why, const hd_run_listener *listener);

/* The explorer whose turn it is; at the end, the one that has finished. */
const hd_explorer *hd_run_explorer(const hd_run *run);

/* What the explorers have built, if one of them can draw it, with `most` events at most; in the run's memory. NULL:
 * none can, or it has given up. */
const char *hd_run_draw(hd_run *run, uint32_t most, size_t *size);

/* Continues in another process than the one that opened it; `config` has this process's explorers. If the other process
 * died while the program ran, `died` is the execution up to then: it is tried once more, and if the process dies again
 * it counts as a crash. NULL: the program was not running. */
void hd_run_take_up(
    hd_run *run, const hd_run_config *config, const hd_execution *died, const hd_run_listener *listener);

/* The search goes on at another time, perhaps after the machine was started anew: what it knew of the clock is void. */
void hd_run_set_clock(hd_run *run);

#endif
