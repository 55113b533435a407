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

/* What is known of a kind, from abi/ops.def and the rules in op.c. */
typedef struct hd_kind_facts {
    uint64_t conflicts; /* a bit for each kind */
    uint8_t object; /* hd_object_class */
    bool total; /* conflicts with every kind on the same object */
    const char *text;
} hd_kind_facts;

_Static_assert(HD_OP_KINDS <= 64, "a bit for each kind");

extern const hd_kind_facts *const hd_kinds;

static inline hd_object_class hd_op_class(uint8_t kind)
{
    return (hd_object_class)hd_kinds[kind].object;
}

static inline const char *hd_op_text(uint8_t kind)
{
    return hd_kinds[kind].text;
}

/* Do two kinds conflict, on one object, whatever bytes they touch? */
static inline bool hd_kinds_conflict(uint8_t a, uint8_t b)
{
    return hd_kinds[a].conflicts >> b & 1;
}

static inline bool hd_kind_is_total(uint8_t kind)
{
    return hd_kinds[kind].total;
}

/* Is it a branch on inputs inside the step before it? */
static inline bool hd_op_is_inside(const hd_op *op)
{
    return op->kind == HD_BRANCH && (op->flags & HD_OP_CONTINUES);
}

/* Kinds that commute with themselves: all that look (group 0), and groups of
 * those that change their object alike. HD_NO_GROUP: commutes with nothing. */
enum { HD_NO_GROUP = 255 };
uint8_t hd_kind_group(uint8_t kind);

/* Operations that block count something: locks held, readers, the value of a
 * semaphore. What an operation adds to it, and what it needs. */
enum { HD_WRITER = 1 << 16 };
typedef enum hd_kind_need { HD_NEEDS_NOTHING, HD_NEEDS_ZERO, HD_NEEDS_POSITIVE, HD_NEEDS_NO_WRITER } hd_kind_need;
int32_t hd_kind_adds(uint8_t kind);
hd_kind_need hd_kind_needs(uint8_t kind);

/* Is the operation enabled when its object counts `held`? */
bool hd_kind_enabled(uint8_t kind, int64_t held);

/* Do the two operations, of different threads, conflict? */
static inline bool hd_ops_conflict(const hd_op *a, const hd_op *b)
{
    if (a->object != b->object)
        return a->kind == HD_EXIT || b->kind == HD_EXIT;
    return hd_kinds_conflict(a->kind, b->kind) && ((a->mask & b->mask) || hd_op_class(a->kind) != HD_OBJECT_MEMORY);
}

/* The object of an operation as one number; objects of different classes at
 * one address are different. */
static inline uint64_t hd_op_key(const hd_op *op)
{
    return op->object ^ (uint64_t)hd_op_class(op->kind) << 56;
}

#endif
