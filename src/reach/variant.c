#include "reach/variant.h"

#include "base/error.h"

#include <string.h>

void hd_sr_variants_init(hd_sr_variants *v, const hd_sr *q, hd_memory *memory)
{
    *v = (hd_sr_variants) { .q = q };
    v->kept.memory = v->order.memory = v->cuts.memory = memory;
}

void hd_sr_variants_fini(hd_sr_variants *v)
{
    hd_vec_fini(&v->kept);
    hd_vec_fini(&v->order);
    hd_vec_fini(&v->cuts);
}

static const hd_sr_event *event_of(const hd_sr_variants *v, uint32_t i)
{
    return &v->q->events.items[i];
}

uint32_t hd_sr_variant_outcome(const hd_sr_variants *v, uint32_t event)
{
    const hd_sr_event *e = event_of(v, event);
    return event == v->decision ? v->to : e->kind == HD_SR_RECEIVE ? e->partner : e->outcome;
}

/* --- what must come first --------------------------------------------------------------------------------- */

/* The receive of the send in the variant, or HD_SR_NONE. */
static uint32_t receiver_of(const hd_sr_variants *v, uint32_t s)
{
    bool taken_anew = event_of(v, v->decision)->kind == HD_SR_RECEIVE && v->to == s;
    uint32_t r = taken_anew ? v->decision : event_of(v, s)->partner;
    bool holds = r != HD_SR_NONE && v->kept.items[r] && (taken_anew || r != v->decision);
    return holds ? r : (uint32_t)HD_SR_NONE;
}

/* Does the receive ask for the message of `m`, and is it still in the mailbox then, if it has been sent? */
static bool finds(const hd_sr_variants *v, uint32_t receive, uint32_t m)
{
    const hd_sr_event *r = event_of(v, receive), *e = event_of(v, m);
    if (e->kind != HD_SR_SEND || e->mailbox != r->mailbox || !hd_mail_matches(r->value, e->value))
        return false;
    uint32_t taker = receiver_of(v, m);
    return taker == HD_SR_NONE || event_of(v, taker)->index >= r->index;
}

static bool happens_before(const hd_sr_variants *v, uint32_t a, uint32_t b)
{
    if (b != v->decision)
        return a != b && hd_sr_before(v->q, a, b);
    bool sent = event_of(v, b)->kind == HD_SR_RECEIVE && v->to != HD_SR_NONE;
    return a != b && (hd_sr_before_receiving(v->q, a, b) || (sent && hd_sr_before(v->q, a, v->to)));
}

static bool misses(const hd_sr_variants *v, uint32_t a)
{
    const hd_sr_event *e = event_of(v, a);
    return e->kind == HD_SR_RECEIVE && !e->pending && hd_sr_variant_outcome(v, a) == HD_SR_NONE;
}

/* A receive that finds nothing comes before the sends that it would find. In a queue, a message that is taken lies
 * before all others that the receive would take. */
static bool must_precede(const hd_sr_variants *v, uint32_t a, uint32_t b)
{
    if (happens_before(v, a, b))
        return true;
    if (event_of(v, b)->kind != HD_SR_SEND || a == b)
        return false;
    if (misses(v, a))
        return finds(v, a, b);
    uint32_t taker = event_of(v, a)->kind == HD_SR_SEND ? receiver_of(v, a) : (uint32_t)HD_SR_NONE;
    return taker != HD_SR_NONE && hd_mail_scheme(event_of(v, taker)->value) == HD_SCHEME_CAUSAL && finds(v, taker, b);
}

/* Are there orders beside →? */
static bool is_constrained(const hd_sr_variants *v)
{
    for (uint32_t i = 0; i < v->q->events.count; i++) {
        const hd_sr_event *e = event_of(v, i);
        if (v->kept.items[i] && e->kind == HD_SR_RECEIVE
            && (misses(v, i) || hd_mail_scheme(e->value) == HD_SCHEME_CAUSAL))
            return true;
    }
    return false;
}

/* --- orders -------------------------------------------------------------------------------------------------- */

static bool is_ready(const hd_sr_variants *v, const bool *done, uint32_t b)
{
    for (uint32_t a = 0; a < v->q->events.count; a++)
        if (v->kept.items[a] && !done[a] && must_precede(v, a, b))
            return false;
    return true;
}

static uint32_t find_ready(const hd_sr_variants *v, const bool *done)
{
    for (uint32_t i = 0; i < v->q->events.count; i++)
        if (v->kept.items[i] && !done[i] && is_ready(v, done, i))
            return i;
    return HD_SR_NONE;
}

/* The order of the sequence is one of the variant, with the changed event at the end, unless there are other
 * constraints. */
static bool linearise(hd_sr_variants *v)
{
    size_t count = v->q->events.count, left = 0;
    hd_vec_clear(&v->order);
    if (!is_constrained(v)) {
        for (uint32_t i = 0; i < count; i++)
            if (v->kept.items[i] && i != v->decision)
                hd_vec_push(&v->order, i);
        hd_vec_push(&v->order, v->decision);
        return true;
    }
    bool *done = hd_alloc(v->order.memory, count);
    for (size_t i = 0; i < count; i++)
        left += v->kept.items[i];
    for (uint32_t i; left && (i = find_ready(v, done)) != HD_SR_NONE; left--) {
        done[i] = true;
        hd_vec_push(&v->order, i);
    }
    hd_release(v->order.memory, done, count);
    return !left;
}

/* --- keeping less ---------------------------------------------------------------------------------------------- */

static uint32_t words(const hd_sr_variants *v)
{
    return (uint32_t)(v->q->events.count + 31) / 32;
}

/* Is it in the past of the changed event, so that the variant needs it? */
static bool is_needed(const hd_sr_variants *v, uint32_t i)
{
    return i == v->decision || happens_before(v, i, v->decision);
}

static bool is_listed(const hd_sr_variants *v, const uint32_t *cut)
{
    for (size_t i = 0; i < v->cuts.count; i += words(v))
        if (!memcmp(&v->cuts.items[i], cut, words(v) * sizeof *cut))
            return true;
    return false;
}

/* Lists the variant without event `x` and all that happens after it. */
static void list_without(hd_sr_variants *v, uint32_t x)
{
    uint32_t *cut = hd_alloc(v->cuts.memory, words(v) * sizeof *cut);
    for (uint32_t i = 0; i < v->q->events.count; i++)
        if (v->kept.items[i] && !hd_sr_before(v->q, x, i))
            cut[i / 32] |= 1u << i % 32;
    if (!is_listed(v, cut))
        for (uint32_t i = 0; i < words(v); i++)
            hd_vec_push(&v->cuts, cut[i]);
    hd_release(v->cuts.memory, cut, words(v) * sizeof *cut);
}

/* The variant cannot be executed: one of its decisions has to go. */
static void list_smaller(hd_sr_variants *v)
{
    for (uint32_t i = 0; i < v->q->events.count; i++)
        if (v->kept.items[i] && hd_sr_decides(event_of(v, i)) && !is_needed(v, i))
            list_without(v, i);
}

/* --- one after the other ------------------------------------------------------------------------------------------ */

/* All that does not happen after the decision. What has taken the message that it takes now is after it. */
static void keep_all(hd_sr_variants *v)
{
    hd_vec_clear(&v->kept);
    hd_vec_clear(&v->cuts);
    v->tried = 0;
    for (uint32_t i = 0; i < v->q->events.count; i++)
        hd_vec_push(&v->kept, i == v->decision || (!hd_sr_before(v->q, v->decision, i) && !event_of(v, i)->pending));
}

/* The next variant that keeps less and can be executed; those that cannot list smaller ones. */
static bool take_listed(hd_sr_variants *v)
{
    while (v->tried < v->cuts.count) {
        for (uint32_t i = 0; i < v->q->events.count; i++)
            v->kept.items[i] = v->cuts.items[v->tried + i / 32] >> i % 32 & 1;
        v->tried += words(v);
        if (linearise(v))
            return true;
        list_smaller(v);
    }
    return false;
}

/* Is `outcome` possible instead of the present one? Outcomes of a receive: sends by number, then nothing. */
static bool is_other_outcome(const hd_sr_variants *v, uint32_t outcome)
{
    const hd_sr_event *e = event_of(v, v->decision);
    if (e->kind == HD_SR_CHOICE)
        return outcome < e->outcomes && outcome != e->outcome;
    if (outcome == v->q->events.count)
        return e->partner != HD_SR_NONE && hd_sr_may_miss(v->q, v->decision);
    return hd_sr_races(v->q, v->decision, outcome);
}

static bool next_outcome(hd_sr_variants *v)
{
    const hd_sr_event *e = event_of(v, v->decision);
    uint32_t count = e->kind == HD_SR_CHOICE ? e->outcomes : (uint32_t)v->q->events.count + 1;
    while (v->next < count)
        if (is_other_outcome(v, v->next++)) {
            bool nothing = e->kind == HD_SR_RECEIVE && v->next - 1 == v->q->events.count;
            v->to = nothing ? (uint32_t)HD_SR_NONE : v->next - 1;
            return true;
        }
    return false;
}

bool hd_sr_variants_next(hd_sr_variants *v)
{
    if (take_listed(v))
        return true;
    for (; v->decision < v->q->events.count; v->decision++, v->next = 0)
        while (hd_sr_decides(event_of(v, v->decision)) && next_outcome(v)) {
            keep_all(v);
            if (linearise(v))
                return true;
            list_smaller(v);
            if (take_listed(v))
                return true;
        }
    return false;
}

/* --- schedules -------------------------------------------------------------------------------------------------------
 */

/* The outcome of the receive's operation: the number of its message among those that it can take there. */
static uint8_t choice_of(const hd_sr_variants *v, size_t at, uint32_t send)
{
    const hd_sr_event *r = event_of(v, v->order.items[at]);
    hd_mail mail = { 0 };
    uint8_t choice = 0;
    for (size_t i = 0; i < at; i++) {
        const hd_sr_event *e = event_of(v, v->order.items[i]);
        uint32_t taken = hd_sr_variant_outcome(v, v->order.items[i]);
        if (e->kind == HD_SR_SEND && e->mailbox == r->mailbox)
            hd_mail_put(&mail, e->value);
        if (e->kind == HD_SR_RECEIVE && e->mailbox == r->mailbox && taken != HD_SR_NONE)
            hd_mail_remove(&mail, event_of(v, taken)->value);
    }
    for (uint32_t i = 0; i < mail.count; i++)
        choice += hd_mail_can_take(r->value, mail.labels, mail.count, i) && mail.labels[i] < event_of(v, send)->value;
    return choice;
}

void hd_sr_variant_schedule(const hd_sr_variants *v, hd_sr_schedule *out)
{
    hd_vec_clear(out);
    for (size_t i = 0; i < v->order.count; i++) {
        uint32_t event = v->order.items[i], outcome = hd_sr_variant_outcome(v, event);
        const hd_sr_event *e = event_of(v, event);
        uint8_t choice =
            e->kind == HD_SR_RECEIVE ? (outcome == HD_SR_NONE ? 0 : choice_of(v, i, outcome)) : (uint8_t)outcome;
        hd_vec_push(out, ((hd_choice) { e->thread, choice }));
    }
}
