/* The local states of threads: the operations that a thread has performed, and what it read.
 *
 * What it read are the values. In an execution with inputs these depend on the inputs that happen to have been tried;
 * there it is the local states of the threads that wrote the bytes it read. Branches on inputs are identified by their
 * source location and value. */
#ifndef HD_EXPLORE_LOCALS_H
#define HD_EXPLORE_LOCALS_H

#include "base/memory.h"
#include "event/plan.h"

typedef struct hd_locals hd_locals;

hd_locals *hd_locals_open(hd_memory *memory);
void hd_locals_close(hd_locals *l);
void hd_locals_clear(hd_locals *l);

/* Adds the local states of the execution. */
void hd_locals_add(hd_locals *l, const hd_execution *e);

/* The number of different local states so far, and their sum: equal sums mean equal sets, but for hash collisions. */
uint64_t hd_locals_count(const hd_locals *l);
uint64_t hd_locals_sum(const hd_locals *l);

#endif
