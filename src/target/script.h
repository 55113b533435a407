/* A scripted target: a runtime without a program. Only unit tests use it.
 *
 * A script is a concurrent program given as data: a list of instructions per thread. It is
 * interpreted under the contract of the real runtime (abi/wire.h): threads publish operations,
 * local steps run at once, starting and joining threads are edges, a signal withdraws a timeout. So
 * explorers and checks are tested without a process, and every value can be checked.
 *
 * A cell is eight bytes. A write stores its value into each byte of its mask, a read returns the
 * sum of these bytes; so operations on disjoint bytes commute and others do not. The result of an
 * instruction is its thread's `last` value.
 *
 * A value can come from an input. Then it is tracked as an expression, also through single bytes of
 * cells. A jump or an assertion on it is a branch, and so is the question whether an update changes
 * its byte. Variables are set and read without operations, so main should set them before it starts
 * other threads.
 *
 * Inside an atomic block all operations are one step; a lock or semaphore that is not available
 * ends the step early. Choices, conditions and joins are not allowed there.
 *
 * Threads are numbered by their position in the program, not by the order in which they start. As a
 * process has one program, one script is bound at a time. */
#ifndef HD_TARGET_SCRIPT_H
#define HD_TARGET_SCRIPT_H

#include "abi/wire.h"

enum {
    HD_SCRIPT_THREADS = 12,
    HD_SCRIPT_STEPS = 48,
    HD_SCRIPT_OBJECTS = 8,
    HD_SCRIPT_LOG = 4096,
    HD_SCRIPT_INPUTS = 16,
    HD_SCRIPT_EXPRS = 512
};

typedef enum hd_script_code {
    HD_DO_END, /* end of the thread; in main: of the program */
    HD_DO_READ, /* cell, mask */
    HD_DO_WRITE, /* cell, mask, value */
    HD_DO_LOAD,
    HD_DO_STORE,
    HD_DO_ADD, /* adds the value to each byte; result: the old sum */
    HD_DO_SWAP_IF, /* if the sum is `other`, write; result: whether it was */
    HD_DO_PUT, /* stores `last` into one byte of a cell */
    HD_DO_SWAP, /* stores `last` into one byte; result: the old byte */
    HD_DO_ADD_LAST, /* adds `last` to one byte; result: the old byte */
    HD_DO_LOCK, /* mutex */
    HD_DO_TRYLOCK, /* result: whether it got the mutex */
    HD_DO_UNLOCK,
    HD_DO_RDLOCK, /* read-write lock */
    HD_DO_WRLOCK,
    HD_DO_RDUNLOCK,
    HD_DO_WRUNLOCK,
    HD_DO_SEM_WAIT, /* semaphore */
    HD_DO_SEM_TRY,
    HD_DO_SEM_POST,
    HD_DO_WAIT, /* condition, other: its mutex */
    HD_DO_TIMEDWAIT, /* result: whether it timed out */
    HD_DO_SIGNAL,
    HD_DO_BROADCAST,
    HD_DO_CREATE, /* thread */
    HD_DO_JOIN,
    HD_DO_CHOOSE, /* value: number of outcomes */
    HD_DO_JUMP_IF, /* if last == value, continue with step `object` */
    HD_DO_JUMP_UNLESS,
    HD_DO_ASSERT, /* last == value */
    HD_DO_EXIT, /* exits the program */
    HD_DO_STOP, /* ends the execution with outcome `value` */
    HD_DO_INPUT, /* value: its width in bits; result: an input */
    HD_DO_SET, /* variable = last */
    HD_DO_GET, /* variable */
    HD_DO_PLUS, /* adds the value to `last`, in its width */
    HD_DO_PLUS_VARIABLE, /* adds the variable `object` of the same width */
    HD_DO_BELOW, /* result: whether last < value */
    HD_DO_PIN, /* uses `last` like an address: every value of it is a path of its own */
    HD_DO_FOLLOW, /* uses `last` concretely: other values are not explored */
    HD_DO_ASSUME, /* last == value */
    HD_DO_BEGIN, /* begins an atomic block; blocks nest */
    HD_DO_FINISH, /* ends the innermost block */
    HD_DO_COUNT_RUNS /* result: how many times the script has run, for tests of dependence on earlier runs */
} hd_script_code;

typedef struct hd_script_step {
    uint8_t code, object, mask, other;
    int16_t value;
} hd_script_step;

/* Thread 0 is main. A list ends with HD_DO_END, which is zero. */
typedef struct hd_script_program {
    hd_script_step threads[HD_SCRIPT_THREADS][HD_SCRIPT_STEPS];
    uint8_t semaphores[HD_SCRIPT_OBJECTS]; /* initial values */
} hd_script_program;

typedef struct hd_script_thread {
    uint8_t at, phase; /* index of the step; phase of a wait */
    uint8_t woken, joined, joiner; /* joiner: the thread that waits for it, + 1 */
    uint8_t waits_on; /* the condition that it waits on, + 1 */
    uint8_t ends_as; /* outcome of the execution when its pending exit is performed */
    int64_t last;
    uint32_t expr; /* of `last`, or 0 */
    uint8_t width, from_input; /* of `last`, if it was computed from inputs */
    uint32_t inputs; /* number of inputs it has requested */
    uint64_t history; /* hash of all its values that do not depend on inputs, and of its branches */
    uint8_t blocks; /* nesting depth of atomic blocks */
    uint8_t in_step; /* the next operation belongs to the step that has begun */
} hd_script_thread;

typedef struct hd_script_variable {
    int64_t value;
    uint32_t expr;
    uint8_t width, from_input;
} hd_script_variable;

typedef struct hd_script {
    hd_runtime runtime;
    hd_engine *engine; /* set by the test to the target's */
    hd_script_program program;
    uint32_t runs;

    hd_script_thread threads[HD_SCRIPT_THREADS];
    uint8_t cells[HD_SCRIPT_OBJECTS][8];
    uint32_t cell_exprs[HD_SCRIPT_OBJECTS][8]; /* 8 bits wide; 0: no expression */
    uint8_t cell_inputs[HD_SCRIPT_OBJECTS][8]; /* its value depends on inputs */
    uint8_t owners[HD_SCRIPT_OBJECTS]; /* of mutexes: a thread, + 1 */
    int32_t rwlocks[HD_SCRIPT_OBJECTS]; /* readers, or HD_WRITER */
    uint32_t semaphores[HD_SCRIPT_OBJECTS];
    uint32_t local[HD_SCRIPT_THREADS], local_first, local_count;
    uint8_t ended;
    uint8_t assumption_failed; /* an assumption failed: its thread waits forever, and the execution is no test */

    hd_thread_view views[HD_SCRIPT_THREADS];
    uint32_t thread_count, log_count;
    hd_op log[HD_SCRIPT_LOG];
    uint64_t operands[HD_SCRIPT_LOG];
    hd_outcome outcome;
    hd_run_options options;
    hd_site sites[HD_SCRIPT_THREADS][HD_SCRIPT_STEPS];

    hd_script_variable variables[HD_SCRIPT_OBJECTS];
    hd_expr exprs[HD_SCRIPT_EXPRS];
    hd_input inputs[HD_SCRIPT_INPUTS];
    hd_given given[HD_INPUT_ROOM];
    uint32_t expr_count, input_count, given_count;
    /* If set, inputs take these values, by thread and step, and nothing is tracked: for enumerating
     * all values. */
    const uint64_t (*fixed)[HD_SCRIPT_STEPS];
} hd_script;

/* Makes `s` run `program`, which is copied, and binds it. */
void hd_script_init(hd_script *s, const hd_script_program *program);

#endif
