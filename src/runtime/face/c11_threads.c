/* <threads.h> in terms of the POSIX objects. */
#include "runtime/face/face.h"
#include "runtime/sched/access.h"
#include "runtime/symbolic/calls.h"
#include "runtime/symbolic/lines.h"
#include "runtime/sync/cond.h"
#include "runtime/sync/key.h"
#include "runtime/sync/made.h"
#include "runtime/sync/mutex.h"
#include "runtime/sync/once.h"
#include "runtime/sync/thread.h"

#include <errno.h>
#include <threads.h>

_Static_assert(sizeof(hd_mutex) <= sizeof(mtx_t), "a mutex lives in the user's object");
_Static_assert(sizeof(once_flag) == sizeof(int32_t), "a once_flag is a word");
_Static_assert(sizeof(thrd_t) == sizeof(unsigned long), "a thread's handle is a number");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "condition variables are checked as such");

static int status_of(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case ENOMEM:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    case EBUSY:
        return thrd_busy;
    default:
        return thrd_error;
    }
}

/* --- threads ------------------------------------------------------------------------ */

static void *start_int(void *argument)
{
    hd_thread *t = hd_current;
    hd_pass_to((const void *)t->start_int, hd_lines_load(&t->argument, sizeof t->argument, NULL));
    int result = t->start_int(argument);
    hd_lines_store(&t->result, sizeof result, hd_returned_by((const void *)t->start_int));
    return (void *)(intptr_t)result;
}

HD_FACE int hd_thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
    const hd_site *site = hd_call_site;
    uint32_t shadow = hd_passed_to((const void *)hd_thrd_create, 2);
    unsigned long id;
    hd_access_range(thread, sizeof *thread, site, 1);
    hd_call_site = site;
    int error = hd_thread_create(&id, start_int, argument, 0);
    if (!error) {
        *thread = id;
        hd_thread_find(id)->start_int = start; /* it has not run yet */
        hd_thread_find(id)->view->start = (const void *)start;
        hd_lines_store(&hd_thread_find(id)->argument, sizeof argument, shadow);
    }
    return status_of(error);
}

HD_FACE int hd_thrd_join(thrd_t thread, int *result)
{
    const hd_site *site = hd_call_site;
    void *got;
    int error = hd_thread_join(thread, result ? &got : NULL);
    if (!error && result) {
        hd_access_range(result, sizeof *result, site, 1);
        *result = (int)(intptr_t)got;
        hd_lines_copy(result, &hd_thread_find(thread)->result, sizeof *result);
    }
    return status_of(error);
}

HD_FACE int hd_thrd_detach(thrd_t thread)
{
    return status_of(hd_thread_detach(thread));
}

HD_FACE _Noreturn void hd_thrd_exit(int result)
{
    hd_lines_store(&hd_current->result, sizeof result, hd_passed_to((const void *)hd_thrd_exit, 0));
    hd_thread_exit((void *)(intptr_t)result);
}

HD_FACE thrd_t hd_thrd_current(void)
{
    return hd_thread_self();
}

HD_FACE int hd_thrd_equal(thrd_t a, thrd_t b)
{
    return a == b;
}

/* --- mutexes ------------------------------------------------------------------------ */

/* C11 mutexes have no static initialiser: zeros are not a mutex. */
static hd_mutex *mutex_of(mtx_t *m)
{
    hd_made_dynamically(&((hd_mutex *)m)->made);
    return (hd_mutex *)m;
}

static void *condition_of(cnd_t *c)
{
    hd_made_dynamically((uint32_t *)c);
    return c;
}

HD_FACE int hd_mtx_init(mtx_t *m, int type)
{
    return status_of(hd_mutex_init((hd_mutex *)m, type & mtx_recursive ? HD_MUTEX_RECURSIVE : HD_MUTEX_NORMAL, 0));
}

HD_FACE void hd_mtx_destroy(mtx_t *m)
{
    hd_mutex_destroy(mutex_of(m));
}

HD_FACE int hd_mtx_lock(mtx_t *m)
{
    return status_of(hd_mutex_lock(mutex_of(m)));
}

HD_FACE int hd_mtx_trylock(mtx_t *m)
{
    return status_of(hd_mutex_try(mutex_of(m), NULL));
}

HD_FACE int hd_mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict until)
{
    return status_of(hd_time_ran_out(hd_mutex_try(mutex_of(m), until), until));
}

HD_FACE int hd_mtx_unlock(mtx_t *m)
{
    return status_of(hd_mutex_unlock(mutex_of(m)));
}

/* --- condition variables -------------------------------------------------------------- */

HD_FACE int hd_cnd_init(cnd_t *c)
{
    return status_of(hd_cond_init(c));
}

HD_FACE void hd_cnd_destroy(cnd_t *c)
{
    hd_cond_destroy(condition_of(c));
}

HD_FACE int hd_cnd_wait(cnd_t *c, mtx_t *m)
{
    return status_of(hd_cond_wait(condition_of(c), mutex_of(m), NULL));
}

HD_FACE int hd_cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict until)
{
    return status_of(hd_time_ran_out(hd_cond_wait(condition_of(c), mutex_of(m), until), until));
}

HD_FACE int hd_cnd_signal(cnd_t *c)
{
    return status_of(hd_cond_signal(condition_of(c)));
}

HD_FACE int hd_cnd_broadcast(cnd_t *c)
{
    return status_of(hd_cond_broadcast(condition_of(c)));
}

/* --- values per thread, and things done once ------------------------------------------ */

HD_FACE int hd_tss_create(tss_t *key, tss_dtor_t destructor)
{
    const hd_site *site = hd_call_site;
    uint32_t new;
    int error = hd_key_create(&new, destructor);
    if (!error) {
        hd_access_range(key, sizeof *key, site, 1);
        *key = new;
    }
    return status_of(error);
}

HD_FACE void hd_tss_delete(tss_t key)
{
    hd_key_delete(key);
}

HD_FACE void *hd_tss_get(tss_t key)
{
    const void *slot = hd_key_slot(key);
    hd_returns_from((const void *)hd_tss_get, slot ? hd_lines_load(slot, sizeof(void *), NULL) : 0);
    return hd_key_get(key);
}

HD_FACE int hd_tss_set(tss_t key, void *value)
{
    uint32_t shadow = hd_passed_to((const void *)hd_tss_set, 1);
    int error = hd_key_set(key, value);
    if (!error)
        hd_lines_store(hd_key_slot(key), sizeof value, shadow);
    return status_of(error);
}

HD_FACE void hd_call_once(once_flag *flag, void (*action)(void))
{
    hd_once((int32_t *)flag, action);
}
