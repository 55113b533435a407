/* A recorded run is an execution with everything that a report shows, as text and numbers that are
 * valid outside of the process that ran it. */
#ifndef HD_WORKER_RECORDED_RUN_H
#define HD_WORKER_RECORDED_RUN_H

#include "abi/wire.h"
#include "base/memory.h"
#include "check/finding.h"

/* A location in the user's source. */
typedef struct hd_location {
    const char *file, *function; /* "?" if unknown */
    uint32_t line, column;
} hd_location;

typedef struct hd_recorded_op {
    hd_op op;
    hd_location location;
    hd_stack stack; /* pcs, innermost first, 0 at the end */
    bool has_value; /* of memory operations: */
    uint64_t value; /* what was read or written */
} hd_recorded_op;

typedef struct hd_recorded_thread {
    hd_thread_view view;
    hd_location location; /* position of its pending operation or of its wait */
    hd_location created;
    hd_stack stack, creation_stack;
} hd_recorded_thread;

/* A loaded file of code: pc - base is the address in the file. */
typedef struct hd_module {
    const char *path; /* "": the program itself */
    uint64_t base, start, end;
} hd_module;

/* The heap block that a finding is about. */
typedef struct hd_recorded_block {
    uint64_t address, size;
    hd_location allocated, freed; /* line 0: unknown, or not freed */
    uint16_t allocator, freer;
    bool known, is_freed;
} hd_recorded_block;

typedef struct hd_recorded_run {
    hd_recorded_op *ops; /* the log: operations, and edges */
    uint32_t op_count;
    hd_recorded_thread *threads;
    uint32_t thread_count;
    hd_outcome outcome; /* its site is not valid here */
    hd_location location; /* of the outcome */
    hd_finding finding;
    hd_recorded_block block;
    hd_input *inputs; /* their sites are not valid here */
    uint32_t input_count;
    hd_module *modules;
    uint32_t module_count;
    bool reproduced;
    bool died; /* the process was killed while the program ran: the rest is empty */
    uint32_t misfit; /* the first step that no longer fits the program, or ~0 */
} hd_recorded_run;

struct hd_execution;

/* Records the execution that has just run in this process. The program's memory must still be as
 * the execution left it. */
void hd_recorded_run_fill(
    hd_recorded_run *s, const struct hd_execution *e, const hd_runtime *runtime, hd_memory *memory);

/* Records the heap block at `address`, if the runtime knows one. */
void hd_recorded_run_add_block(hd_recorded_run *s, uint64_t address, const hd_runtime *runtime, hd_memory *memory);

/* A deep copy in the arena. */
void hd_recorded_run_copy(hd_recorded_run *to, const hd_recorded_run *from, hd_arena *arena);

#endif
