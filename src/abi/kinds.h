/* The facts about a kind of operation: the columns of abi/ops.def.
 *
 * Runtime, checks, explorers and reports use these tables. None of them compares kinds
 * by name (`make lint` checks it). Only the code that implements an operation
 * (runtime/sync, target/script) names its kind.
 */
#ifndef HD_ABI_KINDS_H
#define HD_ABI_KINDS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum hd_op_kind {
    HD_NONE,
#define OP(name, ...) HD_##name,
#include "abi/ops.def"
    HD_OP_KINDS,

    /* Not an operation: everything that thread `object` has done up to here happens
     * before what `thread` does next. `mask` is the reason: `thread` has been waiting
     * (hd_wait_reason), or was started. Of a join, `value` is 1 if it takes the other
     * thread's result. */
    HD_EDGE = HD_OP_KINDS
} hd_op_kind;

typedef enum hd_object_class {
#define OBJECT(name, ...) HD_OBJECT_##name,
#include "abi/ops.def"
    HD_OBJECT_CLASSES
} hd_object_class;

/* An object has a count: locks held, readers, the value of a semaphore. It starts at 0, or at a value that every
 * operation on the object records in `value`. */
typedef enum hd_object_start { HD_STARTS_ZERO, HD_STARTS_VALUE } hd_object_start;

/* Which threads can unblock a thread that is blocked at the object. RETRIES: any thread, and a call that waits looks at
 * the object again after each change of it, which is no loop of the program. */
typedef enum hd_object_waits { HD_WAITS_ANYBODY, HD_WAITS_HOLDER, HD_WAITS_RETRIES } hd_object_waits;

typedef struct hd_object_facts {
    uint8_t starts; /* hd_object_start */
    uint8_t waits_for; /* hd_object_waits */
    uint8_t destruction; /* the kind that freeing its memory performs; HD_NONE: none */
} hd_object_facts;

/* The effect on its object. */
typedef enum hd_op_effect {
    HD_EFFECT_LOOKS, /* does not change it */
    HD_EFFECT_WRITES, /* changes it without looking at it */
    HD_EFFECT_CHANGES
} hd_op_effect;

/* Operations on one object commute if they are of the same group: all that look, or all whose rows name the same kind.
 * Operations of the group ALONE commute with none. */
enum {
    HD_GROUP_LOOKS = 0,
#define OP(name, ...) HD_GROUP_##name = HD_##name,
#include "abi/ops.def"
    HD_GROUP_ALONE = 255
};

static inline bool hd_groups_conflict(uint8_t a, uint8_t b)
{
    return a != b || a == HD_GROUP_ALONE;
}

/* Synchronisation: what comes before a release happens before what follows an acquire of the same object. Memory
 * accesses with neither are plain: they can race. */
typedef enum hd_op_sync { HD_SYNC_NONE = 0, HD_SYNC_ACQUIRE = 1, HD_SYNC_RELEASE = 2, HD_SYNC_BOTH = 3 } hd_op_sync;

/* The condition on the object's count under which the operation is enabled. */
enum { HD_WRITER = 1 << 16 };
typedef enum hd_need { HD_NEED_NOTHING, HD_NEED_ZERO, HD_NEED_POSITIVE, HD_NEED_NO_WRITER } hd_need;

/* What decides between this kind and its `otherwise`: one of the two is the stronger (hd_kind_strongest), the other
 * only looks. The operation is the stronger one: */
typedef enum hd_op_decided {
    HD_DECIDED_NOTHING, /* always */
    HD_DECIDED_COUNT, /* if the count is as needed; otherwise it fails with HD_OP_TRY, and is disabled without */
    HD_DECIDED_VALUE, /* depending on the bytes (hd_update_test) */
    HD_DECIDED_MESSAGES, /* if there is a message for it (abi/mail.h); otherwise as COUNT */
    HD_DECIDED_WAITERS, /* if a thread sleeps at the object */
    HD_DECIDED_DONE, /* if no operation with the role ENDS has come before */
    HD_DECIDED_SENT /* if a cancellation has been sent to its thread */
} hd_op_decided;

/* What it means for its thread and for waiting threads. */
typedef enum hd_op_role {
    HD_ROLE_NONE,
    HD_ROLE_TAKES, /* its thread holds the object from now on */
    HD_ROLE_GIVES, /* its thread releases the object */
    HD_ROLE_SHARES, /* its thread holds the object together with others */
    HD_ROLE_UNSHARES,
    HD_ROLE_BEGINS, /* its thread holds the object until it ENDS, which happens once */
    HD_ROLE_ENDS,
    HD_ROLE_SLEEPS, /* its thread sleeps at the object */
    HD_ROLE_WAKES_ONE,
    HD_ROLE_WAKES_ALL,
    HD_ROLE_TIMES_OUT, /* its thread stops sleeping */
    HD_ROLE_GIVES_UP, /* its thread stops sleeping, and ends */
    HD_ROLE_ARRIVES, /* other threads wait for its thread to arrive here */
    HD_ROLE_POLLS, /* looks for signals and cancellations sent to its thread */
    HD_ROLE_MAKES, /* initialises the object */
    HD_ROLE_DESTROYS,
    HD_ROLE_FETCHES, /* takes data from the front of a queue */
    HD_ROLE_APPENDS, /* adds data to a queue that has some */
    HD_ROLE_RUNS, /* part of each step of its thread, whose process may end before it */
    HD_ROLE_EXITS /* ends the process; conflicts with everything */
} hd_op_role;

/* The number of its outcomes. */
typedef enum hd_op_outcomes {
    HD_OUTCOMES_ONE,
    HD_OUTCOMES_FIXED, /* `choices`, wherever it is performed */
    HD_OUTCOMES_VARIES, /* `choices`, which depends on what its thread did before */
    HD_OUTCOMES_WAITERS, /* one per thread that sleeps at the object */
    HD_OUTCOMES_MESSAGES /* one per message that it can take (abi/mail.h) */
} hd_op_outcomes;

typedef struct hd_kind_facts {
    uint8_t object; /* hd_object_class */
    uint8_t effect; /* hd_op_effect */
    uint8_t group; /* HD_GROUP_… */
    uint8_t sync; /* hd_op_sync */
    uint8_t need; /* hd_need */
    uint8_t decided; /* hd_op_decided */
    uint8_t otherwise; /* HD_NONE: it is always this kind */
    uint8_t role; /* hd_op_role */
    uint8_t also; /* the second operation of its step; on which object: hd_also_object. HD_NONE: none */
    uint8_t outcomes; /* hd_op_outcomes */
    int32_t adds; /* to the object's count */
} hd_kind_facts;

static const hd_object_facts hd_objects[HD_OBJECT_CLASSES] = {
#define OBJECT(name, starts, waits_for, destruction, text) \
    { HD_STARTS_##starts, HD_WAITS_##waits_for, HD_##destruction },
#include "abi/ops.def"
};

/* In the order of hd_op_kind; HD_NONE and HD_EDGE, the first and the last, have no object. */
static const hd_kind_facts hd_kinds[HD_OP_KINDS + 1] = {
    { .object = HD_OBJECT_NONE, .effect = HD_EFFECT_CHANGES, .group = HD_GROUP_ALONE },
#define OP(name, class, effect, commutes, sync, adds, needs, decided, otherwise, role, also, outcomes, text) \
    { HD_OBJECT_##class, HD_EFFECT_##effect, HD_GROUP_##commutes, HD_SYNC_##sync, HD_NEED_##needs, \
        HD_DECIDED_##decided, HD_##otherwise, HD_ROLE_##role, HD_##also, HD_OUTCOMES_##outcomes, adds },
#include "abi/ops.def"
    { .object = HD_OBJECT_NONE, .effect = HD_EFFECT_CHANGES, .group = HD_GROUP_ALONE },
};

/* Rows must be consistent. */
#define OP(name, class, effect, commutes, sync, adds, needs, decided, otherwise, role, also, outcomes, text) \
    _Static_assert((HD_EFFECT_##effect == HD_EFFECT_LOOKS) == (HD_GROUP_##commutes == HD_GROUP_LOOKS), \
        #name ": operations that look, and no others, commute as such"); \
    _Static_assert(HD_EFFECT_##effect != HD_EFFECT_LOOKS || (adds) == 0, #name ": it looks, and adds something"); \
    _Static_assert((HD_DECIDED_##decided == HD_DECIDED_NOTHING) == (HD_##otherwise == HD_NONE), \
        #name ": what decides, and the kind that it is otherwise, go together");
#include "abi/ops.def"

/* The most frequent questions compile to a comparison or to bit tests, without a table: a set of kinds is two words. A
 * chain of comparisons would do, but compilers turn one over more than 64 values into an indirect jump. */
_Static_assert(HD_OP_KINDS < 128, "a set of kinds is two words");
#define HD_KIND_BIT(which, kind, word) | ((which) && (int)(kind) / 64 == (word) ? (uint64_t)1 << ((int)(kind) % 64) : 0)

static inline bool hd_kind_is_in(uint8_t kind, uint64_t first, uint64_t second)
{
    return (kind < 64 ? first : second) >> kind % 64 & 1;
}

static inline bool hd_kind_looks(uint8_t kind)
{
    const uint64_t first = 0
#define OP(name, class, effect, ...) HD_KIND_BIT(HD_EFFECT_##effect == HD_EFFECT_LOOKS, HD_##name, 0)
#include "abi/ops.def"
        ;
    const uint64_t second = 0
#define OP(name, class, effect, ...) HD_KIND_BIT(HD_EFFECT_##effect == HD_EFFECT_LOOKS, HD_##name, 1)
#include "abi/ops.def"
        ;
    return hd_kind_is_in(kind, first, second);
}

static inline bool hd_kind_is_memory(uint8_t kind)
{
    const uint64_t first = 0
#define OP(name, class, ...) HD_KIND_BIT(HD_OBJECT_##class == HD_OBJECT_MEMORY, HD_##name, 0)
#include "abi/ops.def"
        ;
    const uint64_t second = 0
#define OP(name, class, ...) HD_KIND_BIT(HD_OBJECT_##class == HD_OBJECT_MEMORY, HD_##name, 1)
#include "abi/ops.def"
        ;
    return hd_kind_is_in(kind, first, second);
}

static inline bool hd_kind_exits(uint8_t kind)
{
    return false
#define OP(name, class, effect, commutes, sync, adds, needs, decided, otherwise, role, also, outcomes, text) \
    || (HD_ROLE_##role == HD_ROLE_EXITS && kind == HD_##name)
#include "abi/ops.def"
        ;
}

/* The kind with the role RUNS. */
static inline uint8_t hd_kind_of_running(void)
{
    return 0
#define OP(name, class, effect, commutes, sync, adds, needs, decided, otherwise, role, also, outcomes, text) \
    +(HD_ROLE_##role == HD_ROLE_RUNS ? HD_##name : 0)
#include "abi/ops.def"
        ;
}

static inline bool hd_kind_acquires(uint8_t kind)
{
    return hd_kinds[kind].sync & HD_SYNC_ACQUIRE;
}

static inline bool hd_kind_releases(uint8_t kind)
{
    return hd_kinds[kind].sync & HD_SYNC_RELEASE;
}

/* Could another thread learn from it what its thread has done before? A thread that only takes a lock, or makes one,
 * tells nothing. */
static inline bool hd_kind_publishes(uint8_t kind)
{
    uint8_t role = hd_kinds[kind].role;
    return hd_kind_releases(kind) && !hd_kind_looks(kind) && role != HD_ROLE_TAKES && role != HD_ROLE_SHARES
        && role != HD_ROLE_MAKES;
}

/* Of a memory access: is it plain, that is, not atomic? */
static inline bool hd_kind_is_plain(uint8_t kind)
{
    return hd_kinds[kind].sync == HD_SYNC_NONE;
}

/* Can several threads hold an object of the class at once? */
static inline bool hd_class_is_shared(uint8_t class)
{
    return false
#define OP(name, object, effect, commutes, sync, adds, needs, decided, otherwise, role, also, outcomes, text) \
    || (HD_ROLE_##role == HD_ROLE_SHARES && class == HD_OBJECT_##object)
#include "abi/ops.def"
        ;
}

/* Of the kind and its `otherwise`, the one that changes the object; of two that look, or that change it, the one that
 * needs something or has a second operation. The kind itself if it has no `otherwise`. */
static inline uint8_t hd_kind_strongest(uint8_t kind)
{
    uint8_t other = hd_kinds[kind].otherwise;
    if (!other)
        return kind;
    bool plain = hd_kinds[kind].need == HD_NEED_NOTHING && !hd_kinds[kind].also;
    bool weaker = hd_kind_looks(kind) == hd_kind_looks(other) ? plain : hd_kind_looks(kind);
    return weaker ? other : kind;
}

static inline bool hd_need_is_met(uint8_t need, int64_t count)
{
    switch (need) {
    case HD_NEED_ZERO:
        return count <= 0;
    case HD_NEED_POSITIVE:
        return count > 0;
    case HD_NEED_NO_WRITER:
        return count < HD_WRITER;
    default:
        return true;
    }
}

#endif
