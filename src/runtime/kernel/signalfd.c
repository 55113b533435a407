#include "runtime/kernel/signalfd.h"

#include "abi/system.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/epoll.h"
#include "runtime/kernel/gate.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/send.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>

enum { MOST = 64 };

static struct {
    uint64_t signals;
    uint32_t process;
    int is_closed;
} states[MOST];
static uint32_t count;

/* Objects (abi/shown.def). */
hd_gate hd_signalfd_data[MOST];
uint64_t hd_signalfds_of[HD_MOST_PROCESSES];

static const hd_file_type signalfd_type;

void hd_signalfds_reset(void)
{
    memset(states, 0, count * sizeof *states);
    memset(hd_signalfd_data, 0, count * sizeof *hd_signalfd_data);
    count = 0;
}

/* The signals that are pending for threads of the process. */
static uint64_t pending(uint32_t process)
{
    uint64_t signals = 0;
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (hd_threads[i].process == process && hd_thread_lives(&hd_threads[i]))
            signals |= hd_threads[i].signals_pending;
    return signals;
}

/* Part of a step: opens or shuts the gate as the pending signals say. */
static void update(uint32_t i)
{
    hd_gate *gate = &hd_signalfd_data[i];
    int is_ready = (pending(states[i].process) & states[i].signals) != 0;
    if (is_ready && !gate->count) {
        hd_data_comes(gate);
        hd_epoll_wake(&signalfd_type, i, EPOLLIN);
    } else if (!is_ready && gate->count) {
        hd_data_gone(gate);
    }
}

void hd_send_pending_changed(uint32_t process, const hd_site *site)
{
    hd_access_uses(&(hd_object_use) { &hd_signalfds_of[process], 0, NULL }, 1, site);
    for (uint32_t i = 0; i < count; i++) {
        hd_call_site = site;
        if (states[i].process == process && !states[i].is_closed)
            update(i);
    }
    hd_call_site = site;
}

/* --- reading -------------------------------------------------------------------------------- */

static void check_process(const hd_description *d)
{
    if (states[d->object].process != hd_current->process)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "a signalfd that another process has made is not modelled yet");
}

/* Takes the lowest of the signals, from the current thread first; 0: none is pending. */
static int take_one(uint64_t signals)
{
    hd_thread *from = hd_current;
    for (uint32_t i = 0; i < *hd_rt.thread_count && !(from->signals_pending & signals); i++)
        if (hd_threads[i].process == hd_current->process && hd_thread_lives(&hd_threads[i]))
            from = &hd_threads[i];
    if (!(from->signals_pending & signals))
        return 0;
    int signal = __builtin_ctzll(from->signals_pending & signals) + 1;
    from->signals_pending &= ~(1ull << (signal - 1));
    return signal;
}

static ssize_t receive(hd_description *d, void *to, size_t size, int flags)
{
    struct signalfd_siginfo *out = to;
    const hd_site *site = hd_call_site;
    size_t n = 0;
    (void)flags;
    check_process(d);
    if (size < sizeof *out)
        return -EINVAL;
    uint32_t outer = hd_step_begin(0);
    int passed = hd_data_take(&hd_signalfd_data[d->object], hd_description_waits(d));
    for (int signal; passed && (n + 1) * sizeof *out <= size && (signal = take_one(states[d->object].signals)); n++) {
        struct signalfd_siginfo info = { .ssi_signo = (uint32_t)signal };
        memcpy(&out[n], &info, sizeof info);
    }
    if (n)
        hd_send_pending_changed(hd_current->process, site);
    hd_step_end(outer);
    return n ? (ssize_t)(n * sizeof *out) : -EAGAIN;
}

/* --- the type --------------------------------------------------------------------------------- */

static ssize_t refuse_write(hd_description *d, const void *from, size_t size, int flags)
{
    (void)d, (void)from, (void)size, (void)flags;
    return -EINVAL;
}

static long available(hd_description *d)
{
    (void)d;
    return -ENOTTY;
}

static void close_signalfd(hd_description *d)
{
    states[d->object].is_closed = 1;
}

static hd_gate *data_of(hd_description *d)
{
    check_process(d);
    return &hd_signalfd_data[d->object];
}

static hd_gate *room_of(hd_description *d)
{
    (void)d;
    return NULL;
}

static short events_of(hd_description *d)
{
    return hd_signalfd_data[d->object].count ? POLLIN : 0;
}

static const hd_file_type signalfd_type = { "signalfd", 0600, receive, refuse_write, available, close_signalfd, data_of,
    room_of, events_of, 1 };

int hd_signalfd_is(const hd_description *d)
{
    return d->type == &signalfd_type;
}

void hd_signalfd_set(hd_description *d, uint64_t signals)
{
    const hd_site *site = hd_call_site;
    uint32_t outer = hd_step_begin(0);
    hd_access_object(&hd_signalfds_of[hd_current->process], site);
    states[d->object].signals = signals;
    hd_call_site = site;
    hd_data_change(&hd_signalfd_data[d->object]);
    update(d->object);
    hd_step_end(outer);
    hd_call_site = site;
}

/* Signals that are pending already are there to be read. */
hd_description *hd_signalfd_make(uint64_t signals, int flags)
{
    if (count == MOST)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "making more than %d signalfds is not modelled yet", MOST);
    uint32_t number = count++;
    states[number].process = hd_current->process;
    hd_description *d = hd_description_make(&signalfd_type, number, O_RDWR | (flags & SFD_NONBLOCK));
    hd_signalfd_set(d, signals);
    return d;
}
