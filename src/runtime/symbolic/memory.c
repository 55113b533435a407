/* The hooks on memory: pointers, loads, stores, copies, atomic updates. */
#include "abi/eval.h"
#include "runtime/core/end.h"
#include "runtime/sched/log.h"
#include "runtime/symbolic/bounds.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/exprs.h"
#include "runtime/symbolic/follow.h"
#include "runtime/symbolic/hook.h"
#include "runtime/symbolic/lines.h"
#include "runtime/symbolic/symbolic.h"

/* --- pointers ------------------------------------------------------------------- */

/* By expression: the concrete pointer to which indices were added. It determines the object that a pointer with a
 * symbolic index must stay in. */
static uint64_t *origins;

void hd_memory_init(uint64_t *room)
{
    origins = room;
}

HOOK_ENTRY uint32_t hd_follow_pointer(uint32_t base, uint32_t offset, uint64_t x, uint64_t y)
{
    uint32_t a = hd_expr_binary(HD_EXPR_ADD, 64, base, x, offset, y);
    if (a)
        origins[a] = base ? origins[base] : x;
    return a;
}

/* Branches on whether the access is inside the object that the pointer was computed from. So inputs that lead outside
 * are explored, and the execution ends with a finding there. */
static void check_bounds(uint32_t a, uint64_t address, uint64_t bytes, const hd_site *site)
{
    hd_bounds object;
    uint64_t origin = origins[a];
    if (!origin || !hd_bounds_of(origin, &object) || object.size < bytes)
        return;
    uint32_t offset = hd_expr_binary(HD_EXPR_SUB, 64, a, 0, 0, object.start);
    int inside = address - object.start <= object.size - bytes;
    hd_branch(hd_expr_binary(HD_EXPR_ULE, 64, offset, 0, 0, object.size - bytes), inside, site);
    int in_heap = hd_heap_holds((void *)object.start);
    if (!inside)
        hd_end(in_heap ? HD_HEAP_OVERFLOW : HD_OUT_OF_BOUNDS, site,
            "%s: access to %llu bytes, %lld bytes into an object of %llu", in_heap ? "heap overflow" : "out of bounds",
            (unsigned long long)bytes, (long long)(address - object.start), (unsigned long long)object.size);
}

HOOK_ENTRY void hd_follow_address(uint32_t a, const void *address, uint64_t bytes, const hd_site *site)
{
    check_bounds(a, (uint64_t)address, bytes, site);
    hd_branch(a, (uint64_t)address, site);
}

/* --- loads and stores ------------------------------------------------------------- */

HOOK_ENTRY uint32_t hd_follow_load(const void *address, uint32_t bytes)
{
    return hd_lines_load(address, bytes, NULL);
}

HOOK_ENTRY void hd_follow_store(void *address, uint32_t bytes, uint32_t a)
{
    hd_lines_store(address, bytes, a);
}

HOOK_ENTRY void hd_follow_copy(void *to, const void *from, uint64_t bytes)
{
    hd_lines_copy(to, from, bytes);
}

HOOK_ENTRY void hd_follow_fill(void *to, uint32_t a, uint64_t bytes)
{
    hd_lines_fill(to, a, bytes);
}

/* --- code without shadows ---------------------------------------------------------------- */

enum { WINDOW = 256 }; /* bytes that are followed of an object of unknown size */

static uint64_t extent_of(uint64_t address)
{
    hd_bounds object;
    return hd_bounds_of(address, &object) ? object.start + object.size - address : WINDOW;
}

HOOK_ENTRY void hd_follow_memory(const void *address, uint64_t bytes, const hd_site *site)
{
    if (address)
        hd_lines_follow(address, bytes ? bytes : extent_of((uint64_t)address), site);
}

void hd_follow_read(const void *address, uint64_t bytes, const hd_site *site)
{
    if (hd_fast_state.expressions && hd_fast_state.plainly)
        hd_lines_follow(address, bytes, site);
}

void hd_follow_written(void *address, uint64_t bytes)
{
    if (hd_fast_state.expressions && hd_fast_state.plainly)
        hd_lines_clear(address, bytes);
}

/* --- atomic updates ---------------------------------------------------------------------- */

enum { XCHG, ADD, SUB, AND, NAND, OR, XOR, MAX, MIN, UMAX, UMIN, UPDATES };

static uint32_t updated(uint32_t operation, uint32_t width, uint32_t held, uint64_t old, uint32_t a, uint64_t x)
{
    static const uint8_t kinds[UPDATES] = { [ADD] = HD_EXPR_ADD,
        [SUB] = HD_EXPR_SUB,
        [AND] = HD_EXPR_AND,
        [NAND] = HD_EXPR_AND,
        [OR] = HD_EXPR_OR,
        [XOR] = HD_EXPR_XOR,
        [MAX] = HD_MADE_SMAX,
        [MIN] = HD_MADE_SMIN,
        [UMAX] = HD_MADE_UMAX,
        [UMIN] = HD_MADE_UMIN };
    if (operation == XCHG)
        return a;
    uint32_t result = hd_follow_make(kinds[operation], width, held, old, a, x);
    return operation == NAND ? hd_follow_make(HD_EXPR_XOR, width, result, old & x, 0, ~0ull) : result;
}

/* An atomic update: shadow and value before, after, and of the operand. */
typedef struct change {
    uint32_t held;
    uint64_t old;
    uint32_t new;
    uint64_t now;
    uint32_t a;
    uint64_t x;
} change;

/* An update that changes nothing is an operation of another kind, so whether it does is a branch. For ADD, SUB and XOR
 * the operand alone decides: it is 0. */
static void branch_on_change(uint32_t operation, uint32_t width, change c, const hd_site *site, uint16_t flags)
{
    int adds = operation == ADD || operation == SUB || operation == XOR;
    if (adds && c.a)
        hd_branch_flagged(hd_follow_make(HD_EXPR_EQ, width, c.a, c.x, 0, 0), c.now == c.old, site, flags);
    else if (!adds && (c.new | c.held))
        hd_branch_flagged(hd_follow_make(HD_EXPR_EQ, width, c.new, c.now, c.held, c.old), c.now == c.old, site, flags);
}

/* An atomic read-modify-write; returns the shadow of the old value. If it changes nothing, the bytes keep their
 * shadow. */
HOOK_ENTRY uint32_t hd_follow_update(
    void *address, uint32_t info, uint32_t a, uint64_t x, uint64_t old, const hd_site *site)
{
    uint32_t bytes = info & HD_INFO_SIZE, width = 8 * bytes, operation = info >> HD_INFO_RMW_SHIFT;
    uint32_t held = hd_lines_load(address, bytes, &old);
    if (!(held | a)) {
        hd_lines_store(address, bytes, 0);
        return 0;
    }
    if (operation >= UPDATES) {
        hd_branch_follow(held, site);
        hd_branch_follow(a, site);
        hd_lines_store(address, bytes, 0);
        return held;
    }
    uint32_t new = updated(operation, width, held, old, a, x);
    uint64_t now = 0;
    __builtin_memcpy(&now, address, bytes);
    if (now != old)
        hd_lines_store(address, bytes, new);
    uint16_t flags = hd_log_from_inputs(address);
    branch_on_change(operation, width, (change) { held, old, new, now, a, x }, site, flags);
    return held;
}

HOOK_ENTRY uint32_t hd_follow_exchange(void *address, uint32_t bytes, uint32_t expected, uint32_t desired, uint64_t x,
    uint64_t y, uint64_t old, const hd_site *site)
{
    uint32_t width = 8 * bytes, held = hd_lines_load(address, bytes, &old);
    uint16_t flags = held | expected | desired ? hd_log_from_inputs(address) : 0;
    if (held | expected)
        hd_branch_flagged(hd_follow_make(HD_EXPR_EQ, width, held, old, expected, x), old == x, site, flags);
    if (old != x)
        return held;
    if (held | desired)
        hd_branch_flagged(hd_follow_make(HD_EXPR_EQ, width, held, old, desired, y), old == y, site, flags);
    if (old != y)
        hd_lines_store(address, bytes, desired);
    return held;
}
