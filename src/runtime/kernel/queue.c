#include "runtime/kernel/queue.h"

#include "runtime/kernel/pages.h"
#include "runtime/kernel/unreceived.h"
#include "runtime/sched/sched.h"

#include <string.h>

enum { MESSAGES = 8192, PAGE = HD_PAGE };

/* A message; the part before `start` has been received. */
typedef struct message {
    uint16_t next; /* + 1 */
    uint16_t page; /* its first page + 1; 0: none */
    uint16_t attached; /* 0: nothing */
    uint32_t identity;
    size_t start, size;
    long tag;
    const hd_site *sent_at; /* NULL: it is not in use */
} message;

static message messages[MESSAGES];
static uint16_t freed[MESSAGES];
static uint32_t used, freed_count, made; /* `made`: messages of this execution */

void hd_queues_reset(void)
{
    used = freed_count = made = 0;
}

static message *at(uint16_t number)
{
    return &messages[number - 1];
}

void hd_queues_check_unreceived(void)
{
    for (uint32_t i = 0; i < used; i++)
        if (messages[i].sent_at)
            hd_unreceived("a message", messages[i].size - messages[i].start, messages[i].sent_at);
}

void hd_queue_check_unreceived(const hd_queue *q)
{
    if (q->first)
        hd_unreceived("a message", at(q->first)->size - at(q->first)->start, at(q->first)->sent_at);
}

static uint16_t take_message(void)
{
    if (freed_count)
        return freed[--freed_count];
    if (used == MESSAGES)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d messages on their way are not modelled yet", MESSAGES);
    return (uint16_t)++used;
}

static void free_message(uint16_t number)
{
    for (uint16_t page = at(number)->page, next; page; page = next) {
        next = hd_page_next(page - 1u);
        hd_page_free((uint16_t)(page - 1));
    }
    at(number)->sent_at = NULL;
    freed[freed_count++] = number;
}

static uint16_t make_message(const uint8_t *from, size_t size, long tag)
{
    uint16_t number = take_message(), *link = &at(number)->page;
    *at(number) = (message) { .identity = ++made, .size = size, .tag = tag, .sent_at = hd_call_site };
    for (size_t done = 0; done < size; done += PAGE) {
        uint16_t page = hd_page_take();
        memcpy(hd_page(page), from + done, size - done < PAGE ? size - done : PAGE);
        *link = (uint16_t)(page + 1);
        link = hd_page_link(page);
        *link = 0;
    }
    return number;
}

/* `before` is the message in front of the new one; 0: none. */
static void insert(hd_queue *q, uint16_t number, uint16_t before)
{
    uint16_t *link = before ? &at(before)->next : &q->first;
    at(number)->next = *link;
    *link = number;
    q->last = before == q->last ? number : q->last;
    q->count++;
    q->bytes += at(number)->size;
}

void hd_queue_put(hd_queue *q, const uint8_t *from, size_t size, long tag, int ranked)
{
    uint16_t before = ranked ? 0 : q->last;
    for (uint16_t i = q->first; ranked && i && at(i)->tag >= tag; i = at(i)->next)
        before = i;
    insert(q, make_message(from, size, tag), before);
}

/* Copies the part of the message from `start` on. */
static size_t copy(const message *m, uint8_t *to, size_t size)
{
    size_t left = m->size - m->start, n = size < left ? size : left, done = 0;
    uint16_t page = m->page;
    for (size_t i = m->start / PAGE; i; i--)
        page = hd_page_next(page - 1u);
    for (size_t from = m->start % PAGE; done < n; from = 0, page = hd_page_next(page - 1u)) {
        size_t part = n - done < PAGE - from ? n - done : PAGE - from;
        memcpy(to + done, hd_page((uint16_t)(page - 1)) + from, part);
        done += part;
    }
    return n;
}

size_t hd_queue_look(const hd_queue *q, uint8_t *to, size_t size, int flows, uint16_t *attached)
{
    size_t done = 0;
    *attached = flows ? 0 : at(q->first)->attached;
    if (!flows) {
        copy(at(q->first), to, size);
        return at(q->first)->size;
    }
    for (uint16_t i = q->first; i && done < size && !*attached; i = at(i)->next) {
        done += copy(at(i), to + done, size - done);
        *attached = at(i)->attached;
    }
    return done;
}

static void remove_first(hd_queue *q)
{
    uint16_t first = q->first;
    q->bytes -= at(first)->size - at(first)->start;
    q->first = at(first)->next;
    q->last = q->first ? q->last : 0;
    q->count--;
    free_message(first);
}

size_t hd_queue_take(hd_queue *q, uint8_t *to, size_t size, int flows, uint16_t *attached)
{
    size_t done = hd_queue_look(q, to, size, flows, attached), left = done;
    if (!flows) {
        remove_first(q);
        return done;
    }
    while (q->first && left >= at(q->first)->size - at(q->first)->start) {
        left -= at(q->first)->size - at(q->first)->start;
        remove_first(q);
    }
    if (left) {
        at(q->first)->start += left;
        at(q->first)->attached = 0;
        q->bytes -= left;
    }
    return done;
}

void hd_queue_attach(hd_queue *q, uint16_t attached)
{
    at(q->last)->attached = attached;
}

uint16_t hd_queue_drop_first(hd_queue *q)
{
    uint16_t attached = at(q->first)->attached;
    remove_first(q);
    return attached;
}

void hd_queue_clear(hd_queue *q)
{
    while (q->first)
        remove_first(q);
}

uint32_t hd_queue_last(const hd_queue *q)
{
    return at(q->last)->identity;
}

/* The message at this position; 0: there is none. */
static uint16_t message_at(const hd_queue *q, uint32_t position)
{
    uint16_t i = q->first;
    while (i && position--)
        i = at(i)->next;
    return i;
}

void hd_queue_advance(hd_queue *q, uint32_t identity, uint32_t places, uint32_t kept)
{
    uint32_t from = 0;
    uint16_t number = q->first;
    for (; number && at(number)->identity != identity; number = at(number)->next)
        from++;
    if (!number || from <= kept)
        return;
    uint32_t to = from - kept > places ? from - places : kept;
    uint16_t before = message_at(q, from - 1);
    at(before)->next = at(number)->next;
    q->last = q->last == number ? before : q->last;
    uint16_t *link = to ? &at(message_at(q, to - 1))->next : &q->first;
    at(number)->next = *link;
    *link = number;
}

uint16_t hd_queue_next(const hd_queue *q, uint16_t message)
{
    return message ? at(message)->next : q->first;
}

long hd_queue_tag(uint16_t message)
{
    return at(message)->tag;
}

size_t hd_queue_size(uint16_t message)
{
    return at(message)->size;
}

void hd_queue_take_message(hd_queue *q, uint16_t number, uint8_t *to, size_t size)
{
    uint16_t before = 0, *link = &q->first;
    for (; *link != number; link = &at(*link)->next)
        before = *link;
    copy(at(number), to, size);
    *link = at(number)->next;
    q->last = q->last == number ? before : q->last;
    q->count--;
    q->bytes -= at(number)->size;
    free_message(number);
}

size_t hd_queue_first(const hd_queue *q)
{
    return q->first ? at(q->first)->size - at(q->first)->start : 0;
}

int hd_queue_is_valid(const hd_queue *q)
{
    uint32_t count = 0;
    size_t bytes = 0;
    uint16_t last = 0;
    for (uint16_t i = q->first; i && count <= q->count; i = at(i)->next) {
        bytes += at(i)->size - at(i)->start;
        last = i;
        count++;
    }
    return count == q->count && bytes == q->bytes && last == q->last;
}
