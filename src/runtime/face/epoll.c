/* epoll (runtime/kernel/epoll.h). Run by hand, the program has real ones, and other threads run while one waits. */
#include "runtime/kernel/epoll.h"

#include "runtime/core/system.h"
#include "runtime/face/face.h"
#include "runtime/face/descriptors_internal.h"
#include "runtime/face/interrupts.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/symbolic/lines.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

enum { MILLISECOND = 1000000, MOST = 1024 /* events of one call */ };

static int answer(int result)
{
    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}

HD_FACE int hd_epoll_create1(int flags)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return epoll_create1(flags);
    if (flags & ~EPOLL_CLOEXEC)
        return answer(-EINVAL);
    uint32_t outer = hd_step_begin(0);
    hd_fs_number(0, site);
    hd_call_site = site;
    int fd = hd_descriptors_add(hd_epoll_make(), 0, flags & EPOLL_CLOEXEC, site);
    hd_step_end(outer);
    return answer(fd);
}

HD_FACE int hd_epoll_create(int size)
{
    return size > 0 ? hd_epoll_create1(0) : answer(-EINVAL);
}

/* --- control ------------------------------------------------------------------------------- */

/* Events that EPOLLEXCLUSIVE may be combined with. */
static const uint32_t exclusive = EPOLLIN | EPOLLOUT | EPOLLERR | EPOLLHUP | EPOLLWAKEUP | EPOLLET | EPOLLEXCLUSIVE;

/* Is there a real descriptor with the number? The kernel is asked directly: the number has been looked up. */
static int is_real(int fd, struct stat *at)
{
    return !hd_system(SYS_fstat, (long)fd, at);
}

/* `fd` is a real descriptor, or none. */
static int refuse_real(int fd, const hd_site *site)
{
    struct stat at;
    if (!is_real(fd, &at))
        return -EBADF;
    if (!S_ISREG(at.st_mode) && !S_ISDIR(at.st_mode))
        hd_end(HD_MODEL_LIMIT, site,
            "epoll_ctl with a descriptor that is neither modelled nor a file is not modelled yet");
    return -EPERM;
}

/* What is wrong with the arguments, in the order of Linux; 0: nothing. */
static int check(hd_description *epoll, hd_description *file, int command, const struct epoll_event *event)
{
    const hd_site *site = hd_call_site;
    if (epoll == file || !hd_epoll_is(epoll))
        return -EINVAL;
    if (event && (event->events & EPOLLEXCLUSIVE)
        && (command != EPOLL_CTL_ADD || hd_epoll_is(file) || (event->events & ~exclusive)))
        return -EINVAL;
    if (hd_epoll_is(file))
        hd_end(HD_MODEL_LIMIT, site, "an epoll in another epoll is not modelled yet");
    if (event && (event->events & EPOLLEXCLUSIVE))
        hd_end(HD_MODEL_LIMIT, site, "EPOLLEXCLUSIVE is not modelled yet");
    return 0;
}

static int control(int epfd, int command, int fd, const struct epoll_event *event, const hd_site *site)
{
    hd_description *epoll = hd_descriptors_hold(epfd, site), *file = hd_descriptors_hold(fd, site);
    struct stat at;
    int result;
    if (!epoll && !is_real(epfd, &at))
        result = -EBADF;
    else if (!file)
        result = refuse_real(fd, site);
    else
        result = epoll ? check(epoll, file, command, event) : -EINVAL;
    if (!result)
        result = hd_epoll_control(epoll, command, fd, file, event);
    if (file)
        hd_descriptors_release(fd, file, site);
    if (epoll)
        hd_descriptors_release(epfd, epoll, site);
    return answer(result);
}

HD_FACE int hd_epoll_ctl(int epfd, int command, int fd, struct epoll_event *event)
{
    const hd_site *site = hd_call_site;
    int has_event = command != EPOLL_CTL_DEL;
    if (!hd_exploring())
        return epoll_ctl(epfd, command, fd, event);
    if (has_event && !event)
        return answer(-EFAULT);
    if (has_event) {
        hd_access_range(event, sizeof *event, site, 0);
        if (hd_fast_state.expressions)
            hd_lines_follow(event, sizeof *event, site);
    }
    hd_call_site = site;
    return control(epfd, command, fd, has_event ? event : NULL, site);
}

/* --- waiting -------------------------------------------------------------------------------- */

static int await(hd_description *epoll, struct epoll_event *events, int most, const struct timespec *span)
{
    int waits = !span || span->tv_sec || span->tv_nsec;
    struct timespec until = { 0 };
    if (span && waits)
        until = hd_time_in(span);
    int taken = hd_epoll_take(epoll, events, most, waits, span && waits ? &until : NULL);
    if (!taken && span && waits)
        hd_time_ran_out(ETIMEDOUT, &until);
    return taken;
}

static void tell(struct epoll_event *to, const struct epoll_event *events, int count, const hd_site *site)
{
    size_t size = (size_t)count * sizeof *to;
    hd_access_range(to, size, site, 1);
    memcpy(to, events, size);
    if (hd_fast_state.expressions)
        hd_lines_clear(to, size);
}

static int wait_for(int epfd, struct epoll_event *to, int most, const struct timespec *span)
{
    const hd_site *site = hd_call_site;
    struct epoll_event events[MOST];
    struct stat at;
    int handled = hd_call_begins();
    hd_description *epoll = hd_descriptors_hold(epfd, site);
    if (!epoll)
        return answer(is_real(epfd, &at) ? -EINVAL : -EBADF);
    if (hd_ends_any_call(handled))
        return (int)hd_end_call(epfd, epoll);
    int is_bad = most <= 0 || most > INT_MAX / (int)sizeof *to || !hd_epoll_is(epoll), taken = -EINVAL;
    if (!is_bad)
        taken = await(epoll, events, most < MOST ? most : MOST, span);
    hd_descriptors_release(epfd, epoll, site);
    if (taken > 0)
        tell(to, events, taken, site);
    return answer(taken);
}

/* Run by hand: other threads run until there are events. */
static void await_by_hand(int epfd, const struct timespec *span)
{
    if (!hd_exploring() && !span)
        hd_await_by_hand(epfd, POLLIN);
}

HD_FACE int hd_epoll_wait(int epfd, struct epoll_event *events, int most, int timeout)
{
    struct timespec span = { timeout / 1000, timeout % 1000 * (long)MILLISECOND }, *limit = timeout < 0 ? NULL : &span;
    await_by_hand(epfd, limit);
    return hd_exploring() ? wait_for(epfd, events, most, limit) : epoll_wait(epfd, events, most, timeout);
}

/* Does a signal mask for the wait matter? Only if threads send signals. */
static void check_mask(const sigset_t *mask)
{
    if (mask && hd_known->signals && hd_exploring())
        hd_end(HD_MODEL_LIMIT, hd_call_site, "waiting for descriptors with a signal mask is not modelled yet");
}

HD_FACE int hd_epoll_pwait(int epfd, struct epoll_event *events, int most, int timeout, const sigset_t *mask)
{
    check_mask(mask);
    return hd_exploring() ? hd_epoll_wait(epfd, events, most, timeout) : epoll_pwait(epfd, events, most, timeout, mask);
}

static int is_bad(const struct timespec *span)
{
    return span->tv_sec < 0 || span->tv_nsec < 0 || span->tv_nsec >= 1000 * MILLISECOND;
}

HD_FACE int hd_epoll_pwait2(
    int epfd, struct epoll_event *events, int most, const struct timespec *span, const sigset_t *mask)
{
    const hd_site *site = hd_call_site;
    check_mask(mask);
    if (!hd_exploring())
        return epoll_pwait2(epfd, events, most, span, mask);
    if (span)
        hd_access_range(span, sizeof *span, site, 0);
    hd_call_site = site;
    return span && is_bad(span) ? answer(-EINVAL) : wait_for(epfd, events, most, span);
}
