/* What the inline hooks look at: the state that decides whether an access
 * needs more than two compares. All of it is at fixed places that fit an
 * instruction.
 *
 * Owners: one word per 8-byte cell of memory, found by the low bits of its
 * address (cells that collide only cost time). A cell that one thread alone has
 * touched in this run holds that thread's mark; HD_OWNER_SHARED is for ever.
 *
 * Shadow: one byte per 8-byte cell of the whole address space, at a distance
 * that fits an instruction: 0 if the program may access all of the cell, 1 to 7
 * if only so many of its bytes from the first on, -1 if none. Of what belongs to
 * heddle and of the heap's unused end the shadow is not even readable; a look
 * at it is a fault, in which the runtime makes it say so. */
#ifndef HD_ABI_FAST_H
#define HD_ABI_FAST_H

#include "abi/wire.h"

#define HD_OWNER_CELLS (1u << 22)
#define HD_OWNER_SHARED 0xffffffffu
#define HD_OWNERS_BASE 0x7e000000ull
#define HD_FAST_BASE 0x7f000000ull
#define HD_SHADOW_BASE 0x7fff8000ull
#define HD_SHADOW_END (HD_SHADOW_BASE + (1ull << 44))
#define HD_HEAP_SPAN (HD_HEAP_ARENA * HD_MAX_THREADS)

/* An array, structure or the like. */
typedef struct hd_bounds {
    uint64_t start, size;
} hd_bounds;

typedef struct hd_fast {
    uint32_t waits; /* more than one thread: any loop may wait for another (first, for hd_loop) */
    uint32_t watched; /* an hd_watch: NOTHING in the single-threaded start of an execution that an
                         earlier one has been through, for it is the same */
    uint32_t several; /* more than one thread: accesses are looked at */
    uint32_t mark; /* the current thread's owner mark in this run */
    uint32_t wrote; /* the current thread has written: loops may have had an effect */
    uint32_t symbolic; /* functions run as their twins, which carry shadows (abi/shadow.h) */
    uint32_t expressions; /* this run has asked for an input */
    uint32_t shadowed; /* how many bytes of memory hold expressions */
    hd_bounds *variable, *last_variable; /* in twins: behind the stack variables of the current
                                            thread's calls, innermost last; and where there is no more room */
    uint32_t plainly; /* the function of the runtime that was called last takes no shadows along */
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

/* Are these bytes of one cell not all accessible? Mostly the shadow is 0, which one
 * instruction sees as long as nobody wants to know what else it is. */
static inline int hd_is_forbidden(const void *address, uint32_t size)
{
    if (__builtin_expect(!*hd_shadow_of(address), 1))
        return 0;
    int8_t shadow = *(volatile int8_t *)hd_shadow_of(address);
    return (int8_t)(((uintptr_t)address & 7) + size - 1) >= shadow;
}

/* Two cells that may be accessed with one between them that may not are
 * further apart than this. */
enum { HD_SMALL_RANGE = 64 };

/* May all of them be accessed? No also means that it takes another look to know. */
static inline int hd_is_plain_range(const void *address, uint64_t bytes)
{
    return bytes - 1 < HD_SMALL_RANGE && !*hd_shadow_of(address) && !*hd_shadow_of((const char *)address + bytes - 1);
}

#endif
