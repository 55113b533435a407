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

/* Are they, on one object, operations of two steps that each take a lock and give it back? Such steps leave the lock as
 * it was, so they conflict only by what else they do; but the lock synchronises them. */
static inline bool hd_ops_are_sections(const hd_op *a, const hd_op *b)
{
    return (a->flags & b->flags & HD_OP_SECTION) && !hd_kind_is_memory(a->kind);
}

/* Do the two operations on one object take a token and add a greater one? A wait takes the least token, so it takes the
 * same one without that post: the two are enabled in either order and leave the same tokens. */
static inline bool hd_ops_pass(const hd_op *a, const hd_op *b)
{
    const hd_op *post = hd_kinds[a->kind].adds > 0 ? a : b, *wait = post == a ? b : a;
    return hd_op_takes_token(wait) && hd_kinds[post->kind].adds > 0 && hd_op_token(wait) < hd_op_token(post);
}

/* Do the two operations on one queue take data and add data behind it, so that each has the same effect in either
 * order? There is data left between the two, so the queue does not become empty, and it is not full even if nothing is
 * taken first. Both conditions are about stretches, which are the same in either order. */
static inline bool hd_ops_are_apart(const hd_op *a, const hd_op *b)
{
    const hd_op *append = hd_kinds[a->kind].role == HD_ROLE_APPENDS ? a : b, *fetch = append == a ? b : a;
    return hd_kinds[append->kind].role == HD_ROLE_APPENDS && hd_kinds[fetch->kind].role == HD_ROLE_FETCHES
        && hd_op_has_stretch(append) && hd_op_has_stretch(fetch) && hd_stretch_to(fetch) < hd_stretch_from(append)
        && hd_stretch_to(append) - hd_stretch_from(fetch) <= HD_SURE_UNITS;
}

/* Do the two operations on one object, whose kinds conflict, commute where they were performed? */
static inline bool hd_ops_commute_here(const hd_op *a, const hd_op *b)
{
    return hd_ops_pass(a, b) || hd_ops_are_apart(a, b);
}

/* Does it conflict with every operation on its object, bytes aside? */
static inline bool hd_op_is_total(const hd_op *op)
{
    return hd_kind_is_total(op->kind) && !hd_op_token(op) && !hd_op_has_stretch(op) && !hd_ops_are_sections(op, op);
}

/* Do the two operations, of different threads, conflict? */
static inline bool hd_ops_conflict(const hd_op *a, const hd_op *b)
{
    if (a->object != b->object)
        return hd_kind_exits(a->kind) || hd_kind_exits(b->kind);
    if (!hd_kinds_conflict(a->kind, b->kind))
        return false;
    return hd_kind_is_memory(a->kind) ? a->mask & b->mask : !hd_ops_are_sections(a, b) && !hd_ops_commute_here(a, b);
}

/* Coarser relations, for comparison: operations depend on each other if they conflict; if they are on the same object
 * and not both look at it; or always. */
typedef enum hd_dependency { HD_DEPENDS_CONFLICT, HD_DEPENDS_RW, HD_DEPENDS_ALWAYS } hd_dependency;

static inline bool hd_ops_depend(hd_dependency how, const hd_op *a, const hd_op *b)
{
    if (how == HD_DEPENDS_CONFLICT)
        return hd_ops_conflict(a, b);
    bool apart = hd_op_class(a->kind) != hd_op_class(b->kind) || hd_op_class(a->kind) == HD_OBJECT_NONE
        || a->object != b->object || (hd_kind_is_memory(a->kind) && !(a->mask & b->mask));
    return how == HD_DEPENDS_ALWAYS || hd_kind_exits(a->kind) || hd_kind_exits(b->kind)
        || (!apart && !(hd_kind_looks(a->kind) && hd_kind_looks(b->kind)));
}

/* The object of an operation as one number; objects of different classes at
 * one address are different. */
static inline uint64_t hd_op_key(const hd_op *op)
{
    return op->object ^ (uint64_t)hd_op_class(op->kind) << 56;
}

#endif
