/* A story: one execution with everything that a person wants to know of it,
 * in text and numbers that mean the same outside the process that ran it. */
#ifndef HD_WORKER_STORY_H
#define HD_WORKER_STORY_H

#include "abi/wire.h"
#include "base/memory.h"
#include "check/finding.h"
#include "event/plan.h"

typedef struct hd_place {
    const char *file, *function; /* "?" if unknown */
    uint32_t line, column;
} hd_place;

typedef struct hd_story_op {
    hd_op op;
    hd_place place;
    hd_stack stack; /* pcs, innermost first, 0 at the end */
} hd_story_op;

typedef struct hd_story_thread {
    hd_thread_view view;
    hd_place place; /* of its pending operation or its wait */
    hd_place created;
    hd_stack stack, creation_stack;
} hd_story_thread;

typedef struct hd_story {
    hd_story_op *ops; /* the log: operations, and edges */
    uint32_t op_count;
    hd_story_thread *threads;
    uint32_t thread_count;
    hd_outcome outcome; /* its site is not valid here */
    hd_place place; /* of the outcome */
    hd_finding finding;
    bool reproduced;
    uint32_t misfit; /* the first step that no longer fits the program, or ~0 */
} hd_story;

/* Copies the execution out of the program. `stacks` as in hd_runtime, or NULL. */
void hd_story_tell(hd_story *s, const hd_execution *e, const hd_runtime *runtime, hd_memory *memory);

/* A copy that lives as long as the arena. */
void hd_story_copy(hd_story *to, const hd_story *from, hd_arena *arena);

#endif
