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
    bool has_value; /* of memory operations: */
    uint64_t value; /* what was read or written */
} hd_story_op;

typedef struct hd_story_thread {
    hd_thread_view view;
    hd_place place; /* of its pending operation or its wait */
    hd_place created;
    hd_stack stack, creation_stack;
} hd_story_thread;

/* A file of code in the process: pc - base is the address in the file. */
typedef struct hd_module {
    const char *path; /* "": the program itself */
    uint64_t base, start, end;
} hd_module;

/* The heap block that the finding is about. */
typedef struct hd_story_block {
    uint64_t address, size;
    hd_place allocated, freed; /* line 0: unknown, or not freed */
    uint16_t allocator, freer;
    bool known, is_freed;
} hd_story_block;

typedef struct hd_story {
    hd_story_op *ops; /* the log: operations, and edges */
    uint32_t op_count;
    hd_story_thread *threads;
    uint32_t thread_count;
    hd_outcome outcome; /* its site is not valid here */
    hd_place place; /* of the outcome */
    hd_finding finding;
    hd_story_block block;
    hd_input *inputs; /* their sites are not valid here */
    uint32_t input_count;
    hd_module *modules;
    uint32_t module_count;
    bool reproduced;
    bool died; /* the process was killed while the program ran: there is nothing else to tell */
    uint32_t misfit; /* the first step that no longer fits the program, or ~0 */
} hd_story;

/* Copies the execution out of the program, in which it is called: it was run in
 * this process, whose memory is as it left it. */
void hd_story_tell(hd_story *s, const hd_execution *e, const hd_runtime *runtime, hd_memory *memory);

/* Adds what `runtime` knows of the memory at `address`. */
void hd_story_tell_block(hd_story *s, uint64_t address, const hd_runtime *runtime, hd_memory *memory);

/* A copy that lives as long as the arena. */
void hd_story_copy(hd_story *to, const hd_story *from, hd_arena *arena);

#endif
