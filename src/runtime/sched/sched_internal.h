/* The inside of the scheduler, for its own files and for the test that breaks it. */
#ifndef HD_RUNTIME_SCHED_SCHED_INTERNAL_H
#define HD_RUNTIME_SCHED_SCHED_INTERNAL_H

#include "runtime/sched/sched.h"

/* Threads that have local work to do, in the order in which they got it. */
typedef struct hd_sched_queue {
    uint32_t ids[HD_MAX_THREADS];
    uint32_t first, count;
} hd_sched_queue;

extern hd_sched_queue hd_sched_local;

void hd_sched_make_local(hd_thread *t);

#endif
