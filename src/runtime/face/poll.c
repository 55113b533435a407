/* poll and select. On no descriptor they sleep. A wait for one eventfd is an operation on it; a look at several is one
 * step. Other descriptors are asked once: those that a program can have here, files, never become ready later. */
#include "runtime/face/face.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/eventfd.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>

enum { MILLISECOND = 1000000 };

static int is_awaited(const struct pollfd *p)
{
    return hd_eventfd_is(p->fd) && (p->events & POLLIN);
}

static uint32_t count_awaited(const struct pollfd *fds, nfds_t n)
{
    uint32_t count = 0;
    for (nfds_t i = 0; i < n; i++)
        count += (uint32_t)is_awaited(&fds[i]);
    return count;
}

static int has_event(const struct pollfd *fds, nfds_t n)
{
    for (nfds_t i = 0; i < n; i++)
        if (hd_eventfd_is(fds[i].fd))
            return 1;
    return 0;
}

/* What is ready without looking at the counter of an eventfd: there is room for a write in all that are modelled. */
static int look_elsewhere(struct pollfd *fds, nfds_t n)
{
    int ready = 0;
    for (nfds_t i = 0; i < n; i++) {
        struct pollfd *p = &fds[i];
        p->revents = 0;
        if (hd_eventfd_is(p->fd))
            p->revents = p->events & POLLOUT;
        else if (p->fd >= 0)
            poll(p, 1, 0);
        ready |= p->revents;
    }
    return ready;
}

static void look(struct pollfd *fds, nfds_t n, uint32_t awaited, const hd_site *site)
{
    uint32_t outer = awaited > 1 ? hd_step_begin(0) : 0;
    for (nfds_t i = 0; i < n; i++) {
        hd_call_site = site;
        if (is_awaited(&fds[i]) && hd_eventfd_is_readable(fds[i].fd))
            fds[i].revents |= POLLIN;
    }
    if (awaited > 1)
        hd_step_end(outer);
}

/* `span`: NULL: no time limit. False: a signal has ended the wait. */
static int await(struct pollfd *fds, nfds_t n, uint32_t awaited, const struct timespec *span, const hd_site *site)
{
    struct timespec until = { 0 };
    if (span)
        until = hd_time_in(span);
    if (!awaited && !span)
        hd_end(HD_MODEL_LIMIT, site, "waiting for a descriptor that no thread makes ready is not modelled yet");
    if (awaited > 1)
        hd_end(HD_MODEL_LIMIT, site, "waiting for several eventfds is not modelled yet");
    if (!awaited)
        return !hd_time_pass((uint64_t)span->tv_sec * 1000 * MILLISECOND + (uint64_t)span->tv_nsec);
    for (nfds_t i = 0; i < n; i++)
        if (is_awaited(&fds[i])) {
            if (hd_eventfd_await(fds[i].fd, span ? &until : NULL))
                fds[i].revents |= POLLIN;
            else
                hd_time_ran_out(ETIMEDOUT, &until);
        }
    return 1;
}

static int count_ready(const struct pollfd *fds, nfds_t n)
{
    int ready = 0;
    for (nfds_t i = 0; i < n; i++)
        ready += fds[i].revents != 0;
    return ready;
}

/* Returns the number of descriptors that are ready, or -1. */
static int poll_for(struct pollfd *fds, nfds_t n, const struct timespec *span)
{
    const hd_site *site = hd_call_site;
    uint32_t awaited = count_awaited(fds, n);
    int waits = !span || span->tv_sec || span->tv_nsec;
    if (look_elsewhere(fds, n) || !waits)
        look(fds, n, awaited, site);
    else if (!await(fds, n, awaited, span, site)) {
        errno = EINTR;
        return -1;
    }
    return count_ready(fds, n);
}

/* Run by hand, the real functions wait for real descriptors. */
static int is_modelled(const struct pollfd *fds, nfds_t n)
{
    return hd_exploring() || !n || has_event(fds, n);
}

static struct timespec milliseconds(int n)
{
    return (struct timespec) { n / 1000, n % 1000 * MILLISECOND };
}

HD_FACE int hd_poll(struct pollfd *fds, nfds_t n, int timeout)
{
    struct timespec span = milliseconds(timeout);
    hd_access_range(fds, n * sizeof *fds, hd_call_site, 1);
    return is_modelled(fds, n) ? poll_for(fds, n, timeout < 0 ? NULL : &span) : poll(fds, n, timeout);
}

/* Does a signal mask for the wait matter? Only if threads send signals. */
static void check_mask(const sigset_t *mask)
{
    if (mask && hd_known->signals && hd_exploring())
        hd_end(HD_MODEL_LIMIT, hd_call_site, "waiting for descriptors with a signal mask is not modelled yet");
}

HD_FACE int hd_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *span, const sigset_t *mask)
{
    const hd_site *site = hd_call_site;
    check_mask(mask);
    hd_access_range(fds, n * sizeof *fds, site, 1);
    if (span)
        hd_access_range(span, sizeof *span, site, 0);
    hd_call_site = site;
    return is_modelled(fds, n) ? poll_for(fds, n, span) : ppoll(fds, n, span, mask);
}

/* --- select ---------------------------------------------------------------------------- */

static int is_in(int fd, const fd_set *set)
{
    return set && FD_ISSET(fd, set);
}

static void announce(fd_set *set, int n, const hd_site *site)
{
    enum { WORD = 8 * sizeof(long) };
    if (set)
        hd_access_range(set, (size_t)(n + WORD - 1) / WORD * sizeof(long), site, 1);
}

static void keep(int fd, fd_set *set, int ready, int *count)
{
    if (!is_in(fd, set))
        return;
    if (ready)
        ++*count;
    else
        FD_CLR(fd, set);
}

/* Nothing is exceptional. */
static int select_for(int n, fd_set *reads, fd_set *writes, fd_set *others, const struct timespec *span)
{
    struct pollfd fds[FD_SETSIZE];
    nfds_t used = 0;
    int count = 0;
    for (int fd = 0; fd < n; fd++) {
        short events = (short)((is_in(fd, reads) ? POLLIN : 0) | (is_in(fd, writes) ? POLLOUT : 0));
        if (events)
            fds[used++] = (struct pollfd) { .fd = fd, .events = events };
    }
    if (poll_for(fds, used, span) < 0)
        return -1;
    for (nfds_t i = 0; i < used; i++) {
        keep(fds[i].fd, reads, fds[i].revents & ~POLLOUT, &count);
        keep(fds[i].fd, writes, fds[i].revents & ~POLLIN, &count);
    }
    for (int fd = 0; fd < n; fd++)
        keep(fd, others, 0, &count);
    return count;
}

static void announce_sets(int n, fd_set *reads, fd_set *writes, fd_set *others)
{
    const hd_site *site = hd_call_site;
    announce(reads, n, site);
    announce(writes, n, site);
    announce(others, n, site);
    hd_call_site = site;
}

static int is_bad(int n)
{
    errno = n < 0 || n > FD_SETSIZE ? EINVAL : errno;
    return n < 0 || n > FD_SETSIZE;
}

HD_FACE int hd_select(int n, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *limit)
{
    const hd_site *site = hd_call_site;
    struct timespec span = { 0 };
    if (is_bad(n))
        return -1;
    announce_sets(n, reads, writes, others);
    if (limit) {
        hd_access_range(limit, sizeof *limit, site, 1);
        span = (struct timespec) { limit->tv_sec, limit->tv_usec * 1000 };
    }
    hd_call_site = site;
    if (!hd_exploring() && n)
        return select(n, reads, writes, others, limit);
    int ready = select_for(n, reads, writes, others, limit ? &span : NULL);
    if (limit && !ready)
        *limit = (struct timeval) { 0 };
    return ready;
}

HD_FACE int hd_pselect(
    int n, fd_set *reads, fd_set *writes, fd_set *others, const struct timespec *span, const sigset_t *mask)
{
    const hd_site *site = hd_call_site;
    check_mask(mask);
    if (is_bad(n))
        return -1;
    announce_sets(n, reads, writes, others);
    if (span)
        hd_access_range(span, sizeof *span, site, 0);
    hd_call_site = site;
    if (!hd_exploring() && n)
        return pselect(n, reads, writes, others, span, mask);
    return select_for(n, reads, writes, others, span);
}
