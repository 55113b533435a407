/* The interface between the runtime inside the tested program and the engine.
 *
 * An execution is a sequence of operations. A thread *publishes* its next operation and
 * is suspended; the engine's `pick` chooses a thread; that thread performs its
 * operation and runs up to its next one. What a thread does between two operations is
 * invisible to others and needs no decision. Creating, joining, starting and ending
 * threads are not operations either. They order operations, so they appear in the log
 * as edges.
 *
 * Everything here is plain data of fixed layout, open to both sides.
 */
#ifndef HD_ABI_WIRE_H
#define HD_ABI_WIRE_H

#include "abi/kinds.h"
#include "abi/settings.h"
#include "abi/site.h"

#include <stddef.h>
#include <stdint.h>

/* A *thread* in this interface, and in all of the engine, is a slot of the scheduler: a
 * stack, an arena of the heap, an entry in vector clocks. A slot has one *life* after
 * the other: when a thread has ended and was joined, the thread that joined it may give
 * the slot to a thread that it creates. The end of one life then happens before the
 * start of the next, in every execution with the same causal past. So the operations of
 * a slot are totally ordered, as those of one thread are, and clocks, sleep sets and
 * local histories need not know of lives. What the program can tell apart does know:
 * handles, owners of locks, thread-locals, reports (abi/lives.h).
 *
 * HD_MAX_THREADS bounds the slots of an execution, not its threads. */
enum { HD_MAX_THREADS = 768, HD_LOG_ROOM = 1 << 20, HD_MOST_LOOKS = 16 };

/* One operation, published or performed. For memory, `object` is the address
 * of an 8-byte cell and `mask` its bytes; otherwise `object` is the address of
 * the synchronisation object, or who a thread is (hd_identity). */
typedef struct hd_op {
    uint64_t object;
    const hd_site *site;
    uint64_t value; /* of an atomic access: the bytes before it; of a wait: the mutex that it releases; HD_CANCELS …;
                       of a choice at a clock: the nanoseconds that have passed if the choice is 1; of an object that
                       starts at a value: its count and the operation's token (hd_op_count, hd_op_token); of an
                       operation on a queue: its stretch (hd_stretch) */
    uint16_t thread;
    uint8_t kind;
    uint8_t mask;
    uint8_t choice, choices; /* choices: number of outcomes (0 or 1: one) */
    uint16_t flags;
} hd_op;

/* The count of a semaphore consists of tokens (runtime/sync/tokens.h): initial ones, and the n-th that the thread in a
 * slot has added, from 1 on. They are ordered: initial ones first, then by slot, then by number. */
enum { HD_TOKEN_SHIFT = 22, HD_TOKEN_INITIAL = 1 };

_Static_assert(HD_LOG_ROOM < 1 << HD_TOKEN_SHIFT && HD_MAX_THREADS < 1 << (32 - HD_TOKEN_SHIFT), "a token fits");

static inline uint32_t hd_token(uint32_t slot, uint32_t number)
{
    return (slot + 1) << HD_TOKEN_SHIFT | number;
}

static inline uint64_t hd_counted(uint32_t count, uint32_t token)
{
    return (uint64_t)token << 32 | count;
}

/* Of an operation on an object that starts at a value: the count before it. */
static inline int64_t hd_op_count(const hd_op *op)
{
    return (uint32_t)op->value;
}

/* The token that the operation takes from its object, or adds to it; 0: none is known. */
static inline uint32_t hd_op_token(const hd_op *op)
{
    return hd_objects[hd_kinds[op->kind].object].starts == HD_STARTS_VALUE && hd_kinds[op->kind].adds
        ? (uint32_t)(op->value >> 32)
        : 0;
}

static inline int hd_op_takes_token(const hd_op *op)
{
    return hd_kinds[op->kind].adds < 0 && hd_op_token(op);
}

/* The stretch of a queue that an operation (HD_ROLE_FETCHES, HD_ROLE_APPENDS) takes or adds: its first unit, counted
 * from the first that was ever added, and how many units the operation asks for or adds. A unit is a byte, or a part of
 * a message. A queue with up to HD_SURE_UNITS is not full. */
enum { HD_SURE_UNITS = 4096 };

static inline uint64_t hd_stretch(uint32_t from, uint32_t count)
{
    return (uint64_t)(from + 1) << 32 | count;
}

/* Is the stretch of the operation known? */
static inline int hd_op_has_stretch(const hd_op *op)
{
    uint8_t role = hd_kinds[op->kind].role;
    return (role == HD_ROLE_FETCHES || role == HD_ROLE_APPENDS) && op->value >> 32;
}

static inline uint64_t hd_stretch_from(const hd_op *op)
{
    return (op->value >> 32) - 1;
}

static inline uint64_t hd_stretch_to(const hd_op *op)
{
    return hd_stretch_from(op) + (uint32_t)op->value;
}

/* The size of a gate (runtime/kernel/gate.h), an object of operations: for its name in reports. */
enum { HD_GATE_BYTES = 16 };

/* Libraries' memory belongs to a process of a system: the object of an access there has the number of the process above
 * the bits of the address. */
enum { HD_ADDRESS_BITS = 48 };

static inline uint64_t hd_op_address(const hd_op *op)
{
    return op->object & ((1ull << HD_ADDRESS_BITS) - 1);
}

enum { HD_CANCELS = 1 }; /* of a sending: a cancellation; of a poll in a wait: a cancellation would end the wait */

/* Who a thread is: its slot, and the life of the slot. The object of operations on a thread. */
enum { HD_SLOT_BITS = 10 };

_Static_assert(HD_MAX_THREADS <= 1 << HD_SLOT_BITS, "a slot fits");

static inline uint32_t hd_identity(uint32_t slot, uint32_t life)
{
    return life << HD_SLOT_BITS | slot;
}

/* The value of a poll in a wait: whether a cancellation would end the wait, and the life of the waiting thread. */
static inline uint64_t hd_poll_value(uint32_t life, int can_be_cancelled)
{
    return (uint64_t)life << 1 | (can_be_cancelled ? HD_CANCELS : 0);
}

static inline uint64_t hd_polled_thread(const hd_op *poll)
{
    return hd_identity(poll->thread, (uint32_t)(poll->value >> 1));
}

/* The object of the second operation of a step, if the operation has one (hd_kind_facts.also): its thread, the futex at
 * its bytes, or the object in `value`. */
static inline uint64_t hd_also_object(const hd_op *op)
{
    switch (hd_kinds[hd_kinds[op->kind].also].object) {
    case HD_OBJECT_THREAD:
        return hd_polled_thread(op);
    case HD_OBJECT_FUTEX:
        return op->object + (uint64_t)__builtin_ctz(op->mask | 256);
    default:
        return op->value;
    }
}

enum {
    HD_OP_CONTINUES = 1, /* part of the same step as the operation before it; of a BRANCH: with another value, that step
                            may do something else */
    HD_OP_SPUN = 2, /* ends a wait in a loop: enabled once another thread has written an object that the loop reads */
    HD_OP_ATOMIC = 4, /* begins an atomic block: the further operations of its step are not known yet */
    HD_OP_WITHDRAWN = 8, /* not performed; it could have been, just before the operation above it in the log or, if it
                            was blocked there, before that which blocked it */
    HD_OP_TRY = 16, /* never blocks: it fails instead */
    HD_OP_FIXED = 256, /* an atomic update that changes its cell, or does not, regardless of the contents */
    HD_OP_INITIAL = 256, /* of a plain access, if the lock discipline is checked: to a block of the heap that its thread
                            has allocated, or to memory that it has announced to initialise, after all its operations
                            that could tell others of it */
    HD_OP_FREED =
        256, /* of a lock or the like: its memory is freed, so it does not block. The execution ends after it */
    HD_OP_BEFORE = 32, /* `value` is the contents of the cell before it (recorded with stacks) */
    HD_OP_FOLLOWED = 64, /* of a BRANCH: other values are not explored */
    HD_OP_FROM_INPUTS = 64, /* of an access: the cell's contents before it, or its operand, depend on inputs */
    HD_OP_ALONE = 128, /* an operation only because of the option `alone`: not part of schedules */
    HD_OP_ASSUMED = 512, /* of a BRANCH: the program assumes 1; an execution with 0 is no test */
    HD_OP_LOOK = 512, /* of an access: not by the program, but a look at an object that a loop waited for. It does not
                         race */
    HD_OP_DEEP = 1024, /* will never be performed: its thread has reached --depth */
    HD_OP_COMPOSED = 1024, /* in the log: an invisible operation that continues the step of a visible one, because of
                              the option `compose` */
    HD_OP_SECTION = 512, /* of taking and giving back a lock: the step does both */
    HD_OP_CLAIMED = 2048, /* of a plain access: joined to others, because of an annotation of its function */
    HD_OP_PRIVATE =
        4096, /* of a plain access: part of a call of an annotated function (abi/claim.h, hd_runtime.calls) */
    HD_OP_UNSHARED = 8192, /* of a plain access: to memory that is annotated as unshared */
    HD_OP_TEST_SHIFT = 11, /* of an atomic update, from this bit on: hd_update_test */
    HD_OP_OPEN = 1 << 15 /* begins a composed step: invisible operations may follow, and are not known yet */
};

static inline int hd_op_is_freed(const hd_op *op)
{
    return op->flags & HD_OP_FREED && hd_objects[hd_kinds[op->kind].object].destruction;
}

/* The condition under which an atomic update changes its bytes rather than only looking at them: a comparison of the
 * bytes with its operand (hd_runtime.operands). */
typedef enum hd_update_test {
    HD_CHANGES_UNKNOWN,
    HD_CHANGES_IF_EQUAL, /* compare-and-swap */
    HD_CHANGES_UNLESS_EQUAL, /* exchange */
    HD_CHANGES_IF_ANY, /* if any bit of the operand is set: and */
    HD_CHANGES_UNLESS_ALL, /* unless all bits of the operand are set: or */
    HD_CHANGES_IF_BELOW, /* unsigned maximum */
    HD_CHANGES_IF_ABOVE,
    HD_CHANGES_IF_LESS, /* signed maximum */
    HD_CHANGES_IF_MORE,
    HD_CHANGES_UNLESS_ZERO /* unless the operand is 0, whatever the bytes are: addition, subtraction, xor */
} hd_update_test;

static inline hd_update_test hd_op_test(const hd_op *op)
{
    return hd_kind_is_plain(op->kind) ? HD_CHANGES_UNKNOWN : (hd_update_test)(op->flags >> HD_OP_TEST_SHIFT & 15);
}

typedef enum hd_thread_status {
    HD_THREAD_UNUSED,
    HD_THREAD_LOCAL, /* runs up to its next operation before the next decision */
    HD_THREAD_AT_OP, /* has published `pending`, which may or may not be enabled */
    HD_THREAD_WAITING, /* until another thread wakes it; `waits_for` is the reason */
    HD_THREAD_DONE
} hd_thread_status;

typedef enum hd_wait_reason {
    HD_WAIT_NONE,
    HD_WAIT_JOIN, /* object: the thread */
    HD_WAIT_COND, /* object: the condition variable */
    HD_WAIT_FUTEX, /* object: the word */
    HD_WAIT_BARRIER, /* object: the barrier */
    HD_WAIT_ASSUMPTION, /* forever: an assumption does not hold */
    HD_WAIT_LOOP, /* forever, in a loop that nothing can end; object: the object that the loop reads, 0 if unknown */
    HD_WAIT_CRASH, /* at its end, for the crash of its process */
    HD_WAIT_SIGNAL, /* of the program (sigsuspend, sigwait); none that it has not looked for will come */
    HD_WAIT_TIME /* of an edge: its thread timed out, because no thread could run */
} hd_wait_reason;

/* Does the thread sleep at its object until another wakes it (HD_ROLE_SLEEPS)? */
static inline int hd_wait_is_sleep(uint8_t reason)
{
    return reason == HD_WAIT_COND || reason == HD_WAIT_FUTEX;
}

typedef struct hd_thread_view {
    hd_op pending;
    uint8_t status, waits_for;
    uint8_t enabled; /* at the end of a run: was its pending operation enabled? */
    uint8_t dead; /* its process has ended before it */
    uint8_t serves; /* at the end of a run of a system: it waits for a request (runtime/kernel/requests.h) */
    uint16_t process; /* the process of the system that it belongs to */
    uint16_t creator;
    uint16_t life; /* number of threads that had the slot before */
    uint32_t steps; /* performed so far, in all lives */
    uint32_t look_count; /* of a thread with HD_OP_SPUN: see hd_runtime.looks */
    uint64_t wait_object;
    uint64_t ending; /* the object that stands for the end of its process; 0: it ends after the thread */
    const hd_site *wait_site, *created_at;
    const void *start; /* the function that it runs; NULL: main */
} hd_thread_view;

/* Is it at an operation that it may perform at some time? */
static inline int hd_thread_wants_more(const hd_thread_view *v)
{
    return v->status == HD_THREAD_AT_OP && !(v->pending.flags & HD_OP_DEEP);
}

/* Each step of a thread whose process may end before it has this operation, too. */
static inline hd_op hd_process_runs(uint32_t thread, uint64_t ending)
{
    return (
        hd_op) { .object = ending, .thread = (uint16_t)thread, .kind = hd_kind_of_running(), .flags = HD_OP_CONTINUES };
}

/* Is it that operation? Reports leave it out. */
static inline int hd_op_is_implied(const hd_op *op)
{
    return hd_kinds[op->kind].role == HD_ROLE_RUNS;
}

/* Inputs and expressions over them. An input is a value that the test chooses. It is
 * identified by its thread and its number among that thread's inputs, so the same local
 * history asks for the same inputs in every execution. The runtime records what the
 * program computes from inputs as expressions, numbered from 1 in the order of their
 * creation in this run (0: no expression, a plain number); operands have smaller numbers.
 *
 * Where control flow depends on an expression, the log has a BRANCH: `object` is the
 * expression, `value` its value. A condition is one bit wide; an address or an index has
 * its own width, and many possible values. A branch is no decision of the scheduler: the
 * given inputs decide. A BRANCH with HD_OP_CONTINUES is *inside* the step before it: it
 * was taken between two operations of an atomic block, or after the last one and before
 * the end of the block, or it says whether an update changes anything. All others are
 * *behind* the step. Those inside come first. A BRANCH with HD_OP_FOLLOWED marks an
 * expression that was used in a concrete computation: its value is fixed from there on,
 * and other values are not explored. A BRANCH with HD_OP_ASSUMED is an assumption: an
 * execution in which it is 0 is no test.
 *
 * The possible values of an input are its *domain*: all values of its width, or a range.
 * A range is not a branch: no execution has a value outside of it. */
typedef enum hd_expr_kind {
    HD_EXPR_NONE,
#define EXPR(name, operands, text) HD_EXPR_##name,
#include "abi/expr.def"
#undef EXPR
    HD_EXPR_KINDS
} hd_expr_kind;

typedef struct hd_expr {
    uint8_t kind;
    uint8_t width; /* bits */
    uint32_t operands[3];
    uint64_t value;
} hd_expr;

enum { HD_EXPR_ROOM = 1 << 22, HD_INPUT_ROOM = 1 << 16, HD_INPUT_NAME = 32 };

/* An input that a run has asked for. */
typedef struct hd_input {
    char name[HD_INPUT_NAME]; /* as the program calls it, truncated if it is long */
    const hd_site *site;
    uint64_t value; /* in this run */
    uint64_t low, count; /* one of `count` values from `low` on; count 0: any */
    uint32_t expr;
    uint32_t number; /* among the inputs of its slot, from 0 */
    uint16_t thread, life; /* the slot of its thread, and the life of the slot */
    uint8_t width; /* bits */
    uint8_t is_signed;
} hd_input;

/* Brings a given value into the domain: a value outside of a range is replaced by the first of the range. */
static inline uint64_t hd_value_within(uint32_t width, uint64_t low, uint64_t count, uint64_t given)
{
    if (count)
        return given - low < count ? given : low;
    return width < 64 ? given & ((1ull << width) - 1) : given;
}

/* A domain as a hash, never 0. */
static inline uint64_t hd_domain(uint32_t width, uint64_t low, uint64_t count)
{
    uint64_t mixed = (low * 0x9e3779b97f4a7c15u ^ count) * 0x9e3779b97f4a7c15u;
    return (mixed ^ mixed >> 32 ^ (uint64_t)width << 56) | 1;
}

/* A value for an input, if it has this domain (0: any). The same input can have another domain on another path, and
 * needs another value there. Inputs without a given value are 0, or the first value of their range. */
typedef struct hd_given {
    uint64_t value;
    uint32_t number;
    uint16_t thread;
    uint64_t domain;
} hd_given;

/* A block of statements or a branch that a thread reached when the log had `position` entries. */
typedef struct hd_covered {
    const hd_site *site;
    uint32_t position;
    uint32_t ordinal; /* among the hooks at one location */
    uint32_t what; /* HD_COVER_… */
    uint16_t thread;
} hd_covered;

enum { HD_COVER_ROOM = 1 << 20 };

/* How an execution ended. */
typedef enum hd_outcome_kind {
    HD_FINISHED,
    HD_ASSERTION,
    HD_ABORT,
    HD_CRASH,
    HD_DEADLOCK,
    HD_USE_AFTER_FREE,
    HD_USE_AFTER_CLOSE, /* of a descriptor (runtime/sync/makers.h) */
    HD_DOUBLE_FREE,
    HD_INVALID_FREE,
    HD_HEAP_OVERFLOW,
    HD_OUT_OF_BOUNDS, /* of an object outside of the heap */
    HD_STACK_OVERFLOW,
    HD_MISUSE, /* of a synchronisation object */
    HD_LEAK,
    HD_MESSAGE, /* wrong use of message passing */
    HD_ANNOTATION, /* a function does what its annotation says it does not */
    HD_EXIT_STATUS, /* the process has ended with a status other than 0 */
    HD_MODEL_LIMIT, /* a call that is not modelled */
    HD_CUT, /* the engine stopped it (HD_PICK_CUT) */
    HD_ASSUMED, /* an assumption did not hold: not a test */
    HD_DEPTH, /* no thread can continue, and some have reached --depth */
    HD_HANG, /* a loop without any operation */
    HD_HEAP_FULL, /* the heap has reached HD_HEAP_MOST */
    HD_ENDLESS_OUTPUT, /* it has written HD_OUTPUT_MOST, changed HD_EFFECTS_MOST files, or made HD_CALLS_MOST system
                          calls */
    HD_NEEDS_FORK, /* an effect that reset cannot undo */
    HD_LEARNED, /* something was found to be shared: run again */
    HD_DIVERGED /* the execution does not follow its plan: uncontrolled nondeterminism */
} hd_outcome_kind;

/* How many MPI messages with the same ranks, communicator and tag there are at most in an execution, as far as is
 * known. */
typedef struct hd_channel {
    uint8_t from, to;
    uint16_t context;
    int32_t tag;
    uint32_t most; /* 0: the entry is not used */
} hd_channel;

enum { HD_CHANNELS = 256 };

/* A receive of MPI from any source that can get two messages, after the same receives: a message race. */
typedef struct hd_message_race {
    const struct hd_site *receive; /* NULL: the entry is not used */
    const struct hd_site *sends[2]; /* the second one is NULL while one message is known */
    uint64_t past; /* what has been received before */
    uint32_t number; /* of the receive, among those of its rank */
    uint8_t rank, from[2];
} hd_message_race;

enum { HD_MESSAGE_RACES = 128 };

typedef struct hd_outcome {
    uint32_t kind;
    uint16_t thread;
    uint16_t exit_status; /* as a parent process would see it: 0 to 255 */
    uint32_t deep; /* number of threads that were stopped with HD_OP_DEEP */
    uint8_t patient; /* a wait has timed out as often as --timeouts permits, and has begun again */
    uint8_t expired; /* a wait has timed out because no thread could run */
    uint8_t composed; /* steps were composed (runtime/sched/compose.h) */
    uint64_t address; /* of the faulting access */
    uint64_t state; /* hash of the global variables at the end, if asked for */
    int32_t signal;
    const hd_site *site;
    const hd_site *clocked; /* the first read of a clock that may matter; NULL: none */
    const hd_site *unseen; /* the first assembly with accesses that heddle does not see; NULL: none */
    char message[256];
} hd_outcome;

/* Call stacks, recorded only on request: return addresses in the program, innermost first. */
enum { HD_STACK_DEPTH = 24 };
typedef struct hd_stack {
    uint64_t pc[HD_STACK_DEPTH];
    uint64_t frame[HD_STACK_DEPTH]; /* the frame pointer of the function at pc; 0: unknown */
} hd_stack;

/* A block of the program's heap. */
typedef struct hd_block_view {
    uint64_t address, size;
    const hd_site *allocated, *freed; /* freed: NULL if it is in use */
    uint32_t allocator, freer; /* identities of threads (abi/lives.h) */
    uint8_t reused; /* another block had its bytes before, in the same run */
} hd_block_view;

/* Code that heddle did not compile and that was called. */
typedef struct hd_foreign {
    char library[64]; /* its file; "": an object in the program */
    char function[64]; /* "?": unknown */
    uint64_t call; /* address of the first call; 0: unknown */
    char calls_back[64]; /* a function of the program that it has called; "": none is known */
    uint8_t starts_thread;
} hd_foreign;

enum { HD_FOREIGN_ROOM = 16, HD_PATH_ROOM = 4096 };

/* A function in a file that heddle compiled, at least in part. */
typedef struct hd_program_function {
    const char *name;
    uint64_t address;
    uint8_t compiled; /* by heddle; otherwise it comes from an object of another compiler, … */
    uint8_t trusted; /* … and need not be named if this is set */
} hd_program_function;

/* Do invisible operations continue the step of their thread (runtime/sched/compose.h)? LATER: in other runs of this
 * search, so the run learns what they need to know. */
typedef enum hd_composing { HD_COMPOSES_NOT, HD_COMPOSES_LATER, HD_COMPOSES_NOW } hd_composing;

typedef struct hd_run_options {
    hd_settings settings;
    uint8_t show_output; /* show the program's output */
    uint8_t stacks; /* record a stack per operation */
    uint8_t cover; /* record statements and branches */
    uint8_t flow; /* most plain accesses need no decision: their thread continues */
    uint8_t compose; /* hd_composing */
    uint8_t exits; /* composed: giving back a lock ends a step, and taking one does not begin it (ExitBlock) */
    uint8_t repeats; /* composed steps log each access, also of bytes that they have accessed before */
    uint8_t states; /* hash the global variables at the end */
    uint8_t values; /* plain accesses record the bytes before them, as atomic ones do, and writes the final contents of
                       their bytes as operands */
    uint8_t alone; /* accesses are operations also after all other threads have been joined */
    uint8_t debugged; /* call hd_failure_reached at the failure: */
    uint32_t stop_at; /* at this entry of the log; ~0: at the end */
} hd_run_options;

/* The runtime as the engine sees it. The log and the thread table are in a
 * mapping that a forked child shares with its parent. */
typedef struct hd_runtime {
    uint64_t stamp; /* HD_ABI_STAMP of the heddle that built the program */
    hd_thread_view *threads;
    uint32_t *thread_count;
    hd_op *log;
    uint32_t *log_count;
    uint32_t log_room;
    hd_op (*looks)[HD_MOST_LOOKS]; /* per thread: the looks of a round of the loop in which it waits; may be NULL */
    uint64_t *operands; /* parallel to log: of atomic updates, see hd_update_test; may be NULL */
    uint64_t *calls; /* parallel to log: of accesses with HD_OP_PRIVATE, hd_call_of; may be NULL */
    hd_stack *stacks; /* parallel to log, on request; the stack of an edge that starts a thread is its creation; the
                         pending stack of thread t is at log_room + t */
    hd_outcome *outcome;
    hd_run_options *options;
    uint32_t *owners; /* see abi/fast.h; shared cells can be set before a run */

    hd_expr *exprs; /* from 1 */
    uint32_t *expr_count; /* including the unused entry 0 */
    hd_input *inputs;
    uint32_t *input_count;
    hd_given *given; /* set by the engine before a run; room for HD_INPUT_ROOM */
    uint32_t *given_count;

    /* Threads have the same number in every run: births[n] is the creator of thread n
     * (<< 16) and the number of threads that it had created by then; 0: no thread has
     * this number yet. Kept from run to run; can be set before the first. When all
     * numbers are taken, they are reused: `renumbered` is not 0 if a number has been
     * used for two threads. */
    uint32_t *births; /* HD_MAX_THREADS; of the first life of each slot */
    uint32_t *renumbered;

    hd_channel *channels; /* HD_CHANNELS; kept and set like `births` */
    hd_message_race *message_races; /* HD_MESSAGE_RACES; kept from run to run */

    /* All that is kept from run to run but the owners, `births` and `channels` included: plain bytes. */
    void *kept;
    uint32_t kept_size;
    const uint32_t *generation; /* of owner marks, in `kept`: marks of earlier ones are void */

    /* Not 0 if an execution has read from standard input and that is a terminal: it was empty. */
    uint32_t *read_terminal;

    /* The path of a program that exec met, that heddle cc has linked, and that is not part of the image; "": none.
     * HD_PATH_ROOM bytes. */
    char *wanted;

    hd_covered *covered; /* on request; at most HD_COVER_ROOM */
    uint32_t *covered_count;

    /* May thread t, which is at an operation, perform it now? Also updates the kind and the choices of its pending
     * operation. */
    int (*enabled)(uint32_t t);

    /* The heap block that contains `address` at the end of the last run; 0: none. */
    int (*block)(uint64_t address, hd_block_view *out);

    /* If `address` is in a thread's copy of a thread-local variable: where the initial value of its byte is; else 0. */
    uint64_t (*initial)(uint64_t address);

    /* Kept from run to run, at most HD_FOREIGN_ROOM; recorded after `watch_foreign` was called, which keeps its array.
     */
    hd_foreign *foreign;
    uint32_t *foreign_count;
    void (*watch_foreign)(const hd_program_function *functions, uint32_t count, int all_known);

    /* Runs the program once from its start. */
    void (*run)(void);

    /* Called in a forked child before `run`, to set up what a child does not inherit; may be NULL. */
    void (*begin_process)(void);
} hd_runtime;

/* Changes whenever a program must be built again: with the first number, which is raised by hand when a meaning
 * changes, with each size, and with the number of kinds and settings. */
#define HD_ABI_MIX(stamp, number) ((stamp)*1000003ull ^ (uint64_t)(number))
#define HD_ABI_SIZES \
    HD_ABI_MIX(HD_ABI_MIX(HD_ABI_MIX(HD_ABI_MIX(6, sizeof(hd_op)), sizeof(hd_thread_view)), sizeof(hd_outcome)), \
        sizeof(hd_runtime))
#define HD_ABI_STAMP \
    HD_ABI_MIX(HD_ABI_MIX(HD_ABI_MIX(HD_ABI_SIZES, sizeof(hd_run_options)), HD_OP_KINDS), HD_SETTING_COUNT)

/* One entry of a schedule: a thread, and the outcome of its next step. */
typedef struct hd_choice {
    uint16_t thread;
    uint8_t choice;
} hd_choice;

/* The engine as the runtime sees it. */
typedef struct hd_engine {
    /* The first decisions of the run. The runtime may take them without calling `pick`, as long as the thread can
     * perform its operation; `followed` is how many have been taken, by
     * either. */
    const hd_choice *planned;
    uint32_t planned_count, followed;
    /* Returns the enabled thread that continues, with its choice in `pending.choice`; or one of the negative values. */
    int (*pick)(void *context);
    void *context;
} hd_engine;

enum { HD_PICK_NONE = -1, /* no thread is enabled */ HD_PICK_CUT = -2, HD_PICK_DIVERGED = -3 };

/* The function that the runtime looks up in the engine's library; returns the worker's exit status. */
typedef int hd_worker_entry(hd_runtime *runtime, hd_engine **engine);
#define HD_WORKER_ENTRY "hd_worker_main"

/* Environment variables that make a program a worker: the engine's path, and
 * the file descriptors of its region and of the line to the supervisor. */
#define HD_ENV_ENGINE "HEDDLE_ENGINE"
#define HD_ENV_REGION "HEDDLE_REGION_FD"
#define HD_ENV_LINE "HEDDLE_LINE_FD"

/* Makes the dynamic linker bind all functions at once. It was set by heddle if it has this value. */
#define HD_ENV_BIND "LD_BIND_NOW"
#define HD_ENV_BOUND "heddle"

/* If standard input is a pipe: a file in memory with the data that was read from it, for all executions in all
 * processes. */
#define HD_ENV_INPUT "HEDDLE_INPUT_FD"

/* Inputs that the program does not ask for, one per line:
 *   arg N BYTES         argument N is a text of up to BYTES bytes
 *   stdin BYTES         standard input has BYTES bytes of unknown content
 *   file PATH BYTES     the file that the program opens as PATH has BYTES bytes of unknown content
 *   env NAME BYTES      the environment variable is a text of up to BYTES bytes
 *   toss NAME N         each call of the C library's function NAME returns one of 0 to N-1; N is 0: an input
 * Bytes are the first inputs of thread 0, in this order, named arg1[0],
 * stdin[0], PATH[0], NAME[0] and so on; a text ends at its first byte that is 0. */
#define HD_ENV_SYMBOLIC "HEDDLE_SYMBOLIC"

/* Do these lines (NULL: none) ask for inputs? A toss with a range is a choice, which needs no expressions. */
static inline int hd_symbolic_has_inputs(const char *lines)
{
    while (lines && *lines) {
        size_t length = __builtin_strcspn(lines, "\n");
        int is_choice = !__builtin_strncmp(lines, "toss ", 5) && __builtin_strncmp(lines + length - 2, " 0", 2);
        if (length && !is_choice)
            return 1;
        lines += length + (lines[length] == '\n');
    }
    return 0;
}

/* Libraries that heddle did not compile and that are trusted, separated by colons. */
#define HD_ENV_TRUST "HEDDLE_TRUST"

/* Without an engine, inputs are taken from here: NAME=VALUE, separated by spaces. */
#define HD_ENV_INPUTS "HEDDLE_INPUTS"

/* Fixed addresses, far from those that Linux uses for mappings. */
#define HD_ZONE_SHIFT 40
#define HD_ENGINE_BASE 0x110000000000ull /* engine memory: zone 17 */
#define HD_ENGINE_SIZE 0x010000000000ull
#define HD_RUN_BASE 0x118000000000ull /* the part of it that a run writes: log, threads, owners */
#define HD_HEAP_BASE 0x200000000000ull /* one arena of HD_HEAP_ARENA per thread */
#define HD_HEAP_ARENA 0x000400040000ull
#define HD_HEAP_MOST 0x40000000ull /* bytes that the blocks of an execution may take */
#define HD_OUTPUT_MOST (32u << 20) /* bytes that an execution may write */
#define HD_CALLS_MOST (1u << 17) /* system calls that it may make */
#define HD_EFFECTS_MOST (1u << 14) /* changes of files and other effects outside of the process, beside writes */
#define HD_STACK_BASE 0x300000000000ull /* one stack of HD_STACK_SPAN per thread */
#define HD_STACK_SPAN 0x000000840000ull
#define HD_OWN_BASE 0x310000000000ull /* the runtime's own memory: saved copies, tables */
#define HD_OWN_SIZE 0x010000000000ull

#endif
