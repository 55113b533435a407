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
    uint32_t number; /* of its thread; see hd_recorded_run.numbers */
    hd_location location;
    const char *path; /* the access path of its site (abi/site.h); NULL: none */
    hd_stack stack; /* pcs, innermost first, 0 at the end */
    bool has_value; /* of memory operations: */
    uint64_t value; /* what was read or written */
} hd_recorded_op;

typedef struct hd_recorded_thread {
    hd_thread_view view; /* of a thread whose slot had another life since: that it has ended */
    uint32_t slot, creator; /* its slot; the number of its creator */
    const char *process; /* in a system of processes: the name of its process; otherwise NULL */
    bool is_last; /* its slot has had no other life since */
    hd_location location; /* position of its pending operation or of its wait */
    const char *path; /* of the same site; NULL: none */
    hd_location created;
    hd_stack stack, creation_stack;
} hd_recorded_thread;

/* A loaded file of code: pc - base is the address in the file. */
typedef struct hd_module {
    const char *path; /* "": the program itself */
    uint64_t base, start, end;
} hd_module;

/* A heap block. */
typedef struct hd_recorded_block {
    uint64_t address, size;
    hd_location allocated, freed; /* line 0: unknown, or not freed */
    const char *function; /* the library's function that allocated it, as calloc; NULL: unknown */
    uint32_t allocator, freer; /* numbers of threads */
    bool known, is_freed;
} hd_recorded_block;

/* A thread's copy of a thread-local variable. */
typedef struct hd_recorded_copy {
    uint64_t address, initial; /* of some of its bytes, and where the initial value of these bytes is */
} hd_recorded_copy;

typedef struct hd_recorded_run {
    hd_recorded_op *ops; /* the log: operations, and edges */
    uint32_t op_count;
    hd_recorded_thread *threads; /* by number (hd_thread_number) */
    uint32_t thread_count;
    uint32_t *numbers; /* by slot: the number of its last thread. NULL: numbers are slots */
    uint32_t slot_count;
    hd_outcome outcome; /* its site is not valid here */
    hd_location location; /* of the outcome */
    hd_finding finding;
    hd_recorded_block block; /* that the finding is about */
    hd_recorded_block *blocks; /* that operations access or point to, by address */
    uint32_t block_count;
    hd_recorded_copy *copies; /* of thread-local variables, by address */
    uint32_t copy_count;
    hd_input *inputs; /* their sites are not valid here */
    uint32_t input_count;
    hd_module *modules;
    uint32_t module_count;
    bool reproduced;
    bool died; /* the process was killed while the program ran: the rest is empty */
    uint32_t misfit; /* the first step that no longer fits the program, or ~0 */
} hd_recorded_run;

/* The number of the last thread that had the slot. */
static inline uint32_t hd_recorded_number(const hd_recorded_run *run, uint32_t slot)
{
    return run->numbers && slot < run->slot_count ? run->numbers[slot] : slot;
}

/* The number of the thread that had the slot in this life. */
static inline uint32_t hd_recorded_number_in(const hd_recorded_run *run, uint32_t slot, uint32_t life)
{
    for (uint32_t i = 0; run->numbers && i < run->thread_count; i++)
        if (run->threads[i].slot == slot && run->threads[i].view.life == life)
            return i;
    return slot;
}

/* The number of the thread that did the operation. */
static inline uint32_t hd_recorded_doer(const hd_recorded_run *run, uint32_t entry)
{
    return run->numbers ? run->ops[entry].number : run->ops[entry].op.thread;
}

/* Is the thread with this number one of the deadlocked threads? */
static inline bool hd_recorded_is_stuck(const hd_recorded_run *run, const hd_finding *f, uint32_t number)
{
    const hd_recorded_thread *t = &run->threads[number];
    return f->kind == HD_FINDING_DEADLOCK && (!run->numbers || t->is_last)
        && hd_thread_set_has(&f->stuck, run->numbers ? t->slot : number);
}

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
