/* A target runs a plan and gives back an execution.
 *
 * It drives an hd_runtime: the one inside the tested program, in this process
 * or in a forked child, or a scripted fake in unit tests. At each step the
 * runtime asks the target's pick who goes on; that follows the plan's prefix
 * and then its tail policy, keeping sleepers asleep. */
#ifndef HD_TARGET_TARGET_H
#define HD_TARGET_TARGET_H

#include "base/memory.h"
#include "base/rng.h"
#include "base/vec.h"
#include "event/plan.h"
#include "target/fresh.h"
#include "target/kind_check.h"

typedef struct hd_target {
    hd_runtime *runtime;
    hd_engine engine; /* what the runtime calls */
    hd_fresh fresh; /* where runs that need a process of their own have it from */
    bool fork; /* every run does */
    bool learned; /* a run ended as HD_LEARNED: what was explored before must be explored again */
    bool values; /* runs note what plain accesses find as well, and as operands what writes have left at the end */
    volatile int *phase; /* if not NULL: 2 while the program runs here, 3 while it runs in a child, else 1 */

    hd_plan plan; /* as it was given: a child of `fresh` does not see the caller's stack */
    uint32_t position; /* steps picked so far */
    uint32_t seen; /* log entries looked at */
    uint32_t streak; /* steps of the same thread in a row */
    int last_thread;
    hd_rng rng;
    hd_vec(uint32_t) asleep; /* the plan's sleepers that have not been woken */
    uint32_t priority[HD_MAX_THREADS]; /* of pct: higher goes first; 0: not drawn yet */
    uint32_t change_at[32], changes;
    hd_vec(hd_alternatives) alternatives;
    hd_vec(hd_choice) choices;
    uint32_t misfit; /* the first step of a forgiving plan, or of a record, that did not fit; or ~0 */
    uint32_t strays; /* steps in a row that are not in the record */
#ifdef HD_DEBUG
    hd_kind_check kind_check;
#endif
} hd_target;

void hd_target_init(hd_target *t, hd_runtime *runtime, hd_memory *memory);
void hd_target_fini(hd_target *t);

/* In another process than the one that made it. */
void hd_target_attach(hd_target *t, hd_runtime *runtime);

/* Before the first run in this process, if some are to have a process of their own. */
void hd_target_open_fresh(hd_target *t);

/* Before the first run, what earlier ones have taught; and that, after the last. */
void hd_target_teach(hd_target *t, const hd_lessons *lessons);
void hd_target_tell(const hd_target *t, hd_lessons *lessons, hd_memory *memory);

/* What the runtime has of its last run, also if that was cut short. */
hd_execution hd_target_last(const hd_target *t);

/* Runs `plan`. The execution points into the runtime and the target and is
 * valid until the next run. */
hd_execution hd_target_run(hd_target *t, const hd_plan *plan);

/* The same in a process that has not run the program before. */
hd_execution hd_target_run_fresh(hd_target *t, const hd_plan *plan);

#endif
