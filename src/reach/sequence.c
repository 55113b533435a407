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

/* Before the event itself its thread has the level of its last decision. */
static uint32_t level_before(const hd_sr *q, uint32_t event)
{
    uint32_t level = 0;
    for (uint32_t i = 0; i < event; i++)
        if (q->events.items[i].level > level && hd_sr_before_receiving(q, i, event))
            level = q->events.items[i].level;
    return level;
}

static uint32_t level_of(const hd_sr *q, uint32_t event, uint32_t outcome)
{
    const hd_sr_event *e = &q->events.items[event];
    uint32_t level = level_before(q, event);
    if (e->kind == HD_SR_RECEIVE && outcome != HD_SR_NONE && q->events.items[outcome].level > level)
        level = q->events.items[outcome].level;
    return level + 1;
}

hd_sr_decision hd_sr_decision_of(const hd_sr *q, uint32_t event, uint32_t outcome)
{
    const hd_sr_event *e = &q->events.items[event];
    bool own = outcome == hd_sr_outcome(e), takes = e->kind == HD_SR_RECEIVE && outcome != HD_SR_NONE;
    const hd_sr_event *send = takes ? &q->events.items[outcome] : NULL;
    return (hd_sr_decision) { .level = own ? e->level : level_of(q, event, outcome),
        .identity = own ? e->identity : identity(q, e, outcome),
        .kind = e->kind,
        .misses = e->kind == HD_SR_RECEIVE && !takes,
        .u = e->thread,
        .v = e->index,
        .i = takes ? send->thread : 0,
        .j = takes ? send->index : outcome };
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
    e.identity = identity(q, &e, hd_sr_outcome(&e));
    hd_vec_push(&q->events, e);
    if (hd_sr_decides(&e))
        hd_vec_last(&q->events)->level = level_of(q, number, hd_sr_outcome(&e));
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

/* --- races ------------------------------------------------------------------------------------------ */

/* Has its message been received before the receive, which is of the same thread? */
static bool is_gone(const hd_sr *q, const hd_sr_event *receive, const hd_sr_event *s)
{
    return s->partner != HD_SR_NONE && q->events.items[s->partner].index < receive->index;
}

bool hd_sr_is_ahead(const hd_sr *q, hd_scheme scheme, uint32_t m, uint32_t s)
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
    if (r->pending || r->partner == s || !hd_sr_fits(r, e) || is_gone(q, r, e) || hd_sr_before(q, receive, s))
        return false;
    for (uint32_t m = 0; m < q->events.count && scheme != HD_SCHEME_ASYNC; m++)
        if (hd_sr_fits(r, &q->events.items[m]) && hd_sr_is_ahead(q, scheme, m, s)
            && !is_gone(q, r, &q->events.items[m]))
            return false;
    return true;
}

bool hd_sr_may_miss(const hd_sr *q, uint32_t receive)
{
    const hd_sr_event *r = &q->events.items[receive];
    for (uint32_t m = 0; m < q->events.count; m++)
        if (hd_sr_fits(r, &q->events.items[m]) && hd_sr_before_receiving(q, m, receive)
            && !is_gone(q, r, &q->events.items[m]))
            return false;
    return r->tries;
}

/* Of a receive: sends by number, then nothing. */
static bool may_become(const hd_sr *q, uint32_t decision, uint32_t number)
{
    const hd_sr_event *e = &q->events.items[decision];
    if (e->kind == HD_SR_CHOICE)
        return number != e->outcome;
    if (number == q->events.count)
        return e->partner != HD_SR_NONE && hd_sr_may_miss(q, decision);
    return hd_sr_races(q, decision, number);
}

bool hd_sr_next_outcome(const hd_sr *q, uint32_t decision, uint32_t *next, uint32_t *outcome)
{
    const hd_sr_event *e = &q->events.items[decision];
    uint32_t count = e->kind == HD_SR_CHOICE ? e->outcomes : (uint32_t)q->events.count + 1;
    while (*next < count) {
        uint32_t number = (*next)++;
        *outcome = e->kind == HD_SR_RECEIVE && number == q->events.count ? (uint32_t)HD_SR_NONE : number;
        if (may_become(q, decision, number))
            return true;
    }
    return false;
}

/* --- validity --------------------------------------------------------------------------------------- */

static bool is_pair(const hd_sr *q, uint32_t i)
{
    const hd_sr_event *e = &q->events.items[i], *p = &q->events.items[e->partner];
    if (e->partner >= q->events.count || p->partner != i)
        return false;
    return e->kind == HD_SR_SEND ? hd_sr_fits(p, e) && i < e->partner : hd_sr_fits(e, p) && e->partner < i;
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
