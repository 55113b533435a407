/* Whether an object that belongs to no process has been removed. The identifier of a System V object is valid until
 * then; calls that are blocked at that time end with EIDRM, and later ones fail with EINVAL. So a call looks at the
 * life of its object before it may block. If no object is removed while several threads exist (hd_known), looks are no
 * operations. */
#ifndef HD_RUNTIME_KERNEL_LIVES_H
#define HD_RUNTIME_KERNEL_LIVES_H

#include "abi/fast.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"

/* Are objects removed while several threads exist? */
static inline int hd_lives_end(void)
{
    return hd_exploring() && hd_known->removals;
}

static inline void hd_life_look(const uint64_t *life, const hd_site *site)
{
    if (hd_lives_end())
        hd_access_uses(&(hd_object_use) { life, 0, NULL }, 1, site);
    hd_call_site = site;
}

/* An object is about to be removed, or its uses to be counted. */
static inline void hd_lives_learn(void)
{
    if (!hd_exploring() || !hd_fast_state.several || hd_known->removals)
        return;
    hd_known->removals = 1;
    hd_learned();
}

static inline void hd_life_end(const uint64_t *life, const hd_site *site)
{
    hd_lives_learn();
    hd_access_object(life, site);
    hd_call_site = site;
}

#endif
