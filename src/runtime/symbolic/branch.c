#include "runtime/symbolic/branch.h"

#include "runtime/core/own.h"
#include "runtime/core/state.h"
#include "runtime/sched/log.h"
#include "runtime/symbolic/exprs.h"

enum { SLOTS = 1 << 21, FULL = SLOTS / 2 };

enum { EXPRESSION_BITS = 22, RUN_SHIFT = EXPRESSION_BITS + HD_SLOT_BITS };

_Static_assert(HD_EXPR_ROOM <= 1 << EXPRESSION_BITS && RUN_SHIFT <= 32, "a run, a thread and an expression fit");

/* A hash table of the branches so far: the run, the thread and the expression in one word, and the flags. Entries of
 * other runs are empty. If the table is full, branches are logged again, which is harmless. */
typedef struct decision {
    uint64_t what;
    uint64_t flags;
} decision;

static decision *decided;
static uint32_t count, run;

void hd_branch_init(void)
{
    decided = hd_own_alloc(SLOTS * sizeof *decided);
}

void hd_branch_reset(void)
{
    run++;
    count = 0;
}

/* Has the current thread logged this branch already? A branch that was only followed is logged again as a real one. */
static int is_decided(uint32_t expression, uint16_t flags)
{
    uint64_t what = (uint64_t)run << RUN_SHIFT | (uint64_t)hd_current->id << EXPRESSION_BITS | expression;
    uint64_t at = (what * 0x9e3779b97f4a7c15u >> 40) % SLOTS;
    for (; decided[at].what >> RUN_SHIFT == run; at = (at + 1) % SLOTS)
        if (decided[at].what == what) {
            int known = !(decided[at].flags & HD_OP_FOLLOWED) || (flags & HD_OP_FOLLOWED);
            decided[at].flags &= flags;
            return known;
        }
    if (count < FULL) {
        decided[at] = (decision) { what, flags };
        count++;
    }
    return 0;
}

static void log_branch(uint32_t expression, const hd_site *site, uint16_t flags)
{
    if (hd_current && !is_decided(expression, flags))
        hd_log_branch(expression, hd_expr_value(expression), site, flags);
}

void hd_branch_follow(uint32_t expression, const hd_site *site)
{
    if (expression)
        log_branch(expression, site, HD_OP_FOLLOWED);
}

/* A negation is logged as a branch on the negated expression, so that `x` and `!x` are one branch. */
void hd_branch_flagged(uint32_t expression, uint64_t value, const hd_site *site, uint16_t flags)
{
    if (!expression)
        return;
    uint32_t negated = hd_expr_negated(expression);
    if (hd_expr_value(expression) != value)
        flags |= HD_OP_FOLLOWED;
    log_branch(negated ? negated : expression, site, flags);
}

void hd_branch(uint32_t expression, uint64_t value, const hd_site *site)
{
    hd_branch_flagged(expression, value, site, 0);
}

void hd_branch_assume(uint32_t expression, uint64_t value, const hd_site *site)
{
    if (expression)
        log_branch(expression, site, hd_expr_value(expression) == value ? HD_OP_ASSUMED : HD_OP_FOLLOWED);
}
