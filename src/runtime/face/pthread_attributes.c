/* Attributes of threads that have no effect under heddle: priorities, names. Setting succeeds; getting
 * returns the usual values. */
#include "runtime/face/face.h"
#include "runtime/reset/fiber.h"
#include "runtime/reset/tls.h"
#include "runtime/sched/access.h"
#include "runtime/sync/children.h"
#include "runtime/sync/thread.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { NAME_ROOM = 16, STACK = HD_STACK_SPAN - HD_TLS_SPAN - HD_FIBER_GUARD };

static int exists(pthread_t thread)
{
    return hd_thread_find(thread) ? 0 : ESRCH;
}

HD_FACE int hd_pthread_setname_np(pthread_t thread, const char *name)
{
    return strlen(name) < NAME_ROOM ? exists(thread) : ERANGE;
}

HD_FACE int hd_pthread_getname_np(pthread_t thread, char *name, size_t size)
{
    char text[NAME_ROOM];
    const hd_thread *t = hd_thread_find(thread);
    if (!t)
        return ESRCH;
    size_t needed = (size_t)snprintf(text, sizeof text, t->view->life ? "T%u.%u" : "T%u", t->id, t->view->life) + 1;
    if (size < needed)
        return ERANGE;
    hd_access_range(name, needed, hd_call_site, 1);
    memcpy(name, text, needed);
    return 0;
}

HD_FACE int hd_pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
    const hd_thread *t = hd_thread_find(thread);
    if (!t)
        return ESRCH;
    hd_access_range(attributes, sizeof *attributes, hd_call_site, 1);
    pthread_attr_init(attributes);
    pthread_attr_setdetachstate(attributes, t->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
    char *low = (char *)HD_STACK_BASE + t->stack * HD_STACK_SPAN + HD_FIBER_GUARD;
    return pthread_attr_setstack(attributes, low, STACK);
}

HD_FACE int hd_pthread_getattr_default_np(pthread_attr_t *attributes)
{
    hd_access_range(attributes, sizeof *attributes, hd_call_site, 1);
    pthread_attr_init(attributes);
    return pthread_attr_setstacksize(attributes, STACK);
}

HD_FACE int hd_pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters)
{
    (void)policy;
    (void)parameters;
    return exists(thread);
}

HD_FACE int hd_pthread_setschedprio(pthread_t thread, int priority)
{
    (void)priority;
    return exists(thread);
}

HD_FACE int hd_pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *parameters)
{
    const hd_range written[] = { { policy, sizeof *policy, 1 }, { parameters, sizeof *parameters, 1 } };
    if (exists(thread))
        return ESRCH;
    hd_access_ranges(written, 2, hd_call_site);
    *policy = SCHED_OTHER;
    *parameters = (struct sched_param) { .sched_priority = 0 };
    return 0;
}

HD_FACE int hd_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    return hd_exploring() ? hd_children_at_fork(prepare, parent, child) : pthread_atfork(prepare, parent, child);
}
