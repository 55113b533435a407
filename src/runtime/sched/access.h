/* Accesses to memory: which of them are operations.
 *
 * An access is an operation if its cell is *shared*. That is learned: a cell
 * that one thread alone touches in a run is that thread's own. When a second
 * thread touches it, the cell is shared from then on, in all runs, and this run
 * ends as HD_LEARNED, because what it has logged is not all there was.
 * Every cell that an atomic operation touches is shared.
 */
#ifndef HD_RUNTIME_SCHED_ACCESS_H
#define HD_RUNTIME_SCHED_ACCESS_H

#include "abi/wire.h"

struct hd_thread;
struct hd_op;

/* What runs have learned beside shared cells; kept from run to run, where
 * forked children share it. */
enum { HD_ORDERED_BARRIERS = 64, HD_FREED_OBJECTS = 1024, HD_HEAP_OBJECTS = 1 << 13 };

typedef struct hd_heap_object {
    const void *object;
    uint8_t destruction; /* the kind of operation that it is */
} hd_heap_object;

typedef struct hd_facts {
    uint32_t generation; /* of owner marks: those of earlier ones are void */
    uint32_t learned_runs; /* that have ended as HD_LEARNED */
    uint32_t signals, cancels; /* threads send them to each other */
    uint32_t handlers; /* of exit are registered while there are several threads */
    uint32_t ends; /* threads ask whether others have ended */
    uint32_t births[HD_MAX_THREADS]; /* see hd_runtime */
    uint32_t renumbered; /* likewise */
    uint32_t read_terminal; /* likewise */
    uint32_t barrier_count;
    const void *barriers[HD_ORDERED_BARRIERS]; /* where the order of arrivals matters */
    uint32_t heap_count, freed_count;
    hd_heap_object heap[HD_HEAP_OBJECTS]; /* locks and the like that any run has used */
    uint16_t heap_places[2 * HD_HEAP_OBJECTS]; /* a hash table: where in `heap` (+ 1) */
    hd_heap_object freed[HD_FREED_OBJECTS]; /* those in blocks that are freed */
} hd_facts;
extern hd_facts *hd_known;

/* A fact has just been added: the run is not explored as it should be, and does
 * not count. */
void hd_learned(void);

/* The same; ends the run, which was not explored as it should be. */
_Noreturn void hd_learned_now(const char *what);

/* The facts are zeroed at first and kept from run to run, as owners are. */
void hd_access_init(hd_facts *facts);
void hd_access_new_run(void);

/* The mark of thread `id` in this run; run by hand, that of all cells. */
uint32_t hd_access_mark(uint32_t id);

/* No other thread is left: what was touched before is ordered before. */
void hd_access_forget(void);

/* From now on every read of the current thread, until it is switched away
 * from, finds its cell to be shared. */
void hd_access_reveal(void);

/* Was a cell found to be shared in this run? */
int hd_access_learned(void);

/* Memory that a function of the library reads or writes. */
typedef struct hd_range {
    const void *address;
    uint64_t bytes;
    uint32_t is_write;
} hd_range;

/* Checks the ranges, then performs their shared cells' accesses as one step;
 * what follows the call is in that step too. */
void hd_access_ranges(const hd_range *ranges, uint32_t count, const hd_site *site);
void hd_access_range(const void *address, uint64_t bytes, const hd_site *site, uint32_t is_write);

/* The write of one who frees a block that is free already: another thread may have freed it, and need not have, so
 * it is the same step as if nobody had. What is wrong is found when it is done, or by freeing. */
void hd_access_freed(const void *block, uint64_t bytes, const hd_site *site);

/* One indivisible use of something that the library protects by itself: a
 * stream, a file descriptor. An operation if several threads use it. */
void hd_access_object(const void *object, const hd_site *site);

/* Checks and performs an atomic access of any size. The `ready` function, if
 * any, says whether a read-modify-write changes anything. */
void hd_access_atomic(uint8_t kind, const void *address, uint64_t bytes, const hd_site *site,
    int (*ready)(struct hd_thread *, struct hd_op *));

#endif
