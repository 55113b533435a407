#include "runtime/reset/fiber.h"

#include "abi/wire.h"
#include "runtime/core/system.h"
#include "runtime/reset/rewind.h"
#include "runtime/reset/tls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* Stacks end at different offsets from a large power of two: otherwise their most used parts would compete for the
 * same sets of the processor's caches. */
enum { SAVED_REGISTERS = 6, STAGGER = 17 * 64 };

enum { PAGE = 4096, DEEP = 64 * 1024 };

uint8_t hd_fiber_floats;

static uint64_t open_from[HD_MAX_THREADS]; /* below it the stack is protected; 0: nothing is */
static uint8_t guarded[HD_MAX_THREADS];

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
}

void *hd_fiber_top(uint32_t i)
{
    return (char *)HD_STACK_BASE + (i + 1) * HD_STACK_SPAN - HD_TLS_SPAN - i * STAGGER;
}

static uint64_t guard_end(uint32_t i)
{
    return HD_STACK_BASE + i * HD_STACK_SPAN + HD_FIBER_GUARD;
}

static void protect(uint64_t start, uint64_t end, int protection)
{
    if (hd_system(SYS_mprotect, start, end - start, (long)protection))
        hd_rewind_fail("mprotect fails at a stack");
}

/* Returns all pages but the highest to the system: they are zeros from here on. */
static void close_stack(uint32_t i)
{
    uint64_t start = guard_end(i);
    open_from[i] = ((uint64_t)hd_fiber_top(i) - 1) & -(uint64_t)PAGE;
    if (hd_system(SYS_madvise, start, open_from[i] - start, (long)MADV_DONTNEED))
        hd_rewind_fail("madvise fails at a stack");
    protect(start, open_from[i], PROT_READ);
}

int hd_fiber_fault(uint64_t address)
{
    uint64_t i = (address - HD_STACK_BASE) / HD_STACK_SPAN, page = address & -(uint64_t)PAGE;
    if (i >= HD_MAX_THREADS || page < guard_end((uint32_t)i) || page >= open_from[i])
        return 0;
    protect(page, open_from[i], PROT_READ | PROT_WRITE);
    open_from[i] = page;
    return 1;
}

/* Clears the open part; after a deep recursion it is cheaper to return the pages. */
static void clear_stack(uint32_t i)
{
    uint64_t top = (uint64_t)hd_fiber_top(i);
    if (!hd_rewind_is_watching())
        return;
    if (top - open_from[i] > DEEP)
        close_stack(i);
    memset((void *)open_from[i], 0, top - open_from[i]);
}

/* When the stack is first used: a process with few threads has few mappings, and forks quickly. */
static void guard(uint32_t i)
{
    if (!guarded[i])
        protect(guard_end(i) - HD_FIBER_GUARD, guard_end(i), PROT_NONE);
    guarded[i] = 1;
}

void *hd_fiber_prepare(uint32_t i, void (*entry)(void))
{
    guard(i);
    clear_stack(i);
    return hd_fiber_enter(hd_fiber_top(i), entry);
}

uint64_t hd_fiber_open_from(uint32_t i, const void *sp)
{
    return open_from[i] ? open_from[i] : (uint64_t)sp;
}

void *hd_fiber_enter(void *top, void (*entry)(void))
{
    void **sp = (void **)top - 8;
    *--sp = NULL; /* ends walks over frames, and gives the alignment of a call */
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
