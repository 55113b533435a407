#include "runtime/fiber/fiber.h"

#include "abi/wire.h"
#include "runtime/tls.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Stacks do not end at the same offset from a large power of two: their last
 * parts would have to share a few places of the processor's caches. */
enum { SAVED_REGISTERS = 6, STAGGER = 17 * 64 };

uint8_t hd_fiber_floats;

void hd_fibers_init(void)
{
    void *base = (void *)HD_STACK_BASE;
    size_t size = HD_STACK_SPAN * HD_MAX_THREADS;
    void *got = mmap(
        base, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != base) {
        perror("heddle: cannot reserve memory for stacks");
        exit(2);
    }
    for (uint32_t i = 0; i < HD_MAX_THREADS; i++)
        mprotect((char *)base + i * HD_STACK_SPAN, HD_FIBER_GUARD, PROT_NONE);
}

void *hd_fiber_top(uint32_t i)
{
    return (char *)HD_STACK_BASE + (i + 1) * HD_STACK_SPAN - HD_TLS_SPAN - i * STAGGER;
}

void *hd_fiber_prepare(uint32_t i, void (*entry)(void))
{
    void **sp = (void **)hd_fiber_top(i) - 8;
    *--sp = NULL; /* where a walk over frames ends, and the alignment of a call */
    *--sp = (void *)entry;
    for (int k = 0; k < SAVED_REGISTERS; k++)
        *--sp = NULL;
    *--sp = NULL;
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(((uint32_t *)sp)[0]), "=m"(((uint16_t *)sp)[2]));
    return sp;
}

int hd_fiber_guard_holds(uint64_t address)
{
    uint64_t offset = address - HD_STACK_BASE;
    return offset < HD_STACK_SPAN * HD_MAX_THREADS && offset % HD_STACK_SPAN < HD_FIBER_GUARD;
}

uint64_t hd_fiber_hash(uint32_t i, const uint64_t *low)
{
    const uint64_t *high = hd_fiber_top(i);
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (; low < high; low++) {
        hash = (hash ^ *low) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}
