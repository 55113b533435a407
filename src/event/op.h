/* Operations: what they are called, what kind of object they are on, and which
 * of them commute. Two operations of different threads *conflict* if swapping
 * them, next to each other, could change what either does or whether it can be
 * done at all. Everything that explores rests on this one relation. */
#ifndef HD_EVENT_OP_H
#define HD_EVENT_OP_H

#include "abi/wire.h"

#include <stdbool.h>

typedef enum hd_object_class {
    HD_OBJECT_NONE,
    HD_OBJECT_MEMORY,
    HD_OBJECT_MUTEX,
    HD_OBJECT_RWLOCK,
    HD_OBJECT_CONDITION,
    HD_OBJECT_SEMAPHORE,
    HD_OBJECT_BARRIER,
    HD_OBJECT_ONCE,
    HD_OBJECT_THREAD,
    HD_OBJECT_PROCESS
} hd_object_class;

hd_object_class hd_op_class(uint8_t kind);
const char *hd_op_text(uint8_t kind);

/* Do the two operations, of different threads, conflict? */
bool hd_ops_conflict(const hd_op *a, const hd_op *b);

/* The same for two kinds on one object, whatever bytes they touch. */
bool hd_kinds_conflict(uint8_t a, uint8_t b);

/* Does this kind conflict with every kind on the same object? */
bool hd_kind_is_total(uint8_t kind);

/* The object of an operation as one number; objects of different classes at
 * one address are different. */
uint64_t hd_op_key(const hd_op *op);

#endif
