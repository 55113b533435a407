#include "runtime/sync/rwlock.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/reset/heap.h"
#include "runtime/sched/expiry.h"
#include "runtime/sched/objects.h"
#include "runtime/sync/made.h"
#include "runtime/sync/thread.h"

#include <errno.h>

static uint32_t me(const hd_rwlock *l)
{
    return hd_thread_as_owner(hd_current, l);
}

static void check(const hd_rwlock *l, const char *what, const hd_site *site)
{
    if (!hd_objects_check(HD_RDLOCK, l, sizeof *l, site))
        return;
    if (!hd_is_made(l->made))
        hd_end(HD_MISUSE, site, "%s of a read-write lock that is not initialised", what);
    if (l->destroyed)
        hd_end(HD_MISUSE, site, "%s of a read-write lock that was destroyed", what);
}

/* The number of times that `t` holds the lock for reading; NULL: it does not. An entry may be stale, of a lock that was
 * in the same place and was never unlocked: a lock without readers is held by no thread. */
static uint32_t *count_of(hd_thread *t, const hd_rwlock *l)
{
    for (uint32_t i = 0; i < HD_READ_LOCKS && l->readers; i++)
        if (t->read_locks[i].lock == l && t->read_locks[i].count)
            return &t->read_locks[i].count;
    return NULL;
}

int hd_rwlock_is_valid(hd_rwlock *l)
{
    uint64_t held = 0;
    if (!hd_is_made(l->made))
        return 1;
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++) {
        const uint32_t *count = count_of(&hd_threads[i], l);
        held += count ? *count : 0;
    }
    if (l->readers != held || (l->writer && (l->readers || !hd_thread_find(l->writer))))
        return 0;
    return !l->destroyed || !(l->readers || l->writer);
}

static void check_validity(hd_rwlock *l)
{
    hd_check_valid(hd_rwlock_is_valid(l), *hd_rt.thread_count * HD_READ_LOCKS, 0);
}

/* Before the first thread reads: see count_of. */
static void forget_stale(const hd_rwlock *l)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        for (uint32_t k = 0; k < HD_READ_LOCKS; k++)
            if (hd_threads[i].read_locks[k].lock == l)
                hd_threads[i].read_locks[k].count = 0;
}

static void note_read(const hd_rwlock *l)
{
    uint32_t *count = count_of(hd_current, l);
    if (count) {
        ++*count;
        return;
    }
    for (uint32_t i = 0; i < HD_READ_LOCKS; i++)
        if (!hd_current->read_locks[i].count) {
            hd_current->read_locks[i].lock = l;
            hd_current->read_locks[i].count = 1;
            hd_current->read_locked = 1;
            return;
        }
    hd_end(HD_MODEL_LIMIT, hd_current->site, "a thread holds more than %d read-write locks for reading", HD_READ_LOCKS);
}

int hd_rwlock_init(hd_rwlock *l)
{
    const hd_site *site = hd_call_site;
    hd_objects_check_new(HD_RWLOCK_INIT, l, sizeof *l, site);
    hd_perform_life(HD_RWLOCK_INIT, l);
    int was_made = l->made == HD_MADE || l->made == HD_MADE_BY_USE;
    if (was_made && !l->destroyed && (l->writer || l->readers))
        hd_end(HD_MISUSE, site, "initialisation of a read-write lock that is held");
    if (l->made == HD_MADE_BY_USE && !l->destroyed)
        hd_end(HD_MISUSE, site, "initialisation of a read-write lock that has been locked before");
    *l = (hd_rwlock) { .made = HD_MADE };
    check_validity(l);
    return 0;
}

int hd_rwlock_destroy(hd_rwlock *l)
{
    const hd_site *site = hd_call_site;
    check(l, "destruction", site);
    hd_perform_life(HD_RWLOCK_DESTROY, l);
    check(l, "destruction", site);
    if (l->writer || l->readers)
        hd_end(HD_MISUSE, site, "destruction of a read-write lock that is held");
    l->destroyed = 1;
    check_validity(l);
    return 0;
}

/* --- locking ------------------------------------------------------------------- */

/* A lock that is not initialised counts as free, so that the operation is performed and `check` reports it. */
static int readable(hd_thread *t, hd_op *op)
{
    const hd_rwlock *l = (hd_rwlock *)hd_op_address(op);
    (void)t;
    return l->writer == 0 || !hd_is_made(l->made);
}

static int writable(hd_thread *t, hd_op *op)
{
    const hd_rwlock *l = (hd_rwlock *)hd_op_address(op);
    (void)t;
    return (l->writer == 0 && l->readers == 0) || !hd_is_made(l->made);
}

static int readable_or_fail(hd_thread *t, hd_op *op)
{
    op->flags |= HD_OP_TRY;
    op->kind = readable(t, op) ? HD_RDLOCK : HD_RDLOCK_FAIL;
    return 1;
}

static int writable_or_fail(hd_thread *t, hd_op *op)
{
    op->flags |= HD_OP_TRY;
    op->kind = writable(t, op) ? HD_WRLOCK : HD_WRLOCK_FAIL;
    return 1;
}

static int holds_for_writing(const hd_rwlock *l)
{
    int holds = l->writer == me(l);
    if (holds)
        hd_objects_look(HD_RDLOCK, l, readable_or_fail);
    return holds;
}

/* A statically initialised lock that has been used must not be initialised any more. */
static void note_use(hd_rwlock *l)
{
    if (l->made == HD_MADE_STATICALLY)
        l->made = HD_MADE_BY_USE;
}

static int take_for_reading(hd_rwlock *l)
{
    check(l, "read-lock", hd_current->site);
    note_use(l);
    if (l->readers == HD_WRITER - 1) /* one more would count as a writer */
        hd_end(HD_MODEL_LIMIT, hd_current->site, "more than %d read locks of one lock at once", HD_WRITER - 1);
    if (!l->readers++)
        forget_stale(l);
    note_read(l);
    check_validity(l);
    return 0;
}

static int take_for_writing(hd_rwlock *l)
{
    check(l, "write-lock", hd_current->site);
    note_use(l);
    l->writer = me(l);
    l->locked_at = hd_current->site;
    check_validity(l);
    return 0;
}

int hd_rwlock_read(hd_rwlock *l)
{
    check(l, "read-lock", hd_call_site);
    if (holds_for_writing(l))
        return EDEADLK;
    hd_perform(HD_RDLOCK, l, readable);
    return take_for_reading(l);
}

int hd_rwlock_write(hd_rwlock *l)
{
    check(l, "write-lock", hd_call_site);
    if (holds_for_writing(l))
        return EDEADLK;
    hd_perform(HD_WRLOCK, l, writable);
    return take_for_writing(l);
}

static int error_if_held(const struct timespec *until)
{
    return until ? ETIMEDOUT : EBUSY;
}

/* The error of a try by the thread that holds the lock for writing: a timed lock reports the deadlock. */
static int error_of_own(const struct timespec *until)
{
    return until ? EDEADLK : EBUSY;
}

int hd_rwlock_try_read(hd_rwlock *l, const struct timespec *until)
{
    check(l, "read-lock", hd_call_site);
    if (holds_for_writing(l))
        return error_of_own(until);
    if (hd_perform_until(HD_RDLOCK, l, until, readable, readable_or_fail)->kind == HD_RDLOCK_FAIL)
        return error_if_held(until);
    return take_for_reading(l);
}

int hd_rwlock_try_write(hd_rwlock *l, const struct timespec *until)
{
    check(l, "write-lock", hd_call_site);
    if (holds_for_writing(l))
        return error_of_own(until);
    if (count_of(hd_current, l)) {
        hd_objects_look(HD_WRLOCK, l, writable_or_fail);
        return error_if_held(until);
    }
    if (hd_perform_until(HD_WRLOCK, l, until, writable, writable_or_fail)->kind == HD_WRLOCK_FAIL)
        return error_if_held(until);
    return take_for_writing(l);
}

/* Whether the thread holds the lock for reading or for writing depends on its own history alone, so the kind of the
 * operation is known when it is published. */
int hd_rwlock_unlock(hd_rwlock *l)
{
    check(l, "unlock", hd_call_site);
    uint32_t *count = count_of(hd_current, l);
    if (l->writer != me(l) && !count)
        hd_end(HD_MISUSE, hd_call_site, "unlock of a read-write lock that T%u does not hold", hd_number_of(hd_current));
    if (count) {
        hd_perform(HD_RDUNLOCK, l, NULL);
        l->readers--;
        --*count;
    } else {
        hd_perform(HD_WRUNLOCK, l, NULL);
        l->writer = 0;
    }
    check_validity(l);
    return 0;
}
