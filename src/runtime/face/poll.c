/* poll and select. On no descriptor they sleep. A wait for one modelled descriptor is an operation on its gate
 * (kernel/gate.h). A look at several is one step. A wait for several looks at all of them, and again
 * when another thread has changed one (sched/spin.h). Other descriptors are asked once: those that a program can have
 * here, files, never become ready later. */
#include "runtime/face/face.h"
#include "runtime/face/interrupts.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/epoll.h"
#include "runtime/kernel/gate.h"
#include "runtime/kernel/timer.h"
#include "runtime/sched/access.h"
#include "runtime/sched/expiry.h"
#include "runtime/sched/passing.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/spin.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>

enum {
    MILLISECOND = 1000000,
    MOST = 256, /* descriptors of one call */
    READS = POLLIN | POLLRDNORM | POLLRDBAND | POLLPRI | POLLRDHUP,
    WRITES = POLLOUT | POLLWRNORM | POLLWRBAND,
    ALWAYS = POLLERR | POLLHUP | POLLNVAL
};

/* One call: its descriptors, and what they stand for (NULL: a real file). */
typedef struct call {
    struct pollfd *fds;
    nfds_t count;
    const hd_site *site;
    hd_description *held[MOST];
    int tidied; /* the last look has removed something from the list of an epoll: the next one may differ */
    uint64_t limit; /* the earliest limit of the timers that the last look has found (kernel/timer.h) */
} call;

/* --- what is looked at ------------------------------------------------------------------- */

static hd_gate *data_of(const call *c, nfds_t i)
{
    hd_description *d = c->held[i];
    if (!d || (!(c->fds[i].events & READS) && d->type->room(d) && (c->fds[i].events & WRITES)))
        return NULL;
    return d->type->data(d);
}

static hd_gate *room_of(const call *c, nfds_t i)
{
    hd_description *d = c->held[i];
    if (!d || (!(c->fds[i].events & WRITES) && d->type->data(d)))
        return NULL;
    return d->type->room(d);
}

/* The number of objects that the call looks at. */
static int is_timer(const call *c, nfds_t i)
{
    return c->held[i] && hd_timer_is(c->held[i]) && (c->fds[i].events & POLLIN);
}

static int has_timers(const call *c)
{
    for (nfds_t i = 0; i < c->count; i++)
        if (is_timer(c, i))
            return 1;
    return 0;
}

static uint32_t count_awaited(const call *c)
{
    uint32_t awaited = 0;
    for (nfds_t i = 0; i < c->count; i++)
        awaited += (uint32_t)((data_of(c, i) != NULL) + (room_of(c, i) != NULL)
            + (c->held[i] && hd_epoll_is(c->held[i])) /* with the objects of its items */
            + is_timer(c, i)); /* and its limit */
    return awaited;
}

/* What is ready of real descriptors, which never become ready later. */
static int look_elsewhere(call *c)
{
    int ready = 0;
    for (nfds_t i = 0; i < c->count; i++) {
        struct pollfd *p = &c->fds[i];
        p->revents = 0;
        if (!c->held[i] && p->fd >= 0)
            poll(p, 1, 0);
        ready |= p->revents;
    }
    return ready;
}

static int count_ready(const call *c)
{
    int ready = 0;
    for (nfds_t i = 0; i < c->count; i++)
        ready += c->fds[i].revents != 0;
    return ready;
}

/* The gates have been looked at in this step. */
static int take_events(call *c)
{
    for (nfds_t i = 0; i < c->count; i++)
        if (c->held[i])
            c->fds[i].revents = c->held[i]->type->events(c->held[i]) & (c->fds[i].events | ALWAYS);
    return count_ready(c);
}

/* --- looking and waiting ------------------------------------------------------------------- */

static void look_at(call *c, nfds_t i)
{
    hd_gate *data = data_of(c, i), *room = room_of(c, i);
    hd_call_site = c->site;
    if (data)
        hd_data_poll(data);
    if (room && !hd_expiry_has_come())
        hd_room_poll(room);
    if (hd_expiry_has_come())
        return;
    uint64_t limit = is_timer(c, i) ? hd_timer_update(c->held[i]) : hd_time_never;
    c->limit = limit < c->limit ? limit : c->limit;
    if (c->held[i] && hd_epoll_is(c->held[i]))
        c->tidied |= hd_epoll_tidy(c->held[i]);
}

static int look(call *c, uint32_t awaited)
{
    uint32_t outer = awaited > 1 ? hd_step_begin(0) : 0;
    for (nfds_t i = 0; i < c->count && !hd_expiry_has_come(); i++)
        look_at(c, i);
    int ready = hd_expiry_has_come() ? 0 : take_events(c);
    if (awaited > 1)
        hd_step_end(outer);
    return ready;
}

/* Waits for the one object that the call looks at. */
static void await_one(call *c, const struct timespec *until)
{
    int in_time = 0;
    for (nfds_t i = 0; i < c->count; i++) {
        hd_gate *data = data_of(c, i), *room = room_of(c, i);
        if (data)
            in_time = hd_data_await(data, until);
        else if (room)
            in_time = hd_room_await(room, until);
    }
    if (!in_time)
        hd_time_ran_out(ETIMEDOUT, until);
    else if (!take_events(c))
        hd_end(HD_MODEL_LIMIT, c->site, "waiting for an event that is neither data nor room is not modelled yet");
}

/* Has the wait timed out as often as it may at any time? It is identified by the first object that it looks at. */
static int is_patient(const call *c)
{
    nfds_t i = 0;
    while (!data_of(c, i) && !room_of(c, i))
        i++;
    hd_call_site = c->site;
    return data_of(c, i) ? hd_data_is_patient(data_of(c, i)) : hd_room_is_patient(room_of(c, i));
}

/* Looks until something is ready, or the time of the wait has run out: at the first look, or when no thread can run.
 * When time has passed up to the limit of a timer, the next look finds that it has expired. */
static void await_several(call *c, uint32_t awaited, const struct timespec *until)
{
    int patient = (until || has_timers(c)) && is_patient(c), holds = 0;
    uint64_t own = hd_expiry_limit(until);
    for (;;) {
        uint32_t from = *hd_rt.log_count;
        uint64_t before = c->limit;
        if (holds)
            hd_expiry_begin_at(own < before ? own : before);
        c->tidied = 0;
        c->limit = hd_time_never;
        int ready = look(c, awaited), expired = holds && hd_expiry_end();
        if (ready)
            return;
        c->limit = expired ? before : c->limit;
        int is_last = own < c->limit;
        uint64_t limit = is_last ? own : c->limit;
        holds = 0;
        if (limit != hd_time_never && (!patient || expired)) {
            hd_passing_catch_up(limit);
            if (is_last)
                return;
        } else if (!c->tidied) {
            if (!hd_spin_await(from))
                hd_end(HD_MODEL_LIMIT, c->site,
                    "waiting for so many descriptors, or for some events, is not modelled yet");
            holds = patient && limit != hd_time_never;
        }
    }
}

/* `span`: NULL: no time limit. False: a signal has ended the wait. */
static int await(call *c, uint32_t awaited, const struct timespec *span)
{
    struct timespec until = { 0 };
    if (span)
        until = hd_time_in(span);
    if (!awaited && !span)
        hd_end(HD_MODEL_LIMIT, c->site, "waiting for a descriptor that no thread makes ready is not modelled yet");
    if (!awaited)
        return !hd_time_pass((uint64_t)span->tv_sec * 1000 * MILLISECOND + (uint64_t)span->tv_nsec);
    hd_call_site = c->site;
    if (awaited == 1)
        await_one(c, span ? &until : NULL);
    else
        await_several(c, awaited, span ? &until : NULL);
    return 1;
}

/* Returns the number of descriptors that are ready, or -1. */
static int perform(call *c, const struct timespec *span)
{
    uint32_t awaited = count_awaited(c);
    int waits = !span || span->tv_sec || span->tv_nsec;
    for (nfds_t i = 0; i < c->count && !waits; i++)
        if (is_timer(c, i))
            hd_timer_let_pass(c->held[i]);
    hd_call_site = c->site;
    if (look_elsewhere(c) || !waits)
        look(c, awaited);
    else if (!await(c, awaited, span)) {
        errno = EINTR;
        return -1;
    }
    return count_ready(c);
}

static void hold(call *c)
{
    if (c->count > MOST && hd_exploring())
        hd_end(HD_MODEL_LIMIT, c->site, "waiting for more than %d descriptors is not modelled yet", MOST);
    for (nfds_t i = 0; i < c->count && i < MOST; i++) {
        c->held[i] = hd_descriptors_hold(c->fds[i].fd, c->site);
        if (c->held[i] && hd_epoll_is(c->held[i]) && hd_known->timers)
            hd_end(HD_MODEL_LIMIT, c->site, "poll of an epoll in a program with timers is not modelled yet");
    }
    hd_call_site = c->site;
}

static void release(call *c)
{
    for (nfds_t i = 0; i < c->count && i < MOST; i++)
        if (c->held[i])
            hd_descriptors_release(c->fds[i].fd, c->held[i], c->site);
}

static int poll_for(struct pollfd *fds, nfds_t n, const struct timespec *span)
{
    call c = { .fds = fds, .count = n, .site = hd_call_site };
    if (hd_ends_any_call(hd_call_begins())) {
        errno = EINTR;
        return -1;
    }
    hold(&c);
    int ready = perform(&c, span);
    release(&c);
    return ready;
}

/* --- by hand --------------------------------------------------------------------------- */

void hd_await_by_hand(int fd, short events)
{
    struct pollfd p = { fd, events, 0 };
    if (hd_exploring() || (fcntl(fd, F_GETFL) & O_NONBLOCK))
        return;
    while (hd_fast_state.waits && !poll(&p, 1, 0))
        hd_yield_by_hand();
}

/* Run by hand, the real functions wait for real descriptors, and other threads run meanwhile. */
static int is_modelled(struct pollfd *fds, nfds_t n, const struct timespec *span)
{
    while (!hd_exploring() && n && !span && hd_fast_state.waits && !poll(fds, n, 0))
        hd_yield_by_hand();
    return hd_exploring() || !n;
}

/* --- poll -------------------------------------------------------------------------------- */

static struct timespec milliseconds(int n)
{
    return (struct timespec) { n / 1000, n % 1000 * MILLISECOND };
}

HD_FACE int hd_poll(struct pollfd *fds, nfds_t n, int timeout)
{
    struct timespec span = milliseconds(timeout);
    hd_access_range(fds, n * sizeof *fds, hd_call_site, 1);
    const struct timespec *limit = timeout < 0 ? NULL : &span;
    return is_modelled(fds, n, limit) ? poll_for(fds, n, limit) : poll(fds, n, timeout);
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
    return is_modelled(fds, n, span) ? poll_for(fds, n, span) : ppoll(fds, n, span, mask);
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

/* Nothing is exceptional. As in Linux, a descriptor whose other end is closed is ready for reading; a pipe without a
 * reader is ready for writing. */
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
    for (nfds_t i = 0; i < used; i++)
        if (fds[i].revents & POLLNVAL) {
            errno = EBADF;
            return -1;
        }
    for (nfds_t i = 0; i < used; i++) {
        keep(fds[i].fd, reads, fds[i].revents & (POLLIN | POLLHUP | POLLERR), &count);
        keep(fds[i].fd, writes, fds[i].revents & (POLLOUT | POLLERR), &count);
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
