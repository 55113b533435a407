/* A test: what to do, and what came of it.
 *
 * A plan is values for inputs, a schedule prefix (who performs the next
 * operation, and with which outcome if it has several) and a policy for what
 * follows. An execution is
 * what the target gives back: the log of operations, where every thread stands
 * at the end, and how it ended. */
#ifndef HD_EVENT_PLAN_H
#define HD_EVENT_PLAN_H

#include "abi/wire.h"
#include "base/vec.h"

#include <stdbool.h>

typedef struct hd_choice {
    uint16_t thread;
    uint8_t choice;
} hd_choice;

typedef hd_vec(hd_given) hd_given_list;

/* A thread whose next operation, with this outcome, must not be done before one
 * that conflicts with it: all that begins with it is known. If it still sleeps
 * when the plan's prefix ends (unless the plan sleeps on), or is next in it, the
 * execution is cut. */
typedef struct hd_sleeper {
    uint16_t thread;
    uint8_t choice;
    const hd_op *ops; /* what its next step does */
    uint32_t op_count;
} hd_sleeper;

typedef enum hd_tail {
    HD_TAIL_FIRST, /* go on with the same thread while it can */
    HD_TAIL_PATIENT, /* the same, but the process exits only when nobody else can go on */
    HD_TAIL_RANDOM, /* any enabled thread, all alike */
    HD_TAIL_PCT /* random priorities that change at a few random moments */
} hd_tail;

/* What a program's runs have taught. A run of it elsewhere is the same run only
 * if it knows that from its start. */
typedef struct hd_learned_facts {
    const uint32_t *shared; /* cells (abi/fast.h) */
    uint32_t shared_count;
    uint32_t births[HD_MAX_THREADS]; /* which thread has which number (hd_runtime) */
} hd_learned_facts;

/* A step of a recorded schedule, which a changed program may not quite have. */
typedef struct hd_step_record {
    uint16_t thread;
    uint8_t choice, kind;
    const char *file;
    uint32_t line;
} hd_step_record;

typedef struct hd_plan {
    const hd_given *given; /* other inputs are as the runtime chooses */
    uint32_t given_count;
    const hd_choice *prefix;
    uint32_t prefix_count;
    const hd_sleeper *sleepers; /* before step `sleep_at` of the prefix */
    uint32_t sleeper_count, sleep_at;
    hd_tail tail;
    uint64_t seed;
    uint32_t pct_depth, pct_length; /* how many orderings; how long runs are */
    const hd_step_record *records; /* instead of a prefix */
    uint32_t record_count;
    bool sleeps_on; /* those who sleep when the prefix ends sleep on, while others can go on */
    bool alternatives; /* record what else could have been picked */
    bool flows; /* plain accesses are not decisions: for sampling, where races are found in any order */
    bool forgiving; /* a prefix that does not fit is followed as far as it does */
} hd_plan;

/* What could be picked at one step of the tail: `count` choices from `first`. */
typedef struct hd_alternatives {
    uint32_t first, count;
} hd_alternatives;

typedef struct hd_execution {
    const hd_op *log;
    uint32_t log_count;
    const hd_op (*looks)[HD_MOST_LOOKS]; /* hd_runtime.looks */
    const uint64_t *operands; /* parallel to log: hd_runtime.operands; NULL: not known */
    const hd_thread_view *threads;
    uint32_t thread_count;
    const hd_outcome *outcome;

    /* If asked for: the statements and branches that threads came to, in order. */
    const hd_covered *covered;
    uint32_t covered_count;

    /* What it asked for, and what its branches are made of. */
    const hd_input *inputs;
    uint32_t input_count;
    const hd_expr *exprs; /* from 1 */
    uint32_t expr_count; /* with the unused first */

    /* One for each step from the end of the prefix on, if asked for. */
    const hd_alternatives *alternatives;
    uint32_t alternative_steps;
    const hd_choice *choices;
    uint32_t picks; /* decisions that were made */
} hd_execution;

/* Is it something that a thread did, and not an edge, a branch on inputs, or
 * what could have been done? */
static inline bool hd_op_is_done(const hd_op *op)
{
    return op->kind != HD_EDGE && op->kind != HD_BRANCH && !(op->flags & HD_OP_WITHDRAWN);
}

/* Did it run to its end, as the program itself ended it? */
static inline bool hd_outcome_is_test(uint32_t kind)
{
    return kind <= HD_MODEL_LIMIT || kind == HD_DEPTH || kind == HD_HANG;
}

/* The process has ended by itself, with whatever status. */
static inline bool hd_outcome_is_exit(uint32_t kind)
{
    return kind == HD_FINISHED || kind == HD_EXIT_STATUS;
}

/* Is it something to report? */
static inline bool hd_outcome_is_finding(uint32_t kind)
{
    return kind > HD_FINISHED && kind <= HD_MODEL_LIMIT;
}

#endif
