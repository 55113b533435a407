/* The explorer contract: an explorer chooses the next test.
 *
 * One loop (explore/run.c) drives all explorers: `next` fills in a plan, or returns false when nothing is left; the
 * target runs it; `learn` processes the execution. Explorers keep all their state in the hd_memory that they are opened
 * with, without function pointers, so that it outlives the process.
 *
 * `learn` is called once for each plan, except when the run shows that a cell is shared that was not known to be
 * (HD_LEARNED): then the explorer is closed and opened again. */
#ifndef HD_EXPLORE_EXPLORER_H
#define HD_EXPLORE_EXPLORER_H

#include "abi/settings.h"
#include "base/memory.h"
#include "event/plan.h"
#include "event/trace.h"
#include "explore/allowed.h"
#include "explore/counts.h"
#include "inputs/path.h"

/* docs/algorithms/reach.md. */
typedef enum hd_reach_mode { HD_REACH_STATELESS, HD_REACH_TREE, HD_REACH_SINGLE, HD_REACH_PAIRS } hd_reach_mode;

typedef struct hd_explore_config {
    uint64_t seed;
    uint32_t pct_depth;
    hd_bounded bounded; /* dfs, preempt, delay: schedules are left out that exceed a bound … */
    uint32_t most; /* … of so many preemptions or delays */
    bool races;
    bool compose; /* sss, dpor: steps are composed */
    bool exits; /* sss, if-sss: … and end only where locks are given back */
    hd_dependency dependency; /* sss, if-sss: which steps wake each other */
    hd_settings settings; /* sss: the lock discipline */
    hd_allowed *allowed; /* sss, if-sss: what threads may do, for persistent sets; NULL: they are all enabled steps */
    hd_reach_mode reach; /* reach: how it keeps from repeating sequences */
    hd_solver_config solver;
    struct hd_pieces *pieces; /* dpor: it is one of several workers (dpor/pieces.h); NULL: it is alone */
    uint32_t worker; /* its number */
} hd_explore_config;

typedef struct hd_explorer {
    const char *name;
    bool exhaustive; /* it ends by itself, and then everything has been explored; others may continue forever */
    void *(*open)(const hd_explore_config *config, hd_memory *memory);
    bool (*next)(void *self, hd_plan *plan);
    /* False: the execution does not begin as the plan says it must. */
    bool (*learn)(void *self, const hd_execution *e);
    void (*close)(void *self);

    /* The last execution with its happens-before relation, for the checks. */
    const hd_trace *(*trace)(void *self);

    /* An estimate of the explored share of everything (0 to 1; < 0: unknown). */
    double (*progress)(void *self);

    /* The last execution's branches on inputs, and the source locations that are not explored. */
    hd_path *(*path)(void *self);

    /* May be NULL. When `next` has returned false: what was left out, or NULL. */
    const char *(*unfinished)(void *self);

    /* May be NULL. Its data as a graph for dot, of `most` nodes at most; in its memory. NULL: there is none. */
    const char *(*draw)(void *self, uint32_t most, size_t *size);
    bool unfolds; /* the graph is an unfolding, which pages show */

    /* May be NULL. */
    hd_kept (*kept)(void *self);

    /* May be NULL. The sizes of its persistent sets. */
    hd_persistent_sizes (*sizes)(void *self);

    /* May be NULL. The number of further targets of the last plan. */
    uint32_t (*beside)(void *self);

    /* May be NULL. The work that it has done so far besides running executions, in units of about the time that an
     * operation of an execution takes. It depends on the executions alone, not on the machine. */
    uint64_t (*work)(void *self);

    /* May be NULL. Of a search of schedules within a bound, which begins with the least one: how far it has come. */
    hd_bound_reached (*reached)(void *self);

    /* Runs every schedule, so it need not know which threads of two executions are the same. */
    bool every_schedule;

    /* Reaches every local state of every thread, but not every combination of them. */
    bool local_states;

    /* Needs the accesses of a thread after it has joined all others, too (run option `alone`). */
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
