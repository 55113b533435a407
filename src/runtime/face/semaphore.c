#include "runtime/sync/semaphore.h"

#include "runtime/face/face.h"
#include "runtime/kernel/memory_object.h"
#include "runtime/kernel/names.h"
#include "runtime/kernel/shared.h"
#include "runtime/sched/access.h"
#include "runtime/sched/send.h"
#include "runtime/sync/choice.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>

_Static_assert(sizeof(hd_semaphore) <= sizeof(sem_t), "a semaphore lives in the user's object");

static int answer(int error)
{
    if (!error)
        return 0;
    errno = error;
    return -1;
}

/* Does a signal end the call? Only if it had to wait; both outcomes are explored. */
static int is_interrupted(sem_t *s)
{
    const hd_site *site = hd_call_site;
    int value = 1, ended = 0;
    if (hd_send_cancellation_point() & HD_HANDLED_ENDS) {
        hd_call_site = site;
        hd_semaphore_value((hd_semaphore *)s, &value);
        hd_call_site = site;
        ended = value == 0 && hd_choose(2);
    }
    hd_call_site = site;
    return ended;
}

HD_FACE int hd_sem_init(sem_t *s, int between_processes, unsigned value)
{
    (void)between_processes;
    return answer(hd_semaphore_init((hd_semaphore *)s, value));
}

HD_FACE int hd_sem_destroy(sem_t *s)
{
    return answer(hd_semaphore_destroy((hd_semaphore *)s));
}

HD_FACE int hd_sem_wait(sem_t *s)
{
    return answer(is_interrupted(s) ? EINTR : hd_semaphore_wait((hd_semaphore *)s));
}

HD_FACE int hd_sem_trywait(sem_t *s)
{
    return answer(hd_semaphore_try((hd_semaphore *)s, NULL));
}

HD_FACE int hd_sem_timedwait(sem_t *s, const struct timespec *until)
{
    int error = is_interrupted(s) ? EINTR : hd_semaphore_try((hd_semaphore *)s, until);
    return answer(hd_time_ran_out(error, until));
}

HD_FACE int hd_sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until)
{
    (void)clock;
    return hd_sem_timedwait(s, until);
}

HD_FACE int hd_sem_post(sem_t *s)
{
    return answer(hd_semaphore_post((hd_semaphore *)s));
}

HD_FACE int hd_sem_getvalue(sem_t *s, int *value)
{
    const hd_site *site = hd_call_site;
    int now, error = hd_semaphore_value((hd_semaphore *)s, &now);
    hd_access_range(value, sizeof *value, site, 1);
    *value = now;
    return answer(error);
}

/* --- named semaphores -------------------------------------------------------------------------
 *
 * A named semaphore is in memory that belongs to no process (kernel/shared.h), so all that open it get the same
 * address. Opening and closing it are a use of that memory. Run by hand, the names are those of the process alone. */

static const char *see_name(const char *name, const hd_site *site)
{
    hd_access_range(name, strlen(name) + 1, site, 0);
    hd_call_site = site;
    return hd_shared_name(name);
}

/* The number of a new semaphore, or minus an error number. */
static int make_named(const char *name, uint32_t value)
{
    if (value > INT_MAX)
        return -EINVAL;
    uint32_t number = hd_shared_make(HD_SHARED_SEMAPHORE, sizeof(sem_t));
    if (number == HD_NO_SHARED)
        return -ENOMEM;
    hd_semaphore_make(hd_shared_block(number), value);
    hd_names_add(HD_NAMES_OF_SEMAPHORES, name, number);
    return (int)number;
}

static int find_named(const char *name, int flags, uint32_t value, const hd_site *site)
{
    int number = hd_names_find(HD_NAMES_OF_SEMAPHORES, name, flags & O_CREAT, site);
    if (number >= 0)
        return (flags & O_CREAT) && (flags & O_EXCL) ? -EEXIST : number;
    return flags & O_CREAT ? make_named(name, value) : -ENOENT;
}

HD_FACE sem_t *hd_sem_open(const char *name, int flags, ...)
{
    const hd_site *site = hd_call_site;
    va_list args;
    va_start(args, flags);
    uint32_t value = flags & O_CREAT ? (va_arg(args, unsigned), va_arg(args, unsigned)) : 0;
    va_end(args);
    const char *plain = see_name(name, site);
    uint32_t outer = hd_step_begin(0);
    int number = plain ? find_named(plain, flags, value, site) : -EINVAL;
    sem_t *s = number < 0 ? SEM_FAILED : hd_shared_map((uint32_t)number, 0, sizeof *s, site);
    hd_step_end(outer);
    errno = number < 0 ? -number : errno;
    return s;
}

HD_FACE int hd_sem_close(sem_t *s)
{
    uint32_t number = hd_shared_at(s);
    int is_named = number != HD_NO_SHARED && hd_shared_kind_of(number) == HD_SHARED_SEMAPHORE;
    return answer(is_named && hd_shared_unmap(number, s, 0, hd_call_site) ? 0 : EINVAL);
}

HD_FACE int hd_sem_unlink(const char *name)
{
    const hd_site *site = hd_call_site;
    const char *plain = see_name(name, site);
    uint32_t outer = hd_step_begin(0);
    int number = plain ? hd_names_remove(HD_NAMES_OF_SEMAPHORES, plain, site) : -1;
    if (number >= 0)
        hd_shared_remove((uint32_t)number, site);
    hd_step_end(outer);
    return answer(number < 0 ? ENOENT : 0);
}
