/* The state of a run that all rooms of the runtime may look at: the threads, which of them runs, the
 * engine, and what the engine sees of the run (hd_rt).
 *
 * The structures are open: hooks and operations read them on their fast paths.
 */
#ifndef HD_RUNTIME_CORE_STATE_H
#define HD_RUNTIME_CORE_STATE_H

#include "abi/claim.h"
#include "abi/fast.h"
#include "abi/lives.h"
#include "abi/wire.h"

#include <setjmp.h>
#include <signal.h>

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* For functions that are inlined into callers in other files: clang optimises the core of the runtime as a whole. */
#ifdef __clang__
#define HD_INLINED __attribute__((always_inline))
#else
#define HD_INLINED
#endif

typedef struct hd_thread hd_thread;

/* Is `op`, published by `t`, enabled now? May also set its kind and its number of choices. The result depends on the
 * object's state alone. */
typedef int hd_ready(hd_thread *t, hd_op *op);

enum { HD_EPOCH = 1700000000 }; /* when virtual time starts, in seconds since 1970 */

enum { HD_READ_LOCKS = 8, HD_INITIALISED = 4 };

enum { HD_SPIN_LOOPS = 4 };

/* Which operation of a thread in a vain loop is held back (sched/spin.h): none; the next; or the next that takes a lock
 * or ends a wait. TIRED: none, but the thread has had a spurious wake-up in this round. */
typedef enum hd_spin_mode { HD_SPIN_OFF, HD_SPIN_ANY, HD_SPIN_GATE, HD_SPIN_TIRED } hd_spin_mode;

/* A loop that a thread is in, and the thread's state when it was last at the top. */
typedef struct hd_loop_mark {
    const hd_site *loop;
    uint64_t state; /* hash of the thread's registers and stack at the mark */
    uint64_t last_state; /* the hash when the last round began; 0: not known */
    uint32_t last_start; /* the log's length when the last round began */
    uint32_t rounds; /* vain rounds since the mark */
    uint32_t silent; /* rounds without any operation */
    uint32_t effects; /* hd_effects_so_far at the mark */
    uint32_t log_start; /* the log's length at the mark */
    int error; /* errno at the mark */
    uint8_t revealed; /* since the mark, its reads make their cells shared */
} hd_loop_mark;

/* A counting loop that a thread is in. */
typedef struct hd_count_mark {
    const hd_site *loop;
    uint32_t rounds; /* completed */
    uint32_t effects; /* hd_effects_so_far when the last round began */
    int error; /* errno then */
    uint32_t last_start, log_start; /* the log's length when the last completed round and this one began */
} hd_count_mark;

/* What a thread in a vain loop waits for. */
typedef struct hd_spin {
    hd_op *looks; /* the looks of one round of the loop */
    uint32_t look_count;
    uint8_t armed; /* hd_spin_mode: an operation will be held back */
    uint8_t held; /* the published operation is held back until the object of a look changes */
    uint8_t in_call; /* it is held back inside a call, not in a loop of the program */
    uint8_t changed; /* such an object has changed */
    uint8_t tired; /* its timed waits have no further spurious wake-ups */
    uint8_t marked; /* the marks have been cleared since the thread began */
    hd_count_mark counts[HD_SPIN_LOOPS];
    hd_loop_mark loops[HD_SPIN_LOOPS];
} hd_spin;

struct hd_thread {
    void *sp;
    hd_thread_view *view;
    hd_ready *ready;
    uint32_t id;
    uint32_t stack; /* the slot whose stack it runs on: its own, unless fork has made it */
    uint32_t known_as; /* who it is to the program: its identity, or that of the thread that it is a copy of */
    uint32_t process; /* the process of the system that it belongs to */
    uint8_t was_ready; /* when the memory of its process was last in place (reset/images.h) */
    uint8_t mortal; /* the process may end before it does (sync/process.h) */
    int saved_errno;
    uint32_t saved_plainly;
    uint32_t effects; /* see hd_effects_so_far */
    uint64_t now; /* its virtual time, in nanoseconds */
    uint32_t clock_reads; /* reads of a clock that may matter */
    uint8_t was_slow; /* time has jumped before one of them */

    void *(*start)(void *);
    void *argument, *result;
    uint32_t logged; /* number of its operations and branches in the log, with accesses that repeat others */
    struct {
        uint32_t children; /* number of fresh slots that it has given to threads that it created */
        uint32_t joined, next_joined; /* slots of threads that it has joined: a list; 0: none (sched/lives.h) */
        uint32_t inputs; /* number of inputs that it has asked for */
        uint32_t keys_created;
    } slot; /* kept from one life of the slot to the next */
    uint8_t detached, joined, join_waiter_set;
    uint8_t read_locked; /* it has had an entry in read_locks */
    uint32_t join_waiter;
    uint32_t repeated; /* number of its accesses that repeat others (sched/compose.h) */

    const void *waits_on; /* the condition variable, barrier or futex that it waits at */
    const void *waits_with; /* the mutex that it has released for that, until it has it again */
    uint32_t waits_for_bits; /* at a futex: the wake-ups that reach it */
    uint32_t atomic_blocks; /* number of nested atomic blocks that it is in */
    hd_claimed claimed; /* the annotated call that it is in (sched.h) … */
    uint8_t claim_pauses; /* … but not its accesses, which are a step of the runtime's */
    uint8_t goes_on; /* it has performed an operation, and has neither waited nor joined or created a thread since */
    uint32_t step; /* the entry of the log at which its last step begins */
    uint8_t woken; /* its wait was ended by another thread */
    uint8_t withdrawn; /* its published operation will not happen */
    uint8_t patient; /* it waits, and times out only when no thread can run (sched/expiry.h) … */
    uint8_t expired; /* … which has happened */
    uint64_t expires; /* the time limit of that wait */

    struct {
        const void *address;
        uint64_t operand, expected;
        uint32_t info;
        uint64_t decides; /* hd_runtime.operands */
    } update; /* the atomic update that it is about to perform */

    uint8_t cancel_disabled, cancel_async, cancel_pending, cancelling;
    uint8_t handled; /* which kinds of handlers have run: see hd_send_cancellation_point */
    uint8_t polled; /* it has just polled: its next operation need not poll again */
    uint8_t interrupted; /* run by hand: it has to take what was sent to it */
    uint64_t signals_awaited; /* by sigwait, though they are blocked */
    uint64_t signals_from_others; /* that other processes have sent */
    uint64_t signals_pending, signal_mask, mask_before_handler;
    const char *handler_frame; /* of the signal handler that it runs */
    void *cleanups; /* innermost first */
    stack_t signal_stack; /* as set by sigaltstack; without effect */
    uint32_t alarm; /* of the first thread: the seconds after which SIGALRM would come; 0: none */

    uint32_t keys_set;
    struct {
        const void *lock;
        uint32_t count;
    } read_locks[HD_READ_LOCKS];
    uint64_t random;
    int (*start_int)(void *); /* of C11 threads */
    const hd_site *site; /* of the operation being performed */
    struct {
        uint64_t from, to;
    } initialises[HD_INITIALISED]; /* memory that it has announced to initialise (heddle_init_thread) … */
    uint32_t initialises_count; /* … since its last operation that could tell others of it */
    const char *unpublished; /* if the lock discipline is checked: its blocks of the heap from here on are unknown to
                                other threads (HD_OP_INITIAL) */
    const void *frees; /* the block that it is about to free or to move (realloc) */
    hd_spin spin; /* last: its marks need not be cleared */
};

extern hd_thread hd_threads[HD_MAX_THREADS];
extern hd_thread *hd_current;
extern hd_runtime hd_rt;
extern hd_engine *hd_the_engine; /* NULL when the program is run by hand */

extern const hd_site *hd_call_site;

/* Called before each run, for rooms that are linked only where they are called; NULL: there are none. */
extern void (*hd_reset_more)(void);

/* No thread can run. Ends the execution if that is no deadlock: if something was guessed wrong. Otherwise returns what
 * the deadlock depends on, or NULL. NULL: there is nothing to explain. */
extern const char *(*hd_explain_stuck_more)(void);

/* No thread can run. Is the execution over, although a wait could time out? */
extern int (*hd_is_quiet)(void);

/* Was it created in this run, and has not ended? */
static inline int hd_thread_lives(const hd_thread *t)
{
    return t->view->status != HD_THREAD_UNUSED && t->view->status != HD_THREAD_DONE;
}

/* Are threads being explored (rather than the program run by hand)? */
static inline int hd_exploring(void)
{
    return hd_the_engine != NULL;
}

/* Who the thread is, in this run (abi/lives.h). */
static inline uint32_t hd_identity_of(const hd_thread *t)
{
    return hd_identity(t->id, t->view->life);
}

/* The number of a thread in messages. */
uint32_t hd_number_of_identity(uint32_t identity);

static inline uint32_t hd_number_of(const hd_thread *t)
{
    return hd_number_of_identity(hd_identity_of(t));
}

/* A library's constructor runs code of the program, before the first run: see hd_run_before_main. */
extern int hd_before_main;

/* A side effect that a waiting loop must not repeat unnoticed: reading a clock, using a stream, … */
static inline void hd_effect(void)
{
    hd_fast_state.wrote = 1;
}

/* A number that has changed if the current thread has had an effect since the last call. */
static inline uint32_t hd_effects_so_far(void)
{
    hd_current->effects += hd_fast_state.wrote;
    hd_fast_state.wrote = 0;
    return hd_current->effects;
}

#endif
