/* The hooks where control flow depends on expressions: branches, switches, operations that can fail. */
#include "abi/eval.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/exprs.h"
#include "runtime/symbolic/follow.h"
#include "runtime/symbolic/hook.h"

HOOK_ENTRY void hd_follow_branch(uint32_t a, uint32_t value, const hd_site *site)
{
    hd_branch(a, value, site);
}

HOOK_ENTRY void hd_follow_pin(uint32_t a, uint64_t value, const hd_site *site)
{
    hd_branch(a, value, site);
}

HOOK_ENTRY void hd_follow_concretely(uint32_t a, uint64_t value, const hd_site *site)
{
    (void)value;
    hd_branch_follow(a, site);
}

/* --- switches ------------------------------------------------------------------- */

/* Consecutive cases with the same target, as one comparison. */
static uint32_t in_range(uint32_t a, uint32_t width, uint64_t first, uint64_t last)
{
    if (first == last)
        return hd_expr_binary(HD_EXPR_EQ, width, a, 0, 0, first);
    uint32_t distance = hd_expr_binary(HD_EXPR_SUB, width, a, 0, 0, first);
    return hd_expr_binary(HD_EXPR_ULE, width, distance, 0, 0, last - first);
}

/* The condition under which the switch goes to `target`. Raises `highest` to the highest target. */
static uint32_t goes_to(uint32_t a, const hd_switch_table *t, uint64_t target, uint64_t *highest)
{
    uint32_t either = 0;
    for (uint32_t i = 0; i < t->cases; i++) {
        *highest = t->of[i].target > *highest ? t->of[i].target : *highest;
        if (t->of[i].target != target)
            continue;
        uint64_t first = t->of[i].value;
        while (i + 1 < t->cases && t->of[i + 1].target == target && t->of[i + 1].value == t->of[i].value + 1)
            i++;
        uint32_t one = in_range(a, t->width, first, t->of[i].value);
        either = either && one ? hd_expr_binary(HD_EXPR_OR, 1, either, 0, one, 0) : one ? one : either;
    }
    return either;
}

static uint64_t target_of(const hd_switch_table *t, uint64_t value)
{
    for (uint32_t i = 0; i < t->cases; i++)
        if (t->of[i].value == value)
            return t->of[i].target;
    return 0;
}

/* A switch is a sequence of branches, one per target, up to the target that is taken. The default (0) needs none: it
 * is taken if no branch holds. */
HOOK_ENTRY void hd_follow_switch(uint32_t a, uint64_t value, const hd_switch_table *table, const hd_site *site)
{
    uint64_t taken = target_of(table, value), highest = 0;
    (void)goes_to(a, table, ~0ull, &highest);
    for (uint64_t target = 1; target <= highest; target++) {
        hd_branch(goes_to(a, table, target, &highest), target == taken, site);
        if (target == taken)
            break;
    }
}

/* --- operations that can fail ------------------------------------------------------- */

static int is_least(uint64_t x, uint32_t width)
{
    return x == 1ull << (width - 1);
}

static int is_minus_one(uint64_t x, uint32_t width)
{
    return x == hd_low_bits(~0ull, width);
}

/* The condition under which a signed division overflows: the least number divided by -1. */
static uint32_t overflows(uint32_t a, uint32_t b, uint64_t x, uint64_t y, uint32_t width)
{
    uint32_t by = b ? hd_expr_binary(HD_EXPR_EQ, width, b, 0, 0, ~0ull) : 0;
    uint32_t of = a ? hd_expr_binary(HD_EXPR_EQ, width, a, 0, 0, 1ull << (width - 1)) : 0;
    if ((!b && !is_minus_one(y, width)) || (!a && !is_least(x, width)))
        return 0;
    return by && of ? hd_expr_binary(HD_EXPR_AND, 1, by, 0, of, 0) : by ? by : of;
}

HOOK_ENTRY void hd_follow_divide(uint32_t a, uint32_t b, uint64_t x, uint64_t y, uint32_t info, const hd_site *site)
{
    uint32_t kind = info & 0xff, width = info >> 8 & 0xff;
    if (b)
        hd_branch(hd_expr_binary(HD_EXPR_EQ, width, b, 0, 0, 0), y == 0, site);
    if (kind == HD_EXPR_SDIV || kind == HD_EXPR_SREM)
        hd_branch(overflows(a, b, x, y, width), is_least(x, width) && is_minus_one(y, width), site);
}

HOOK_ENTRY void hd_follow_shift(uint32_t amount, uint64_t value, uint32_t width, const hd_site *site)
{
    hd_branch(hd_expr_binary(HD_EXPR_ULT, hd_expr_width(amount), amount, 0, 0, width), value < width, site);
}
