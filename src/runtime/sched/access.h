/* Accesses to memory: which of them are operations.
 *
 * An access is an operation if its cell is *shared*. That is learned: a cell
 * that only one thread touches in a run is owned by that thread. When a second
 * thread touches it, the cell is shared from then on, in all runs, and this run
 * ends as HD_LEARNED, because the log lacks the earlier accesses to the cell.
 * Every cell that an atomic operation touches is shared.
 *
 * The owner table has a mark per cell: a generation and a thread number. Marks of
 * earlier generations are void, so forgetting all owners is one increment.
 *
 * Memory that fork has copied (reset/images.h) is not shared by the processes. A cell of it that threads of two
 * processes touch is HD_OWNER_DIVIDED, and stays so: an access to it is no operation if the current process has a
 * version of that memory and has never created a thread, and otherwise makes the cell shared. (Other memory may have
 * the same place in the table. So the mark decides nothing by itself.)
 */
#ifndef HD_RUNTIME_SCHED_ACCESS_H
#define HD_RUNTIME_SCHED_ACCESS_H

#include "abi/wire.h"

#include <stddef.h>

struct hd_thread;
struct hd_op;

/* What runs have learned beside shared cells; kept from run to run, where
 * forked children share it. */
enum {
    HD_ORDERED_BARRIERS = 64,
    HD_FREED_OBJECTS = 1024,
    HD_HEAP_OBJECTS = 1 << 13,
    HD_NUMBERS = 1024,
    HD_LOOKED_AT = 64,
    HD_REFUTED = 64,
    HD_CONDITIONS = 64
};

typedef struct hd_heap_object {
    const void *object;
    uint8_t destruction; /* the kind of operation that it is */
} hd_heap_object;

typedef struct hd_facts {
    uint32_t generation; /* of owner marks; marks of earlier generations are void */
    uint32_t learned_runs; /* that have ended as HD_LEARNED */
    uint32_t signals, cancels; /* threads send them to each other */
    uint64_t mortal; /* processes that end before their threads do, as bits */
    uint64_t threaded; /* processes that have created a thread, as bits */
    uint32_t handlers; /* handlers of exit are registered while several threads exist */
    uint32_t numbers[HD_NUMBERS / 32]; /* descriptors that are opened or closed while several threads exist */
    uint32_t removals; /* shared memory is removed, or its uses are counted, while several threads exist */
    uint32_t files; /* the file system is changed while several threads exist */
    uint32_t locks, lock_waits; /* file locks are used, and waits for them count (kernel/file_locks.h) */
    uint32_t socket_files; /* file names of sockets are (kernel/addresses.h) */
    uint32_t full_events; /* a write to an eventfd finds that its counter is full, or makes it so */
    uint32_t epolls, timers; /* the program uses epoll, and timerfd */
    uint32_t ends; /* threads ask whether others have ended (pthread_tryjoin_np) */
    uint32_t births[HD_MAX_THREADS]; /* see hd_runtime */
    uint32_t renumbered; /* likewise */
    hd_channel channels[HD_CHANNELS]; /* likewise */
    uint32_t ready_sends; /* MPI ranks use them */
    uint32_t sure_deadlock; /* MPI ranks have a deadlock with buffering */
    uint32_t chooses; /* MPI ranks that have received from any source, as bits (mpi/channels.c) */
    uint32_t read_terminal; /* likewise */
    uint32_t barrier_count;
    const void *barriers[HD_ORDERED_BARRIERS]; /* where the order of arrivals matters */
    uint32_t asks; /* for inputs, or uses annotations, while steps are composed (compose.h) */
    uint32_t looked_at_count; /* more than HD_LOOKED_AT: all */
    const void *looked_at[HD_LOOKED_AT]; /* locks whose state threads look at without waiting for it, and condition
                                            variables that no mutex protects (compose.h) */
    uint32_t refuted_count; /* more than HD_REFUTED: all */
    uint64_t refuted[HD_REFUTED]; /* objects that several threads use, although annotated as unshared (unshared.h) */
    uint32_t condition_count;
    struct hd_condition {
        const void *condition, *mutex;
    } conditions[HD_CONDITIONS]; /* the mutex with which threads wait */
    uint32_t heap_count, freed_count;
    hd_heap_object heap[HD_HEAP_OBJECTS]; /* locks and the like that any run has used */
    uint16_t heap_slots[2 * HD_HEAP_OBJECTS]; /* a hash table: where in `heap` (+ 1) */
    hd_heap_object freed[HD_FREED_OBJECTS]; /* those in blocks that are freed */
} hd_facts;
extern hd_facts *hd_known;

/* A fact has just been added: the log lacks operations, so the run does not count. It continues, and may learn
 * more. */
void hd_learned(void);

/* A cell has been found to be shared, or to be accessed without the rest of its block. After several runs with such
 * discoveries, cells around it are treated alike: returns log2 of the size of the aligned part of memory, in cells. */
uint32_t hd_access_learn(void);

/* The same as hd_learned, and the run ends here. */
_Noreturn void hd_learned_now(const char *what);

/* The facts are zeroed at first and kept from run to run, as owners are. */
void hd_access_init(hd_facts *facts);
void hd_access_new_run(void);

/* The owner mark of thread `id` in this run. Run by hand, 0: the mark that all cells have. */
uint32_t hd_access_mark(uint32_t id);

/* Forgets all owners. No other thread is left: earlier accesses happen before what follows. */
void hd_access_forget(void);

/* From now on every read of the current thread makes its cell shared, until another thread runs. */
void hd_access_reveal(void);

/* Was a cell found to be shared in this run? */
int hd_access_learned(void);

/* Memory that a function of the library reads or writes. */
typedef struct hd_range {
    const void *address;
    uint64_t bytes;
    uint32_t is_write;
} hd_range;

/* Checks the ranges, then performs the accesses to their shared cells as one step. The caller accesses the memory
 * right after the call, as part of that step. */
void hd_access_ranges(const hd_range *ranges, uint32_t count, const hd_site *site);
void hd_access_range(const void *address, uint64_t bytes, const hd_site *site, uint32_t is_write);

/* Has the range a shared cell, so that an access to it is an operation? */
int hd_access_is_operation(const void *address, uint64_t bytes);

/* The write performed by a double free. Another thread may have freed the block, and in another order it would not
 * have been freed, so the step is the same as for a block in use. The error is found when the write is
 * performed, or by the heap. */
void hd_access_freed(const void *block, uint64_t bytes, const hd_site *site);

/* Indivisible uses of things that the kernel or the library protects by itself: files, descriptors. Each is an
 * operation if several threads use the object; several operations are one step. The `ready` function, if any, sets the
 * kind of a use that may change the object: one that changes it, or one that does not. */
typedef struct hd_object_use {
    const void *object;
    int changes;
    int (*ready)(struct hd_thread *, struct hd_op *);
} hd_object_use;
void hd_access_uses(const hd_object_use *uses, uint32_t count, const hd_site *site);

/* One use that changes the object. */
static inline void hd_access_object(const void *object, const hd_site *site)
{
    hd_access_uses(&(hd_object_use) { object, 1, NULL }, 1, site);
}

/* Accesses to these bytes are operations from now on. */
void hd_access_share(const void *address, uint64_t bytes);

/* Checks and performs an atomic access of any size. The `ready` function, if any, sets the kind: whether a
 * read-modify-write changes the memory. */
void hd_access_atomic(uint8_t kind, const void *address, uint64_t bytes, const hd_site *site,
    int (*ready)(struct hd_thread *, struct hd_op *));

#endif
