#include "runtime/sync/mutex.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/reset/heap.h"
#include "runtime/sched/places.h"
#include "runtime/sched/expiry.h"
#include "runtime/sched/objects.h"
#include "runtime/sync/made.h"
#include "runtime/sync/thread.h"

#include <errno.h>
#include <string.h>

enum { MAX_ROBUST = 64 };

/* Robust mutexes that threads hold, needed when a thread ends. Locking enters them and nothing removes them, so an
 * entry may be stale, even from an earlier run: its owner is checked when it is used. */
static hd_mutex *robust_held[MAX_ROBUST];
static uint32_t robust_next;

static uint32_t me(const hd_mutex *m)
{
    return hd_thread_as_owner(hd_current, m);
}

int hd_mutex_is_valid(const hd_mutex *m)
{
    const hd_thread *owner = m->owner ? hd_thread_find(m->owner) : NULL;
    if (!hd_is_made(m->made))
        return 1;
    if (m->owner && (!owner || m->destroyed || (m->robust && !hd_thread_lives(owner))))
        return 0;
    if (m->count && (!owner || m->type != HD_MUTEX_RECURSIVE))
        return 0;
    return m->owner_died + m->not_recoverable <= (m->robust ? 1 : 0);
}

static void check_validity(const hd_mutex *m)
{
    hd_check_valid(hd_mutex_is_valid(m), 1, 0);
}

static void check(const hd_mutex *m, const char *what, const hd_site *site)
{
    if (!hd_objects_check(HD_LOCK, m, sizeof *m, site))
        return;
    if (!hd_is_made(m->made))
        hd_end(HD_MISUSE, site, "%s of a mutex that is not initialised", what);
    if (m->destroyed)
        hd_end(HD_MISUSE, site, "%s of a mutex that was destroyed", what);
}

/* A thread that waits on a condition variable will lock its mutex again, so the mutex is in use. */
static void check_no_waiter(const hd_mutex *m, const char *what, const hd_site *site)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (hd_threads[i].waits_with == m && hd_sees_same(&hd_threads[i], m))
            hd_end(HD_MISUSE, site, "%s of a mutex that T%u has given up to wait on a condition variable", what,
                hd_number_of(&hd_threads[i]));
}

/* Initialising a mutex again while no thread holds it is undefined, too, but common and harmless in practice: it is
 * accepted. */
static void check_unused(const hd_mutex *m, const hd_site *site)
{
    int was_made = m->made == HD_MADE || m->made == HD_MADE_BY_USE;
    if (!was_made || m->destroyed)
        return;
    if (m->owner)
        hd_end(HD_MISUSE, site, "initialisation of a mutex that T%u holds", hd_thread_number_of(m->owner));
    check_no_waiter(m, "initialisation", site);
    if (m->made == HD_MADE_BY_USE)
        hd_end(HD_MISUSE, site, "initialisation of a mutex that has been locked before");
}

int hd_mutex_init(hd_mutex *m, int type, int robust)
{
    const hd_site *site = hd_call_site;
    hd_objects_check_new(HD_MUTEX_INIT, m, sizeof *m, site);
    hd_perform_life(HD_MUTEX_INIT, m);
    check_unused(m, site);
    memset(m, 0, sizeof *m);
    m->made = HD_MADE;
    m->type = type;
    m->robust = (uint8_t)robust;
    check_validity(m);
    return 0;
}

int hd_mutex_destroy(hd_mutex *m)
{
    const hd_site *site = hd_call_site;
    check(m, "destruction", site);
    hd_perform_life(HD_MUTEX_DESTROY, m);
    check(m, "destruction", site);
    if (m->owner)
        hd_end(HD_MISUSE, site, "destruction of a mutex that T%u holds", hd_thread_number_of(m->owner));
    check_no_waiter(m, "destruction", site);
    m->destroyed = 1;
    check_validity(m);
    return 0;
}

/* A mutex that is not initialised counts as free, so that the operation is performed and `check` reports the misuse. */
static int free_now(hd_thread *t, hd_op *op)
{
    const hd_mutex *m = (hd_mutex *)hd_op_address(op);
    (void)t;
    return m->owner == 0 || !hd_is_made(m->made);
}

static int free_or_fail(hd_thread *t, hd_op *op)
{
    op->flags |= HD_OP_TRY;
    op->kind = free_now(t, op) ? HD_LOCK : HD_LOCK_FAIL;
    return 1;
}

static int acquire(hd_mutex *m)
{
    check(m, "lock", hd_current->site);
    if (m->made == HD_MADE_STATICALLY)
        m->made = HD_MADE_BY_USE;
    m->owner = me(m);
    m->count = 0;
    m->locked_at = hd_current->site;
    if (m->not_recoverable) {
        hd_mutex_release(m); /* in the same step */
        return ENOTRECOVERABLE;
    }
    if (m->robust)
        robust_held[robust_next++ % MAX_ROBUST] = m;
    check_validity(m);
    return m->owner_died ? EOWNERDEAD : 0;
}

/* The result of locking a mutex that the thread itself holds; -1: it waits forever. */
static int relock(hd_mutex *m, int error_if_held)
{
    if (m->type == HD_MUTEX_NORMAL && !error_if_held)
        return -1;
    hd_objects_look(HD_LOCK, m, free_or_fail);
    if (m->type != HD_MUTEX_RECURSIVE)
        return error_if_held ? error_if_held : EDEADLK;
    m->count++;
    check_validity(m);
    return 0;
}

/* A lock of a mutex that the thread itself holds is decided by its own history alone, so it is no operation; of a
 * normal mutex it is an operation that stays disabled. */
int hd_mutex_lock(hd_mutex *m)
{
    check(m, "lock", hd_call_site);
    int again = m->owner == me(m) ? relock(m, 0) : -1;
    if (again >= 0)
        return again;
    hd_perform(HD_LOCK, m, free_now);
    return acquire(m);
}

int hd_mutex_try(hd_mutex *m, const struct timespec *until)
{
    int error_if_held = until ? ETIMEDOUT : EBUSY;
    check(m, "lock", hd_call_site);
    if (m->owner == me(m))
        return relock(m, until && m->type == HD_MUTEX_CHECKED ? EDEADLK : error_if_held);
    if (hd_perform_until(HD_LOCK, m, until, free_now, free_or_fail)->kind == HD_LOCK_FAIL)
        return error_if_held;
    return acquire(m);
}

static void give_up(hd_mutex *m)
{
    if (m->owner_died)
        m->not_recoverable = 1; /* unlocked without pthread_mutex_consistent */
    m->owner_died = 0;
    m->owner = 0;
    m->count = 0;
    check_validity(m);
}

/* Unlock by a thread that does not hold the mutex: fails for all mutexes but normal ones; for those the execution ends
 * with a finding. */
static int held_or_refused(hd_thread *t, hd_op *op)
{
    const hd_mutex *m = (hd_mutex *)hd_op_address(op);
    int refuses = m->type != HD_MUTEX_NORMAL || m->robust;
    op->kind = refuses && m->owner != hd_thread_as_owner(t, m) ? HD_UNLOCK_FAIL : HD_UNLOCK;
    return 1;
}

int hd_mutex_unlock(hd_mutex *m)
{
    check(m, "unlock", hd_call_site);
    if (m->owner == me(m) && m->count > 0) {
        hd_objects_look(HD_LOCK, m, free_or_fail);
        m->count--;
        return 0;
    }
    int refused = hd_perform(HD_UNLOCK, m, held_or_refused)->kind == HD_UNLOCK_FAIL;
    check(m, "unlock", hd_current->site);
    if (refused)
        return EPERM;
    if (m->owner == me(m)) {
        give_up(m);
        return 0;
    }
    if (m->owner)
        hd_end(HD_MISUSE, hd_current->site, "unlock of a mutex that T%u holds, not T%u", hd_thread_number_of(m->owner),
            hd_number_of(hd_current));
    hd_end(HD_MISUSE, hd_current->site, "unlock of a mutex that is not locked");
}

int hd_mutex_consistent(hd_mutex *m)
{
    check(m, "recovery", hd_call_site);
    hd_objects_look(HD_LOCK, m, free_or_fail);
    if (!m->owner_died || m->owner != me(m))
        return EINVAL;
    m->owner_died = 0;
    return 0;
}

/* The unlock continues the step of the operation that was just performed. */
uint32_t hd_mutex_release(hd_mutex *m)
{
    uint32_t count = m->count;
    hd_op unlock = hd_current->view->pending;
    unlock.kind = HD_UNLOCK;
    unlock.object = (uint64_t)m;
    hd_continue_step(&unlock);
    give_up(m);
    return count;
}

int hd_mutex_reacquire(hd_mutex *m, uint32_t count)
{
    hd_perform(HD_LOCK, m, free_now);
    int error = acquire(m);
    m->count = count;
    check_validity(m);
    return error;
}

void hd_mutex_owner_ends(const hd_thread *owner)
{
    for (uint32_t i = 0; i < MAX_ROBUST && i < robust_next; i++) {
        hd_mutex *m = robust_held[i];
        if (!m->robust || m->owner != hd_thread_as_owner(owner, m))
            continue;
        hd_perform(HD_UNLOCK, m, NULL);
        m->owner = 0;
        m->owner_died = 1;
        check_validity(m);
    }
}
