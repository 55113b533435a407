#include "runtime/kernel/epoll_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/timer.h"
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

/* What an item has beside the events that it asks for. */
static const uint32_t modes = EPOLLWAKEUP | EPOLLONESHOT | EPOLLET | EPOLLEXCLUSIVE;

hd_epoll_item hd_epoll_items[HD_EPOLL_ITEMS];
hd_epoll_state hd_epoll_states[HD_EPOLLS];
hd_gate hd_epoll_data[HD_EPOLLS];
uint64_t hd_watchers[HD_DESCRIPTIONS]; /* by description: objects (abi/shown.def) */
static uint32_t item_count, epoll_count;

void hd_epolls_reset(void)
{
    if (!epoll_count)
        return;
    memset(hd_epoll_items, 0, item_count * sizeof *hd_epoll_items);
    memset(hd_epoll_states, 0, epoll_count * sizeof *hd_epoll_states);
    memset(hd_epoll_data, 0, epoll_count * sizeof *hd_epoll_data);
    item_count = epoll_count = 0;
}

int hd_epoll_is_used(void)
{
    return hd_known->epolls != 0;
}

/* --- the ready list ---------------------------------------------------------------------- */

static hd_epoll_item *item_at(uint16_t link)
{
    return link ? &hd_epoll_items[link - 1] : NULL;
}

static uint16_t link_to(const hd_epoll_item *item)
{
    return (uint16_t)(item - hd_epoll_items + 1);
}

static void append(hd_epoll_state *e, hd_epoll_item *item)
{
    hd_epoll_item *last = item_at(e->last);
    *(last ? &last->next : &e->first) = link_to(item);
    e->last = link_to(item);
    item->next = 0;
    item->is_listed = 1;
}

static hd_epoll_item *take_first(hd_epoll_state *e)
{
    hd_epoll_item *item = item_at(e->first);
    if (!item)
        return NULL;
    e->first = item->next;
    e->last = e->first ? e->last : 0;
    item->is_listed = 0;
    item->next = 0;
    return item;
}

static void unlist(hd_epoll_state *e, hd_epoll_item *gone)
{
    hd_epoll_state rest = { 0, 0 };
    for (hd_epoll_item *item; (item = take_first(e)) != NULL;)
        if (item != gone)
            append(&rest, item);
    *e = rest;
}

/* `more` follows `e`. */
static void join(hd_epoll_state *e, const hd_epoll_state *more)
{
    hd_epoll_item *last = item_at(e->last);
    *(last ? &last->next : &e->first) = more->first;
    e->last = more->last ? more->last : e->last;
}

static uint32_t count_listed(const hd_epoll_state *e, uint16_t number)
{
    uint32_t count = 0;
    uint16_t last = 0;
    for (uint16_t at = e->first; at; at = item_at(at)->next) {
        if (at > item_count || count == item_count || item_at(at)->epoll != number || !item_at(at)->is_listed)
            return UINT32_MAX;
        count++;
        last = at;
    }
    return last == e->last ? count : UINT32_MAX;
}

int hd_epoll_is_valid(uint32_t number)
{
    uint32_t listed = count_listed(&hd_epoll_states[number], (uint16_t)number), marked = 0;
    for (uint32_t i = 0; i < item_count; i++)
        marked += hd_epoll_items[i].epoll == number && hd_epoll_items[i].is_listed && hd_epoll_items[i].file;
    return listed == marked && hd_epoll_data[number].count == (listed > 0);
}

static void check_validity(uint32_t number)
{
    hd_check_valid(hd_epoll_is_valid(number), item_count, item_count);
}

/* --- operations ---------------------------------------------------------------------------- */

static void use_watchers(const hd_description *d, int changes)
{
    const hd_site *site = hd_call_site;
    hd_access_uses(&(hd_object_use) { &hd_watchers[hd_description_number(d)], changes, NULL }, 1, site);
    hd_call_site = site;
}

/* What is ready of the item's object, of what it asks for. */
static uint32_t look_at(const hd_epoll_item *item)
{
    const hd_site *site = hd_call_site;
    hd_description *d = item->file;
    hd_gate *data = d->type->data(d), *room = d->type->room(d);
    if (data)
        hd_data_poll(data);
    hd_call_site = site;
    if (room)
        hd_room_poll(room);
    hd_call_site = site;
    return (uint32_t)(uint16_t)d->type->events(d) & item->events;
}

static void add_to_list(hd_epoll_item *item)
{
    hd_data_comes(&hd_epoll_data[item->epoll]);
    append(&hd_epoll_states[item->epoll], item);
}

/* The list has lost an item. */
static void note_loss(uint32_t number)
{
    if (!hd_epoll_states[number].first && hd_epoll_data[number].count)
        hd_data_gone(&hd_epoll_data[number]);
}

static int asks(const hd_epoll_item *item, uint32_t events)
{
    return (item->events & ~modes) && (!events || (events & item->events));
}

static uint64_t update_timers(uint32_t number);

/* Timers that have expired by now come first in the ready lists. */
static void fire_before(const hd_description *d)
{
    for (uint32_t i = 0; i < item_count; i++)
        if (hd_epoll_items[i].file == d)
            update_timers(hd_epoll_items[i].epoll);
}

void hd_epoll_wake(const hd_file_type *type, uint32_t object, uint32_t events)
{
    const hd_site *site = hd_call_site;
    const hd_description *d = hd_epoll_is_used() ? hd_description_of(type, object) : NULL;
    if (!d)
        return;
    use_watchers(d, 0);
    if (hd_known->timers && !hd_timer_is(d))
        fire_before(d);
    hd_call_site = site;
    for (uint32_t i = item_count; i-- > 0;) { /* the newest first, as in Linux */
        hd_epoll_item *item = &hd_epoll_items[i];
        if (item->file != d)
            continue;
        hd_call_site = site;
        if (!item->is_listed && asks(item, events))
            add_to_list(item);
        else
            hd_data_look(&hd_epoll_data[item->epoll]);
        check_validity(item->epoll);
    }
    hd_call_site = site;
}

void hd_epoll_note(const hd_file_type *type, uint32_t object)
{
    const hd_description *d = hd_epoll_is_used() ? hd_description_of(type, object) : NULL;
    if (!d)
        return;
    use_watchers(d, 0);
    for (uint32_t i = 0; i < item_count; i++)
        if (hd_epoll_items[i].file == d)
            hd_data_change(&hd_epoll_data[hd_epoll_items[i].epoll]);
}

/* --- items ----------------------------------------------------------------------------------- */

static hd_epoll_item *find(uint32_t number, int fd, const hd_description *file)
{
    for (uint32_t i = 0; i < item_count; i++)
        if (hd_epoll_items[i].epoll == number && hd_epoll_items[i].file == file && hd_epoll_items[i].fd == fd)
            return &hd_epoll_items[i];
    return NULL;
}

static hd_epoll_item *make_item(uint32_t number, int fd, hd_description *file)
{
    if (item_count == HD_EPOLL_ITEMS)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "adding more than %d descriptors to epolls is not modelled yet",
            HD_EPOLL_ITEMS);
    hd_epoll_item *item = &hd_epoll_items[item_count++];
    *item = (hd_epoll_item) { .file = file, .fd = fd, .epoll = (uint16_t)number };
    return item;
}

static void set_item(hd_epoll_item *item, const struct epoll_event *event)
{
    item->events = event->events | EPOLLERR | EPOLLHUP;
    item->data = event->data.u64;
    if (look_at(item) && !item->is_listed)
        add_to_list(item);
}

static void remove_item(hd_epoll_item *item)
{
    const hd_site *site = hd_call_site;
    hd_data_change(&hd_epoll_data[item->epoll]);
    use_watchers(item->file, 1);
    if (item->is_listed)
        unlist(&hd_epoll_states[item->epoll], item);
    note_loss(item->epoll);
    item->file = NULL;
    item->is_listed = 0;
    hd_call_site = site;
}

/* The epoll and the watchers are announced. */
static int control(uint32_t number, int command, int fd, hd_description *file, const struct epoll_event *event)
{
    hd_epoll_item *item = find(number, fd, file);
    switch (command) {
    case EPOLL_CTL_ADD:
        if (item)
            return -EEXIST;
        set_item(make_item(number, fd, file), event);
        return 0;
    case EPOLL_CTL_MOD:
        if (!item)
            return -ENOENT;
        set_item(item, event);
        return 0;
    case EPOLL_CTL_DEL:
        if (!item)
            return -ENOENT;
        remove_item(item);
        return 0;
    default:
        return -EINVAL;
    }
}

int hd_epoll_control(hd_description *epoll, int command, int fd, hd_description *file, const struct epoll_event *event)
{
    const hd_site *site = hd_call_site;
    if (!file->type->wakes_epolls)
        hd_end(HD_MODEL_LIMIT, site, "epoll on a %s is not modelled yet", file->type->name);
    uint32_t outer = hd_step_begin(0);
    hd_data_change(&hd_epoll_data[epoll->object]);
    use_watchers(file, 1);
    hd_call_site = site;
    int result = control(epoll->object, command, fd, file, event);
    hd_step_end(outer);
    hd_effect();
    check_validity(epoll->object);
    return result;
}

void hd_epoll_forget(hd_description *d)
{
    for (uint32_t i = 0; i < item_count; i++)
        if (hd_epoll_items[i].file == d)
            remove_item(&hd_epoll_items[i]);
}

/* --- waiting ----------------------------------------------------------------------------------- */

/* The gate has been passed. Items that have not been looked at stay before those that are listed again. */
static int take_events(uint32_t number, struct epoll_event *to, int most)
{
    hd_epoll_state *e = &hd_epoll_states[number], again = { 0, 0 };
    int taken = 0;
    while (taken < most && e->first) {
        hd_epoll_item *item = take_first(e);
        uint32_t events = look_at(item);
        if (!events)
            continue;
        to[taken++] = (struct epoll_event) { .events = events, .data.u64 = item->data };
        if (item->events & EPOLLONESHOT)
            item->events &= modes;
        else if (!(item->events & EPOLLET))
            append(&again, item);
    }
    join(e, &again);
    note_loss(number);
    hd_effect();
    return taken;
}

/* --- waiting with timers ------------------------------------------------------------------------ */

/* Part of a step: the timers among the items that have expired fire. Returns the earliest limit of the others. */
static uint64_t update_timers(uint32_t number)
{
    const hd_site *site = hd_call_site;
    uint64_t first = hd_time_never;
    for (uint32_t i = 0; i < item_count; i++) {
        const hd_epoll_item *item = &hd_epoll_items[i];
        if (item->epoll != number || !item->file || !hd_timer_is(item->file) || !asks(item, EPOLLIN))
            continue;
        hd_call_site = site;
        hd_data_look(item->file->type->data(item->file));
        uint64_t limit = hd_timer_update(item->file);
        first = limit < first ? limit : first;
    }
    hd_call_site = site;
    return first;
}

/* One look. *limit: the earliest one of the timers, as before if the wait has timed out. *stale: items that are not
 * ready have been removed. */
static int look_once(hd_description *epoll, struct epoll_event *to, int most, uint64_t *limit, int *stale)
{
    hd_gate *data = &hd_epoll_data[epoll->object];
    uint32_t outer = hd_step_begin(0);
    *stale = hd_data_take(data, 0);
    int taken = 0;
    if (!hd_expiry_has_come()) {
        *limit = update_timers(epoll->object);
        taken = data->count ? take_events(epoll->object, to, most) : 0;
    }
    hd_step_end(outer);
    check_validity(epoll->object);
    return taken;
}

/* A call that does not wait chooses whether time has passed up to the limit of the first timer (kernel/timer.h). */
static int lets_pass(int is_used_up, uint64_t limit, const hd_site *site)
{
    hd_call_site = site;
    return limit != hd_time_never && (is_used_up || hd_choose(2));
}

/* The limits of timers change while a wait is under way, so it looks again whenever the epoll changes (sched/spin.h).
 * When time has passed up to the limit of a timer, the next look finds that it has expired. */
static int take_with_timers(
    hd_description *epoll, struct epoll_event *to, int most, int waits, const struct timespec *until)
{
    const hd_site *site = hd_call_site;
    uint64_t own = hd_expiry_limit(until), first = hd_time_never; /* of the call and of the timers */
    int is_patient = hd_expiry_is_patient(HD_DATA_NONE, &hd_epoll_data[epoll->object]), passes = 1, holds = 0, stale;
    for (;;) {
        uint32_t from = *hd_rt.log_count;
        hd_call_site = site;
        if (holds)
            hd_expiry_begin_at(own < first ? own : first);
        int taken = look_once(epoll, to, most, &first, &stale);
        int expired = holds && hd_expiry_end();
        if (taken)
            return taken;
        holds = 0;
        if (!waits && !(passes-- && lets_pass(is_patient, first, site)))
            return 0;
        int is_last = own < first;
        uint64_t limit = is_last ? own : first;
        if (limit != hd_time_never && (!waits || !is_patient || expired)) {
            hd_passing_catch_up(limit);
            if (is_last)
                return 0;
        } else if (!stale) {
            if (!hd_spin_await(from))
                hd_end(HD_MODEL_LIMIT, site, "waiting for so many timers is not modelled yet");
            holds = is_patient && limit != hd_time_never;
        }
    }
}

int hd_epoll_take(hd_description *epoll, struct epoll_event *to, int most, int waits, const struct timespec *until)
{
    const hd_site *site = hd_call_site;
    hd_gate *data = &hd_epoll_data[epoll->object];
    if (hd_known->timers)
        return take_with_timers(epoll, to, most, waits, until);
    for (;;) {
        hd_call_site = site;
        uint32_t outer = hd_step_begin(0);
        int passed = until ? hd_data_begin_until(data, until, outer) : hd_data_take(data, waits);
        int taken = passed ? take_events(epoll->object, to, most) : 0;
        hd_step_end(outer);
        check_validity(epoll->object);
        if (taken || !passed || !waits)
            return taken;
    }
}

int hd_epoll_tidy(hd_description *epoll)
{
    const hd_site *site = hd_call_site;
    hd_epoll_state *e = &hd_epoll_states[epoll->object], ready = { 0, 0 };
    hd_gate *data = &hd_epoll_data[epoll->object];
    int removed = 0;
    while (data->count && e->first && !ready.first) {
        hd_epoll_item *item = take_first(e);
        hd_call_site = site;
        if (look_at(item))
            append(&ready, item);
        else
            removed = 1;
    }
    join(&ready, e);
    *e = ready;
    hd_call_site = site;
    if (removed)
        hd_data_change(data);
    note_loss(epoll->object);
    hd_call_site = site;
    return removed;
}

/* --- the type ------------------------------------------------------------------------------------ */

static ssize_t refuse_read(hd_description *d, void *to, size_t size, int flags)
{
    (void)d, (void)to, (void)size, (void)flags;
    return -EINVAL;
}

static ssize_t refuse_write(hd_description *d, const void *from, size_t size, int flags)
{
    (void)d, (void)from, (void)size, (void)flags;
    return -EINVAL;
}

static long available(hd_description *d)
{
    (void)d;
    return -EINVAL;
}

static void close_epoll(hd_description *d)
{
    for (uint32_t i = 0; i < item_count; i++)
        if (hd_epoll_items[i].epoll == d->object && hd_epoll_items[i].file)
            remove_item(&hd_epoll_items[i]);
}

static hd_gate *data_of(hd_description *d)
{
    return &hd_epoll_data[d->object];
}

static hd_gate *room_of(hd_description *d)
{
    (void)d;
    return NULL;
}

/* After hd_epoll_tidy. */
static short events_of(hd_description *d)
{
    return hd_epoll_data[d->object].count ? POLLIN | POLLRDNORM : 0;
}

static const hd_file_type epoll_type = { "epoll", 0600, refuse_read, refuse_write, available, close_epoll, data_of,
    room_of, events_of, 0 };

int hd_epoll_is(const hd_description *d)
{
    return d->type == &epoll_type;
}

hd_description *hd_epoll_make(void)
{
    if (epoll_count == HD_EPOLLS)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "making more than %d epolls is not modelled yet", HD_EPOLLS);
    if (!hd_known->epolls) {
        hd_known->epolls = 1;
        hd_learned();
    }
    return hd_description_make(&epoll_type, epoll_count++, O_RDWR);
}
