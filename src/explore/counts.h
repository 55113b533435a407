/* The counters of an exploration. Plain data, as reports and their tests use it, too. */
#ifndef HD_EXPLORE_COUNTS_H
#define HD_EXPLORE_COUNTS_H

#include "sym/counts.h"

#include <stdbool.h>
#include <stdint.h>

/* The size of the data that an explorer keeps. */
typedef struct hd_kept {
    uint64_t events, bytes;
} hd_kept;

/* The sizes of persistent sets, summed up over the states in which the search decides. */
typedef struct hd_persistent_sizes {
    uint64_t states;
    uint64_t taken, enabled; /* steps in the sets, and all enabled ones */
} hd_persistent_sizes;

/* Schedules may be bounded by what they do: steps of another thread although the last one could continue, or departures
 * from a fixed order of threads (docs/algorithms/preempt.md, delay.md). */
typedef enum hd_bounded { HD_BOUNDED_NOT, HD_BOUNDED_PREEMPTIONS, HD_BOUNDED_DELAYS } hd_bounded;

/* How far a bounded search has come. */
typedef struct hd_bound_reached {
    hd_bounded by;
    uint32_t finished; /* one more than the largest bound whose schedules have all been run; 0: there is none */
    bool more; /* other schedules exceed that bound */
} hd_bound_reached;

/* The counts of a search; may be read while it runs. */
typedef struct hd_run_counts {
    uint64_t tests; /* executions that ran to their end */
    uint64_t hunted; /* further ones that hunters ran (turns.h) */
    uint64_t blocked; /* executions that were cut because they are redundant */
    uint64_t events; /* steps in them … */
    uint64_t replayed; /* … of which the plans said which thread takes them: mostly a prefix of an earlier execution */
    uint64_t assumed; /* executions that a failed assumption ended: not tests */
    uint64_t restarts; /* because a cell turned out to be shared, or of a fall-back to fork */
    uint64_t deep, hung; /* tests that ended at a bound */
    uint64_t hung_at; /* the code address at which the last hung one was */
    uint64_t full; /* tests that filled the heap */
    char full_at[160]; /* where, in the first of them */
    uint64_t endless; /* tests that wrote, or called the kernel, without end */
    char endless_text[200]; /* what the first of them did, and where */
    uint64_t unseen; /* tests in which assembly accesses memory in an unknown way */
    char unseen_at[160]; /* where, in the first of them */
    uint64_t clocked; /* tests with a branch on the value of a clock */
    char clocked_at[160]; /* where, in the first of them */
    uint64_t patient; /* tests in which a wait has timed out as often as --timeouts permits, and began again */
    uint64_t expired; /* executions in which a wait has timed out because no thread could run */
    uint64_t limited; /* tests that ended at a call that is not modelled */
    uint64_t states, state_sum; /* distinct final states, and their sum */
    uint64_t locals, local_sum; /* distinct local states of threads, and their sum */
    uint64_t traces; /* distinct traces, with their paths, where they are counted */
    uint64_t sequences, sequence_sum; /* distinct SR-sequences (traces.h), and their sum, where states are counted */
    uint64_t inputs; /* the largest number that a test asked for */
    uint64_t compared, differed; /* executions compared with a fresh process (selfcheck.h) */
    double comparing; /* seconds that this took */
    uint64_t followed; /* branches whose other values are not explored, because an input is computed with concretely */
    hd_kept kept;
    hd_persistent_sizes persistent;
    hd_solver_counts solver;
    bool composed; /* the explorer that has finished has composed steps (runtime/sched/compose.h) */
    double progress; /* explored share, or < 0 */
    hd_bound_reached reached; /* by the explorer or a hunter whose schedules are bounded */
} hd_run_counts;

#endif
