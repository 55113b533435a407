/* Names of threads; attributes of threads that have no effect under heddle, such as priorities: setting succeeds,
 * getting returns the usual values. */
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
#include <sys/prctl.h>

enum { NAME_ROOM = 16, STACK = HD_STACK_SPAN - HD_TLS_SPAN - HD_FIBER_GUARD };

static int exists(pthread_t thread)
{
    return hd_thread_find(thread) ? 0 : ESRCH;
}

/* --- names --------------------------------------------------------------------- */

/* A name is kept where the thread has its control data, behind errno (machine.c). Setting and reading it are atomic
 * accesses, so the order of threads that name each other is explored. */
static char *name_of(const hd_thread *t)
{
    enum { BEHIND = 3072 + 16 };
    return (char *)hd_tls_thread_pointer(t->id) + BEHIND;
}

static void set_name(const hd_thread *t, const char *name)
{
    char text[NAME_ROOM] = "";
    hd_access_range(name, strnlen(name, NAME_ROOM - 1) + 1, hd_call_site, 0);
    strncpy(text, name, NAME_ROOM - 1);
    hd_access_atomic(HD_STORE, name_of(t), NAME_ROOM, hd_call_site, NULL);
    memcpy(name_of(t), text, NAME_ROOM);
}

/* As long as a thread has no name of its own, it has the program's. (Linux lets it inherit that of its creator.) */
static void get_name(const hd_thread *t, char *name)
{
    char text[NAME_ROOM];
    hd_access_atomic(HD_LOAD, name_of(t), NAME_ROOM, hd_call_site, NULL);
    memcpy(text, name_of(t), NAME_ROOM);
    if (!*text)
        snprintf(text, sizeof text, "%s", program_invocation_short_name);
    hd_access_range(name, NAME_ROOM, hd_call_site, 1);
    memcpy(name, text, NAME_ROOM);
}

HD_FACE int hd_pthread_setname_np(pthread_t thread, const char *name)
{
    const hd_thread *t = hd_thread_find(thread);
    if (strlen(name) >= NAME_ROOM)
        return ERANGE;
    if (!t)
        return ESRCH;
    set_name(t, name);
    return 0;
}

HD_FACE int hd_pthread_getname_np(pthread_t thread, char *name, size_t size)
{
    const hd_thread *t = hd_thread_find(thread);
    if (size < NAME_ROOM)
        return ERANGE;
    if (!t)
        return ESRCH;
    get_name(t, name);
    return 0;
}

HD_FACE int hd_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
    switch (option) {
    case PR_SET_NAME:
        set_name(hd_current, (const char *)a);
        return 0;
    case PR_GET_NAME:
        get_name(hd_current, (char *)a);
        return 0;
    default:
        return prctl(option, a, b, c, d);
    }
}

/* --- attributes ---------------------------------------------------------------- */

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
