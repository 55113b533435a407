/* The local states of threads: what a thread has done, and what it has seen.
 *
 * What it has seen of memory are the values that it read. In an execution with
 * inputs these depend on the values that happen to have been tried; there it is
 * who wrote what it read, in which local state. Branches on inputs are told by
 * where they are and the value they had.
 */
#ifndef HD_EXPLORE_LOCALS_H
#define HD_EXPLORE_LOCALS_H

#include "base/map.h"
#include "event/plan.h"

typedef struct hd_locals {
    hd_map states; /* as numbers */
    uint64_t sum; /* of all of them */
    hd_map writers; /* in the execution at hand: byte → the local state that wrote it */
} hd_locals;

void hd_locals_init(hd_locals *l, hd_memory *memory);
void hd_locals_fini(hd_locals *l);
void hd_locals_clear(hd_locals *l);

/* Adds those that the execution comes to. */
void hd_locals_add(hd_locals *l, const hd_execution *e);

#endif
