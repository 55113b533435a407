#include "runtime/sync/cond.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/reset/heap.h"
#include "runtime/sched/compose.h"
#include "runtime/sched/objects.h"
#include "runtime/sched/send.h"
#include "runtime/sync/made.h"
#include "runtime/sync/sleep.h"
#include "runtime/sync/thread.h"

#include <errno.h>
#include <pthread.h>

static void check(const void *cond, const hd_site *site)
{
    if (!hd_objects_check(HD_COND_WAIT, cond, sizeof(pthread_cond_t), site))
        return;
    uint32_t made = *(const uint32_t *)cond;
    if (made == HD_UNMADE)
        hd_end(HD_MISUSE, site, "use of a condition variable that was destroyed");
    if (!hd_is_made(made))
        hd_end(HD_MISUSE, site, "use of a condition variable that is not initialised");
}

static int sleeps_here(const hd_thread *t, const void *cond)
{
    const hd_thread_view *v = t->view;
    return v->status == HD_THREAD_WAITING && v->waits_for == HD_WAIT_COND && v->wait_object == (uint64_t)cond;
}

static int waiter_is_valid(const hd_thread *t, const void *cond)
{
    if (t->waits_on != cond)
        return !sleeps_here(t, cond);
    return hd_thread_lives(t) && t->waits_with
        && (t->view->status != HD_THREAD_WAITING || (sleeps_here(t, cond) && !t->woken));
}

int hd_cond_is_valid(const void *cond)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (!waiter_is_valid(&hd_threads[i], cond))
            return 0;
    return 1;
}

static void check_validity(const void *cond)
{
    hd_check_valid(hd_cond_is_valid(cond), *hd_rt.thread_count, 0);
}

int hd_cond_init(void *cond)
{
    const hd_site *site = hd_call_site;
    hd_objects_check(HD_COND_WAIT, cond, sizeof(pthread_cond_t), site);
    hd_perform_life(HD_COND_INIT, cond);
    if (hd_sleepers(cond))
        hd_end(HD_MISUSE, site, "initialisation of a condition variable that a thread waits on");
    *(uint32_t *)cond = HD_MADE;
    hd_effect();
    return 0;
}

/* --- waiting ------------------------------------------------------------------- */

/* `waits_on` is set in the step of COND_WAIT, so a signal from then on wakes the thread, even if it comes before the
 * thread sleeps: no wake-up is lost. A cancelled thread takes its mutex back before it ends. */
int hd_cond_wait(const void *cond, hd_mutex *m, const struct timespec *until)
{
    hd_thread *t = hd_current;
    const hd_site *site = hd_call_site;
    check(cond, site);
    if (m->owner != hd_thread_as_owner(t, m))
        hd_end(HD_MISUSE, site, "wait on a condition variable with a mutex that T%u does not hold", hd_number_of(t));
    hd_compose_wait(cond, m, until != NULL);
    hd_perform_with(HD_COND_WAIT, cond, (uint64_t)m, NULL);
    check(cond, site);
    hd_sleep_begin(cond);
    t->waits_with = m;
    hd_call_site = site;
    uint32_t count = hd_mutex_release(m);
    check_validity(cond);
    hd_call_site = site;
    int cancelled = hd_send_poll_in_wait();
    hd_call_site = site;
    int result = cancelled ? 0 : hd_sleep_until_woken(HD_WAIT_COND, HD_COND_TIMEOUT, until);
    cancelled |= hd_send_ends_wait();
    hd_sleep_end();
    hd_call_site = site;
    int error = hd_mutex_reacquire(m, count);
    t->waits_with = NULL;
    if (cancelled)
        hd_thread_cancelled();
    return error ? error : result;
}

/* --- waking -------------------------------------------------------------------- */

static int somebody_waits(hd_thread *t, hd_op *op)
{
    (void)t;
    uint32_t waiters = hd_sleepers((const void *)hd_op_address(op));
    op->kind = waiters ? HD_COND_SIGNAL : HD_COND_NOBODY;
    op->choices = (uint8_t)waiters;
    return 1;
}

static int anybody_waits(hd_thread *t, hd_op *op)
{
    (void)t;
    op->kind = hd_sleepers((const void *)hd_op_address(op)) ? HD_COND_BROADCAST : HD_COND_BROADCAST_NOBODY;
    return 1;
}

static int holds(const hd_mutex *m)
{
    return hd_heap_allows(m, sizeof *m) && m->owner == hd_thread_as_owner(hd_current, m);
}

/* With more than `most` waiters the signal is a choice. */
static void check_protection(const void *cond, uint32_t most)
{
    const hd_mutex *m = hd_compose_mutex(cond);
    if (m && (!holds(m) || hd_sleepers(cond) > most))
        hd_compose_look_at(cond);
}

/* The choice of the operation is the number of the waiter, in the order of thread numbers. */
int hd_cond_signal(const void *cond)
{
    check(cond, hd_call_site);
    check_protection(cond, 1);
    const hd_op *op = hd_perform(HD_COND_SIGNAL, cond, somebody_waits);
    uint32_t skip = op->choice;
    int nobody = op->kind == HD_COND_NOBODY;
    check(cond, hd_current->site);
    if (nobody)
        return 0;
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (hd_sleeps_at(&hd_threads[i], cond) && skip-- == 0) {
            hd_sleep_wake(&hd_threads[i], HD_WAIT_COND);
            break;
        }
    check_validity(cond);
    return 0;
}

int hd_cond_broadcast(const void *cond)
{
    check(cond, hd_call_site);
    check_protection(cond, HD_MAX_THREADS);
    int nobody = hd_perform(HD_COND_BROADCAST, cond, anybody_waits)->kind == HD_COND_BROADCAST_NOBODY;
    check(cond, hd_current->site);
    if (nobody)
        return 0;
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (hd_sleeps_at(&hd_threads[i], cond))
            hd_sleep_wake(&hd_threads[i], HD_WAIT_COND);
    check_validity(cond);
    return 0;
}

int hd_cond_destroy(void *cond)
{
    const hd_site *site = hd_call_site;
    check(cond, site);
    hd_perform_life(HD_COND_DESTROY, cond);
    check(cond, site);
    if (hd_sleepers(cond))
        hd_end(HD_MISUSE, site, "destruction of a condition variable that a thread waits on");
    *(uint32_t *)cond = HD_UNMADE;
    return 0;
}
