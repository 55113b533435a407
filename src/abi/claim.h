/* Annotated functions (include/heddle.h): a *call* of one is an operation on an object. The instrumenter describes the
 * function in a constant of the program, and passes the object.
 *
 *   method   the call stands for its accesses to the object that the first argument points to. What it accesses
 *            elsewhere is not part of it.
 *   atomic   the call stands for all that it does, including the methods and unannotated functions that it calls. The
 *            object is what the first argument points to, or, if that is no pointer, the program's own variables: all
 *            such functions have the object 0. */
#ifndef HD_ABI_CLAIM_H
#define HD_ABI_CLAIM_H

#include <stdint.h>

typedef struct hd_claim {
    const char *function;
    uint64_t size; /* of a method: its object's */
    uint32_t is_method;
} hd_claim;

/* What a thread does: a call of an annotated function on the object. `claim` NULL: other code. */
typedef struct hd_claimed {
    const hd_claim *claim;
    uint64_t object;
} hd_claimed;

/* The call in a word: the object, and whether it is a method's. */
#define HD_CALL_IS_METHOD (1ull << 63)

static inline uint64_t hd_call_of(const hd_claimed *c)
{
    return c->object | (c->claim->is_method ? HD_CALL_IS_METHOD : 0);
}

static inline uint64_t hd_call_object(uint64_t call)
{
    return call & ~HD_CALL_IS_METHOD;
}

/* Is a call of `inner` on the object part of the call in which it is made? */
static inline int hd_claim_includes(const hd_claimed *outer, const hd_claim *inner, uint64_t object)
{
    if (!outer->claim)
        return 0;
    if (outer->claim->is_method != inner->is_method)
        return inner->is_method != 0;
    return outer->object == object;
}

#endif
