/* timerfd (runtime/kernel/timer.h). All clocks show the same virtual time. Run by hand, the program has real timers. */
#include "runtime/core/system.h"
#include "runtime/face/face.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/timer.h"
#include "runtime/sched/access.h"
#include "runtime/sched/passing.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>

static const uint64_t second = 1000000000;

static int answer(int result)
{
    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}

HD_FACE int hd_timerfd_create(int clock, int flags)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return timerfd_create(clock, flags);
    if (clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM)
        hd_end(HD_MODEL_LIMIT, site, "a timer that wakes the system is not modelled yet");
    if ((flags & ~(TFD_CLOEXEC | TFD_NONBLOCK))
        || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME))
        return answer(-EINVAL);
    uint32_t outer = hd_step_begin(0);
    hd_fs_number(0, site);
    hd_call_site = site;
    int fd = hd_descriptors_add(hd_timer_make(flags), 0, flags & TFD_CLOEXEC, site);
    hd_step_end(outer);
    return answer(fd);
}

static int is_bad(const struct timespec *t)
{
    return t->tv_sec < 0 || t->tv_nsec < 0 || (uint64_t)t->tv_nsec >= second;
}

static uint64_t in_nanoseconds(const struct timespec *t)
{
    uint64_t most = (UINT64_MAX >> 2) / second;
    return ((uint64_t)t->tv_sec < most ? (uint64_t)t->tv_sec : most) * second + (uint64_t)t->tv_nsec;
}

static struct timespec as_timespec(uint64_t nanoseconds)
{
    return (struct timespec) { (time_t)(nanoseconds / second), (long)(nanoseconds % second) };
}

/* A time that has passed is the first moment of virtual time: then the timer expires at once. */
static hd_timer_setting setting_of(const struct itimerspec *to, int at)
{
    uint64_t value = in_nanoseconds(&to->it_value), start = (uint64_t)HD_EPOCH * second;
    if (value && at)
        value = value > start ? value - start : 1;
    return (hd_timer_setting) { value, in_nanoseconds(&to->it_interval) };
}

/* The time that is left is a reading of a clock that may matter. */
static void tell(struct itimerspec *to, hd_timer_setting setting, const hd_site *site)
{
    hd_access_range(to, sizeof *to, site, 1);
    *to = (struct itimerspec) { .it_value = as_timespec(setting.value), .it_interval = as_timespec(setting.interval) };
    if (setting.value && !hd_rt.outcome->clocked)
        hd_rt.outcome->clocked = site;
}

/* The timer of a call, which is held; NULL: errno is set. */
static hd_description *hold(int fd, const hd_site *site)
{
    hd_description *d = hd_descriptors_hold(fd, site);
    if (d && hd_timer_is(d))
        return d;
    int is_open = d || hd_system(SYS_fcntl, (long)fd, (long)F_GETFD) >= 0;
    if (d)
        hd_descriptors_release(fd, d, site);
    errno = is_open ? EINVAL : EBADF;
    return NULL;
}

HD_FACE int hd_timerfd_settime(int fd, int flags, const struct itimerspec *to, struct itimerspec *old)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return timerfd_settime(fd, flags, to, old);
    if (!to)
        return answer(-EFAULT);
    hd_access_range(to, sizeof *to, site, 0);
    if ((flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)) || is_bad(&to->it_value) || is_bad(&to->it_interval))
        return answer(-EINVAL);
    if (flags & TFD_TIMER_CANCEL_ON_SET)
        hd_end(HD_MODEL_LIMIT, site, "TFD_TIMER_CANCEL_ON_SET is not modelled yet");
    hd_timer_setting new = setting_of(to, flags & TFD_TIMER_ABSTIME);
    hd_description *d = hold(fd, site);
    if (!d)
        return -1;
    hd_timer_setting before = hd_timer_set(d, new, flags & TFD_TIMER_ABSTIME);
    hd_descriptors_release(fd, d, site);
    if (old)
        tell(old, before, site);
    return 0;
}

HD_FACE int hd_timerfd_gettime(int fd, struct itimerspec *to)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return timerfd_gettime(fd, to);
    hd_description *d = hold(fd, site);
    if (!d)
        return -1;
    hd_timer_setting now = hd_timer_get(d);
    hd_descriptors_release(fd, d, site);
    tell(to, now, site);
    return 0;
}
