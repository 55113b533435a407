/* Blocked states, from the unfolding alone.
 *
 * A thread can be left for ever where its wish met a condition that it is not
 * enabled at, or where it waits to be woken: its *stops*. Its last events are
 * stops, too. A configuration made of one stop per thread, in which every wish
 * that is left still finds what blocks it, is a deadlock. The search chooses a
 * stop for one thread after the other, that of a thread which has what another
 * one waits for first, and gives up a choice as soon as stops do not fit. */
#include "unfold/parts.h"

#include <string.h>

typedef enum stop_kind { STOP_BLOCKED, STOP_WAITS, STOP_NEUTRAL, STOP_ENDED } stop_kind;

typedef struct stop {
    uint32_t event;
    uint32_t meeting; /* of a blocked one */
    uint32_t place;
    uint8_t kind;
} stop;

typedef struct stops {
    hd_vec(stop) items;
} stops;

typedef struct search {
    hd_unfolding *u;
    stops *of; /* per thread */
    uint32_t threads;
    const stop **chosen; /* per thread */
    uint32_t *prospects; /* per number of chosen stops */
    uint32_t root; /* only threads from this on may be blocked */
    uint64_t left; /* tests that may still be made */
    const hd_unfold_judge *judge;
    hd_unfold_set events; /* of what is chosen */
    hd_unfold_set *found;
    hd_map *known;
} search;

/* --- stops ---------------------------------------------------------------------------------- */

static bool is_blocked_at(const hd_unfolding *u, const meeting *m)
{
    const wish *w = &u->wishes.items[m->wish];
    return !w->after && !hd_unfold_is_enabled(u, m) && !(w->awaits && hd_unfold_is_behind_end(u, w->event));
}

static void collect_blocked(hd_unfolding *u, stops *of)
{
    for (uint32_t i = 1; i < u->meetings.count; i++) {
        const meeting *m = &u->meetings.items[i];
        const wish *w = &u->wishes.items[m->wish];
        if (!is_blocked_at(u, m))
            continue;
        stop s = { w->event, i, w->place, STOP_BLOCKED };
        hd_vec_push(&of[u->events.items[w->event].thread].items, s);
    }
}

static void collect_marked(hd_unfolding *u, stops *of)
{
    for (size_t i = 0; i < u->stops.count; i++) {
        const hd_unfold_stop *k = &u->stops.items[i];
        stop s = { k->event, 0, k->place,
            k->kind == HD_STOP_WAITS      ? STOP_WAITS
                : k->kind == HD_STOP_ENDS ? STOP_ENDED
                                          : STOP_NEUTRAL };
        hd_vec_push(&of[u->events.items[k->event].thread].items, s);
    }
}

/* --- stops that lead nowhere -------------------------------------------------------------------
 *
 * Who waits for a lock needs a holder that can stop before it gives the lock
 * back; who awaits another thread's end, one that can stop before it. Without
 * these most programs have nothing to search. */

typedef struct sieve {
    hd_unfolding *u;
    stops *of;
    hd_map at; /* events with a stop */
    hd_map unending; /* threads that can stop before their end */
} sieve;

static void note_stops(sieve *v)
{
    hd_map_clear(&v->at);
    hd_map_clear(&v->unending);
    for (uint32_t t = 0; t < v->u->clock_width; t++)
        for (size_t i = 0; i < v->of[t].items.count; i++) {
            const stop *k = &v->of[t].items.items[i];
            hd_map_put(&v->at, k->event);
            if (k->kind != STOP_ENDED)
                hd_map_put(&v->unending, t);
        }
}

/* Can the thread stop at e or later, with the meeting as it is? */
static bool can_stop_from(const sieve *v, uint32_t e, uint32_t m)
{
    if (hd_map_get(&v->at, e))
        return true;
    for (uint32_t n = v->u->events.items[e].child; n; n = v->u->events.items[n].beside)
        if (!hd_unfold_is_beyond(v->u, m, n) && can_stop_from(v, n, m))
            return true;
    return false;
}

static bool leads_somewhere(const sieve *v, const stop *k)
{
    if (k->kind != STOP_BLOCKED)
        return true;
    const meeting *m = &v->u->meetings.items[k->meeting];
    const wish *w = &v->u->wishes.items[m->wish];
    uint32_t holder = v->u->conditions.items[m->condition].event;
    if (w->awaits)
        return hd_map_get(&v->unending, v->u->objects.items[w->object].thread);
    return !holder || w->needs != HD_NEED_ZERO || can_stop_from(v, holder, k->meeting);
}

static void drop_hopeless(hd_unfolding *u, stops *of)
{
    sieve v = { .u = u, .of = of };
    bool dropped = true;
    hd_map_init(&v.at, u->memory);
    hd_map_init(&v.unending, u->memory);
    while (dropped) {
        dropped = false;
        note_stops(&v);
        for (uint32_t t = 0; t < u->clock_width; t++) {
            size_t kept = 0;
            for (size_t i = 0; i < of[t].items.count; i++)
                if (leads_somewhere(&v, &of[t].items.items[i]))
                    of[t].items.items[kept++] = of[t].items.items[i];
            dropped |= kept < of[t].items.count;
            of[t].items.count = kept;
        }
    }
    hd_map_fini(&v.at);
    hd_map_fini(&v.unending);
}

/* --- what fits -------------------------------------------------------------------------------- */

static uint32_t all_chosen(const search *s, uint32_t depth)
{
    return s->prospects[depth];
}

/* Has what the wish waits for been reached in the past of e? */
static bool is_reached(const hd_unfolding *u, uint32_t number, uint32_t e)
{
    uint16_t thread = u->objects.items[number].thread;
    for (uint32_t x = clock_of(u, e)[thread]; x; x = u->events.items[x].before)
        if (hd_unfold_find_reached(u, number, x))
            return true;
    return false;
}

/* Has somebody in the past of e woken the thread from where it waits? */
static bool is_woken(const hd_unfolding *u, const stop *k, uint32_t e)
{
    for (uint32_t n = u->events.items[k->event].child; n; n = u->events.items[n].beside)
        if (u->events.items[n].kind == EVENT_ORDER && hd_unfold_precedes(u, u->events.items[n].cause, e))
            return true;
    return false;
}

/* Would the event take the stop away: has its thread gone on, or what blocks it changed? */
static bool undoes(const search *s, const stop *k, uint32_t e)
{
    const hd_unfolding *u = s->u;
    uint16_t thread = u->events.items[k->event].thread;
    if (u->events.items[clock_of(u, e)[thread]].depth > u->events.items[k->event].depth)
        return true;
    if (!k->meeting)
        return k->kind == STOP_WAITS && is_woken(u, k, e);
    const wish *w = &u->wishes.items[u->meetings.items[k->meeting].wish];
    return w->awaits ? is_reached(u, w->object, e) : hd_unfold_is_beyond(u, k->meeting, e);
}

static uint32_t blocker_of(const search *s, const stop *k)
{
    return k->meeting ? s->u->conditions.items[s->u->meetings.items[k->meeting].condition].event : 0;
}

static bool undoes_any(const search *s, uint32_t e)
{
    for (uint32_t t = 0; t < s->threads; t++)
        if (s->chosen[t] && undoes(s, s->chosen[t], e))
            return true;
    return false;
}

static bool may_stop(search *s, const stop *k, uint32_t depth)
{
    hd_unfolding *u = s->u;
    uint32_t before = all_chosen(s, depth), blocker = blocker_of(s, k);
    s->left -= s->left > 0;
    if (undoes(s, k, before) || undoes_any(s, k->event) || !hd_unfold_trees_agree(u, before, k->event))
        return false;
    return !blocker
        || (!undoes(s, k, blocker) && !undoes_any(s, blocker) && hd_unfold_trees_agree(u, before, blocker)
            && hd_unfold_trees_agree(u, k->event, blocker));
}

/* Makes the prospect for one more chosen stop. */
static void choose_stop(search *s, const stop *k, uint32_t depth)
{
    hd_unfolding *u = s->u;
    uint32_t from = s->prospects[depth], to = s->prospects[depth + 1];
    memcpy(clock_of(u, to), clock_of(u, from), u->clock_width * sizeof *u->clocks);
    if (u->column_width)
        memcpy(columns_of(u, to), columns_of(u, from), u->column_width * sizeof *u->columns);
    hd_unfold_join(u, to, k->event);
    if (blocker_of(s, k))
        hd_unfold_join(u, to, blocker_of(s, k));
}

/* --- which thread comes next -------------------------------------------------------------------- */

static bool has_started(const search *s, uint32_t t, uint32_t depth)
{
    const hd_unfolding *u = s->u;
    uint32_t now = all_chosen(s, depth);
    if (!t || clock_of(u, now)[t])
        return true;
    for (size_t i = 0; i < u->starts.count; i++) {
        const event *v = &u->events.items[u->starts.items[i]];
        if (v->thread == t && (!v->cause || hd_unfold_precedes(u, v->cause, now)))
            return true;
    }
    return false;
}

/* The thread that a chosen one waits for, if there is one without a stop. */
static uint32_t next_thread(const search *s, uint32_t depth)
{
    for (uint32_t t = 0; t < s->threads; t++) {
        uint32_t blocker = s->chosen[t] ? blocker_of(s, s->chosen[t]) : 0;
        if (blocker && !s->chosen[s->u->events.items[blocker].thread])
            return s->u->events.items[blocker].thread;
    }
    for (uint32_t t = 0; t < s->threads; t++)
        if (!s->chosen[t] && has_started(s, t, depth))
            return t;
    return s->threads;
}

/* --- the search ------------------------------------------------------------------------------------ */

static uint64_t places_of(const search *s)
{
    uint64_t places = 0;
    for (uint32_t t = 0; t < s->threads; t++)
        if (s->chosen[t] && s->chosen[t]->kind != STOP_ENDED)
            places = hd_hash(places ^ hd_hash(s->chosen[t]->place ^ (uint64_t)t << 32));
    return places;
}

static void collect_chosen(search *s)
{
    hd_vec_clear(&s->events);
    for (uint32_t t = 0; t < s->threads; t++) {
        if (!s->chosen[t])
            continue;
        hd_vec_push(&s->events, s->chosen[t]->event);
        uint32_t blocker = blocker_of(s, s->chosen[t]);
        if (blocker)
            hd_vec_push(&s->events, blocker);
    }
}

/* Stops that fit pairwise need not fit together: inputs may not permit it, nor
 * the order of looks in the contextual net. */
static bool is_possible(search *s)
{
    hd_unfolding *u = s->u;
    if (!hd_unfold_configuration(u, s->events.items, (uint32_t)s->events.count, &u->found))
        return false;
    hd_unfold_sides_of(u, u->found.items, u->found.count, &u->literals);
    return !u->literals.count || s->judge->permits(s->judge->context, u->literals.items, u->literals.count, true);
}

static void keep(search *s)
{
    uint64_t places = places_of(s);
    collect_chosen(s);
    if (hd_map_get(s->known, places) || !is_possible(s))
        return;
    *hd_map_put(s->known, places) = 1;
    hd_vec_push(s->found, (uint32_t)s->events.count);
    for (size_t i = 0; i < s->events.count; i++)
        hd_vec_push(s->found, s->events.items[i]);
}

static bool may_be_kind(const search *s, uint32_t thread, uint8_t kind)
{
    return thread >= s->root || kind == STOP_ENDED || kind == STOP_NEUTRAL;
}

static void extend(search *s, uint32_t depth)
{
    uint32_t t = next_thread(s, depth);
    if (t == s->threads) {
        keep(s);
        return;
    }
    for (size_t i = 0; i < s->of[t].items.count && s->left; i++) {
        const stop *k = &s->of[t].items.items[i];
        if (!may_be_kind(s, t, k->kind) || !may_stop(s, k, depth))
            continue;
        choose_stop(s, k, depth);
        s->chosen[t] = k;
        extend(s, depth + 1);
        s->chosen[t] = NULL;
    }
}

static void search_from_each(search *s)
{
    for (s->root = 0; s->root < s->threads; s->root++)
        for (size_t i = 0; i < s->of[s->root].items.count && s->left; i++) {
            const stop *k = &s->of[s->root].items.items[i];
            if ((k->kind != STOP_BLOCKED && k->kind != STOP_WAITS) || !may_stop(s, k, 0))
                continue;
            choose_stop(s, k, 0);
            s->chosen[s->root] = k;
            extend(s, 1);
            s->chosen[s->root] = NULL;
        }
}

static void open_prospects(search *s)
{
    hd_unfolding *u = s->u;
    while (u->prospects.count <= s->threads + 1)
        hd_vec_push(&u->prospects, hd_unfold_new_event(u, EVENT_PROSPECT, 0, 0));
    s->prospects = u->prospects.items;
    uint32_t first = s->prospects[0];
    memset(clock_of(u, first), 0, u->clock_width * sizeof *u->clocks);
    for (size_t i = 0; i < u->slots.count; i++)
        columns_of(u, first)[i] = columns_of(u, 0)[i];
}

bool hd_unfold_find_deadlocks(
    hd_unfolding *u, uint64_t effort, const hd_unfold_judge *judge, hd_map *known, hd_unfold_set *found)
{
    search s = { .u = u,
        .threads = (uint32_t)u->clock_width,
        .left = effort,
        .judge = judge,
        .events.memory = u->memory,
        .found = found,
        .known = known };
    s.of = hd_alloc(u->memory, s.threads * sizeof *s.of);
    s.chosen = hd_alloc(u->memory, s.threads * sizeof *s.chosen);
    for (uint32_t t = 0; t < s.threads; t++)
        s.of[t].items.memory = u->memory;
    hd_vec_clear(found);
    collect_blocked(u, s.of);
    collect_marked(u, s.of);
    drop_hopeless(u, s.of);
    open_prospects(&s);
    search_from_each(&s);
    for (uint32_t t = 0; t < s.threads; t++)
        hd_vec_fini(&s.of[t].items);
    hd_vec_fini(&s.events);
    hd_release(u->memory, s.of, s.threads * sizeof *s.of);
    hd_release(u->memory, s.chosen, s.threads * sizeof *s.chosen);
    return s.left > 0;
}

void hd_unfold_mark_stop(hd_unfolding *u, uint16_t thread, hd_stop_kind kind, uint32_t place)
{
    uint32_t e = hd_unfold_at(u, thread);
    if (u->events.items[e].stops >> kind & 1)
        return;
    u->events.items[e].stops |= (uint8_t)(1u << kind);
    hd_vec_push(&u->stops, ((hd_unfold_stop) { e, place, kind }));
}
