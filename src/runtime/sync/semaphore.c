#include "runtime/sync/semaphore.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/reset/heap.h"
#include "runtime/sched/places.h"
#include "runtime/sched/expiry.h"
#include "runtime/sched/objects.h"
#include "runtime/sync/made.h"
#include "runtime/sync/tokens.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

int hd_semaphore_is_valid(const hd_semaphore *s)
{
    return s->made != HD_MADE || (s->value <= INT_MAX && hd_tokens_are_valid(s, s->value));
}

static void check(const hd_semaphore *s, const char *what, const hd_site *site)
{
    if (!hd_objects_check(HD_SEM_WAIT, s, sizeof *s, site))
        return;
    if (s->made != HD_MADE)
        hd_end(HD_MISUSE, site, "%s of a semaphore that is not initialised", what);
    if (s->destroyed)
        hd_end(HD_MISUSE, site, "%s of a semaphore that was destroyed", what);
}

/* Is `t` blocked at a wait for this semaphore? */
static int waits(const hd_thread *t, const hd_semaphore *s)
{
    const hd_op *op = &t->view->pending;
    return t->view->status == HD_THREAD_AT_OP && op->kind == HD_SEM_WAIT && hd_op_address(op) == (uint64_t)s
        && hd_sees_same(t, s) && !(op->flags & HD_OP_TRY) && !s->value;
}

static void check_no_waiter(const hd_semaphore *s, const char *what, const hd_site *site)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (waits(&hd_threads[i], s))
            hd_end(HD_MISUSE, site, "%s of a semaphore that T%u waits for", what, hd_number_of(&hd_threads[i]));
}

int hd_semaphore_init(hd_semaphore *s, uint32_t value)
{
    const hd_site *site = hd_call_site;
    hd_objects_check_new(HD_SEM_INIT, s, sizeof *s, site);
    if (value > INT_MAX)
        return EINVAL;
    hd_perform_life(HD_SEM_INIT, s);
    if (s->made == HD_MADE)
        check_no_waiter(s, "initialisation", site);
    hd_tokens_reset(s, value);
    *s = (hd_semaphore) { .value = value, .made = HD_MADE, .late = (uint8_t)hd_fast_state.waits };
    return 0;
}

void hd_semaphore_make(hd_semaphore *s, uint32_t value)
{
    hd_tokens_reset(s, value);
    *s = (hd_semaphore) { .value = value, .made = HD_MADE };
}

int hd_semaphore_destroy(hd_semaphore *s)
{
    const hd_site *site = hd_call_site;
    check(s, "destruction", site);
    hd_perform_life(HD_SEM_DESTROY, s);
    check(s, "destruction", site);
    check_no_waiter(s, "destruction", site);
    s->destroyed = 1;
    return 0;
}

/* The value is recorded: explorers predict from it whether a wait is enabled elsewhere. The token decides with which
 * posts the wait commutes. */
static int positive(hd_thread *t, hd_op *op)
{
    const hd_semaphore *s = (hd_semaphore *)hd_op_address(op);
    (void)t;
    op->value = s->made == HD_MADE ? hd_counted(s->value, hd_tokens_least(s, s->value)) : s->value;
    return s->value > 0 || s->made != HD_MADE;
}

static int positive_or_fail(hd_thread *t, hd_op *op)
{
    op->flags |= HD_OP_TRY;
    op->kind = positive(t, op) ? HD_SEM_WAIT : HD_SEM_FAIL;
    return 1;
}

/* A post at the greatest value fails and changes nothing: it only looks. */
static int room_or_fail(hd_thread *t, hd_op *op)
{
    const hd_semaphore *s = (hd_semaphore *)hd_op_address(op);
    op->value = hd_counted(s->value, hd_tokens_next(s, s->value, t->id));
    op->kind = s->value < INT_MAX ? HD_SEM_POST : HD_SEM_VALUE;
    return 1;
}

static int any_value(hd_thread *t, hd_op *op)
{
    positive(t, op);
    return 1;
}

/* A wait that may come before the initialisation looks at the value first. Explorers assume that a wait at value 0 is
 * disabled; so without the look they would not reverse the wait and the initialisation, and miss the misuse. */
static void enter(hd_semaphore *s, const char *what)
{
    const hd_site *site = hd_call_site;
    hd_objects_check(HD_SEM_WAIT, s, sizeof *s, site);
    if (s->late || s->made != HD_MADE)
        hd_perform(HD_SEM_VALUE, s, any_value);
    check(s, what, site);
    hd_call_site = site;
}

static int take(hd_semaphore *s)
{
    check(s, "wait", hd_current->site);
    hd_tokens_take(s, s->value);
    s->value--;
    hd_check_valid(hd_semaphore_is_valid(s), 1, 0);
    return 0;
}

int hd_semaphore_wait(hd_semaphore *s)
{
    enter(s, "wait");
    hd_perform(HD_SEM_WAIT, s, positive);
    return take(s);
}

int hd_semaphore_try(hd_semaphore *s, const struct timespec *until)
{
    enter(s, "wait");
    if (hd_perform_until(HD_SEM_WAIT, s, until, positive, positive_or_fail)->kind == HD_SEM_FAIL)
        return until ? ETIMEDOUT : EAGAIN;
    return take(s);
}

int hd_semaphore_post(hd_semaphore *s)
{
    check(s, "post", hd_call_site);
    if (hd_perform(HD_SEM_POST, s, room_or_fail)->kind == HD_SEM_VALUE)
        return EOVERFLOW;
    check(s, "post", hd_current->site);
    hd_tokens_add(s, s->value, hd_current->id);
    s->value++;
    hd_check_valid(hd_semaphore_is_valid(s), 1, 0);
    return 0;
}

int hd_semaphore_value(hd_semaphore *s, int *value)
{
    check(s, "reading", hd_call_site);
    hd_perform(HD_SEM_VALUE, s, any_value);
    check(s, "reading", hd_current->site);
    *value = (int)s->value;
    return 0;
}

void hd_semaphore_pass_zero(hd_semaphore *s)
{
    hd_perform(HD_SEM_ZERO, s, any_value);
}
