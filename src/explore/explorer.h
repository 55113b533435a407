/* Explorers: who chooses the next test.
 *
 * One loop (explore/run.c) drives them all: `next` fills in a plan, or says
 * that nothing is left; the target runs it; `learn` looks at the execution.
 * Explorers keep all their state in the hd_memory they are opened with, without
 * function pointers in it, so that it survives the process it was made in.
 *
 * `learn` is called once for each `next` that gave a plan, except when the run
 * showed that something is shared that was not known to be (HD_LEARNED): then
 * the explorer is closed and opened again, and starts over.
 */
#ifndef HD_EXPLORE_EXPLORER_H
#define HD_EXPLORE_EXPLORER_H

#include "base/memory.h"
#include "event/plan.h"
#include "event/trace.h"
#include "explore/counts.h"
#include "inputs/path.h"

typedef struct hd_explore_config {
    uint64_t seed;
    uint32_t pct_depth;
    bool races;
    hd_solver_config solver;
} hd_explore_config;

typedef struct hd_explorer {
    const char *name;
    bool exhaustive; /* it ends by itself; others may go on for ever. When `next` says no, everything has been explored
                      */
    void *(*open)(const hd_explore_config *config, hd_memory *memory);
    bool (*next)(void *self, hd_plan *plan);
    /* False: the execution does not begin as the plan says it must. */
    bool (*learn)(void *self, const hd_execution *e);
    void (*close)(void *self);

    /* The last execution with its happens-before relation, for the checks. */
    const hd_trace *(*trace)(void *self);

    /* Of everything, the part that has been explored, as far as one can tell (0 to 1; < 0: cannot). */
    double (*progress)(void *self);

    /* The last execution's branches on inputs, and what was lost there. */
    hd_path *(*path)(void *self);

    /* May be NULL. When `next` says no: what has been left out, or NULL. */
    const char *(*unfinished)(void *self);

    /* May be NULL. What it has found out about the program, as a graph for dot; in its memory. */
    const char *(*draw)(void *self, size_t *size);

    /* May be NULL. */
    hd_kept (*kept)(void *self);

    /* May be NULL. How many things the last plan is for, beside the first. */
    uint32_t (*beside)(void *self);

    /* Runs every schedule, so that it does not matter which threads of two executions are the same. */
    bool every_schedule;

    /* Shows what each thread can come to, but not every combination of what they come to. */
    bool local_states;

    /* Wants to see what a thread looks at after it has joined all others, too. */
    bool sees_joins;
} hd_explorer;

/* By name, or NULL. */
const hd_explorer *hd_explorer_find(const char *name);

/* The names, for messages: "dfs, random, …". */
const char *hd_explorer_names(void);

#define EXPLORER(name, title, about) extern const hd_explorer hd_explorer_##name;
#include "explore/explorers.def"
#undef EXPLORER

#endif
