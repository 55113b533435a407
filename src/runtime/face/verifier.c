/* The functions of include/heddle.h, and SV-COMP's names for them; except for inputs. */
#include "abi/fates.h"
#include "runtime/core/end.h"
#include "runtime/face/face.h"
#include "runtime/sched/log.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/unshared.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/calls.h"
#include "runtime/symbolic/follow.h"
#include "runtime/sync/choice.h"
#include "runtime/sync/fs.h"
#include "runtime/sync/process.h"
#include "runtime/sync/thread.h"

HD_FACE unsigned hd_heddle_choose(unsigned n)
{
    return hd_choose(n);
}

/* Run by hand, nothing crashes. */
HD_FACE void hd_heddle_crash_point(void)
{
    const hd_site *site = hd_call_site;
    if (!hd_choose_fate(2, hd_fates_add(hd_fates_add(0, 0, HD_FATE_GOES_ON), 1, HD_FATE_CRASHES)))
        return;
    hd_call_site = site;
    if (hd_process_count() == 1)
        hd_thread_exit(NULL);
    hd_fs_crash(site);
    hd_call_site = site;
    hd_process_exit_at_once(0, 0);
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

HD_FACE hd_claimed hd_heddle_claim_begin(const hd_claim *claim, uint64_t object)
{
    return hd_claim_begin(claim, object);
}

HD_FACE void hd_heddle_claim_end(const hd_claim *claim, uint64_t object)
{
    hd_claim_end((hd_claimed) { claim, object });
}

HD_FACE void hd_heddle_unshared(const void *object, size_t bytes)
{
    hd_unshared_add(object, bytes, HD_UNSHARED);
}

HD_FACE void hd_heddle_tentatively_unshared(const void *object, size_t bytes)
{
    hd_unshared_add(object, bytes, HD_TENTATIVELY_UNSHARED);
}

HD_FACE void hd_heddle_init_thread(const void *object, size_t bytes)
{
    if (hd_current)
        hd_log_initialises(hd_current, object, bytes);
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
