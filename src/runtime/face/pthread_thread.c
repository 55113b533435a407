#include "runtime/sync/thread.h"

#include "runtime/face/face.h"
#include "runtime/reset/fiber.h"
#include "runtime/reset/tls.h"
#include "runtime/sched/access.h"
#include "runtime/sched/send.h"
#include "runtime/symbolic/calls.h"
#include "runtime/symbolic/lines.h"
#include "runtime/sync/key.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(pthread_t) == sizeof(unsigned long), "a thread's handle is a number");

HD_FACE int hd_pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    const hd_site *site = hd_call_site;
    uint32_t shadow = hd_passed_to((const void *)hd_pthread_create, 3);
    int detached = PTHREAD_CREATE_JOINABLE;
    if (attributes)
        pthread_attr_getdetachstate(attributes, &detached);
    hd_access_range(thread, sizeof *thread, site, 1);
    hd_call_site = site;
    int error = hd_thread_create(thread, start, argument, detached == PTHREAD_CREATE_DETACHED);
    if (!error)
        hd_lines_store(&hd_thread_find(*thread)->argument, sizeof argument, shadow);
    return error;
}

HD_FACE int hd_pthread_join(pthread_t thread, void **result)
{
    const hd_site *site = hd_call_site;
    void *got = NULL;
    int error = hd_thread_join(thread, result ? &got : NULL);
    if (!error && result) {
        hd_access_range(result, sizeof *result, site, 1);
        *result = got;
        hd_lines_copy(result, &hd_thread_find(thread)->result, sizeof got);
    }
    return error;
}

static int try_join(pthread_t thread, void **result, int error_if_running)
{
    const hd_site *site = hd_call_site;
    if (!hd_thread_has_ended(thread))
        return error_if_running;
    hd_call_site = site;
    return hd_pthread_join(thread, result);
}

HD_FACE int hd_pthread_tryjoin_np(pthread_t thread, void **result)
{
    return try_join(thread, result, EBUSY);
}

/* A join with a time limit is a try, unless it is patient: it times out unless the thread has ended when the caller is
 * scheduled. */
HD_FACE int hd_pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until)
{
    if (!hd_exploring())
        return hd_pthread_join(thread, result);
    const hd_site *site = hd_call_site;
    int ended = hd_thread_is_awaited(thread, until);
    hd_call_site = site;
    return ended ? hd_pthread_join(thread, result) : hd_time_ran_out(try_join(thread, result, ETIMEDOUT), until);
}

HD_FACE int hd_pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *until)
{
    (void)clock;
    return hd_pthread_timedjoin_np(thread, result, until);
}

HD_FACE int hd_pthread_detach(pthread_t thread)
{
    return hd_thread_detach(thread);
}

HD_FACE _Noreturn void hd_pthread_exit(void *result)
{
    hd_lines_store(&hd_current->result, sizeof hd_current->result, hd_passed_to((const void *)hd_pthread_exit, 0));
    hd_thread_exit(result);
}

HD_FACE pthread_t hd_pthread_self(void)
{
    return hd_thread_self();
}

HD_FACE int hd_pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}

/* --- keys -------------------------------------------------------------------------- */

HD_FACE int hd_pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    const hd_site *site = hd_call_site;
    uint32_t new;
    int error = hd_key_create(&new, destructor);
    if (!error) {
        hd_access_range(key, sizeof *key, site, 1);
        *key = new;
    }
    return error;
}

HD_FACE int hd_pthread_key_delete(pthread_key_t key)
{
    return hd_key_delete(key);
}

HD_FACE void *hd_pthread_getspecific(pthread_key_t key)
{
    const void *slot = hd_key_slot(key);
    hd_returns_from((const void *)hd_pthread_getspecific, slot ? hd_lines_load(slot, sizeof(void *), NULL) : 0);
    return hd_key_get(key);
}

HD_FACE int hd_pthread_setspecific(pthread_key_t key, const void *value)
{
    uint32_t shadow = hd_passed_to((const void *)hd_pthread_setspecific, 1);
    int error = hd_key_set(key, value);
    if (!error)
        hd_lines_store(hd_key_slot(key), sizeof value, shadow);
    return error;
}

/* --- cancellation ------------------------------------------------------------------- */

HD_FACE int hd_pthread_cancel(pthread_t thread)
{
    hd_thread *t = hd_thread_find(thread);
    if (!t || t->joined)
        return ESRCH;
    hd_send_cancel(t);
    return 0;
}

HD_FACE int hd_pthread_setcancelstate(int state, int *old)
{
    const hd_site *site = hd_call_site;
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    if (old) {
        hd_access_range(old, sizeof *old, site, 1);
        *old = hd_current->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    }
    hd_current->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
    return 0;
}

HD_FACE int hd_pthread_setcanceltype(int type, int *old)
{
    const hd_site *site = hd_call_site;
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    if (old) {
        hd_access_range(old, sizeof *old, site, 1);
        *old = hd_current->cancel_async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
    }
    hd_current->cancel_async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    return 0;
}

HD_FACE void hd_pthread_testcancel(void)
{
    hd_send_cancellation_point();
}

HD_FACE void hd___pthread_register_cancel(__pthread_unwind_buf_t *frame)
{
    hd_thread_push_cleanup(frame);
}

HD_FACE void hd___pthread_unregister_cancel(__pthread_unwind_buf_t *frame)
{
    hd_thread_pop_cleanup(frame);
}

/* The _defer functions also change the cancellation type, and restore it. */
HD_FACE void hd___pthread_register_cancel_defer(__pthread_unwind_buf_t *frame)
{
    frame->__pad[1] = (void *)(uintptr_t)hd_current->cancel_async;
    hd_current->cancel_async = 0;
    hd_thread_push_cleanup(frame);
}

HD_FACE void hd___pthread_unregister_cancel_restore(__pthread_unwind_buf_t *frame)
{
    hd_thread_pop_cleanup(frame);
    hd_current->cancel_async = (uint8_t)(uintptr_t)frame->__pad[1];
}

HD_FACE _Noreturn void hd___pthread_unwind_next(__pthread_unwind_buf_t *frame)
{
    (void)frame;
    hd_thread_unwind_next();
}
