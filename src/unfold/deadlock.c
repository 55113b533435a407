/* Blocked states, found in the net alone (docs/algorithms/unfold.md, "Blocked states").
 *
 * A configuration with one stop per thread in which no event is enabled is a blocked state; since the net is complete,
 * that is the definition. The search chooses a stop for one thread after the other. Each choice leaves every other
 * thread a list of stops that fit all choices; if a list is empty, the choice fails. The next thread is one whose list
 * the choices have shortened, so independent threads do not multiply.
 *
 * In a first phase each stop is tried until any blocked state with it is found, and dropped if there is none; most
 * programs have no stops left then. The second phase enumerates the blocked states of the remaining stops, one per set
 * of keys. */
#include "unfold/stops_internal.h"

#include <string.h>

typedef struct range {
    uint32_t from, to;
    bool goes_on; /* the list is not complete */
} range;

typedef struct search {
    hd_unfolding *u;
    hd_stops stops;
    uint32_t threads;
    const stop **chosen; /* per thread */
    uint32_t *prospects; /* per number of chosen stops: the union of their pasts */
    range *lists; /* per number of chosen stops and thread, in `fitting` */
    hd_unfold_set fitting; /* numbers of stops */
    hd_unfold_set walk, makers;
    bool any; /* the first phase: one blocked state is enough */
    bool found_any;
    uint64_t left; /* visits of events that are left of the bound */
    const hd_unfold_judge *judge;
    hd_unfold_set events; /* of what is chosen */
    hd_unfold_set *found;
    hd_map *known;
} search;

/* --- what fits -------------------------------------------------------------------------------- */

/* Was the awaited object reached in the past of e? */
static bool is_reached(const hd_unfolding *u, uint32_t number, uint32_t e)
{
    uint16_t thread = u->objects.items[number].thread;
    for (uint32_t x = clock_of(u, e)[thread]; x; x = u->events.items[x].before)
        if (hd_unfold_find_reached(u, number, x))
            return true;
    return false;
}

/* Was the thread woken from this stop, or a thread created in the place of the ended one, in the past of e? */
static bool is_woken(const hd_stops *s, const stop *k, uint32_t e)
{
    const hd_unfolding *u = s->u;
    uint32_t n = hd_unfold_event_after(u, k->event, u->events.items[k->event].thread);
    for (; n; n = u->successors.items[n].beside)
        if (u->events.items[n].kind == EVENT_ORDER && hd_unfold_precedes(u, u->events.items[n].cause, e))
            return true;
    return false;
}

/* Was a condition that the step finds up to the meeting changed in the past of e? */
static bool is_overtaken(const hd_unfolding *u, uint32_t m, uint32_t e)
{
    return hd_unfold_is_beyond(u, m, e) || hd_unfold_overtakes(u, u->meetings.items[m].wish, e);
}

/* Does the event contradict the stop: has its thread continued in the event's past, or was it unblocked there? */
static bool undoes(const search *s, const stop *k, uint32_t e)
{
    const hd_unfolding *u = s->u;
    uint16_t thread = u->events.items[k->event].thread;
    if (u->events.items[clock_of(u, e)[thread]].depth > u->events.items[k->event].depth)
        return true;
    if (!k->meeting)
        return (k->kind == STOP_WAITS || k->kind == STOP_ENDED) && is_woken(&s->stops, k, e);
    const wish *w = wish_of(&s->stops, k);
    return w->awaits ? is_reached(u, w->object, e) : is_overtaken(u, k->meeting, e);
}

/* Does the event fit all chosen stops? Descendants of an event that does not fit do not fit either. */
static bool leaves_chosen(search *s, uint32_t depth, uint32_t e)
{
    s->left -= s->left > 0;
    if (!hd_unfold_trees_agree(s->u, s->prospects[depth], e))
        return false;
    for (uint32_t t = 0; t < s->threads; t++)
        if (s->chosen[t] && undoes(s, s->chosen[t], e))
            return false;
    return true;
}

/* The meeting of the same step before this one. */
static uint32_t meeting_before(const hd_unfolding *u, uint32_t m)
{
    return u->wishes.items[u->meetings.items[m].wish].after;
}

/* The events that made the conditions which block the thread, or which its exiting step finds. */
static const hd_unfold_set *makers_of(search *s, const stop *k)
{
    hd_vec_clear(&s->makers);
    for (uint32_t m = k->meeting; m; m = meeting_before(s->u, m))
        hd_unfold_condition_causes(s->u, s->u->meetings.items[m].condition, &s->makers);
    return &s->makers;
}

/* Does the stop fit the choices, given that its event does? */
static bool may_stop(search *s, const stop *k, uint32_t depth)
{
    const hd_unfold_set *makers = makers_of(s, k);
    bool fits = !undoes(s, k, s->prospects[depth]);
    for (size_t i = 0; fits && i < makers->count; i++)
        fits = leaves_chosen(s, depth, makers->items[i]);
    return fits;
}

static void choose_stop(search *s, uint32_t thread, const stop *k, uint32_t depth)
{
    hd_unfolding *u = s->u;
    uint32_t from = s->prospects[depth], to = s->prospects[depth + 1];
    memcpy(clock_of(u, to), clock_of(u, from), u->clock_width * sizeof *u->clocks);
    if (u->column_width)
        memcpy(columns_of(u, to), columns_of(u, from), u->column_width * sizeof *u->columns);
    if (u->rows.count)
        u->rows.items[to] = u->rows.items[from];
    hd_unfold_join(u, to, k->event);
    for (uint32_t m = k->meeting; m; m = meeting_before(u, m))
        hd_unfold_join_condition(u, to, u->meetings.items[m].condition);
    s->chosen[thread] = k;
}

/* --- lists ---------------------------------------------------------------------------------------- */

static bool has_started(const search *s, uint32_t t, uint32_t depth)
{
    const hd_unfolding *u = s->u;
    uint32_t now = s->prospects[depth];
    if (!t || clock_of(u, now)[t])
        return true;
    for (size_t i = 0; i < u->starts.count; i++) {
        const event *v = &u->events.items[u->starts.items[i]];
        if (v->thread == t && (!v->cause || hd_unfold_precedes(u, v->cause, now)))
            return true;
    }
    return false;
}

/* Lists the thread's stops that fit the choices, below the last event that the choices imply for it. The walk ends when
 * there are more than `most`: another thread has a shorter list. */
static range list_fitting(search *s, uint32_t thread, uint32_t depth, uint64_t most)
{
    hd_unfolding *u = s->u;
    range list = { .from = (uint32_t)s->fitting.count };
    hd_vec_clear(&s->walk);
    hd_vec_push(&s->walk, clock_of(u, s->prospects[depth])[thread]);
    while (s->walk.count && s->fitting.count - list.from <= most) {
        uint32_t e = hd_vec_pop(&s->walk);
        bool own = u->events.items[e].thread == thread && s->stops.at[e] != HD_STOPS_BELOW;
        for (uint32_t i = own ? s->stops.at[e] : 0; i; i = s->stops.items.items[i].next) {
            const stop *k = &s->stops.items.items[i];
            if (!k->dropped && may_stop(s, k, depth))
                hd_vec_push(&s->fitting, i);
        }
        size_t from = hd_unfold_gather(u, events_of(thread), e, s->prospects[depth]);
        for (size_t i = from; i < u->near.count; i++)
            if (s->stops.at[u->near.items[i]] && leaves_chosen(s, depth, u->near.items[i]))
                hd_vec_push(&s->walk, u->near.items[i]);
        u->near.count = from;
    }
    list.to = (uint32_t)s->fitting.count;
    list.goes_on = s->walk.count != 0;
    return list;
}

/* Is the thread listed in this pass? The stop of a thread that only waits for others to end follows from the others,
 * and it may have very many. So in the first phase such threads come last. */
static bool is_listed(const search *s, uint32_t t, uint32_t depth, bool patient)
{
    return !s->chosen[t] && (!s->any || s->stops.patient[t] == patient) && has_started(s, t, depth);
}

static bool list_some(search *s, uint32_t depth, bool patient, uint32_t *next)
{
    range *lists = &s->lists[depth * s->threads];
    uint64_t best = UINT64_MAX;
    *next = s->threads;
    for (uint32_t t = s->threads; t-- > 0;) { /* thread 0 usually joins the others and has the most stops */
        if (!is_listed(s, t, depth, patient))
            continue;
        lists[t] = list_fitting(s, t, depth, best);
        uint64_t count = lists[t].to - lists[t].from, whole = count == s->stops.counts[t];
        if (!count)
            return false;
        if ((count | whole << 32) < best) {
            best = count | whole << 32;
            *next = t;
        }
    }
    return true;
}

/* Lists the fitting stops of each thread that has none chosen; the next thread is the one with the shortest list among
 * those whose lists the choices have shortened. False: a list is empty. */
static bool list_all(search *s, uint32_t depth, uint32_t *next)
{
    return list_some(s, depth, false, next) && (*next < s->threads || !s->any || list_some(s, depth, true, next));
}

/* --- what is found ------------------------------------------------------------------------------------ */

/* The number of the thread that holds the lock that the stop waits for, plus 1; 0: it waits for something else. */
static uint64_t holder_for(const search *s, const stop *k)
{
    const hd_unfolding *u = s->u;
    uint8_t needs = k->kind == STOP_BLOCKED ? wish_of(&s->stops, k)->needs : HD_NEED_NOTHING;
    if (needs != HD_NEED_ZERO && needs != HD_NEED_NO_WRITER)
        return 0;
    const condition *c = &u->conditions.items[u->meetings.items[k->meeting].condition];
    bool taken = !c->closed && c->maker && !u->conditions.items[c->parent].count;
    return taken ? 1u + u->events.items[c->maker].thread : 0;
}

static uint64_t key_of_stop(const search *s, const stop *k, uint32_t thread)
{
    uint64_t how = (uint64_t)k->kind << 32 | holder_for(s, k);
    return k->kind == STOP_ENDED ? 0 : hd_hash(hd_hash(how) ^ k->key ^ (uint64_t)thread << 32);
}

/* A hash of the keys of all threads' stops, if the remaining choices make no difference to it; otherwise 0. */
static uint64_t keys_of(const search *s, uint32_t depth, uint32_t next)
{
    uint64_t keys = 1;
    for (uint32_t t = 0; t < s->threads; t++) {
        if (s->chosen[t]) {
            keys += key_of_stop(s, s->chosen[t], t);
        } else if (next < s->threads && has_started(s, t, depth)) {
            range list = s->lists[depth * s->threads + t];
            if (list.goes_on)
                return 0;
            uint64_t key = key_of_stop(s, &s->stops.items.items[s->fitting.items[list.from]], t);
            for (uint32_t i = list.from + 1; i < list.to; i++)
                if (key_of_stop(s, &s->stops.items.items[s->fitting.items[i]], t) != key)
                    return 0;
            keys += key;
        }
    }
    return keys;
}

/* Can the thread continue from its stop after all that is chosen? */
static bool goes_on(search *s, const stop *k, uint32_t all)
{
    hd_unfolding *u = s->u;
    uint32_t n = hd_unfold_event_after(u, k->event, u->events.items[k->event].thread);
    for (; n; n = u->successors.items[n].beside) {
        bool enabled = true;
        hd_unfold_causes(u, n, &s->makers);
        for (size_t i = 0; enabled && i < s->makers.count; i++)
            enabled = hd_unfold_precedes(u, s->makers.items[i], all);
        if (enabled && hd_unfold_trees_agree(u, n, all))
            return true;
    }
    return false;
}

static void collect_chosen(search *s)
{
    hd_vec_clear(&s->events);
    for (uint32_t t = 0; t < s->threads; t++) {
        if (!s->chosen[t])
            continue;
        hd_vec_push(&s->events, s->chosen[t]->exit ? s->chosen[t]->exit : s->chosen[t]->event);
        const hd_unfold_set *makers = makers_of(s, s->chosen[t]);
        for (size_t i = 0; i < makers->count; i++)
            hd_vec_push(&s->events, makers->items[i]);
    }
}

/* At most one stop is an exit, and stops before an enabled step need one. */
static bool exits_suit(const search *s)
{
    uint32_t exits = 0, left = 0;
    for (uint32_t t = 0; t < s->threads; t++) {
        exits += s->chosen[t] && s->chosen[t]->kind == STOP_EXITS;
        left += s->chosen[t] && s->chosen[t]->kind == STOP_LEFT;
    }
    return exits == 1 || (!exits && !left);
}

/* Stops that fit pairwise need not fit together: they may be infeasible under inputs, or need a cycle of looks in the
 * contextual net. And a thread in a waiting loop may be able to continue although no single choice unblocks it. */
static bool is_possible(search *s, uint32_t depth)
{
    hd_unfolding *u = s->u;
    if (!exits_suit(s))
        return false;
    for (uint32_t t = 0; t < s->threads; t++)
        if (s->chosen[t] && is_stuck(s->chosen[t]) && goes_on(s, s->chosen[t], s->prospects[depth]))
            return false;
    collect_chosen(s);
    if (!hd_unfold_configuration(u, s->events.items, (uint32_t)s->events.count, &u->found))
        return false;
    hd_unfold_sides_of(u, u->found.items, u->found.count, &u->literals);
    return !u->literals.count || s->judge->permits(s->judge->context, u->literals.items, u->literals.count, true);
}

static uint64_t add_to_state(uint64_t state, uint32_t thread, uint32_t event)
{
    return state + hd_hash((uint64_t)thread << 32 | event);
}

void hd_unfold_mark_blocked(hd_unfolding *u)
{
    uint64_t state = 0;
    for (uint32_t t = 0; t < u->at.count; t++)
        if (u->at.items[t] != HD_NOT_STARTED)
            state = add_to_state(state, t, u->at.items[t]);
    *hd_map_put(&u->blocked, state) = 1;
}

/* Has an execution ended in this blocked state? */
static bool has_been_run(const search *s)
{
    uint64_t state = 0;
    for (uint32_t t = 0; t < s->threads; t++)
        if (s->chosen[t])
            state = add_to_state(state, t, s->chosen[t]->event);
    return hd_map_get(&s->u->blocked, state);
}

static void keep(search *s, uint64_t keys)
{
    s->found_any = true;
    for (uint32_t t = 0; t < s->threads; t++)
        if (s->chosen[t])
            s->stops.items.items[s->chosen[t] - s->stops.items.items].kept = true;
    if (hd_map_get(s->known, keys))
        return;
    *hd_map_put(s->known, keys) = 1;
    if (has_been_run(s))
        return;
    hd_vec_push(s->found, (uint32_t)s->events.count);
    for (size_t i = 0; i < s->events.count; i++)
        hd_vec_push(s->found, s->events.items[i]);
}

/* --- the search ------------------------------------------------------------------------------------ */

static bool is_over(const search *s)
{
    return !s->left || (s->any && s->found_any);
}

static void extend(search *s, uint32_t depth)
{
    size_t before = s->fitting.count;
    uint32_t t;
    if (list_all(s, depth, &t)) {
        uint64_t keys = s->any && t < s->threads ? 0 : keys_of(s, depth, t);
        bool settled = !s->any && keys && hd_map_get(s->known, keys);
        if (t == s->threads && !settled && is_possible(s, depth))
            keep(s, keys);
        range list = t < s->threads && !settled ? s->lists[depth * s->threads + t] : (range) { 0 };
        for (uint32_t i = list.from; i < list.to && !is_over(s); i++) {
            choose_stop(s, t, &s->stops.items.items[s->fitting.items[i]], depth);
            extend(s, depth + 1);
            s->chosen[t] = NULL;
            if (!s->any && keys && hd_map_get(s->known, keys))
                break;
        }
    }
    s->fitting.count = before;
}

/* Searches blocked states with this stop. */
static void search_from(search *s, stop *k)
{
    uint32_t thread = s->u->events.items[k->event].thread;
    s->found_any = false;
    if (!may_stop(s, k, 0))
        return;
    choose_stop(s, thread, k, 0);
    extend(s, 1);
    s->chosen[thread] = NULL;
}

static void drop_impossible(search *s)
{
    s->any = true;
    for (uint32_t i = 1; i < s->stops.items.count && s->left; i++) {
        stop *k = &s->stops.items.items[i];
        if (k->dropped || k->kept || !is_stuck(k) || is_awaiting(&s->stops, k))
            continue;
        search_from(s, k);
        k->dropped = !s->found_any;
    }
    s->any = false;
    hd_stops_sift(&s->stops);
}

static void search_from_each(search *s)
{
    for (uint32_t i = 1; i < s->stops.items.count && s->left; i++) {
        stop *k = &s->stops.items.items[i];
        if (k->dropped || !is_stuck(k))
            continue;
        search_from(s, k);
        k->dropped = true;
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
    if (u->rows.count)
        u->rows.items[first] = u->rows.items[0];
}

bool hd_unfold_find_deadlocks(
    hd_unfolding *u, uint64_t effort, const hd_unfold_judge *judge, hd_map *known, hd_unfold_set *found)
{
    search s = { .u = u,
        .threads = (uint32_t)u->clock_width,
        .left = effort,
        .judge = judge,
        .fitting.memory = u->memory,
        .walk.memory = u->memory,
        .makers.memory = u->memory,
        .events.memory = u->memory,
        .found = found,
        .known = known };
    size_t lists = (size_t)s.threads * (s.threads + 1) * sizeof *s.lists;
    hd_vec_clear(found);
    open_prospects(&s);
    s.chosen = hd_alloc(u->memory, s.threads * sizeof *s.chosen);
    s.lists = hd_alloc(u->memory, lists);
    hd_stops_open(&s.stops, u);
    drop_impossible(&s);
    search_from_each(&s);
    hd_stops_close(&s.stops);
    hd_vec_fini(&s.fitting);
    hd_vec_fini(&s.walk);
    hd_vec_fini(&s.makers);
    hd_vec_fini(&s.events);
    hd_release(u->memory, s.chosen, s.threads * sizeof *s.chosen);
    hd_release(u->memory, s.lists, lists);
    return s.left > 0;
}
