/* Following an execution: its steps become wishes, meetings and events, unless they are known. A log of changes allows
 * going back to an earlier moment, so that a common prefix is followed once. */
#include "unfold/unfold_internal.h"

#include <stdlib.h>

/* --- where the execution is -------------------------------------------------------------------------- */

size_t hd_unfold_moment(const hd_unfolding *u)
{
    return u->changes.count;
}

void hd_unfold_return(hd_unfolding *u, size_t moment)
{
    while (u->changes.count > moment) {
        const change *c = &u->changes.items[--u->changes.count];
        if (c->is_thread) {
            u->at.items[c->number] = c->at;
        } else {
            u->objects.items[c->number].at = c->at;
            u->objects.items[c->number].open = c->open;
        }
        u->links.count = c->links;
    }
}

static uint32_t *position(hd_unfolding *u, uint16_t thread)
{
    while (u->at.count <= thread)
        hd_vec_push(&u->at, (uint32_t)HD_NOT_STARTED);
    return &u->at.items[thread];
}

uint32_t hd_unfold_at(const hd_unfolding *u, uint16_t thread)
{
    hd_assert(thread < u->at.count && u->at.items[thread] != HD_NOT_STARTED);
    return u->at.items[thread];
}

void hd_unfold_move_thread(hd_unfolding *u, uint16_t thread, uint32_t event)
{
    uint32_t *at = position(u, thread);
    hd_vec_push(&u->changes,
        ((change) { .number = thread, .is_thread = true, .at = *at, .to = event, .links = (uint32_t)u->links.count }));
    *at = event;
}

void hd_unfold_move_object(hd_unfolding *u, uint32_t number, uint32_t condition)
{
    object *o = &u->objects.items[number];
    hd_vec_push(
        &u->changes, ((change) { .number = number, .at = o->at, .open = o->open, .links = (uint32_t)u->links.count }));
    if (o->at != condition)
        o->open = 0;
    o->at = condition;
}

bool hd_unfold_has_wish(const hd_unfolding *u, uint16_t thread)
{
    return u->events.items[hd_unfold_at(u, thread)].wishes != 0;
}

/* --- objects in the execution ---------------------------------------------------------------------- */

/* Are all open accesses of the object in the past of e? */
static bool is_all_past(const hd_unfolding *u, const object *o, uint32_t e)
{
    uint32_t l = o->open;
    while (l && hd_unfold_precedes(u, u->accesses.items[u->links.items[l].access].event, e))
        l = u->links.items[l].next;
    return !l;
}

/* The condition that the wish's access finds in this execution if it is of this group: the current condition, or the
 * closed set of the open accesses that it does not commute with. */
static uint32_t find_condition(hd_unfolding *u, uint32_t w, uint8_t group)
{
    const object *o = &u->objects.items[u->wishes.items[w].object];
    uint8_t open = o->open ? u->accesses.items[u->links.items[o->open].access].group : group;
    if (!o->open || !hd_groups_conflict(open, group))
        return o->at;
    if (is_implied(open, group) && is_all_past(u, o, u->wishes.items[w].cone))
        return o->at;
    hd_vec_clear(&u->chosen);
    for (uint32_t l = o->open; l; l = u->links.items[l].next)
        hd_vec_push(&u->chosen, u->links.items[l].access);
    qsort(u->chosen.items, u->chosen.count, sizeof *u->chosen.items, hd_unfold_by_number);
    return hd_unfold_closed(u, o->at, u->chosen.items, (uint32_t)u->chosen.count);
}

static void advance_object(hd_unfolding *u, uint32_t a)
{
    const access *k = &u->accesses.items[a];
    uint32_t number = u->conditions.items[k->found].object;
    hd_unfold_move_object(u, number, made_by(k) ? made_by(k) : k->found);
    if (made_by(k) || !hd_net_is_cause(u->net, k->group))
        return;
    object *o = &u->objects.items[number];
    hd_vec_push(&u->links, ((link) { a, o->open }));
    o->open = (uint32_t)u->links.count - 1;
}

/* Is the condition established in the past of `cone`? */
static bool is_established(const hd_unfolding *u, uint32_t c, uint32_t cone)
{
    const condition *k = &u->conditions.items[c];
    if (!is_closed(k))
        return !k->maker || hd_unfold_precedes(u, k->maker, cone);
    for (uint32_t a = k->group_accesses; a; a = u->accesses.items[a].link)
        if (hd_unfold_precedes(u, u->accesses.items[a].event, cone))
            return true;
    return false;
}

/* --- wishes ------------------------------------------------------------------------------------------- */

static bool is_wish_for(const wish *w, const hd_unfold_access *a, bool awaits)
{
    return w->object == a->object && w->awaits == awaits && w->branches == a->branches;
}

static uint32_t find_wish(const hd_unfolding *u, uint32_t w, const hd_unfold_access *a, bool awaits)
{
    while (w && !is_wish_for(&u->wishes.items[w], a, awaits))
        w = u->wishes.items[w].sibling;
    return w;
}

/* The cone of a wish: the event, or a prospect that adds what the step has found so far. */
static uint32_t cone_after(hd_unfolding *u, uint32_t event, uint32_t after)
{
    if (!after)
        return event;
    const meeting *m = &u->meetings.items[after];
    uint32_t c = m->condition, before = u->wishes.items[m->wish].cone;
    uint32_t cone = hd_unfold_new_event(u, EVENT_PROSPECT, u->events.items[event].thread, before);
    u->events.items[cone].cause = after;
    hd_unfold_join_condition(u, cone, c);
    return cone;
}

/* Notes whether several threads access the object. As long as one does, its accesses follow each other in any case, and
 * no other meetings need to be searched. */
static void note_wish(hd_unfolding *u, uint32_t number, uint16_t thread)
{
    object *o = &u->objects.items[number];
    o->shared |= o->wished && o->thread != thread;
    if (!o->wished)
        o->thread = thread;
    o->wished = true;
}

static uint32_t new_wish(
    hd_unfolding *u, uint32_t event, uint32_t after, const hd_unfold_access *a, uint8_t choices, bool awaits)
{
    uint32_t w = (uint32_t)u->wishes.count, cone = cone_after(u, event, after);
    uint32_t *list = after ? &u->meetings.items[after].next_step : &u->events.items[event].wishes;
    if (after)
        u->meetings.items[after].continues = true;
    hd_vec_push(&u->wishes,
        ((wish) { .cone = cone,
            .after = after,
            .sibling = *list,
            .object = a->object,
            .key = a->branches ? 0 : a->key,
            .group = awaits ? a->group : hd_net_group(u->net, a->group),
            .needs = a->needs,
            .choices = choices,
            .unsure = a->unsure && u->net != HD_NET_NAIVE,
            .awaits = awaits,
            .branches = a->branches }));
    *list = w;
    if (a->branches)
        return w;
    if (awaits) {
        hd_unfold_seek(u, w, u->objects.items[a->object].root);
        return w;
    }
    note_wish(u, a->object, u->events.items[event].thread);
    /* The first condition that it meets is the last one established in its own past; all others are below it. */
    uint32_t first = a->object ? u->objects.items[a->object].at : 0;
    while (first && !is_established(u, first, cone))
        first = u->conditions.items[first].parent;
    hd_unfold_seek(u, w, first);
    return w;
}

uint32_t hd_unfold_wish_at(
    hd_unfolding *u, uint32_t event, uint32_t after, const hd_unfold_access *a, uint8_t choices, bool awaits)
{
    uint32_t list = after ? u->meetings.items[after].next_step : u->events.items[event].wishes;
    uint32_t w = find_wish(u, list, a, awaits);
    return w ? w : new_wish(u, event, after, a, choices, awaits);
}

/* Stores the accesses of the step after the wish: their number in the low half, and their index in `held_accesses`. */
static void hold(hd_unfolding *u, uint32_t w, const hd_unfold_access *next, uint32_t count)
{
    if (!count || hd_map_get(&u->held, w))
        return;
    *hd_map_put(&u->held, w) = (uint64_t)u->held_accesses.count << 32 | count;
    for (uint32_t i = 0; i < count; i++)
        hd_vec_push(&u->held_accesses, next[i]);
}

bool hd_unfold_look_further(hd_unfolding *u, uint32_t m)
{
    const uint64_t *held = hd_map_get(&u->held, u->meetings.items[m].wish);
    if (!held || u->meetings.items[m].status != MEETING_TARGET)
        return false;
    const wish *before = &u->wishes.items[u->meetings.items[m].wish];
    uint32_t count = (uint32_t)*held, from = (uint32_t)(*held >> 32), event = event_of(u, before);
    hd_unfold_access next = u->held_accesses.items[from];
    hd_unfold_settle(u, m, before->group);
    u->meetings.items[m].status = MEETING_DONE;
    uint32_t w = hd_unfold_wish_at(u, event, m, &next, 0, false);
    if (count > 1)
        *hd_map_put(&u->held, w) = (uint64_t)(from + 1) << 32 | (count - 1);
    return true;
}

void hd_unfold_wish(hd_unfolding *u, uint16_t thread, const hd_unfold_access *next, uint32_t count, uint8_t choices)
{
    uint32_t w = hd_unfold_wish_at(u, hd_unfold_at(u, thread), 0, next, next->object ? 0 : choices, false);
    if (next->held)
        hold(u, w, next + 1, count - 1);
}

/* --- steps ---------------------------------------------------------------------------------------------- */

static void note_sibling(hd_unfolding *u, uint32_t e, uint32_t sibling)
{
    if (!sibling)
        return;
    u->events.items[e].has_sibling = true;
    *hd_map_put(&u->siblings, e) = sibling;
}

uint32_t hd_unfold_new_outcome(hd_unfolding *u, event_kind kind, uint16_t thread, uint32_t m, uint8_t choice)
{
    uint32_t e = hd_unfold_new_event(u, kind, thread, u->at.items[thread]);
    u->events.items[e].cause = m;
    u->events.items[e].choice = choice;
    note_sibling(u, e, u->meetings.items[m].next_step);
    u->meetings.items[m].next_step = e;
    u->meetings.items[m].status = MEETING_DONE;
    for (uint32_t k = m; k; k = u->wishes.items[u->meetings.items[k].wish].after)
        hd_unfold_join_condition(u, e, u->meetings.items[k].condition);
    return e;
}

static void note_mixed(hd_unfolding *u, uint32_t number)
{
    object *o = &u->objects.items[number];
    if (!o->mixed && is_deep(o->slot))
        hd_vec_push(&u->mixed, number);
    o->mixed = true;
}

static void add_access(hd_unfolding *u, uint32_t e, uint32_t found, uint8_t group, int32_t adds)
{
    uint32_t a = (uint32_t)u->accesses.count, number = u->conditions.items[found].object;
    access k = { .event = e, .found = found, .adds = adds, .group = group };
    if (!u->events.items[e].access_count++)
        u->events.items[e].access = a;
    if (u->events.items[e].exits) {
        k.link = 0;
    } else if (group == HD_GROUP_ALONE) {
        k.link = hd_unfold_new_condition(u, number, found, e, u->conditions.items[found].count + adds);
    } else {
        k.link = u->conditions.items[found].group_accesses;
        u->conditions.items[found].group_accesses = a;
        if (group != HD_GROUP_LOOKS)
            note_mixed(u, number);
    }
    hd_vec_push(&u->accesses, k);
    uint32_t slot = u->objects.items[number].slot;
    column c = { made_by(&k) ? made_by(&k) : found, made_by(&k) ? 0 : a };
    if (is_deep(slot))
        hd_unfold_row_put(u, e, number, c);
    else if (slot != HD_NO_SLOT)
        columns_of(u, e)[slot] = c;
}

static uint8_t group_of(const hd_unfolding *u, const hd_unfold_access *a)
{
    return hd_net_group(u->net, a->group);
}

/* The execution has performed the access at this condition, so its group is known there; if the condition is a closed
 * set, also at the condition before the set. */
static uint32_t meet_now(hd_unfolding *u, uint32_t w, uint32_t c, uint8_t group)
{
    uint32_t base = is_closed(&u->conditions.items[c]) ? u->conditions.items[c].parent : 0;
    uint32_t before = base ? hd_unfold_find_meeting(u, w, base) : 0;
    if (before)
        hd_unfold_settle(u, before, group);
    uint32_t m = hd_unfold_meet(u, w, c);
    hd_unfold_settle(u, m, group);
    u->meetings.items[m].status = MEETING_DONE;
    return m;
}

static uint32_t find_outcome(const hd_unfolding *u, uint32_t m, uint8_t choice)
{
    uint32_t e = u->meetings.items[m].next_step;
    while (e && u->events.items[e].choice != choice)
        e = next_outcome(u, e);
    return e;
}

static uint32_t follow_access(hd_unfolding *u, uint32_t at, uint32_t after, hd_unfold_access *a, uint8_t choices)
{
    uint32_t w = hd_unfold_wish_at(u, at, after, a, a->object ? 0 : choices, false);
    if (a->branches)
        return hd_unfold_take_side(u, w, a);
    return meet_now(u, w, a->object ? find_condition(u, w, group_of(u, a)) : 0, group_of(u, a));
}

/* Adds the event's accesses, first to last, with the conditions that they found. */
static void add_accesses(hd_unfolding *u, uint32_t e, uint32_t m, const hd_unfold_access *accesses, uint32_t count)
{
    uint32_t w = u->meetings.items[m].wish, before = u->wishes.items[w].after;
    if (before)
        add_accesses(u, e, before, accesses, count - 1);
    const hd_unfold_access *a = &accesses[count - 1];
    if (a->object)
        add_access(u, e, u->meetings.items[m].condition, group_of(u, a), a->adds);
}

static void enter_access(hd_unfolding *u, uint32_t a)
{
    const access *k = &u->accesses.items[a];
    uint32_t made = made_by(k);
    hd_unfold_enter(u, made ? HD_CROWD_CHILDREN : HD_CROWD_ACCESSES, k->found, made ? made : a);
}

/* Finds what meets the event's new conditions and accesses. An exiting event has none: no thread observes its effects.
 */
static void offer(hd_unfolding *u, uint32_t e)
{
    if (u->events.items[e].exits)
        return;
    for (uint32_t i = 0; i < u->events.items[e].access_count; i++)
        enter_access(u, u->events.items[e].access + i);
    for (uint32_t i = 0; i < u->events.items[e].access_count; i++) {
        uint32_t a = u->events.items[e].access + i;
        if (made_by(&u->accesses.items[a]))
            hd_unfold_offer_condition(u, made_by(&u->accesses.items[a]));
        else
            hd_unfold_offer_access(u, a);
    }
}

uint32_t hd_unfold_step(hd_unfolding *u, uint16_t thread, hd_unfold_access *accesses, uint32_t count, uint8_t choice,
    uint8_t choices, uint32_t label)
{
    uint32_t at = hd_unfold_at(u, thread), m = 0;
    for (uint32_t i = 0; i < count; i++) {
        m = follow_access(u, at, m, &accesses[i], choices);
        if (accesses[0].held)
            hold(u, u->meetings.items[m].wish, &accesses[i + 1], count - i - 1);
    }
    uint32_t e = find_outcome(u, m, choice);
    if (!e) {
        bool first = !u->meetings.items[m].next_step;
        e = hd_unfold_new_outcome(u, EVENT_STEP, thread, m, choice);
        u->events.items[e].label = label;
        u->events.items[e].exits = accesses[count - 1].exits;
        add_accesses(u, e, m, accesses, count);
        u->steps++;
        /* The first execution of the step shows how many outcomes it has: the others become targets. */
        for (uint32_t k = choices; first && accesses[0].object && k-- > 0;)
            if (k != choice)
                hd_unfold_add_target(u, m, (uint8_t)k);
        offer(u, e);
        hd_unfold_check(u);
    }
    for (uint32_t i = 0; i < u->events.items[e].access_count && !u->events.items[e].exits; i++)
        advance_object(u, u->events.items[e].access + i);
    hd_unfold_move_thread(u, thread, e);
    return e;
}

void hd_unfold_branch(hd_unfolding *u, uint16_t thread, hd_unfold_access *branch, bool goes_on, uint32_t label)
{
    uint32_t m = follow_access(u, hd_unfold_at(u, thread), 0, branch, 0);
    uint32_t e = goes_on ? find_outcome(u, m, 0) : 0;
    if (goes_on && !e) {
        e = hd_unfold_new_outcome(u, EVENT_BRANCH, thread, m, 0);
        u->events.items[e].label = label;
        u->steps++;
        hd_unfold_check(u);
    }
    if (goes_on)
        hd_unfold_move_thread(u, thread, e);
}

/* --- orders --------------------------------------------------------------------------------------------- */

static uint64_t order_key(uint16_t thread, uint32_t before, uint32_t cause)
{
    return hd_hash(hd_hash((uint64_t)before << 32 | cause) ^ thread);
}

static uint64_t order_hash(const hd_unfolding *u, uint32_t e)
{
    const event *v = &u->events.items[e];
    return order_key(v->thread, v->before, v->cause);
}

static bool is_order(const hd_unfolding *u, uint32_t e, const void *thing)
{
    const event *v = &u->events.items[e], *order = thing;
    return v->thread == order->thread && v->before == order->before && v->cause == order->cause;
}

static uint32_t find_order(const hd_unfolding *u, uint16_t thread, uint32_t before, uint32_t cause)
{
    event order = { .thread = thread, .before = before, .cause = cause };
    return hd_hash_index_find(&u->orders, order_key(thread, before, cause), is_order, &order, u);
}

void hd_unfold_order(hd_unfolding *u, uint16_t thread, uint16_t from)
{
    uint32_t *at = position(u, thread), cause = hd_unfold_at(u, from);
    bool starts = *at == HD_NOT_STARTED;
    if (!starts && hd_unfold_precedes(u, cause, *at))
        return; /* the order holds already */
    uint32_t before = starts ? 0 : *at, e = find_order(u, thread, before, cause);
    if (!e) {
        e = hd_unfold_new_event(u, EVENT_ORDER, thread, before);
        u->events.items[e].cause = cause;
        hd_unfold_join(u, e, cause);
        hd_hash_index_add(&u->orders, u->memory, order_key(thread, before, cause), e, order_hash, u);
        if (starts)
            hd_vec_push(&u->starts, e);
    }
    hd_unfold_move_thread(u, thread, e);
}

/* --- ends ----------------------------------------------------------------------------------------------------- */

/* Stops at an event that is tested: those before it were marked with it. (If it was given up instead, those before it
 * are tried by themselves.) */
void hd_unfold_mark_tested(hd_unfolding *u)
{
    for (size_t t = 0; t < u->at.count; t++)
        for (uint32_t e = u->at.items[t]; e && e != HD_NOT_STARTED && !u->events.items[e].tested;
             e = u->events.items[e].before)
            u->events.items[e].tested = true;
}

void hd_unfold_mark_end(hd_unfolding *u, uint16_t thread)
{
    u->events.items[hd_unfold_at(u, thread)].ends = true;
}

bool hd_unfold_is_at_end(const hd_unfolding *u, uint16_t thread)
{
    return u->events.items[hd_unfold_at(u, thread)].ends;
}
