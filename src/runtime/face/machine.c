/* Queries of the processor: the results are the same in every run, and refer to heddle's threads rather than to the one
 * thread of the system. */
#include "runtime/face/face.h"
#include "runtime/reset/tls.h"
#include "runtime/sched/sched.h"

#include <cpuid.h>
#include <errno.h>

HD_FACE void *hd_thread_pointer(void)
{
    return hd_tls_thread_pointer(hd_current ? hd_current->id : 0);
}

/* The address of errno in programs that use it: after the data that the C library keeps at the thread pointer. */
HD_FACE int *hd_errno_address(void)
{
    enum { BEHIND = 3072 };
    return (int *)((char *)hd_thread_pointer() + BEHIND);
}

HD_FACE void hd_errno_take(void)
{
    *hd_errno_address() = errno;
}

HD_FACE void hd_errno_give(void)
{
    errno = *hd_errno_address();
}

/* The number of the core depends on the system's scheduler: those fields are 0. */
HD_FACE void hd_cpuid(uint32_t leaf, uint32_t part, uint32_t *answer)
{
    enum { FEATURES = 1, TOPOLOGY = 0xb, TOPOLOGY_V2 = 0x1f, EXTENDED_TOPOLOGY = 0x8000001e };
    __cpuid_count(leaf, part, answer[0], answer[1], answer[2], answer[3]);
    if (leaf == FEATURES)
        answer[1] &= 0xffffff;
    if (leaf == TOPOLOGY || leaf == TOPOLOGY_V2)
        answer[3] = 0;
    if (leaf == EXTENDED_TOPOLOGY)
        answer[0] = 0;
}

HD_FACE void hd_unseen(const hd_site *site)
{
    if (hd_exploring() && !hd_rt.outcome->unseen)
        hd_rt.outcome->unseen = site;
}
