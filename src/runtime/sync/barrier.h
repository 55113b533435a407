/* Barriers, stored in the bytes of the program's pthread_barrier_t.
 *
 * Arrivals commute as long as every round consists of the same threads and no
 * thread uses PTHREAD_BARRIER_SERIAL_THREAD: a thread that leaves has synchronised
 * with all others, in whichever order they arrived. If more threads than the
 * barrier's count arrive in a run, the order of arrivals decides which threads pass
 * together: the arrivals at that barrier are ordered from then on. That is learned. */
#ifndef HD_RUNTIME_SYNC_BARRIER_H
#define HD_RUNTIME_SYNC_BARRIER_H

#include "runtime/sched/sched.h"

typedef struct hd_barrier {
    uint32_t count; /* 0: not initialised, or destroyed */
    uint32_t arrived;
    uint32_t made; /* HD_MADE; otherwise it is not initialised */
    uint32_t members; /* number of threads that have arrived in this run */
} hd_barrier;

/* Before a run: no thread has arrived at any barrier. */
void hd_barriers_new_run(void);

/* Each gives 0 or an error number. */
int hd_barrier_init(hd_barrier *b, uint32_t count);
int hd_barrier_destroy(hd_barrier *b);

/* Returns 1 in one thread of the round. `ordered`: the caller uses that result. */
int hd_barrier_wait(hd_barrier *b, int ordered);

/* Is the barrier as it must be (abi/valid.h)? Bytes that are no initialised barrier always are.
 * - Fewer threads have arrived in this round than it counts, and these wait at it and have not been woken.
 * - No more threads use it than it counts, unless its arrivals are ordered. */
int hd_barrier_is_valid(const hd_barrier *b);

#endif
