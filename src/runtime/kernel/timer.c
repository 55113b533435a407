#include "runtime/kernel/timer_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/epoll.h"
#include "runtime/sched/access.h"
#include "runtime/sched/expiry.h"
#include "runtime/sched/passing.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/spin.h"
#include "runtime/sync/choice.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

hd_timer_state hd_timer_states[HD_TIMERS];
hd_gate hd_timer_data[HD_TIMERS];
static uint32_t timer_count;

void hd_timers_reset(void)
{
    if (!timer_count)
        return;
    memset(hd_timer_states, 0, timer_count * sizeof *hd_timer_states);
    memset(hd_timer_data, 0, timer_count * sizeof *hd_timer_data);
    timer_count = 0;
}

int hd_timer_is_valid(uint32_t number)
{
    return hd_timer_data[number].count == (hd_timer_states[number].expirations > 0);
}

static void check_validity(const hd_description *d)
{
    hd_check_valid(hd_timer_is_valid(d->object), 1, 0);
}

/* --- expiring ------------------------------------------------------------------------------ */

static const hd_file_type timer_type;

uint64_t hd_timer_update(hd_description *d)
{
    hd_timer_state *s = &hd_timer_states[d->object];
    uint64_t now = hd_current->now;
    if (s->limit > now)
        return s->expirations ? hd_time_never : s->limit;
    uint64_t more = s->interval ? (now - s->limit) / s->interval + 1 : 1;
    hd_data_comes(&hd_timer_data[d->object]);
    s->expirations += more;
    s->limit = s->interval ? s->limit + more * s->interval : hd_time_never;
    hd_epoll_wake(&timer_type, d->object, EPOLLIN);
    return hd_time_never;
}

/* As in Linux, the expirations that have not been read are lost. */
static void clear(hd_description *d)
{
    if (hd_timer_states[d->object].expirations)
        hd_data_gone(&hd_timer_data[d->object]);
    hd_timer_states[d->object].expirations = 0;
}

void hd_timer_let_pass(hd_description *d)
{
    const hd_site *site = hd_call_site;
    hd_gate *data = &hd_timer_data[d->object];
    int is_used_up = hd_expiry_is_patient(HD_DATA_UNREADY, data);
    hd_call_site = site;
    int is_ready = hd_data_poll(data);
    uint64_t limit = hd_timer_states[d->object].limit;
    hd_call_site = site;
    if (!is_ready && limit != hd_time_never && limit > hd_current->now && (is_used_up || hd_choose(2)))
        hd_passing_catch_up(limit);
    hd_call_site = site;
    hd_effect();
}

/* --- setting --------------------------------------------------------------------------------- */

static hd_timer_setting setting_of(const hd_timer_state *s)
{
    if (s->limit == hd_time_never)
        return (hd_timer_setting) { 0, s->interval };
    return (hd_timer_setting) { s->limit > hd_current->now ? s->limit - hd_current->now : 1, s->interval };
}

hd_timer_setting hd_timer_set(hd_description *d, hd_timer_setting to, int at)
{
    hd_timer_state *s = &hd_timer_states[d->object];
    uint32_t outer = hd_step_begin(0);
    hd_data_change(&hd_timer_data[d->object]);
    hd_timer_update(d);
    hd_timer_setting old = setting_of(s);
    clear(d);
    s->limit = to.value ? to.value + (at ? 0 : hd_current->now) : hd_time_never;
    s->interval = to.interval;
    hd_epoll_note(&timer_type, d->object);
    hd_step_end(outer);
    check_validity(d);
    return old;
}

hd_timer_setting hd_timer_get(hd_description *d)
{
    uint32_t outer = hd_step_begin(0);
    hd_data_look(&hd_timer_data[d->object]);
    hd_timer_update(d);
    hd_step_end(outer);
    check_validity(d);
    return setting_of(&hd_timer_states[d->object]);
}

/* --- reading ----------------------------------------------------------------------------------- */

/* One look, as a step. Without expirations time passes up to the limit, if the wait may time out now. *limit: what the
 * wait has to wait for. */
static int take(hd_description *d, int times_out, uint64_t *expirations, uint64_t *limit)
{
    hd_timer_state *s = &hd_timer_states[d->object];
    uint32_t outer = hd_step_begin(0);
    hd_data_take(&hd_timer_data[d->object], 0);
    *limit = hd_expiry_has_come() ? *limit : hd_timer_update(d);
    if (times_out && *limit != hd_time_never) {
        hd_passing_catch_up(*limit);
        *limit = hd_timer_update(d);
    }
    *expirations = s->expirations;
    clear(d);
    hd_step_end(outer);
    check_validity(d);
    return *expirations > 0;
}

static uint64_t await(hd_description *d)
{
    const hd_site *site = hd_call_site;
    uint64_t expirations, limit = hd_time_never;
    int is_patient = hd_expiry_is_patient(HD_DATA_NONE, &hd_timer_data[d->object]);
    for (;;) {
        uint32_t from = *hd_rt.log_count;
        int waits = is_patient && limit != hd_time_never;
        hd_call_site = site;
        if (waits)
            hd_expiry_begin_at(limit);
        int taken = take(d, !is_patient, &expirations, &limit);
        int expired = waits && hd_expiry_end();
        if (taken)
            return expirations;
        if (expired)
            hd_passing_catch_up(limit);
        else if (!hd_spin_await(from))
            hd_end(HD_MODEL_LIMIT, site, "waiting for a timer in this way is not modelled yet");
    }
}

static ssize_t receive(hd_description *d, void *to, size_t size, int flags)
{
    (void)flags;
    uint64_t expirations, limit;
    if (size < sizeof expirations)
        return -EINVAL;
    if (hd_description_waits(d)) {
        expirations = await(d);
    } else {
        hd_timer_let_pass(d);
        if (!take(d, 0, &expirations, &limit))
            return -EAGAIN;
    }
    memcpy(to, &expirations, sizeof expirations);
    return sizeof expirations;
}

/* --- the type ------------------------------------------------------------------------------------ */

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

static void close_timer(hd_description *d)
{
    (void)d;
}

static hd_gate *data_of(hd_description *d)
{
    return &hd_timer_data[d->object];
}

static hd_gate *room_of(hd_description *d)
{
    (void)d;
    return NULL;
}

static short events_of(hd_description *d)
{
    return hd_timer_states[d->object].expirations ? POLLIN : 0;
}

static const hd_file_type timer_type = { "timerfd", 0600, receive, refuse_write, available, close_timer, data_of,
    room_of, events_of, 1 };

int hd_timer_is(const hd_description *d)
{
    return d->type == &timer_type;
}

hd_description *hd_timer_make(int flags)
{
    if (timer_count == HD_TIMERS)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "making more than %d timers is not modelled yet", HD_TIMERS);
    if (!hd_known->timers) {
        hd_known->timers = 1;
        hd_learned();
    }
    hd_timer_states[timer_count].limit = hd_time_never;
    return hd_description_make(&timer_type, timer_count++, O_RDWR | (flags & TFD_NONBLOCK));
}
