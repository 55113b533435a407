/* Plans and executions.
 *
 * A plan consists of values for inputs, a schedule prefix (which thread performs the next operation, and with which
 * outcome if it has several) and a policy for the steps after it. An execution is what the target returns: the log of
 * operations, the state of every thread at the end, and how it ended.
 *
 * Plain data, and open: every explorer and every check reads it. */
#ifndef HD_EVENT_PLAN_H
#define HD_EVENT_PLAN_H

#include "abi/wire.h"
#include "base/vec.h"
#include "event/op.h"

#include <stdbool.h>

typedef hd_vec(hd_given) hd_given_list;

/* An element of a sleep set: the next step of the thread, with this outcome, must not be performed before a step that
 * conflicts with it, because all executions that begin with it have been explored. If it is still asleep at the end of
 * the plan's prefix (unless `sleeps_on`), or is itself next in the prefix, the execution is cut. */
typedef struct hd_sleeper {
    uint16_t thread;
    uint8_t choice;
    const hd_op *ops; /* of its next step */
    uint32_t op_count;
} hd_sleeper;

typedef enum hd_tail {
    HD_TAIL_FIRST, /* the same thread as long as it is enabled */
    HD_TAIL_PATIENT, /* the same, but the process exits only when no other thread is enabled */
    HD_TAIL_LOWEST, /* the thread with the least number; exits last: it depends on the state alone */
    /* by chance (target/chance.h): */
    HD_TAIL_RANDOM, /* any enabled thread, with equal probability */
    HD_TAIL_PCT, /* random priorities that change at a few random moments */
    HD_TAIL_POS, /* random priorities of operations, drawn again after a conflict */
    HD_TAIL_SURW /* any order of the interesting operations, with equal probability */
} hd_tail;

/* Shared cells that are always accessed together: their number, and the first (abi/fast.h). */
typedef struct hd_shared_block {
    uint32_t first, cells;
} hd_shared_block;

/* Facts that runs of the program have learned. A run in another process is the same only if it starts with them. */
typedef struct hd_learned_facts {
    const hd_shared_block *shared;
    uint32_t shared_count;
    uint32_t births[HD_MAX_THREADS]; /* the creator and birth number of each thread (hd_runtime) */
    hd_channel channels[HD_CHANNELS]; /* what MPI ranks may send (hd_runtime) */
} hd_learned_facts;

/* A step of a replay file, identified by its source location: a changed program may not have exactly this step. */
typedef struct hd_step_record {
    uint16_t thread; /* its slot */
    uint8_t choice, kind;
    const char *file;
    uint32_t line;
    uint32_t number; /* by which people know the thread (abi/lives.h) */
} hd_step_record;

typedef struct hd_plan {
    const hd_given *given; /* the runtime chooses the values of other inputs */
    uint32_t given_count;
    const hd_choice *prefix;
    uint32_t prefix_count;
    const hd_sleeper *sleepers; /* the sleep set before step `sleep_at` of the prefix */
    uint32_t sleeper_count, sleep_at;
    hd_tail tail;
    uint64_t seed;
    uint32_t pct_depth, pct_length; /* the bug depth d, and the length k of runs */
    uint64_t interesting; /* surw: operations on this object are interesting; 0: all are */
    const uint32_t *weights; /* surw: the expected number of interesting operations of each thread */
    uint32_t weight_count;
    const hd_step_record *records; /* instead of a prefix */
    uint32_t record_count;
    bool
        sleeps_on; /* steps that are asleep at the end of the prefix stay asleep as long as another thread is enabled */
    bool composes; /* invisible operations are no scheduling decisions (runtime/sched/compose.h) */
    bool exits; /* … and only giving back a lock ends a step */
    hd_dependency dependency; /* of steps that sleep */
    bool alternatives; /* record the other choices at each step */
    bool flows; /* plain accesses are no scheduling decisions: for sampling, which finds races in any order */
    bool forgiving; /* a prefix that does not fit is followed as far as possible */
} hd_plan;

/* The choices at one step of the tail: `count` of them from `first`. */
typedef struct hd_alternatives {
    uint32_t first, count;
} hd_alternatives;

typedef struct hd_execution {
    const hd_op *log;
    uint32_t log_count;
    const hd_op (*looks)[HD_MOST_LOOKS]; /* hd_runtime.looks */
    const uint64_t *operands; /* parallel to log: hd_runtime.operands; NULL: not known */
    int (*block)(uint64_t address, hd_block_view *out); /* hd_runtime.block; NULL: not known */
    const uint64_t *calls; /* parallel to log: hd_runtime.calls; NULL: not known */
    const hd_thread_view *threads;
    uint32_t thread_count;
    const hd_outcome *outcome;

    /* If asked for: the statements and branches that threads reached, in order. */
    const hd_covered *covered;
    uint32_t covered_count;

    /* The inputs that it asked for, and the expressions of its branches. */
    const hd_input *inputs;
    uint32_t input_count;
    const hd_expr *exprs; /* from 1 */
    uint32_t expr_count; /* including the unused entry 0 */

    /* One for each step from the end of the prefix on, if asked for. */
    const hd_alternatives *alternatives;
    uint32_t alternative_steps;
    const hd_choice *choices;
    uint32_t picks; /* the number of scheduling decisions */
} hd_execution;

/* Is it an operation that was performed, and not an edge, a branch on inputs, or a withdrawn operation? */
static inline bool hd_op_is_done(const hd_op *op)
{
    return op->kind != HD_EDGE && op->kind != HD_BRANCH && !(op->flags & HD_OP_WITHDRAWN);
}

/* Did it end at a bound that is reached only after much time, so that it should not be run again without need? */
static inline bool hd_outcome_took_long(uint32_t kind)
{
    return kind == HD_HANG || kind == HD_HEAP_FULL || kind == HD_ENDLESS_OUTPUT;
}

/* Does the execution count as a test: did the program itself end it, or a bound? */
static inline bool hd_outcome_is_test(uint32_t kind)
{
    return kind <= HD_MODEL_LIMIT || kind == HD_DEPTH || hd_outcome_took_long(kind);
}

/* Did the process exit, with any status? */
static inline bool hd_outcome_is_exit(uint32_t kind)
{
    return kind == HD_FINISHED || kind == HD_EXIT_STATUS;
}

/* Is it a finding? */
static inline bool hd_outcome_is_finding(uint32_t kind)
{
    return kind > HD_FINISHED && kind <= HD_MODEL_LIMIT;
}

#endif
