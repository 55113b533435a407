#include "runtime/kernel/pipe_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/epoll.h"
#include "runtime/kernel/fate.h"
#include "runtime/kernel/pages.h"
#include "runtime/kernel/unreceived.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/send.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>

hd_pipe_state hd_pipe_states[HD_ALL_PIPES];
static uint32_t pipe_count;

hd_gate hd_pipe_data[HD_ALL_PIPES], hd_pipe_room[HD_ALL_PIPES];

void hd_pipes_reset(void)
{
    if (!pipe_count)
        return;
    memset(hd_pipe_states, 0, pipe_count * sizeof *hd_pipe_states);
    memset(hd_pipe_data, 0, pipe_count * sizeof *hd_pipe_data);
    memset(hd_pipe_room, 0, pipe_count * sizeof *hd_pipe_room);
    pipe_count = 0;
}

/* --- the ring ---------------------------------------------------------------------------- */

static hd_pipe_page *page_at(hd_pipe_state *p, uint32_t i)
{
    return &p->pages[(p->first + i) % HD_PIPE_PAGES];
}

static size_t room_in_last(hd_pipe_state *p)
{
    return p->count ? (size_t)(HD_PAGE - page_at(p, p->count - 1u)->end) : 0;
}

static int has_data(const hd_pipe_state *p)
{
    return p->count || !p->writers;
}

static int has_room(hd_pipe_state *p)
{
    return p->count < HD_PIPE_PAGES || room_in_last(p) || !p->readers;
}

static size_t size_of(hd_pipe_state *p)
{
    size_t size = 0;
    for (uint32_t i = 0; i < p->count; i++)
        size += (size_t)(page_at(p, i)->end - page_at(p, i)->start);
    return size;
}

static void check_unreceived(hd_pipe_state *p)
{
    if (p->count)
        hd_unreceived("data in a pipe", size_of(p), p->written_at);
}

void hd_pipes_check_unreceived(void)
{
    for (uint32_t i = 0; i < HD_ALL_PIPES; i++)
        if (hd_pipe_states[i].readers)
            check_unreceived(&hd_pipe_states[i]);
}

static size_t take(hd_pipe_state *p, uint8_t *to, size_t size)
{
    size_t done = 0;
    while (done < size && p->count) {
        hd_pipe_page *at = page_at(p, 0);
        size_t left = (size_t)(at->end - at->start), n = size - done < left ? size - done : left;
        memcpy(to + done, hd_page(at->number) + at->start, n);
        at->start = (uint16_t)(at->start + n);
        done += n;
        if (at->start < at->end)
            break;
        hd_page_free(at->number);
        p->first = (uint8_t)((p->first + 1) % HD_PIPE_PAGES);
        p->count--;
    }
    return done;
}

static void append(hd_pipe_page *to, const uint8_t *from, size_t n)
{
    memcpy(hd_page(to->number) + to->end, from, n);
    to->end = (uint16_t)(to->end + n);
}

/* Appends as much as there is room for; returns how much. What exceeds whole pages goes to the last page, if all of it
 * fits there. */
static size_t put(hd_pipe_state *p, const uint8_t *from, size_t size)
{
    size_t rest = size % HD_PAGE, done = 0;
    if (rest && rest <= room_in_last(p)) {
        append(page_at(p, p->count - 1u), from, rest);
        done = rest;
    }
    while (done < size && p->count < HD_PIPE_PAGES) {
        size_t n = size - done < HD_PAGE ? size - done : HD_PAGE;
        hd_pipe_page *new = page_at(p, p->count++);
        *new = (hd_pipe_page) { .number = hd_page_take() };
        append(new, from + done, n);
        done += n;
    }
    return done;
}

/* --- validity ------------------------------------------------------------------------------ */

int hd_pipe_is_valid(uint32_t number)
{
    hd_pipe_state *p = &hd_pipe_states[number];
    if (p->count > HD_PIPE_PAGES || p->first >= HD_PIPE_PAGES
        || (number < HD_PIPES && (p->readers > 1 || p->writers > 1)))
        return 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const hd_pipe_page *at = page_at(p, i);
        if (at->start >= at->end || at->end > HD_PAGE)
            return 0;
        for (uint32_t j = 0; j < i; j++)
            if (page_at(p, j)->number == at->number)
                return 0;
    }
    return hd_pipe_data[number].count == (uint64_t)has_data(p) && hd_pipe_room[number].count == (uint64_t)!has_room(p)
        && hd_pipe_data[number].appended - hd_pipe_data[number].fetched == (uint32_t)size_of(p);
}

static void check_validity(const hd_description *d)
{
    hd_check_valid(hd_pipe_is_valid(d->object), 1, 0);
}

/* --- calls ----------------------------------------------------------------------------------- */

static const hd_file_type reader, writer;

static size_t count_bytes(const hd_description *d)
{
    return size_of(&hd_pipe_states[d->object]);
}

ssize_t hd_pipe_receive(hd_description *d, void *to, size_t size, int flags)
{
    (void)flags;
    hd_pipe_state *p = &hd_pipe_states[d->object];
    hd_gate *data = &hd_pipe_data[d->object], *room = &hd_pipe_room[d->object];
    if (!size)
        return 0;
    size = hd_fate_take(d, data, hd_description_waits(d), size, count_bytes);
    if (!size)
        return -EAGAIN;
    uint32_t outer = hd_step_begin(0);
    if (!hd_data_fetch(data, hd_description_waits(d), size)) {
        hd_step_end(outer);
        return -EAGAIN;
    }
    int was_full = p->count == HD_PIPE_PAGES;
    size_t got = take(p, to, size);
    data->fetched += (uint32_t)got;
    if (!has_data(p))
        hd_data_gone(data);
    if (room->count && has_room(p))
        hd_room_comes(room);
    if (was_full && p->count < HD_PIPE_PAGES)
        hd_epoll_wake(&writer, d->object, EPOLLOUT | EPOLLWRNORM);
    hd_step_end(outer);
    check_validity(d);
    return (ssize_t)got;
}

/* A call that does not wait may write a part of what is longer than a page: at least a page if the pipe is empty. */
static int is_divided(hd_description *d, size_t size)
{
    const hd_site *site = hd_call_site;
    int divides = size > HD_PAGE && !hd_description_waits(d) && hd_fate_divides(size, site);
    hd_call_site = site;
    return divides;
}

/* One part of a write. */
static ssize_t send_part(hd_description *d, const uint8_t *from, size_t size)
{
    hd_pipe_state *p = &hd_pipe_states[d->object];
    hd_gate *data = &hd_pipe_data[d->object], *room = &hd_pipe_room[d->object];
    int divided = is_divided(d, size);
    uint32_t outer = hd_step_begin(0);
    ssize_t done = -EAGAIN;
    if (hd_room_take(room, hd_description_waits(d))) {
        size = !divided ? size : p->count ? 1 : HD_PAGE;
        done = p->readers ? (ssize_t)put(p, from, size) : -EPIPE;
        p->written_at = hd_call_site;
        if (done > 0)
            hd_data_append(data, (size_t)done);
        if (!has_room(p))
            hd_room_gone(room);
        if (done > 0)
            hd_epoll_wake(&reader, d->object, EPOLLIN | EPOLLRDNORM);
    }
    hd_step_end(outer);
    check_validity(d);
    return done;
}

ssize_t hd_pipe_send(hd_description *d, const void *from, size_t size, int flags)
{
    (void)flags;
    const hd_site *site = hd_call_site;
    size_t done = 0;
    while (done < size) {
        hd_call_site = site;
        ssize_t part = send_part(d, (const uint8_t *)from + done, size - done);
        hd_call_site = site;
        if (part == -EPIPE)
            hd_send_signal(hd_current, SIGPIPE);
        if (!part && hd_description_waits(d))
            hd_end(HD_MODEL_LIMIT, site, "waiting for more room in a pipe than its last page has is not modelled yet");
        if (part <= 0)
            return done ? (ssize_t)done : part ? part : -EAGAIN;
        done += (size_t)part;
        if (!hd_description_waits(d))
            break;
    }
    return (ssize_t)done;
}

long hd_pipe_available(hd_description *d)
{
    hd_data_look(&hd_pipe_data[d->object]);
    return (long)size_of(&hd_pipe_states[d->object]);
}

/* Calls that wait at the other end find that nothing will come any more, or that nothing will be read. */
static void close_reader(hd_description *d)
{
    check_unreceived(&hd_pipe_states[d->object]);
    hd_room_comes(&hd_pipe_room[d->object]);
    hd_pipe_states[d->object].readers = 0;
    hd_epoll_wake(&writer, d->object, 0);
    check_validity(d);
}

static void close_writer(hd_description *d)
{
    hd_data_comes(&hd_pipe_data[d->object]);
    hd_pipe_states[d->object].writers = 0;
    hd_epoll_wake(&reader, d->object, 0);
    check_validity(d);
}

ssize_t hd_pipe_cannot_receive(hd_description *d, void *to, size_t size, int flags)
{
    (void)d, (void)to, (void)size, (void)flags;
    return -EBADF;
}

ssize_t hd_pipe_cannot_send(hd_description *d, const void *from, size_t size, int flags)
{
    (void)d, (void)from, (void)size, (void)flags;
    return -EBADF;
}

/* --- FIFOs ---------------------------------------------------------------------------------------- */

void hd_pipe_clear(uint32_t number)
{
    memset(&hd_pipe_states[number], 0, sizeof *hd_pipe_states);
    hd_pipe_data[number] = hd_pipe_room[number] = (hd_gate) { 0 };
}

/* The first reader and the first writer change what calls at the other end find. A pipe without a writer counts as one
 * with data: its end. */
void hd_pipe_enter(uint32_t number, int reads, int writes)
{
    hd_pipe_state *p = &hd_pipe_states[number];
    hd_gate *data = &hd_pipe_data[number], *room = &hd_pipe_room[number];
    if (reads && !p->readers++) {
        if (has_room(p))
            hd_room_comes(room);
        else
            hd_room_gone(room);
    }
    if (writes && !p->writers++) {
        if (!has_data(p) && data->count)
            hd_data_gone(data);
        else if (has_data(p))
            hd_data_comes(data);
    }
    if (!p->writers && !data->count)
        hd_data_comes(data);
    hd_check_valid(hd_pipe_is_valid(number), 1, 0);
}

static void empty(uint32_t number)
{
    hd_pipe_state *p = &hd_pipe_states[number];
    for (uint32_t i = 0; i < p->count; i++)
        hd_page_free(page_at(p, i)->number);
    p->count = 0;
    hd_pipe_data[number].fetched = hd_pipe_data[number].appended;
}

void hd_pipe_leave(uint32_t number, int reads, int writes)
{
    hd_pipe_state *p = &hd_pipe_states[number];
    if (reads && !--p->readers)
        hd_room_comes(&hd_pipe_room[number]);
    if (writes && !--p->writers)
        hd_data_comes(&hd_pipe_data[number]);
    if (!p->readers && !p->writers) {
        check_unreceived(p);
        empty(number);
    }
    hd_check_valid(hd_pipe_is_valid(number), 1, 0);
}

/* --- ready or not ------------------------------------------------------------------------------ */

hd_gate *hd_pipe_data_of(hd_description *d)
{
    return &hd_pipe_data[d->object];
}

hd_gate *hd_pipe_room_of(hd_description *d)
{
    return &hd_pipe_room[d->object];
}

static hd_gate *none(hd_description *d)
{
    (void)d;
    return NULL;
}

short hd_pipe_events_of_reader(hd_description *d)
{
    hd_pipe_state *p = &hd_pipe_states[d->object];
    return (short)((p->count ? POLLIN | POLLRDNORM : 0) | (p->writers ? 0 : POLLHUP));
}

short hd_pipe_events_of_writer(hd_description *d)
{
    hd_pipe_state *p = &hd_pipe_states[d->object];
    return (short)((p->count < HD_PIPE_PAGES ? POLLOUT | POLLWRNORM : 0) | (p->readers ? 0 : POLLERR));
}

static const hd_file_type reader = { "pipe", S_IFIFO | 0600, hd_pipe_receive, hd_pipe_cannot_send, hd_pipe_available,
    close_reader, hd_pipe_data_of, none, hd_pipe_events_of_reader, 1 };
static const hd_file_type writer = { "pipe", S_IFIFO | 0600, hd_pipe_cannot_receive, hd_pipe_send, hd_pipe_available,
    close_writer, none, hd_pipe_room_of, hd_pipe_events_of_writer, 1 };

void hd_pipe_make(int flags, hd_description *ends[2])
{
    if (pipe_count == HD_PIPES)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "making more than %d pipes is not modelled yet", HD_PIPES);
    uint32_t number = pipe_count++;
    hd_pipe_states[number].readers = hd_pipe_states[number].writers = 1;
    ends[0] = hd_description_make(&reader, number, O_RDONLY | flags);
    ends[1] = hd_description_make(&writer, number, O_WRONLY | flags);
    hd_check_valid(hd_pipe_is_valid(number), 1, 0);
}
