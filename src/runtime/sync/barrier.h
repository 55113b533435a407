/* Barriers. One lives in the bytes of the user's pthread_barrier_t.
 *
 * Arrivals commute as long as every round is made of the same threads and
 * nobody looks at who got PTHREAD_BARRIER_SERIAL_THREAD: then each thread that
 * leaves has seen all of the others, in whatever order they came. If more
 * threads than the barrier counts arrive in a run, who comes first decides who
 * passes together: that barrier's arrivals are ordered from then on. */
#ifndef HD_RUNTIME_SYNC_BARRIER_H
#define HD_RUNTIME_SYNC_BARRIER_H

#include "runtime/sched/sched.h"

typedef struct hd_barrier {
    uint32_t count; /* 0: not initialised, or destroyed */
    uint32_t arrived;
    uint32_t made; /* HD_MADE, or it is not initialised */
    uint64_t members[HD_MAX_THREADS / 64]; /* the threads that have ever arrived */
} hd_barrier;

/* Each gives 0 or an error number. */
int hd_barrier_init(hd_barrier *b, uint32_t count);
int hd_barrier_destroy(hd_barrier *b);

/* Gives 1 to one thread of the round. `ordered`: the caller looks at that. */
int hd_barrier_wait(hd_barrier *b, int ordered);

#endif
