#include "reach/variant.h"

#include "base/error.h"

void hd_sr_variant_init(hd_sr_variant *v, const hd_sr *q, hd_memory *memory)
{
    *v = (hd_sr_variant) { .q = q };
    v->kept.memory = v->outcomes.memory = v->order.memory = v->places.memory = memory;
}

void hd_sr_variant_fini(hd_sr_variant *v)
{
    hd_vec_fini(&v->kept);
    hd_vec_fini(&v->outcomes);
    hd_vec_fini(&v->order);
    hd_vec_fini(&v->places);
}

static const hd_sr_event *event_of(const hd_sr_variant *v, uint32_t i)
{
    return &v->q->events.items[i];
}

void hd_sr_variant_clear(hd_sr_variant *v)
{
    hd_vec_clear(&v->kept);
    hd_vec_clear(&v->outcomes);
    for (uint32_t i = 0; i < v->q->events.count; i++) {
        hd_vec_push(&v->kept, false);
        hd_vec_push(&v->outcomes, hd_sr_outcome(event_of(v, i)));
    }
}

void hd_sr_variant_change(hd_sr_variant *v, uint32_t decision, uint32_t outcome)
{
    for (uint32_t i = decision + 1; i < v->q->events.count; i++)
        v->kept.items[i] = v->kept.items[i] && !hd_sr_before(v->q, decision, i);
    v->kept.items[decision] = true;
    v->outcomes.items[decision] = outcome;
}

bool hd_sr_variant_changes(const hd_sr_variant *v, uint32_t event)
{
    return v->outcomes.items[event] != hd_sr_outcome(event_of(v, event));
}

void hd_sr_variant_decisions(const hd_sr_variant *v, hd_sr_decisions *out)
{
    hd_vec_clear(out);
    for (uint32_t i = 0; i < v->q->events.count; i++)
        if (v->kept.items[i] && hd_sr_decides(event_of(v, i)))
            hd_vec_push(out, hd_sr_decision_of(v->q, i, v->outcomes.items[i]));
    hd_sr_decisions_sort(out);
}

/* --- what must come first --------------------------------------------------------------------------------- */

/* The kept receive that takes the message of the send in the variant, or HD_SR_NONE. */
static uint32_t taker_of(const hd_sr_variant *v, uint32_t s)
{
    for (uint32_t i = 0; i < v->q->events.count; i++)
        if (v->kept.items[i] && v->outcomes.items[i] == s && event_of(v, i)->kind == HD_SR_RECEIVE)
            return i;
    return HD_SR_NONE;
}

static bool misses(const hd_sr_variant *v, uint32_t i)
{
    return event_of(v, i)->kind == HD_SR_RECEIVE && v->outcomes.items[i] == HD_SR_NONE;
}

/* Would the receive, which finds nothing, find the message of `s`, if it had been sent? */
static bool would_find(const hd_sr_variant *v, uint32_t receive, uint32_t s)
{
    if (!hd_sr_fits(event_of(v, receive), event_of(v, s)))
        return false;
    uint32_t taker = taker_of(v, s);
    return taker == HD_SR_NONE || event_of(v, taker)->index > event_of(v, receive)->index;
}

static bool happens_before(const hd_sr_variant *v, uint32_t a, uint32_t b)
{
    if (a == b || !hd_sr_variant_changes(v, b))
        return a != b && hd_sr_before(v->q, a, b);
    bool sent = event_of(v, b)->kind == HD_SR_RECEIVE && v->outcomes.items[b] != HD_SR_NONE;
    return hd_sr_before_receiving(v->q, a, b) || (sent && hd_sr_before(v->q, a, v->outcomes.items[b]));
}

static bool must_precede(const hd_sr_variant *v, uint32_t a, uint32_t b)
{
    return happens_before(v, a, b) || (misses(v, a) && a != b && would_find(v, a, b));
}

bool hd_sr_variant_keeps_in_vain(const hd_sr_variant *v)
{
    for (uint32_t d = 0; d < v->q->events.count; d++)
        for (uint32_t i = 0; i < d && v->kept.items[d] && hd_sr_variant_changes(v, d); i++)
            if (misses(v, i) && hd_sr_before(v->q, i, d) && !happens_before(v, i, d))
                return true;
    return false;
}

/* --- orders -------------------------------------------------------------------------------------------------- */

static void place(hd_sr_variant *v, uint32_t event)
{
    v->places.items[event] = (uint32_t)v->order.count;
    hd_vec_push(&v->order, event);
}

static bool is_ready(const hd_sr_variant *v, uint32_t b)
{
    for (uint32_t a = 0; a < v->q->events.count; a++)
        if (v->kept.items[a] && v->places.items[a] == HD_SR_NONE && must_precede(v, a, b))
            return false;
    return true;
}

static uint32_t find_ready(const hd_sr_variant *v)
{
    for (uint32_t i = 0; i < v->q->events.count; i++)
        if (v->kept.items[i] && v->places.items[i] == HD_SR_NONE && is_ready(v, i))
            return i;
    return HD_SR_NONE;
}

/* The order of the sequence, and changed decisions at the end: right unless a receive finds nothing. */
static void order_plainly(hd_sr_variant *v)
{
    for (int changed = 0; changed < 2; changed++)
        for (uint32_t i = 0; i < v->q->events.count; i++)
            if (v->kept.items[i] && hd_sr_variant_changes(v, i) == changed)
                place(v, i);
}

static bool linearise(hd_sr_variant *v)
{
    size_t count = 0;
    bool constrained = false;
    hd_vec_clear(&v->order);
    hd_vec_clear(&v->places);
    for (uint32_t i = 0; i < v->q->events.count; i++) {
        hd_vec_push(&v->places, HD_SR_NONE);
        count += v->kept.items[i];
        constrained |= v->kept.items[i] && misses(v, i);
    }
    if (!constrained)
        order_plainly(v);
    else
        for (uint32_t i; (i = find_ready(v)) != HD_SR_NONE;)
            place(v, i);
    return v->order.count == count;
}

/* --- schedules ------------------------------------------------------------------------------------------------- */

/* Is the message of `s` in its mailbox when the receive's turn comes? All receives there are of one thread. */
static bool is_there(const hd_sr_variant *v, uint32_t s, uint32_t receive)
{
    const hd_sr_event *r = event_of(v, receive);
    if (v->places.items[s] == HD_SR_NONE || v->places.items[s] > v->places.items[receive])
        return false;
    uint32_t taker = taker_of(v, s);
    return taker == HD_SR_NONE || event_of(v, taker)->index >= r->index;
}

static bool can_take(const hd_sr_variant *v, uint32_t receive, uint32_t s)
{
    const hd_sr_event *r = event_of(v, receive);
    hd_scheme scheme = hd_mail_scheme(r->value);
    if (!hd_sr_fits(r, event_of(v, s)) || !is_there(v, s, receive))
        return false;
    for (uint32_t m = 0; m < v->q->events.count && scheme != HD_SCHEME_ASYNC; m++)
        if (hd_sr_fits(r, event_of(v, m)) && hd_sr_is_ahead(v->q, scheme, m, s) && is_there(v, m, receive))
            return false;
    return true;
}

/* The outcome of the receive's operation: the number of its message among those that it can take (abi/mail.h). */
static uint8_t choice_of(const hd_sr_variant *v, uint32_t receive)
{
    uint32_t send = v->outcomes.items[receive];
    uint8_t choice = 0;
    for (uint32_t m = 0; m < v->q->events.count && send != HD_SR_NONE; m++)
        choice += m != send && event_of(v, m)->kind == HD_SR_SEND && event_of(v, m)->value < event_of(v, send)->value
            && can_take(v, receive, m);
    return choice;
}

bool hd_sr_variant_schedule(hd_sr_variant *v, hd_sr_schedule *out)
{
    hd_vec_clear(out);
    if (!linearise(v))
        return false;
    for (size_t i = 0; i < v->order.count; i++) {
        uint32_t event = v->order.items[i];
        const hd_sr_event *e = event_of(v, event);
        uint8_t choice = e->kind == HD_SR_RECEIVE ? choice_of(v, event) : (uint8_t)v->outcomes.items[event];
        hd_vec_push(out, ((hd_choice) { e->thread, choice }));
    }
    return true;
}
