#include "runtime/fiber/fiber.h"

#include "abi/wire.h"
#include "runtime/tls.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* --- clearing ------------------------------------------------------------------------- */

enum { GRAIN = 256, GAP = 512, WIDE_GAP = 64 << 10 };

static struct {
    char *low; /* from where on it may have been written to; NULL: not at all */
    uint32_t starts;
} used[HD_MAX_THREADS];

/* The lowest grain of the `gap` bytes below `low` that is not 0; `low`: there is none. */
static char *find_used(char *low, size_t gap)
{
    for (char *grain = low - gap; grain < low; grain += GRAIN) {
        uint64_t found = 0;
        for (size_t i = 0; i < GRAIN; i += sizeof found)
            found |= *(const uint64_t *)(grain + i);
        if (found)
            return grain;
    }
    return low;
}

/* A local variable that is read before it is set must not hold what an earlier
 * execution left. What an execution has used of a stack, in addition to earlier
 * ones, ends at a gap of zeros. A wide one would cost half an execution; variables
 * that leave gaps are mostly there from the first execution on. */
static void clear(uint32_t i)
{
    char *top = hd_fiber_top(i), *bottom = (char *)HD_STACK_BASE + i * HD_STACK_SPAN + HD_FIBER_GUARD;
    char *low = used[i].low ? used[i].low : (char *)((uintptr_t)top & ~(uintptr_t)(GRAIN - 1)), *lower;
    size_t gap = used[i].starts & (used[i].starts - 1) ? GAP : WIDE_GAP;
    while (low - bottom >= (ptrdiff_t)gap && (lower = find_used(low, gap)) < low)
        low = lower;
    memset(low, 0, (size_t)(top - low));
    used[i].low = low;
    used[i].starts++;
}

void *hd_fiber_prepare(uint32_t i, void (*entry)(void))
{
    clear(i);
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
