/* A scripted target: a runtime without a program. Only unit tests use it.
 *
 * A script is a concurrent program given as data, a list of instructions per
 * thread. The fake interprets it under the same contract that the real runtime
 * keeps (abi/wire.h): threads publish operations, local steps run at once,
 * starting and joining are edges, a signal withdraws a timeout. So explorers
 * and checks are tested with no process, and every value can be checked.
 *
 * A cell is eight bytes. A write puts its value into each byte of its mask, a
 * read gives the sum of them; so operations that touch different bytes commute
 * and others do not. What an instruction gives is its thread's `last` value.
 *
 * A value can come from an input. Then it is followed as an expression, also through
 * single bytes of cells; a jump or an assertion that looks at it is a branch, and so is whether an update
 * changes its byte. Variables are set and read without operations, so
 * main should set them before it starts others.
 *
 * Inside an atomic block, operations are one step; a lock or a semaphore that is not there ends it
 * early. Choices, conditions and joins do not belong there.
 *
 * Threads are numbered by their place in the program, not by who started them
 * first. As a process has one program, one script is bound at a time.
 */
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
    HD_DO_END, /* of the thread; of main: of the program */
    HD_DO_READ, /* cell, mask */
    HD_DO_WRITE, /* cell, mask, value */
    HD_DO_LOAD,
    HD_DO_STORE,
    HD_DO_ADD, /* to each byte; gives the old sum */
    HD_DO_SWAP_IF, /* the sum is `other`: like a write; gives whether it was */
    HD_DO_PUT, /* what was given last, into one byte of a cell */
    HD_DO_SWAP, /* the same; gives what was there */
    HD_DO_ADD_LAST, /* what was given last to one byte; gives what was there */
    HD_DO_LOCK, /* mutex */
    HD_DO_TRYLOCK, /* gives whether it has it */
    HD_DO_UNLOCK,
    HD_DO_SEM_WAIT, /* semaphore */
    HD_DO_SEM_TRY,
    HD_DO_SEM_POST,
    HD_DO_WAIT, /* condition, other: its mutex */
    HD_DO_TIMEDWAIT, /* gives whether time was up */
    HD_DO_SIGNAL,
    HD_DO_BROADCAST,
    HD_DO_CREATE, /* thread */
    HD_DO_JOIN,
    HD_DO_CHOOSE, /* value: how many outcomes */
    HD_DO_JUMP_IF, /* last == value: on to step `object` of the thread */
    HD_DO_JUMP_UNLESS,
    HD_DO_ASSERT, /* last == value */
    HD_DO_EXIT, /* the program */
    HD_DO_STOP, /* the execution, with outcome `value` */
    HD_DO_INPUT, /* value: how many bits; gives an input */
    HD_DO_SET, /* variable: what was given last */
    HD_DO_GET, /* variable */
    HD_DO_PLUS, /* value: added to what was given last, in its width */
    HD_DO_PLUS_VARIABLE, /* object: the variable, of the same width */
    HD_DO_BELOW, /* value: gives whether what was given last is less */
    HD_DO_PIN, /* uses what was given last like an address: any value of it is a way of its own */
    HD_DO_FOLLOW, /* computes with it concretely */
    HD_DO_ASSUME, /* last == value */
    HD_DO_BEGIN, /* an atomic block, which may be inside another */
    HD_DO_FINISH, /* the innermost */
    HD_DO_COUNT_RUNS /* gives how often the script has been run: what a program must not depend on */
} hd_script_code;

typedef struct hd_script_step {
    uint8_t code, object, mask, other;
    int16_t value;
} hd_script_step;

/* Thread 0 is main. A list ends with HD_DO_END, which is zero. */
typedef struct hd_script_program {
    hd_script_step threads[HD_SCRIPT_THREADS][HD_SCRIPT_STEPS];
    uint8_t semaphores[HD_SCRIPT_OBJECTS]; /* their first values */
} hd_script_program;

typedef struct hd_script_thread {
    uint8_t at, phase; /* the step, and the part of it */
    uint8_t woken, joined, joiner; /* joiner: the thread that waits for it, + 1 */
    uint8_t waits_on; /* a condition, + 1 */
    uint8_t ends_as; /* the outcome that its exit is */
    int64_t last;
    uint32_t expr; /* of `last`, or 0 */
    uint8_t width, from_input; /* of `last`, if it was computed from inputs */
    uint32_t inputs; /* that it has asked for */
    uint64_t history; /* hash of every plain value it has had, and of its branches */
    uint8_t blocks; /* that it is in */
    uint8_t in_step; /* and the next operation belongs to the last step */
} hd_script_thread;

typedef struct hd_script_variable {
    int64_t value;
    uint32_t expr;
    uint8_t width, from_input;
} hd_script_variable;

typedef struct hd_script {
    hd_runtime runtime;
    hd_engine *engine; /* set it to the target's */
    hd_script_program program;
    uint32_t runs;

    hd_script_thread threads[HD_SCRIPT_THREADS];
    uint8_t cells[HD_SCRIPT_OBJECTS][8];
    uint32_t cell_exprs[HD_SCRIPT_OBJECTS][8]; /* 8 bits wide; 0: a plain number, or nothing is followed */
    uint8_t cell_inputs[HD_SCRIPT_OBJECTS][8]; /* it depends on inputs */
    uint8_t owners[HD_SCRIPT_OBJECTS]; /* of mutexes: a thread, + 1 */
    uint32_t semaphores[HD_SCRIPT_OBJECTS];
    uint32_t local[HD_SCRIPT_THREADS], local_first, local_count;
    uint8_t ended;
    uint8_t assumed_otherwise; /* a thread did: it waits for ever, and this is no test */

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
    /* If set, inputs are these by their instruction, nobody chooses them, and
     * nothing is followed: for trying all. */
    const uint64_t (*fixed)[HD_SCRIPT_STEPS];
} hd_script;

/* Makes `s` run `program`, which is copied, and binds it. */
void hd_script_init(hd_script *s, const hd_script_program *program);

#endif
