/* What a tested program may say: include/heddle.h, and SV-COMP's names. */
#include "runtime/face/face.h"
#include "runtime/sched.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/calls.h"
#include "runtime/symbolic/follow.h"

enum { MOST_CHOICES = 63 }; /* explorers keep sets of outcomes in a word */

/* Always enabled; `operand` says how many choices there are. */
static int offer_choices(hd_thread *t, hd_op *op)
{
    op->choices = (uint8_t)t->update.operand;
    return 1;
}

static unsigned choose_few(unsigned n)
{
    if (n <= 1)
        return 0;
    hd_current->update.operand = n;
    hd_start_differs();
    return hd_perform(HD_CHOOSE, NULL, offer_choices)->choice;
}

/* More than an operation can offer are two choices, one after the other. */
HD_FACE unsigned hd_heddle_choose(unsigned n)
{
    const hd_site *site = hd_call_site;
    if (n <= MOST_CHOICES)
        return choose_few(n);
    unsigned blocks = n / MOST_CHOICES + (n % MOST_CHOICES != 0);
    unsigned block = hd_heddle_choose(blocks);
    hd_call_site = site;
    return block * MOST_CHOICES + choose_few(block == blocks - 1 ? n - block * MOST_CHOICES : MOST_CHOICES);
}

static void assume(int condition, uint32_t shadow)
{
    if (shadow)
        hd_branch_assume(hd_follow_make(HD_MADE_NE, 32, shadow, 0, 0, 0), condition != 0, hd_call_site);
    if (!condition)
        hd_assumption_failed();
}

HD_FACE void hd_heddle_assume(int condition)
{
    assume(condition, hd_passed_to((const void *)hd_heddle_assume, 0));
}

HD_FACE void hd___VERIFIER_assume(int condition)
{
    assume(condition, hd_passed_to((const void *)hd___VERIFIER_assume, 0));
}

HD_FACE void hd_heddle_atomic_begin(void)
{
    hd_atomic_block(1);
}

HD_FACE void hd_heddle_atomic_end(void)
{
    hd_atomic_block(0);
}

HD_FACE void hd___VERIFIER_atomic_begin(void)
{
    hd_atomic_block(1);
}

HD_FACE void hd___VERIFIER_atomic_end(void)
{
    hd_atomic_block(0);
}

HD_FACE _Noreturn void hd_reach_error(void)
{
    hd_end(HD_ASSERTION, hd_call_site, "reach_error() was called");
}

HD_FACE _Noreturn void hd___VERIFIER_error(void)
{
    hd_end(HD_ASSERTION, hd_call_site, "__VERIFIER_error() was called");
}
