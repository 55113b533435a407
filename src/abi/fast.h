/* The state that inline hooks read: it decides whether an access needs more than two
 * comparisons. All of it is at fixed addresses that fit into an instruction.
 *
 * Owners: one word per 8-byte cell of memory, found by the low bits of its address
 * (collisions only add operations). A cell that only one thread has touched in this run
 * has that thread's mark. HD_OWNER_SHARED never changes again; HD_OWNER_JOINED is a shared
 * cell that is always accessed together with the one before it (runtime/sched/blocks.h).
 * HD_OWNER_DIVIDED is a cell of which processes have versions of their own: whether it is
 * the current thread's own is decided at each access.
 *
 * Shadow: one byte per 8-byte cell of the whole address space, at a distance that fits
 * into an instruction: 0 if the program may access the whole cell, 1 to 7 if only that
 * many of its first bytes, -1 if none. The shadow of heddle's own memory and of the
 * unused end of the heap is not mapped; a read of it faults, and the runtime then maps
 * it with -1. */
#ifndef HD_ABI_FAST_H
#define HD_ABI_FAST_H

#include "abi/wire.h"

#define HD_OWNER_CELLS (1u << 22)
#define HD_OWNER_SHARED 0xffffffffu
#define HD_OWNER_JOINED 0xfffffffeu
#define HD_OWNER_DIVIDED 0xfffffffcu
#define HD_OWNERS_BASE 0x7e000000ull
#define HD_FAST_BASE 0x7f000000ull
#define HD_SHADOW_BASE 0x7fff8000ull
#define HD_SHADOW_END (HD_SHADOW_BASE + (1ull << 44))
#define HD_HEAP_SPAN (HD_HEAP_ARENA * HD_MAX_THREADS)

/* The bounds of an object. */
typedef struct hd_bounds {
    uint64_t start, size;
} hd_bounds;

typedef struct hd_fast {
    uint32_t waits; /* several threads exist, so a loop may wait for another thread (the first field, for hd_loop) */
    uint32_t watched; /* an hd_watch: NOTHING in the single-threaded start of an execution, if an earlier execution
                         has checked it */
    uint32_t several; /* several threads exist: accesses may be operations */
    uint32_t mark; /* the current thread's owner mark in this run */
    uint32_t wrote; /* the current thread has written: its loop is no wait */
    uint32_t symbolic; /* functions run as their twins, which carry shadows (abi/shadow.h) */
    uint32_t expressions; /* this run has asked for an input */
    uint32_t shadowed; /* number of bytes of memory that have shadows */
    hd_bounds *variable, *last_variable; /* in twins: the end of the list of the current thread's stack variables,
                                            innermost last; and the end of its room */
    uint32_t plainly; /* the function of the runtime that was called last computes concretely */
} hd_fast;

#define hd_fast_state (*(hd_fast *)HD_FAST_BASE)

/* The site of the call that is being made. */
extern const hd_site *hd_call_site __attribute__((visibility("default")));

static inline uint32_t hd_owner_index(const void *address)
{
    return (uint32_t)((uintptr_t)address >> 3) & (HD_OWNER_CELLS - 1);
}

static inline uint32_t *hd_owner_of(const void *address)
{
    return (uint32_t *)HD_OWNERS_BASE + hd_owner_index(address);
}

static inline int hd_heap_holds(const void *address)
{
    return (uintptr_t)address - HD_HEAP_BASE < HD_HEAP_SPAN;
}

static inline int8_t *hd_shadow_of(const void *address)
{
    return (int8_t *)(((uintptr_t)address >> 3) + HD_SHADOW_BASE);
}

/* Is any of these bytes of one cell not accessible? The shadow is usually 0, which one instruction can test; the
 * second, volatile read keeps the compiler from loading the value for both tests. */
static inline int hd_is_forbidden(const void *address, uint32_t size)
{
    if (__builtin_expect(!*hd_shadow_of(address), 1))
        return 0;
    int8_t shadow = *(volatile int8_t *)hd_shadow_of(address);
    return (int8_t)(((uintptr_t)address & 7) + size - 1) >= shadow;
}

/* Is the access, with the info word of its hook, not allowed? */
static inline int hd_is_bad(const void *address, uint32_t info)
{
    return !(info & HD_INFO_AGAIN) && __builtin_expect(hd_is_forbidden(address, info & HD_INFO_SIZE), 0);
}

/* If two cells are accessible and one between them is not, they are further apart than this: the header of a heap block
 * is larger. So a small range needs checks only at its ends. */
enum { HD_SMALL_RANGE = 64 };

/* May all these bytes be accessed? If not, a closer check is needed to know. */
static inline int hd_is_plain_range(const void *address, uint64_t bytes)
{
    return bytes - 1 < HD_SMALL_RANGE && !*hd_shadow_of(address) && !*hd_shadow_of((const char *)address + bytes - 1);
}

#endif
