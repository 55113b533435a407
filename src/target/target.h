/* A target runs a plan and returns an execution.
 *
 * It drives an hd_runtime: the one inside the tested program, in this process or in a forked child,
 * or the scripted one of unit tests. At each step the runtime calls the target's pick, which
 * follows the plan's prefix and then its tail policy, and keeps sleepers asleep (target/policy.c).
 * The execution of a plan depends on the plan and on what the runtime has learned, on nothing else.
 * The struct is open: the session embeds it, and policies read it at every step. */
#ifndef HD_TARGET_TARGET_H
#define HD_TARGET_TARGET_H

#include "base/memory.h"
#include "base/rng.h"
#include "base/vec.h"
#include "event/plan.h"
#include "target/fresh.h"
#include "target/kind_check.h"

typedef struct hd_target_threads {
    uint32_t threads[HD_MAX_THREADS], count;
} hd_target_threads;

/* A cell of the owner table with a mark that is valid in later runs (abi/fast.h). */
typedef struct hd_known_cell {
    uint32_t cell, mark;
} hd_known_cell;

typedef struct hd_target {
    hd_runtime *runtime;
    hd_engine engine; /* its pick is what the runtime calls */
    hd_fresh fresh; /* forks the process for a run that needs its own */
    bool fork; /* every run gets a process of its own */
    bool real_files; /* changes of files reach the disk; otherwise they stay in memory */
    bool learned; /* a run ended as HD_LEARNED: the exploration must start over */
    bool composes; /* some plans of the search compose steps */
    bool repeats; /* log accesses that repeat others of their composed step (runtime/sched/compose.h), too */
    bool values; /* log the values of plain accesses too; operands hold what writes left at the end */
    volatile int *phase; /* if not NULL: 2 while the program runs here, 3 while it runs in a child, else 1 */

    hd_plan plan; /* a copy, since a child of `fresh` does not see the caller's stack */
    uint32_t position; /* steps picked so far */
    uint32_t seen; /* log entries up to here have been checked for waking sleepers */
    uint32_t streak; /* steps of the same thread in a row */
    int last_thread;
    hd_rng rng;
    hd_vec(uint32_t) asleep; /* the plan's sleepers that have not been woken */
    uint32_t priority[HD_MAX_THREADS]; /* pct, pos: the highest runs; 0: not drawn yet */
    uint32_t change_at[32], changes; /* pct */
    uint32_t weights[HD_MAX_THREADS]; /* surw: interesting operations that a thread has left */
    int intended; /* surw: the thread that performs the next of them; < 0: none (chance.c) */
    /* Room for chance.c, not on the stack: that is a tested thread's, and what was used of it is cleared in every run.
     */
    hd_target_threads enabled, free;
    uint64_t borne[HD_MAX_THREADS];
    hd_vec(hd_alternatives) alternatives;
    hd_vec(hd_choice) choices;
    uint32_t misfit; /* first step of a forgiving plan or of a record that did not fit; ~0: none */
    uint32_t strays; /* consecutive steps outside of the record */
#ifdef HD_DEBUG
    hd_kind_check kind_check;
#endif
} hd_target;

void hd_target_init(hd_target *t, hd_runtime *runtime, hd_memory *memory);
void hd_target_fini(hd_target *t);

/* For a new process that continues with a target made by another. */
void hd_target_attach(hd_target *t, hd_runtime *runtime);

/* To be called before the first run in this process if runs may need a process of their own. */
void hd_target_open_fresh(hd_target *t);

/* Passes what earlier runs have learned to the runtime, before the first run; reads it back after the last
 * run. */
void hd_target_set_facts(hd_target *t, const hd_learned_facts *facts);
void hd_target_get_facts(const hd_target *t, hd_learned_facts *facts, hd_memory *memory);

/* All that runs have learned, to the last flag: a search goes on in another process only with exactly that. */
typedef struct hd_known {
    hd_vec(hd_known_cell) cells;
    hd_vec(char) kept; /* hd_runtime.kept */
} hd_known;

/* Fills in *known, whose vectors have their memory already. */
void hd_target_get_known(const hd_target *t, hd_known *known);

/* Replaces what runs have learned in this process, before the first run. */
void hd_target_set_known(hd_target *t, const hd_known *known);

/* The runtime's last run, even if it was cut short. */
hd_execution hd_target_last(const hd_target *t);

/* Runs `plan`. The execution points into the runtime and the target and is
 * valid until the next run. */
hd_execution hd_target_run(hd_target *t, const hd_plan *plan);

/* After HD_NEEDS_FORK: every run gets a process of its own; if it has one, files are real from now on, too. */
void hd_target_fall_back(hd_target *t);

/* As hd_target_run, in a process that has not run the program before. */
hd_execution hd_target_run_fresh(hd_target *t, const hd_plan *plan);

#endif
