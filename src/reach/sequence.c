#include "reach/sequence.h"

#include "base/error.h"
#include "base/map.h"

#include <string.h>

void hd_sr_init(hd_sr *q, uint32_t threads, hd_memory *memory)
{
    *q = (hd_sr) { .memory = memory, .threads = threads };
    q->events.memory = q->clocks.memory = memory;
    q->now = hd_alloc(memory, (size_t)threads * threads * sizeof *q->now);
    q->past = hd_alloc(memory, threads * sizeof *q->past);
    q->levels = hd_alloc(memory, threads * sizeof *q->levels);
}

void hd_sr_finish(hd_sr *q)
{
    if (!q->now)
        return;
    hd_release(q->memory, q->now, (size_t)q->threads * q->threads * sizeof *q->now);
    hd_release(q->memory, q->past, q->threads * sizeof *q->past);
    hd_release(q->memory, q->levels, q->threads * sizeof *q->levels);
    q->now = NULL;
}

void hd_sr_fini(hd_sr *q)
{
    hd_sr_finish(q);
    hd_vec_fini(&q->events);
    hd_vec_fini(&q->clocks);
}

static void join(const hd_sr *q, uint32_t *into, const uint32_t *clock)
{
    for (uint32_t t = 0; t < q->threads; t++)
        into[t] = into[t] > clock[t] ? into[t] : clock[t];
}

static uint32_t *now_of(const hd_sr *q, uint16_t thread)
{
    return q->now + (size_t)thread * q->threads;
}

void hd_sr_order(hd_sr *q, uint16_t thread, uint16_t from)
{
    join(q, now_of(q, thread), now_of(q, from));
    q->past[thread] = hd_hash(q->past[thread] ^ hd_hash(q->past[from] + 1));
    if (q->levels[from] > q->levels[thread])
        q->levels[thread] = q->levels[from];
}

static void push_clock(hd_sr *q, const uint32_t *clock)
{
    for (uint32_t t = 0; t < q->threads; t++)
        hd_vec_push(&q->clocks, clock[t]);
}

static uint64_t partner_identity(const hd_sr *q, const hd_sr_event *e, uint32_t outcome)
{
    if (e->kind != HD_SR_RECEIVE)
        return outcome;
    return outcome == HD_SR_NONE ? 2ull + e->pending : q->events.items[outcome].identity;
}

static uint64_t identity(const hd_sr *q, const hd_sr_event *e, uint32_t outcome)
{
    uint64_t what = hd_hash((uint64_t)e->thread << 32 | (uint64_t)e->index << 2 | e->kind);
    return hd_hash(e->past ^ hd_hash(what ^ hd_hash(e->mailbox) ^ hd_hash(e->value + 1)))
        + hd_hash(partner_identity(q, e, outcome) + 3);
}

static uint32_t outcome_of(const hd_sr_event *e)
{
    return e->kind == HD_SR_RECEIVE ? e->partner : e->outcome;
}

static uint32_t add(hd_sr *q, hd_sr_event e)
{
    uint32_t number = (uint32_t)q->events.count, *now = now_of(q, e.thread);
    e.index = ++now[e.thread];
    e.past = q->past[e.thread];
    e.level = q->levels[e.thread];
    push_clock(q, now);
    bool has_send = e.kind == HD_SR_RECEIVE && e.partner != HD_SR_NONE;
    if (has_send)
        join(q, now, &q->clocks.items[(2 * (size_t)e.partner + 1) * q->threads]);
    push_clock(q, now);
    e.identity = identity(q, &e, outcome_of(&e));
    hd_vec_push(&q->events, e);
    if (hd_sr_decides(&e))
        hd_vec_last(&q->events)->level = hd_sr_level(q, number, outcome_of(&e));
    if (has_send)
        q->events.items[e.partner].partner = number;
    q->past[e.thread] = e.identity;
    q->levels[e.thread] = hd_vec_last(&q->events)->level;
    return number;
}

uint32_t hd_sr_local(hd_sr *q, uint16_t thread, uint8_t outcome)
{
    return add(q, (hd_sr_event) { .kind = HD_SR_LOCAL, .thread = thread, .outcome = outcome, .partner = HD_SR_NONE });
}

uint32_t hd_sr_send(hd_sr *q, uint16_t thread, uint64_t mailbox, uint64_t label)
{
    return add(q,
        (hd_sr_event) {
            .kind = HD_SR_SEND, .thread = thread, .mailbox = mailbox, .value = label, .partner = HD_SR_NONE });
}

uint32_t hd_sr_choose(hd_sr *q, uint16_t thread, uint8_t outcomes, uint8_t outcome)
{
    return add(q,
        (hd_sr_event) {
            .kind = HD_SR_CHOICE, .thread = thread, .outcomes = outcomes, .outcome = outcome, .partner = HD_SR_NONE });
}

uint32_t hd_sr_receive(
    hd_sr *q, uint16_t thread, uint64_t mailbox, uint64_t request, bool tries, bool pending, uint32_t send)
{
    return add(q,
        (hd_sr_event) { .kind = HD_SR_RECEIVE,
            .thread = thread,
            .mailbox = mailbox,
            .value = request,
            .tries = tries,
            .pending = pending,
            .partner = send });
}

uint64_t hd_sr_identity(const hd_sr *q, uint32_t event, uint32_t outcome)
{
    return identity(q, &q->events.items[event], outcome);
}

/* Before the event itself its thread has the level of its last decision. */
static uint32_t level_before(const hd_sr *q, uint32_t event)
{
    uint32_t level = 0;
    for (uint32_t i = 0; i < event; i++)
        if (q->events.items[i].level > level && hd_sr_before_receiving(q, i, event))
            level = q->events.items[i].level;
    return level;
}

uint32_t hd_sr_level(const hd_sr *q, uint32_t event, uint32_t outcome)
{
    const hd_sr_event *e = &q->events.items[event];
    uint32_t level = level_before(q, event);
    if (e->kind == HD_SR_RECEIVE && outcome != HD_SR_NONE && q->events.items[outcome].level > level)
        level = q->events.items[outcome].level;
    return level + 1;
}

/* --- races ------------------------------------------------------------------------------------------ */

/* Is it a send to the receive's mailbox that the receive asks for? */
static bool fits(const hd_sr_event *receive, const hd_sr_event *s)
{
    return s->kind == HD_SR_SEND && s->mailbox == receive->mailbox && hd_mail_matches(receive->value, s->value);
}

/* Has its message been received before the receive, which is of the same thread? */
static bool is_gone(const hd_sr *q, const hd_sr_event *receive, const hd_sr_event *s)
{
    return s->partner != HD_SR_NONE && q->events.items[s->partner].index < receive->index;
}

/* Must message `m` be received before `s`, if both are there and both are asked for? */
static bool is_ahead(const hd_sr *q, hd_scheme scheme, uint32_t m, uint32_t s)
{
    if (m == s || scheme == HD_SCHEME_ASYNC)
        return false;
    bool same = q->events.items[m].thread == q->events.items[s].thread;
    return (scheme == HD_SCHEME_CAUSAL || same) && hd_sr_before(q, m, s);
}

bool hd_sr_races(const hd_sr *q, uint32_t receive, uint32_t s)
{
    const hd_sr_event *r = &q->events.items[receive], *e = &q->events.items[s];
    hd_scheme scheme = hd_mail_scheme(r->value);
    if (r->pending || r->partner == s || !fits(r, e) || is_gone(q, r, e) || hd_sr_before(q, receive, s))
        return false;
    for (uint32_t m = 0; m < q->events.count && scheme != HD_SCHEME_ASYNC; m++)
        if (fits(r, &q->events.items[m]) && is_ahead(q, scheme, m, s) && !is_gone(q, r, &q->events.items[m]))
            return false;
    return true;
}

bool hd_sr_may_miss(const hd_sr *q, uint32_t receive)
{
    const hd_sr_event *r = &q->events.items[receive];
    for (uint32_t m = 0; m < q->events.count; m++)
        if (fits(r, &q->events.items[m]) && hd_sr_before_receiving(q, m, receive)
            && !is_gone(q, r, &q->events.items[m]))
            return false;
    return r->tries;
}

/* --- validity --------------------------------------------------------------------------------------- */

static bool is_pair(const hd_sr *q, uint32_t i)
{
    const hd_sr_event *e = &q->events.items[i], *p = &q->events.items[e->partner];
    if (e->partner >= q->events.count || p->partner != i)
        return false;
    return e->kind == HD_SR_SEND ? fits(p, e) && i < e->partner : fits(e, p) && e->partner < i;
}

bool hd_sr_is_valid(const hd_sr *q)
{
    uint32_t *last = hd_alloc(q->memory, q->threads * sizeof *last);
    bool valid = true, *stopped = hd_alloc(q->memory, q->threads);
    for (uint32_t i = 0; i < q->events.count && valid; i++) {
        const hd_sr_event *e = &q->events.items[i];
        valid = e->index == ++last[e->thread] && !stopped[e->thread]
            && (e->partner == HD_SR_NONE || (!e->pending && is_pair(q, i)))
            && (e->kind != HD_SR_RECEIVE || e->partner != HD_SR_NONE || e->pending || e->tries);
        stopped[e->thread] = e->pending;
    }
    hd_release(q->memory, stopped, q->threads);
    hd_release(q->memory, last, q->threads * sizeof *last);
    return valid;
}
