#include "runtime/sync/spinlock.h"

#include "runtime/reset/heap.h"
#include "runtime/sched/objects.h"
#include "runtime/sync/thread.h"

#include <errno.h>

/* Free: 0. Held: the thread's identity, and a pattern in the upper byte that uninitialised memory is unlikely to
 * contain. */
enum { DESTROYED = -1, HELD = 0x5b000000, THREAD = 0xffffff };

static int is_held(int32_t value)
{
    return (value & ~THREAD) == HELD;
}

static uint32_t owner(int32_t value)
{
    return (uint32_t)value & THREAD;
}

static uint32_t number_of_owner(int32_t value)
{
    return hd_number_of_identity(owner(value));
}

static void check(volatile int32_t *s, const char *what, const hd_site *site)
{
    if (!hd_objects_check(HD_LOCK, (const void *)s, sizeof *s, site))
        return;
    if (*s && *s != DESTROYED && !is_held(*s))
        hd_end(HD_MISUSE, site, "%s of a spin lock that is not initialised", what);
    if (*s == DESTROYED)
        hd_end(HD_MISUSE, site, "%s of a spin lock that was destroyed", what);
}

int hd_spinlock_init(volatile int32_t *s)
{
    const hd_site *site = hd_call_site;
    hd_objects_check_new(HD_MUTEX_INIT, (const void *)s, sizeof *s, site);
    hd_perform_life(HD_MUTEX_INIT, (const void *)s);
    if (is_held(*s))
        hd_end(HD_MISUSE, site, "initialisation of a spin lock that T%u holds", number_of_owner(*s));
    *s = 0;
    hd_effect();
    return 0;
}

int hd_spinlock_destroy(volatile int32_t *s)
{
    const hd_site *site = hd_call_site;
    check(s, "destruction", site);
    hd_perform_life(HD_MUTEX_DESTROY, (const void *)s);
    check(s, "destruction", site);
    if (*s)
        hd_end(HD_MISUSE, site, "destruction of a spin lock that T%u holds", number_of_owner(*s));
    *s = DESTROYED;
    return 0;
}

/* A spin lock that is not initialised counts as free, so that the operation is performed and `check` reports it. */
static int free_now(hd_thread *t, hd_op *op)
{
    (void)t;
    return !is_held(*(volatile int32_t *)hd_op_address(op));
}

static int free_or_fail(hd_thread *t, hd_op *op)
{
    op->flags |= HD_OP_TRY;
    op->kind = free_now(t, op) ? HD_LOCK : HD_LOCK_FAIL;
    return 1;
}

static int take(volatile int32_t *s)
{
    check(s, "lock", hd_current->site);
    *s = HELD | (int32_t)hd_thread_as_owner(hd_current, (const void *)s) - 1;
    return 0;
}

int hd_spinlock_lock(volatile int32_t *s)
{
    check(s, "lock", hd_call_site);
    hd_perform(HD_LOCK, (const void *)s, free_now);
    return take(s);
}

int hd_spinlock_try(volatile int32_t *s)
{
    check(s, "lock", hd_call_site);
    if (hd_perform(HD_LOCK, (const void *)s, free_or_fail)->kind == HD_LOCK_FAIL)
        return EBUSY;
    return take(s);
}

/* Checked before and after the operation: other threads may destroy the lock in between. */
int hd_spinlock_unlock(volatile int32_t *s)
{
    check(s, "unlock", hd_call_site);
    hd_perform(HD_UNLOCK, (const void *)s, NULL);
    check(s, "unlock", hd_current->site);
    if (!*s)
        hd_end(HD_MISUSE, hd_current->site, "unlock of a spin lock that is not locked");
    if (owner(*s) != hd_thread_as_owner(hd_current, (const void *)s) - 1)
        hd_end(HD_MISUSE, hd_current->site, "unlock of a spin lock that T%u holds, not T%u", number_of_owner(*s),
            hd_number_of(hd_current));
    *s = 0;
    return 0;
}
