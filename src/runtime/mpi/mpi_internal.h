/* MPI: processes of a system that exchange messages.
 *
 * All state is here, in the runtime, and cleared before each run. A process of the system is a rank. What ranks do to
 * each other goes through gates (kernel/gate.h) that open once and never shut:
 *   sent       message N from rank A to rank B exists
 *   taken      a receive has it, which a send without buffering waits for
 *   matched    receive N of a rank has its message
 *   done       a send, or a collective call that does not wait, has what it waits for
 *   posted     a receive is posted; only in programs with ready sends, which must find it
 *   joined     a rank has come to collective call K of a communicator
 * Each gate has an address that depends on the history of one rank alone. A wait for an open gate commutes with
 * everything, and a wait for a shut one cannot come before its opening. So the only races are looks that find a gate
 * shut: tests and probes that do not wait. A receive from any source guesses its sender and waits for that; so
 * executions differ where receives get other messages, and nowhere else. A program without these has one execution.
 *
 * A request is a thread: it waits as the blocking call would, and accesses the buffer. So progress needs no call of the
 * program, and a buffer that the program uses before it has waited is a data race.
 *
 * A message belongs to the first receive, in the order in which its rank has posted them, that fits it; the messages
 * of one sender come in order. Between senders there is no order: a receive from any source chooses. */
#ifndef HD_RUNTIME_MPI_INTERNAL_H
#define HD_RUNTIME_MPI_INTERNAL_H

#include "mpi.h"
#include "runtime/kernel/gate.h"
#include "runtime/sched/sched.h"

enum {
    HD_MPI_RANKS = 16, /* a receive from any source looks at all of them at once (HD_MOST_LOOKS) */
    HD_MPI_MESSAGES = 1024, /* from one rank to another, in an execution */
    HD_MPI_REQUESTS = 128, /* of a rank, at a time */
    HD_MPI_RECEIVES = 4096, /* of a rank, in an execution */
    HD_MPI_COMMS = 32, /* communicators that a rank makes in an execution, or has at a time */
    HD_MPI_COLLECTIVES = 256, /* calls of a rank on one communicator */
    HD_MPI_TYPES = 64, /* derived types of a rank */
    HD_MPI_ENTRIES = 4096, /* basic elements of a derived type */
    HD_MPI_OPS = 16,
    HD_MPI_GROUPS = 64, /* of a rank, at a time */
    HD_MPI_DIMENSIONS = 4, /* of a grid */
    HD_MPI_CONTEXTS = 1 + HD_MPI_RANKS * (1 + HD_MPI_COMMS)
};

/* --- datatypes: types.c -------------------------------------------------------------------- */

/* An element of a basic type, at an offset. */
typedef struct hd_mpi_entry {
    int64_t offset;
    uint8_t basic;
} hd_mpi_entry;

typedef struct hd_mpi_type {
    const hd_mpi_entry *entries;
    uint32_t count;
    int64_t lower, extent;
    size_t size; /* bytes of its elements */
    uint64_t pattern; /* its basic type if it has one, otherwise a hash of them */
    size_t elements; /* of that pattern */
    uint8_t used, committed;
    const hd_site *made;
} hd_mpi_type;

/* NULL: there is no such type. */
hd_mpi_type *hd_mpi_type_of(MPI_Datatype type);
size_t hd_mpi_basic_size(uint8_t basic);

/* Copies elements of the program's buffer, and announces the accesses. */
void hd_mpi_pack(uint8_t *to, const void *buffer, size_t count, const hd_mpi_type *type, const hd_site *site);
void hd_mpi_unpack(void *buffer, const hd_mpi_type *type, const uint8_t *from, size_t bytes, const hd_site *site);

/* --- communicators: comms.c ------------------------------------------------------------------ */

typedef struct hd_mpi_comm {
    uint8_t used;
    uint8_t returns_errors;
    uint16_t context; /* the same at all of its ranks, and at no other communicator of the execution */
    int size, rank;
    uint8_t world[HD_MPI_RANKS]; /* the ranks in MPI_COMM_WORLD */
    uint32_t collectives; /* calls of this rank so far */
    int dimensions; /* its ranks form a grid; 0: they do not */
    int extents[HD_MPI_DIMENSIONS];
    uint8_t periodic[HD_MPI_DIMENSIONS];
    const hd_site *made;
} hd_mpi_comm;

hd_mpi_comm *hd_mpi_comm_of(MPI_Comm comm);
void hd_mpi_comms_begin(void);

/* The ranks of `c` with the same color make a communicator, in the order of their keys. NULL: MPI_UNDEFINED. */
hd_mpi_comm *hd_mpi_split(hd_mpi_comm *c, int color, int key, MPI_Comm *made, const char *call, const hd_site *site);

/* --- groups: groups.c -------------------------------------------------------------------------- */

typedef struct hd_mpi_group {
    uint8_t used;
    int size;
    uint8_t world[HD_MPI_RANKS]; /* the ranks in MPI_COMM_WORLD */
    const hd_site *made;
} hd_mpi_group;

/* NULL: there is no such group. */
const hd_mpi_group *hd_mpi_group_of(MPI_Group group);

/* The rank in the group of a rank of MPI_COMM_WORLD; MPI_UNDEFINED: it is not in it. */
int hd_mpi_group_find(const hd_mpi_group *g, uint32_t world);

/* --- messages: messages.c ------------------------------------------------------------------ */

typedef struct hd_mpi_message {
    const uint8_t *data;
    size_t bytes, elements;
    uint64_t pattern;
    const hd_site *site;
    struct hd_mpi_receive *taken_by;
    int tag;
    uint16_t context;
    uint8_t from, to; /* in MPI_COMM_WORLD */
    uint8_t waits; /* its sender waits until a receive has it */
    uint8_t cancelled; /* it may still be received, and need not */
    uint32_t over; /* the rank has waited for its receive, when it had posted `over` - 1 receives; 0: not yet */
    uint32_t number;
} hd_mpi_message;

/* A choice that was made before it is known what there is to choose from. A thread waits for what it has chosen, and if
 * no thread can run any more while it could go on with another outcome, the execution is none: the choice was wrong.
 * If it could not, the same happens for every outcome, and only the first counts. */
typedef struct hd_mpi_guess {
    unsigned outcome;
    int (*could_go_on)(const struct hd_mpi_guess *guess); /* with another outcome, now that no thread can run? */
    uint32_t place; /* among those that are waited for */
} hd_mpi_guess;

/* The current thread waits for what it has guessed, and has got it. */
void hd_mpi_guess_begin(hd_mpi_guess *guess);
void hd_mpi_guess_end(const hd_mpi_guess *guess);

/* No thread can run. Ends the execution if a guess was wrong. Otherwise it is a deadlock: returns whether buffering
 * would let a thread go on, as text or NULL. */
const char *hd_mpi_explain_stuck(void);

/* Waits for a gate; `spared`: with buffering it would not. */
void hd_mpi_await(hd_gate *gate, int spared);

/* A receive that was posted. */
typedef struct hd_mpi_receive {
    hd_mpi_message *message; /* NULL: it has none yet */
    int from, tag; /* from: in MPI_COMM_WORLD, or MPI_ANY_SOURCE */
    int sender; /* the rank that it gets its message from; MPI_ANY_SOURCE: none can send one */
    hd_mpi_guess guess; /* of the sender */
    uint16_t context;
    uint8_t shared; /* other threads wait until it has its message */
    uint8_t cancelled;
    uint32_t rank, number; /* among the receives of its rank */
    uint32_t first; /* earlier receives that were over when it was posted */
    uint32_t over; /* as that of its message */
    uint64_t past; /* what had been received when it was posted (races.c) */
    uint32_t start[HD_MPI_RANKS]; /* messages from each rank that were over */
    const hd_site *site;
} hd_mpi_receive;

hd_mpi_message *hd_mpi_send(
    const hd_mpi_comm *c, int to, int tag, uint8_t *data, const hd_mpi_type *type, size_t count, const hd_site *site);
/* The message has come. The sender of a message that `waits` then waits until a receive has it. */
void hd_mpi_deliver(hd_mpi_message *m);
void hd_mpi_await_taken(const hd_mpi_message *m, int spared, const hd_site *site);

/* A ready send: ends the execution if no receive for the message is posted. Before hd_mpi_deliver. */
void hd_mpi_check_ready(const hd_mpi_message *m, const hd_site *site);

hd_mpi_receive *hd_mpi_post(const hd_mpi_comm *c, int from, int tag, const hd_site *site);

/* Takes the message of the receive; waits for it. False: it was cancelled. */
int hd_mpi_match(hd_mpi_receive *r, const hd_site *site);

/* Cancels a receive that is `shared`, unless it has its message. */
void hd_mpi_receive_cancel(hd_mpi_receive *r, const hd_site *site);

/* Of each receive that is `shared`: it has its message. */
extern hd_gate hd_mpi_matched[HD_MPI_RANKS * HD_MPI_RECEIVES];
static inline uint32_t hd_mpi_receive_index(const hd_mpi_receive *r)
{
    return r->rank * HD_MPI_RECEIVES + r->number;
}

/* The rank has waited for the receive. */
void hd_mpi_receive_is_over(hd_mpi_receive *r, const hd_site *site);

/* The message that a receive would take; it stays. NULL, if it does not wait: there is none. */
hd_mpi_message *hd_mpi_look(const hd_mpi_comm *c, int from, int tag, int waits, const hd_site *site);

/* The message of this rank that no receive has taken; NULL: there is none. */
const hd_mpi_message *hd_mpi_lost(uint32_t rank);

/* --- senders: channels.c -------------------------------------------------------------------------- */

/* A message is made, and the rank has waited for its receive. */
void hd_mpi_channel_send(const hd_mpi_message *m);
void hd_mpi_channel_is_over(const hd_mpi_message *m);

/* Guesses the sender of a receive from any source. `posted`: receives for the same messages from each rank. */
void hd_mpi_guess_sender(hd_mpi_receive *r, const hd_mpi_comm *c, const uint32_t *posted, const hd_site *site);

/* --- message races: races.c ----------------------------------------------------------------------- */

/* A receive from any source is posted, and gets the message. */
void hd_mpi_race_post(hd_mpi_receive *r);
void hd_mpi_race_match(const hd_mpi_receive *r, const hd_mpi_message *m);

/* --- requests: requests.c ---------------------------------------------------------------------- */

typedef struct hd_mpi_request {
    uint8_t used, persistent, active, is_receive;
    uint8_t freed; /* the rank does not wait for it */
    uint8_t mode; /* of a send */
    hd_gate *gate; /* it is done when this is open; NULL: at once */
    void *buffer;
    int count, peer, tag;
    hd_mpi_type type; /* as they were when it began */
    hd_mpi_comm comm;
    hd_mpi_message *sent;
    hd_mpi_receive *receive;
    struct hd_mpi_work *work; /* of a collective call */
    unsigned long thread; /* 0: none */
    MPI_Status status;
    const hd_site *site;
} hd_mpi_request;

hd_mpi_request *hd_mpi_request_make(MPI_Request *handle, const hd_site *site);

/* The request begins: a thread runs `run` for it, which opens the gate, if any, when it has what it waits for. */
void hd_mpi_request_begin(hd_mpi_request *q, void *(*run)(void *), hd_gate *gate);
void hd_mpi_request_done(hd_mpi_request *q);

/* A gate for a request. */
hd_gate *hd_mpi_request_gate(const hd_site *site);

/* A request that was not waited for; NULL: there is none. */
const hd_mpi_request *hd_mpi_request_left(void);

/* The kinds of sends. */
enum { HD_MPI_STANDARD, HD_MPI_SYNCHRONOUS, HD_MPI_BUFFERED, HD_MPI_READY };

/* --- collective calls: collectives.c ------------------------------------------------------------ */

/* What a rank brings to a collective call. */
typedef struct hd_mpi_joining {
    const char *call; /* NULL: it has not come */
    const uint8_t *data;
    size_t bytes, elements;
    uint64_t pattern;
    int root, op;
    const void *buffer; /* of the program, with `count` elements of a type; NULL: it is not read */
    size_t count;
    hd_mpi_type type;
    uint8_t agrees; /* all ranks have the same datatype and count */
    const hd_site *site;
} hd_mpi_joining;

/* The current rank comes to its next collective call. Waits for another one to come to the same; the two must agree. */
hd_mpi_joining *hd_mpi_join(hd_mpi_comm *c, const hd_mpi_joining *mine);
const hd_mpi_joining *hd_mpi_await_rank(const hd_mpi_comm *c, const hd_mpi_joining *mine, int rank, int spared);
void hd_mpi_await_all(const hd_mpi_comm *c, const hd_mpi_joining *mine);

/* All ranks have come to their end: do their calls on the communicator agree? */
void hd_mpi_compare_calls(const hd_mpi_comm *c, const hd_site *site);

/* --- reductions: reductions.c ------------------------------------------------------------------- */

typedef struct hd_mpi_op {
    MPI_User_function *function; /* NULL: the handle is free */
    const hd_site *made;
} hd_mpi_op;

/* inout[i] = in[i] op inout[i]. False: the operation is not defined for the type. */
int hd_mpi_reduce(MPI_Op op, const uint8_t *in, uint8_t *inout, size_t count, MPI_Datatype type);
int hd_mpi_op_is_valid(MPI_Op op);

/* --- the whole: world.c ------------------------------------------------------------------------- */

/* A rank. */
typedef struct hd_mpi_rank {
    uint8_t initialised, finalised;
    int level;
    uint32_t thread; /* that has called MPI_Init */
    int sends_wait; /* without buffering */
    const char *call; /* the function that it is in */
    const hd_site *site; /* of MPI_Init */
    uint32_t made; /* communicators so far */
    uint32_t first[HD_MPI_RANKS]; /* messages from each rank before it are over */
    uint32_t first_receive; /* receives before it are over */
    uint32_t sent[HD_MPI_RANKS]; /* messages to each rank */
    hd_mpi_comm comms[HD_MPI_COMMS];
    hd_mpi_request requests[HD_MPI_REQUESTS];
    hd_mpi_type types[HD_MPI_TYPES];
    hd_mpi_op ops[HD_MPI_OPS];
    hd_mpi_group groups[HD_MPI_GROUPS];
    void *attached;
    int attached_size;
} hd_mpi_rank;

hd_mpi_rank *hd_mpi_rank_now(void);
uint32_t hd_mpi_rank_number(void);
uint32_t hd_mpi_ranks(void);

/* A call of the program begins, between MPI_Init and MPI_Finalize. Returns its site. */
const hd_site *hd_mpi_begin(const char *call);

/* An error of the program: returns its class, or ends the execution with a finding, as the communicator says (NULL:
 * MPI_COMM_WORLD). */
int hd_mpi_error(const hd_mpi_comm *c, const hd_site *site, int class, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Before a run. */
void hd_mpi_messages_reset(void);
void hd_mpi_channels_reset(void);
void hd_mpi_races_reset(void);
void hd_mpi_guesses_reset(void);
void hd_mpi_requests_reset(void);
void hd_mpi_collectives_reset(void);

/* Memory of this execution. */
void *hd_mpi_keep(size_t bytes);

/* What a receive may get, and the numbers of messages, receives, requests and collective calls, depend on the order in
 * which the threads of a rank call MPI. */
void hd_mpi_order(const hd_site *site);

/* Writes a result to the program's memory. */
void hd_mpi_tell(void *to, const void *value, size_t size, const hd_site *site);
#define HD_MPI_TELL(to, ...) hd_mpi_tell((to), &(__typeof__(*(to))) { __VA_ARGS__ }, sizeof *(to), site)

#endif
