#include "runtime/kernel/eventfd_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/epoll.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>

enum { MOST_POSTS = 64 };
static const uint64_t greatest = UINT64_MAX - 1;

hd_eventfd_state hd_eventfd_states[HD_EVENTFDS];
static uint32_t eventfd_count;

hd_gate hd_eventfd_data[HD_EVENTFDS], hd_eventfd_room[HD_EVENTFDS];

void hd_eventfds_reset(void)
{
    if (!eventfd_count)
        return; /* a memset of nothing in a page that was never written to takes a tenth of a short execution */
    memset(hd_eventfd_states, 0, eventfd_count * sizeof *hd_eventfd_states);
    memset(hd_eventfd_data, 0, eventfd_count * sizeof *hd_eventfd_data);
    memset(hd_eventfd_room, 0, eventfd_count * sizeof *hd_eventfd_room);
    eventfd_count = 0;
}

static uint32_t count_of(const hd_eventfd_state *e)
{
    return e->is_semaphore ? (uint32_t)e->value : e->value > 0;
}

int hd_eventfd_is_valid(uint32_t number)
{
    const hd_eventfd_state *e = &hd_eventfd_states[number];
    return e->value <= greatest && hd_eventfd_data[number].count == count_of(e) && hd_eventfd_data[number].counts
        && hd_eventfd_room[number].count == (hd_known->full_events && e->value == greatest);
}

static void set_value(hd_eventfd_state *e, uint64_t value)
{
    uint32_t number = (uint32_t)(e - hd_eventfd_states);
    e->value = value;
    hd_eventfd_data[number].count = count_of(e);
    hd_effect();
}

/* --- operations on the counter ----------------------------------------------------------- */

static int raises_or_adds(hd_thread *t, hd_op *op)
{
    (void)t;
    op->flags |= HD_OP_TRY;
    op->kind = ((const hd_gate *)op->object)->count ? HD_EVENTFD_ADD : HD_EVENTFD_RAISE;
    return 1;
}

/* Each unit is a post; together they are one step. */
static void post(hd_gate *data, uint64_t value)
{
    const hd_site *site = hd_call_site;
    if (value > MOST_POSTS)
        hd_end(HD_MODEL_LIMIT, site, "writing more than %d to an eventfd with EFD_SEMAPHORE is not modelled yet",
            MOST_POSTS);
    uint32_t outer = value > 1 ? hd_step_begin(0) : 0;
    for (uint64_t i = 0; i < value; i++) {
        hd_call_site = site;
        hd_perform(HD_EVENTFD_POST, data, NULL);
    }
    if (value > 1)
        hd_step_end(outer);
}

static void add(hd_eventfd_state *e, uint64_t value)
{
    hd_gate *data = &hd_eventfd_data[e - hd_eventfd_states];
    if (value && e->is_semaphore)
        post(data, value);
    else if (value)
        hd_perform(HD_EVENTFD_RAISE, data, raises_or_adds);
    set_value(e, e->value + value);
}

/* --- calls ----------------------------------------------------------------------------------- */

static const hd_file_type eventfd_type;

static ssize_t receive(hd_description *d, void *to, size_t size, int flags)
{
    (void)flags;
    hd_eventfd_state *e = &hd_eventfd_states[d->object];
    hd_gate *room = &hd_eventfd_room[d->object];
    if (size < sizeof e->value)
        return -EINVAL;
    int several = hd_known->full_events || hd_epoll_is_used();
    uint32_t outer = several ? hd_step_begin(0) : 0;
    int passed = hd_counter_take(&hd_eventfd_data[d->object], hd_description_waits(d));
    if (passed) {
        uint64_t value = e->is_semaphore ? 1 : e->value;
        memcpy(to, &value, sizeof value);
        set_value(e, e->value - value);
        if (room->count)
            hd_room_comes(room);
        hd_epoll_wake(&eventfd_type, d->object, EPOLLOUT);
    }
    if (several)
        hd_step_end(outer);
    hd_check_valid(hd_eventfd_is_valid(d->object), 1, 0);
    return passed ? (ssize_t)sizeof e->value : -EAGAIN;
}

/* A counter that may be full. */
static int add_if_room(hd_description *d, uint64_t value)
{
    hd_eventfd_state *e = &hd_eventfd_states[d->object];
    hd_gate *room = &hd_eventfd_room[d->object];
    const hd_site *site = hd_call_site;
    uint32_t outer = hd_step_begin(0);
    int fits = hd_room_take(room, hd_description_waits(d)) && value <= greatest - e->value;
    if (!fits && hd_description_waits(d))
        hd_end(HD_MODEL_LIMIT, site, "waiting for more room in an eventfd than it has is not modelled yet");
    if (fits) {
        add(e, value);
        if (e->value == greatest)
            hd_room_gone(room);
    }
    hd_step_end(outer);
    return fits;
}

static int is_full_for(const hd_eventfd_state *e, uint64_t value)
{
    return value > greatest - e->value || e->value + value == greatest;
}

static ssize_t send_all(hd_description *d, const void *from, size_t size, int flags)
{
    (void)flags;
    hd_eventfd_state *e = &hd_eventfd_states[d->object];
    uint64_t value;
    if (size < sizeof value)
        return -EINVAL;
    if (size > sizeof value)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "writing more than 8 bytes to an eventfd is not modelled yet");
    memcpy(&value, from, sizeof value);
    if (value == UINT64_MAX)
        return -EINVAL;
    if (!hd_known->full_events && is_full_for(e, value)) {
        hd_known->full_events = 1;
        hd_learned_now("an eventfd can be full");
    }
    int done = 1;
    uint32_t outer = hd_epoll_is_used() ? hd_step_begin(0) : 0;
    if (value && hd_known->full_events && !e->is_semaphore)
        done = add_if_room(d, value);
    else
        add(e, value);
    if (done)
        hd_epoll_wake(&eventfd_type, d->object, EPOLLIN);
    if (hd_epoll_is_used())
        hd_step_end(outer);
    hd_check_valid(hd_eventfd_is_valid(d->object), 1, 0);
    return done ? (ssize_t)sizeof value : -EAGAIN;
}

static long available(hd_description *d)
{
    (void)d;
    return -ENOTTY;
}

/* No call is under way, so nothing can be found out about it any more. */
static void close_event(hd_description *d)
{
    (void)d;
}

static hd_gate *data_of(hd_description *d)
{
    return &hd_eventfd_data[d->object];
}

static hd_gate *room_of(hd_description *d)
{
    return &hd_eventfd_room[d->object];
}

static short events_of(hd_description *d)
{
    uint64_t value = hd_eventfd_states[d->object].value;
    return (short)((value ? POLLIN : 0) | (value < greatest ? POLLOUT : 0));
}

static const hd_file_type eventfd_type = { "eventfd", 0600, receive, send_all, available, close_event, data_of, room_of,
    events_of, 1 };

hd_description *hd_eventfd_make(uint32_t value, int flags)
{
    if (eventfd_count == HD_EVENTFDS)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "making more than %d eventfds is not modelled yet", HD_EVENTFDS);
    uint32_t number = eventfd_count++;
    hd_eventfd_state *e = &hd_eventfd_states[number];
    e->is_semaphore = (flags & EFD_SEMAPHORE) != 0;
    hd_eventfd_data[number].counts = 1;
    add(e, value);
    hd_check_valid(hd_eventfd_is_valid(number), 1, 0);
    return hd_description_make(&eventfd_type, number, O_RDWR | (flags & EFD_NONBLOCK));
}
