/* The conflict relation of operations, and their names. Two operations of different threads *conflict* if swapping them
 * when they are adjacent could change the effect of either, or whether either is enabled. All explorers rely on this
 * one relation. It follows from the rows of abi/ops.def. */
#ifndef HD_EVENT_OP_H
#define HD_EVENT_OP_H

#include "abi/wire.h"

#include <stdbool.h>

static inline hd_object_class hd_op_class(uint8_t kind)
{
    return (hd_object_class)hd_kinds[kind].object;
}

/* The names of the kind, and of an object of its class, in reports. */
const char *hd_op_text(uint8_t kind);
const char *hd_op_object_text(uint8_t kind);

/* Do two kinds conflict on one object, bytes aside? */
enum { HD_CONFLICT_ROOM = 128 }; /* a power of two: indexed without a multiplication */
typedef bool hd_conflict_row[HD_CONFLICT_ROOM];
_Static_assert((int)HD_OP_KINDS <= (int)HD_CONFLICT_ROOM, "every kind fits into a row");
extern const hd_conflict_row *const hd_conflicts;

static inline bool hd_kinds_conflict(uint8_t a, uint8_t b)
{
    return hd_conflicts[a][b];
}

/* Does it conflict with every kind on the same object? */
static inline bool hd_kind_is_total(uint8_t kind)
{
    return hd_kinds[kind].group == HD_GROUP_ALONE;
}

/* Stands for an operation of unknown effect: it conflicts with everything. */
enum { HD_ANYTHING = HD_EXIT };

/* Is it a branch on inputs inside the step before it? */
static inline bool hd_op_is_inside(const hd_op *op)
{
    return op->kind == HD_BRANCH && (op->flags & HD_OP_CONTINUES);
}

/* Do the two operations, of different threads, conflict? */
static inline bool hd_ops_conflict(const hd_op *a, const hd_op *b)
{
    if (a->object != b->object)
        return hd_kind_exits(a->kind) || hd_kind_exits(b->kind);
    return hd_kinds_conflict(a->kind, b->kind) && ((a->mask & b->mask) || !hd_kind_is_memory(a->kind));
}

/* The object of an operation as one number; objects of different classes at
 * one address are different. */
static inline uint64_t hd_op_key(const hd_op *op)
{
    return op->object ^ (uint64_t)hd_op_class(op->kind) << 56;
}

#endif
