#include "reach/revisit.h"

#include "base/error.h"

static const hd_sr_event *event_of(const hd_sr_revisits *v, uint32_t i)
{
    return &v->variant.q->events.items[i];
}

static void stamp(hd_sr_revisits *v, uint32_t event)
{
    v->stamps.items[event] = (uint32_t)v->order.count;
    hd_vec_push(&v->order, event);
}

void hd_sr_revisits_init(hd_sr_revisits *v, const hd_sr *q, const hd_sr_plan *planned, hd_memory *memory)
{
    *v = (hd_sr_revisits) { .at = (uint32_t)planned->count };
    v->stamps.memory = v->order.memory = memory;
    hd_sr_variant_init(&v->variant, q, memory);
    for (uint32_t i = 0; i < q->events.count; i++)
        hd_vec_push(&v->stamps, HD_SR_NONE);
    for (size_t n = 0; n < planned->count; n++)
        for (uint32_t i = 0; i < q->events.count; i++)
            if (event_of(v, i)->thread == planned->items[n].thread && event_of(v, i)->index == planned->items[n].index)
                stamp(v, i);
    for (uint32_t i = 0; i < q->events.count; i++)
        if (v->stamps.items[i] == HD_SR_NONE && !event_of(v, i)->pending)
            stamp(v, i);
}

void hd_sr_revisits_fini(hd_sr_revisits *v)
{
    hd_sr_variant_fini(&v->variant);
    hd_vec_fini(&v->stamps);
    hd_vec_fini(&v->order);
}

static bool comes_before(const hd_sr_revisits *v, uint32_t a, uint32_t b)
{
    return v->stamps.items[a] < v->stamps.items[b];
}

/* --- backward -------------------------------------------------------------------------------------------------- */

/* Is the send before the event, or in the past of `s`? */
static bool was_there(const hd_sr_revisits *v, uint32_t send, uint32_t event, uint32_t s)
{
    return comes_before(v, send, event) || (send != s && hd_sr_before(v->variant.q, send, s));
}

/* Has the decision the plain outcome, given what was before it and the past of `s`? */
static bool is_plain(const hd_sr_revisits *v, uint32_t decision, uint32_t s)
{
    const hd_sr *q = v->variant.q;
    const hd_sr_event *e = event_of(v, decision);
    if (e->kind == HD_SR_CHOICE)
        return e->outcome == 0;
    if (e->partner != HD_SR_NONE && !was_there(v, e->partner, decision, s))
        return false;
    for (uint32_t m = 0; m < q->events.count; m++)
        if (event_of(v, m)->kind == HD_SR_SEND && was_there(v, m, decision, s) && hd_sr_races(q, decision, m)
            && (e->partner == HD_SR_NONE || event_of(v, m)->value < event_of(v, e->partner)->value))
            return false;
    return true;
}

/* May the event, which comes after the receive, be dropped? */
static bool may_go(const hd_sr_revisits *v, uint32_t event, uint32_t receive, uint32_t s)
{
    const hd_sr_event *e = event_of(v, event);
    if (hd_sr_decides(e))
        return is_plain(v, event, s);
    return e->kind != HD_SR_SEND || e->partner == HD_SR_NONE || !comes_before(v, e->partner, receive);
}

static bool may_revisit(const hd_sr_revisits *v, uint32_t receive, uint32_t s)
{
    const hd_sr *q = v->variant.q;
    if (event_of(v, receive)->kind != HD_SR_RECEIVE || !hd_sr_races(q, receive, s) || !is_plain(v, receive, s))
        return false;
    for (uint32_t n = v->stamps.items[receive] + 1; n < v->at; n++)
        if (!hd_sr_before(q, v->order.items[n], s) && !may_go(v, v->order.items[n], receive, s))
            return false;
    return true;
}

static void keep_before(hd_sr_revisits *v, uint32_t decision)
{
    hd_sr_variant_clear(&v->variant);
    for (uint32_t n = 0; n < v->stamps.items[decision]; n++)
        v->variant.kept.items[v->order.items[n]] = true;
    v->revisited = decision;
}

static bool next_backward(hd_sr_revisits *v, uint32_t s)
{
    while (v->next < v->at) {
        uint32_t receive = v->order.items[v->next++];
        if (!may_revisit(v, receive, s))
            continue;
        keep_before(v, receive);
        for (uint32_t i = 0; i < v->variant.q->events.count; i++)
            v->variant.kept.items[i] |= hd_sr_before(v->variant.q, i, s);
        hd_sr_variant_change(&v->variant, receive, s);
        return true;
    }
    return false;
}

/* --- forward --------------------------------------------------------------------------------------------------- */

/* A receive may take what was sent before it, or find nothing, if it can come before what was sent. */
static bool next_forward(hd_sr_revisits *v, uint32_t decision)
{
    uint32_t outcome;
    while (hd_sr_next_outcome(v->variant.q, decision, &v->next, &outcome)) {
        bool takes = event_of(v, decision)->kind == HD_SR_RECEIVE && outcome != HD_SR_NONE;
        if (takes && !comes_before(v, outcome, decision))
            continue;
        keep_before(v, decision);
        hd_sr_variant_change(&v->variant, decision, outcome);
        return true;
    }
    return false;
}

bool hd_sr_revisits_next(hd_sr_revisits *v)
{
    for (; v->at < v->order.count; v->at++, v->next = 0) {
        uint32_t event = v->order.items[v->at];
        if (hd_sr_decides(event_of(v, event)) && next_forward(v, event))
            return true;
        if (event_of(v, event)->kind == HD_SR_SEND && next_backward(v, event))
            return true;
    }
    return false;
}

void hd_sr_revisits_plan(const hd_sr_revisits *v, hd_sr_plan *out)
{
    hd_vec_clear(out);
    for (size_t n = 0; n < v->order.count; n++) {
        uint32_t i = v->order.items[n];
        if (v->variant.kept.items[i])
            hd_vec_push(out, ((hd_sr_planned) { event_of(v, i)->thread, event_of(v, i)->index }));
    }
}
