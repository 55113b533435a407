#include "runtime/sync/semaphore.h"

#include "runtime/face/face.h"
#include "runtime/sched/access.h"
#include "runtime/sched/send.h"
#include "runtime/sync/choice.h"

#include <errno.h>
#include <semaphore.h>

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
    if (between_processes && hd_exploring())
        hd_end(HD_MODEL_LIMIT, hd_call_site, "sem_init for several processes is not modelled yet");
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
