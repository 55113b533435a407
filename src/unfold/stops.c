/* Collecting stops, and dropping those that can be in no blocked state. */
#include "unfold/stops_internal.h"

#include <string.h>

/* --- collecting ------------------------------------------------------------------------------- */

static bool is_blocked_at(const hd_unfolding *u, const meeting *m)
{
    const wish *w = &u->wishes.items[m->wish];
    return !w->after && !hd_unfold_is_enabled(u, m) && !(w->awaits && hd_unfold_is_behind_end(u, event_of(u, w)));
}

static void collect_blocked(hd_stops *s)
{
    const hd_unfolding *u = s->u;
    for (uint32_t i = 1; i < u->meetings.count; i++) {
        const meeting *m = &u->meetings.items[i];
        const wish *w = &u->wishes.items[m->wish];
        if (is_blocked_at(u, m))
            hd_vec_push(
                &s->items, ((stop) { .event = event_of(u, w), .meeting = i, .key = w->key, .kind = STOP_BLOCKED }));
    }
}

static const uint8_t kinds[] = { [HD_STOP_WAITS] = STOP_WAITS,
    [HD_STOP_NEUTRAL] = STOP_NEUTRAL,
    [HD_STOP_ENDS] = STOP_ENDED,
    [HD_STOP_EXITS] = STOP_EXITS,
    [HD_STOP_LEFT] = STOP_LEFT };

static void collect_marked(hd_stops *s)
{
    for (size_t i = 0; i < s->u->stops.count; i++) {
        const hd_unfold_stop *k = &s->u->stops.items[i];
        const event *v = &s->u->events.items[k->event];
        stop new = { .event = k->event, .key = k->key, .kind = kinds[k->kind] };
        if (k->kind == HD_STOP_EXITS) { /* the thread is before its exit, and finds what the exiting step finds */
            new.event = v->before;
            new.meeting = v->cause;
            new.exit = k->event;
        }
        hd_vec_push(&s->items, new);
    }
}

static void mark_stop(hd_unfolding *u, uint32_t e, hd_stop_kind kind, uint32_t key)
{
    if (u->events.items[e].stops >> kind & 1)
        return;
    u->events.items[e].stops |= (uint8_t)(1u << kind);
    hd_vec_push(&u->stops, ((hd_unfold_stop) { e, key, kind }));
}

/* Marks the objects that an exiting step accesses before it exits. */
static bool find_seen_at_exit(const hd_unfolding *u, bool *seen)
{
    bool any = false;
    for (size_t i = 0; i < u->stops.count; i++) {
        const event *v = &u->events.items[u->stops.items[i].event];
        for (uint32_t k = 0; u->stops.items[i].kind == HD_STOP_EXITS && k + 1 < v->access_count; k++) {
            seen[u->conditions.items[u->accesses.items[v->access + k].found].object] = true;
            any = true;
        }
    }
    return any;
}

/* A thread may stop before a step that accesses an object of an exiting step: see the header. */
static void mark_left(hd_unfolding *u)
{
    size_t room = u->objects.count * sizeof(bool);
    bool *seen = hd_alloc(u->memory, room);
    bool any = find_seen_at_exit(u, seen);
    for (uint32_t e = 1; any && e < u->events.count; e++) {
        const event *v = &u->events.items[e];
        for (uint32_t k = 0; k < v->access_count; k++)
            if (seen[u->conditions.items[u->accesses.items[v->access + k].found].object])
                mark_stop(u, v->before, HD_STOP_LEFT, 0);
    }
    hd_release(u->memory, seen, room);
}

/* --- the tree ----------------------------------------------------------------------------------- */

static void mark_above(hd_stops *s, uint32_t e)
{
    while (e) {
        e = s->u->events.items[e].before;
        if (s->at[e])
            return;
        s->at[e] = HD_STOPS_BELOW;
    }
}

static void hang_up(hd_stops *s)
{
    memset(s->at, 0, s->room * sizeof *s->at);
    memset(s->counts, 0, s->u->clock_width * sizeof *s->counts);
    memset(s->patient, true, s->u->clock_width * sizeof *s->patient);
    for (uint32_t i = 1; i < s->items.count; i++) {
        stop *k = &s->items.items[i];
        uint32_t *first = &s->at[k->event];
        if (k->dropped)
            continue;
        bool marked = *first;
        k->next = *first == HD_STOPS_BELOW ? 0 : *first;
        *first = i;
        uint16_t thread = s->u->events.items[k->event].thread;
        s->counts[thread]++;
        s->patient[thread] &= !is_stuck(k) || is_awaiting(s, k);
        if (!marked)
            mark_above(s, k->event);
    }
}

/* --- stops in no blocked state -----------------------------------------------------------------
 *
 * A thread that waits for a lock needs a holder that can stop before it releases the lock; one that awaits another
 * thread's end needs that thread to be able to stop before its end. Dropping the other stops settles most programs
 * without a search. */

typedef struct sieve {
    hd_stops *s;
    bool *unending; /* per thread: it can stop before its end */
    uint32_t exiting; /* the number of changes of thread among the exits: 0, 1, or more than one thread can exit */
    uint16_t exits; /* the thread of the last exit */
    hd_unfold_set walk;
} sieve;

static void note_stops(sieve *v)
{
    const hd_stops *s = v->s;
    memset(v->unending, 0, s->u->clock_width * sizeof *v->unending);
    v->exiting = 0;
    for (uint32_t i = 1; i < s->items.count; i++) {
        const stop *k = &s->items.items[i];
        uint16_t thread = s->u->events.items[k->exit ? k->exit : k->event].thread;
        if (k->dropped || k->kind == STOP_ENDED)
            continue;
        v->unending[thread] = true;
        if (k->kind == STOP_EXITS && (!v->exiting || v->exits != thread)) {
            v->exiting++;
            v->exits = thread;
        }
    }
}

/* Can the thread stop at e or below, without changing the meeting's condition? */
static bool can_stop_from(sieve *v, uint32_t e, uint32_t m)
{
    const hd_stops *s = v->s;
    hd_vec_clear(&v->walk);
    hd_vec_push(&v->walk, e);
    while (v->walk.count) {
        uint32_t x = hd_vec_pop(&v->walk);
        if (s->at[x] && s->at[x] != HD_STOPS_BELOW)
            return true;
        uint32_t n = hd_unfold_event_after(s->u, x, s->u->events.items[e].thread);
        for (; n; n = s->u->successors.items[n].beside)
            if (s->at[n] && !hd_unfold_is_beyond(s->u, m, n))
                hd_vec_push(&v->walk, n);
    }
    return false;
}

static bool leads_somewhere(sieve *v, const stop *k)
{
    const hd_unfolding *u = v->s->u;
    if (k->kind == STOP_LEFT)
        return v->exiting > 1 || (v->exiting && v->exits != u->events.items[k->event].thread);
    if (k->kind != STOP_BLOCKED)
        return true;
    const wish *w = wish_of(v->s, k);
    if (w->awaits)
        return v->unending[u->objects.items[w->object].thread];
    uint32_t holder = maker_of(u, u->meetings.items[k->meeting].condition);
    return !holder || w->needs != HD_NEED_ZERO || can_stop_from(v, holder, k->meeting);
}

void hd_stops_sift(hd_stops *s)
{
    sieve v = { .s = s, .walk.memory = s->u->memory };
    v.unending = hd_alloc(s->u->memory, s->u->clock_width * sizeof *v.unending);
    for (bool dropped = true; dropped;) { /* a dropped stop may have been the only reason for another */
        dropped = false;
        hang_up(s);
        note_stops(&v);
        for (uint32_t i = 1; i < s->items.count; i++) {
            stop *k = &s->items.items[i];
            if (k->dropped || leads_somewhere(&v, k))
                continue;
            k->dropped = dropped = true;
        }
    }
    hd_release(s->u->memory, v.unending, s->u->clock_width * sizeof *v.unending);
    hd_vec_fini(&v.walk);
}

void hd_stops_open(hd_stops *s, hd_unfolding *u)
{
    *s = (hd_stops) { .u = u, .items.memory = u->memory, .room = u->events.count };
    s->at = hd_alloc(u->memory, s->room * sizeof *s->at);
    hd_unfold_know_successors(u);
    s->aside = u->crowds;
    hd_unfold_open_crowds(u);
    s->counts = hd_alloc(u->memory, u->clock_width * sizeof *s->counts);
    s->patient = hd_alloc(u->memory, u->clock_width * sizeof *s->patient);
    hd_vec_push(&s->items, ((stop) { .dropped = true }));
    collect_blocked(s);
    mark_left(u);
    collect_marked(s);
    hd_stops_sift(s);
}

void hd_stops_close(hd_stops *s)
{
    hd_unfold_forget_successors(s->u);
    hd_unfold_close_crowds(s->u);
    s->u->crowds = s->aside;
    hd_release(s->u->memory, s->at, s->room * sizeof *s->at);
    hd_release(s->u->memory, s->counts, s->u->clock_width * sizeof *s->counts);
    hd_release(s->u->memory, s->patient, s->u->clock_width * sizeof *s->patient);
    hd_vec_fini(&s->items);
}

void hd_unfold_mark_stop(hd_unfolding *u, uint16_t thread, hd_stop_kind kind, uint32_t key)
{
    mark_stop(u, hd_unfold_at(u, thread), kind, key);
}
