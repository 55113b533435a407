#include "runtime/sync/sleep.h"

#include "runtime/sched/places.h"
#include "runtime/sched/expiry.h"
#include "runtime/sched/log.h"
#include "runtime/sched/send.h"
#include "runtime/sched/spin.h"

#include <errno.h>

void hd_sleep_check_room(const void *object)
{
    if (hd_sleepers(object) > UINT8_MAX) /* waking one of them has an outcome for each (hd_op.choices) */
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d threads wait at one object at once", UINT8_MAX);
}

void hd_sleep_begin(const void *object)
{
    hd_current->waits_on = object;
    hd_current->woken = 0;
    hd_sleep_check_room(object);
}

enum { TIMES_OUT, WAKES_UP };

static int either_end(hd_thread *t, hd_op *op)
{
    (void)t;
    op->choices = WAKES_UP + 1;
    return 1;
}

/* The result of a sleep that no other thread has ended: it has timed out, or the wake-up is spurious. */
static int end_by_itself(const hd_op *op, int timed)
{
    return timed && op->choice == TIMES_OUT ? ETIMEDOUT : 0;
}

/* A patient wait (sched/expiry.h). If it does not time out it was woken, and its loop makes progress. */
static int sleep_patiently(hd_thread *t, hd_wait_reason reason, const struct timespec *until)
{
    hd_expiry_begin(until);
    hd_wait_for(reason, t->waits_on);
    int expired = hd_expiry_end();
    if (!expired)
        hd_spin_withdrawn(t);
    return expired;
}

/* A sleep that can end by itself is at an operation, `timeout`, which a wake-up withdraws (NULL). The operation of a
 * thread that is `tired` has only one outcome (sched/spin.h), and so has that of a patient wait. */
int hd_sleep_until_woken(hd_wait_reason reason, hd_op_kind timeout, const struct timespec *until)
{
    hd_thread *t = hd_current;
    const hd_site *site = hd_call_site;
    int timed = until != NULL, spurious = hd_rt.options->settings.spurious;
    if (t->woken)
        return 0;
    if (!timed && !spurious) {
        hd_wait_for(reason, t->waits_on);
        return 0;
    }
    int may_wake_up = spurious && !(timed && t->spin.tired);
    int patient = timed && hd_expiry_is_patient(timeout, t->waits_on);
    if (patient && !may_wake_up && !sleep_patiently(t, reason, until))
        return 0;
    hd_call_site = site;
    const hd_op *op = hd_perform(timeout, t->waits_on, timed && may_wake_up && !patient ? either_end : NULL);
    return op ? end_by_itself(op, timed && !(patient && may_wake_up)) : 0;
}

/* A wake-up is an effect of another thread: the round of a loop with it is not vain. */
void hd_sleep_end(void)
{
    hd_current->waits_on = NULL;
    if (hd_current->woken)
        hd_effect();
}

int hd_sleeps_at(const hd_thread *t, const void *object)
{
    return t->waits_on == object && !t->woken && hd_sees_same(t, object);
}

uint32_t hd_sleepers(const void *object)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        count += (uint32_t)hd_sleeps_at(&hd_threads[i], object);
    return count;
}

void hd_sleep_wake(hd_thread *t, hd_wait_reason reason)
{
    hd_send_wake(t);
    hd_edge(t, hd_current, reason, 0);
}
