/* Meetings of wishes with conditions.
 *
 * Invariant: a wish that has met a condition has met every later one that fits it, so no possible extension is lost.
 * New conditions are offered to the wishes that met the parent; new wishes descend from the first condition they meet.
 */
#include "unfold/unfold_internal.h"

/* --- finding what is known -------------------------------------------------------------------- */

static uint64_t pair_hash(uint32_t w, uint32_t c)
{
    return hd_hash((uint64_t)w << 32 | c);
}

static uint64_t meeting_hash(const hd_unfolding *u, uint32_t m)
{
    return pair_hash(u->meetings.items[m].wish, u->meetings.items[m].condition);
}

static bool is_meeting(const hd_unfolding *u, uint32_t m, const void *thing)
{
    const pair *p = thing;
    return u->meetings.items[m].wish == p->wish && u->meetings.items[m].condition == p->condition;
}

/* The first meetings of a condition are searched linearly; a condition with more than that has all of them in the
 * index. */
enum { FEW_MEETINGS = 8 };

uint32_t hd_unfold_find_meeting(const hd_unfolding *u, uint32_t w, uint32_t c)
{
    uint32_t m = u->conditions.items[c].meetings;
    for (uint32_t i = 0; i < FEW_MEETINGS && m && u->meetings.items[m].wish != w; i++)
        m = u->meetings.items[m].next;
    if (!m || u->meetings.items[m].wish == w)
        return m;
    return hd_hash_index_find(&u->met, pair_hash(w, c), is_meeting, &(pair) { w, c }, u);
}

static void index_meeting(hd_unfolding *u, uint32_t m)
{
    hd_hash_index_add(&u->met, u->memory, meeting_hash(u, m), m, meeting_hash, u);
}

/* The condition has a new meeting, the first in its list: indexes it, or all of them when there are too many to search.
 */
static void note_meeting(hd_unfolding *u, uint32_t c)
{
    uint32_t first = u->conditions.items[c].meetings, m = first;
    for (uint32_t i = 0; i < FEW_MEETINGS && m; i++)
        m = u->meetings.items[m].next;
    if (!m)
        return;
    bool many = u->meetings.items[m].next != 0;
    for (m = first; m; m = many ? 0 : u->meetings.items[m].next)
        index_meeting(u, m);
}

/* --- targets ------------------------------------------------------------------------------------ */

bool hd_unfold_is_enabled(const hd_unfolding *u, const meeting *m)
{
    return hd_need_is_met(u->wishes.items[m->wish].needs, u->conditions.items[m->condition].count);
}

static bool has_outcome(const hd_unfolding *u, const meeting *m, uint8_t choice)
{
    for (uint32_t e = m->next_step; e; e = next_outcome(u, e))
        if (u->events.items[e].choice == choice)
            return true;
    return false;
}

bool hd_unfold_is_behind_end(const hd_unfolding *u, uint32_t e)
{
    while (!u->events.items[e].ends && u->events.items[e].kind == EVENT_AWAIT)
        e = u->events.items[e].before;
    return u->events.items[e].ends;
}

bool hd_unfold_is_open(const hd_unfolding *u, const target *t)
{
    const meeting *m = &u->meetings.items[t->meeting];
    const wish *w = &u->wishes.items[m->wish];
    if (w->awaits && hd_unfold_is_behind_end(u, event_of(u, w)))
        return false;
    if (m->status == MEETING_DONE)
        return !m->continues && !has_outcome(u, m, t->choice);
    return m->status == MEETING_TARGET;
}

void hd_unfold_add_target(hd_unfolding *u, uint32_t m, uint8_t choice)
{
    hd_vec_push(&u->targets, ((target) { m, choice }));
}

/* Has the wish in its past an access at the condition that its own must come after? Then it does not find the condition
 * but a set after it (see is_implied). */
static bool is_past(hd_unfolding *u, uint32_t w, uint32_t c, uint8_t group)
{
    uint32_t cone = u->wishes.items[w].cone;
    size_t from = hd_unfold_gather_past(u, HD_CROWD_ACCESSES, c, cone);
    bool past = false;
    for (size_t i = from; i < u->near.count && !past; i++) {
        const access *other = &u->accesses.items[u->near.items[i]];
        past = hd_groups_conflict(other->group, group) && !is_implied(other->group, group)
            && hd_net_is_cause(u->net, other->group) && hd_unfold_precedes(u, other->event, cone);
    }
    u->near.count = from;
    return past;
}

static void make_target(hd_unfolding *u, uint32_t m)
{
    meeting *k = &u->meetings.items[m];
    const wish *w = &u->wishes.items[k->wish];
    if (hd_unfold_passes(u, k->wish, k->condition, k->group))
        return;
    if (k->status != MEETING_SHUT || !hd_unfold_is_enabled(u, k))
        return;
    if (k->group != HD_GROUP_UNKNOWN && is_past(u, k->wish, k->condition, k->group))
        return;
    k->status = MEETING_TARGET;
    uint32_t outcomes = w->choices > 1 ? w->choices : 1;
    for (uint32_t i = outcomes; i-- > 0;)
        hd_unfold_add_target(u, m, (uint8_t)i);
}

/* --- meeting ----------------------------------------------------------------------------------------- */

/* The group of the wish's access at the condition, if it is known. The group of an unsure access depends only on the
 * object's state, which looks do not change: after a set of looks it is the same as before the set. */
static uint8_t known_group(const hd_unfolding *u, uint32_t w, uint32_t c)
{
    if (!u->wishes.items[w].unsure)
        return u->wishes.items[w].group;
    if (!is_closed(&u->conditions.items[c]) || hd_unfold_group_of_set(u, c) != HD_GROUP_LOOKS)
        return HD_GROUP_UNKNOWN;
    uint32_t before = hd_unfold_find_meeting(u, w, u->conditions.items[c].parent);
    return before ? u->meetings.items[before].group : HD_GROUP_UNKNOWN;
}

static uint32_t new_meeting(hd_unfolding *u, uint32_t w, uint32_t c)
{
    uint32_t m = (uint32_t)u->meetings.count;
    wish *k = &u->wishes.items[w];
    condition *at = &u->conditions.items[c];
    hd_vec_push(
        &u->meetings, ((meeting) { .wish = w, .condition = c, .next = at->meetings, .group = known_group(u, w, c) }));
    at->meetings = m;
    note_meeting(u, c);
    hd_unfold_enter(u, HD_CROWD_MEETINGS, c, m);
    uint8_t group = u->meetings.items[m].group;
    bool found = !hd_unfold_passes(u, w, c, group) && (group == HD_GROUP_UNKNOWN || !is_past(u, w, c, group));
    k->met += found && k->met < 2;
    if (k->met == 2 && k->object)
        hd_unfold_contend(u, k->object);
    return m;
}

uint32_t hd_unfold_meet(hd_unfolding *u, uint32_t w, uint32_t c)
{
    uint32_t m = hd_unfold_find_meeting(u, w, c);
    return m ? m : new_meeting(u, w, c);
}

/* Tries the conditions that follow this one, directly or after a closed set. */
static void try_children(hd_unfolding *u, uint32_t w, uint32_t c)
{
    if (!u->objects.items[u->conditions.items[c].object].shared)
        return;
    size_t from = hd_unfold_gather(u, HD_CROWD_CHILDREN, c, u->wishes.items[w].cone);
    for (size_t i = from; i < u->near.count; i++) {
        uint32_t n = u->near.items[i], e = maker_of(u, n);
        if (!e)
            try_children(u, w, n);
        else if (hd_unfold_wish_fits(u, w, e))
            hd_vec_push(&u->work, ((pair) { w, n }));
    }
    u->near.count = from;
}

void hd_unfold_work_off(hd_unfolding *u, uint32_t first)
{
    while (u->work.count) {
        pair p = hd_vec_pop(&u->work);
        if (hd_unfold_find_meeting(u, p.wish, p.condition))
            continue;
        uint32_t m = new_meeting(u, p.wish, p.condition);
        make_target(u, m);
        hd_unfold_choose_all_sets(u, m);
        if (p.condition == first || !is_closed(&u->conditions.items[p.condition]))
            try_children(u, p.wish, p.condition);
    }
}

void hd_unfold_seek(hd_unfolding *u, uint32_t w, uint32_t first)
{
    hd_vec_push(&u->work, ((pair) { w, first }));
    hd_unfold_work_off(u, first);
}

void hd_unfold_settle(hd_unfolding *u, uint32_t m, uint8_t group)
{
    u->contradicted |= u->meetings.items[m].group != HD_GROUP_UNKNOWN && u->meetings.items[m].group != group;
    if (u->meetings.items[m].group != HD_GROUP_UNKNOWN)
        return;
    u->meetings.items[m].group = group;
    if (u->meetings.items[m].status == MEETING_TARGET
        && is_past(u, u->meetings.items[m].wish, u->meetings.items[m].condition, group))
        u->meetings.items[m].status = MEETING_DROPPED;
    hd_unfold_choose_all_sets(u, m);
    hd_unfold_work_off(u, 0);
}

/* --- what is new ----------------------------------------------------------------------------------------- */

/* Offers condition c to the wishes that have met `parent`. */
static void offer_to(hd_unfolding *u, uint32_t c, uint32_t parent)
{
    uint32_t e = maker_of(u, c);
    size_t from = hd_unfold_gather(u, HD_CROWD_MEETINGS, parent, e);
    for (size_t i = from; i < u->near.count; i++) {
        uint32_t w = u->meetings.items[u->near.items[i]].wish;
        if (hd_unfold_wish_fits(u, w, e))
            hd_vec_push(&u->work, ((pair) { w, c }));
    }
    u->near.count = from;
}

void hd_unfold_offer_condition(hd_unfolding *u, uint32_t c)
{
    uint32_t parent = c;
    if (!u->objects.items[u->conditions.items[c].object].shared)
        return;
    do {
        parent = u->conditions.items[parent].parent;
        offer_to(u, c, parent);
    } while (is_closed(&u->conditions.items[parent]));
    hd_unfold_work_off(u, 0);
}

/* Is this the first access at its condition that is a cause? */
static bool is_first_cause(const hd_unfolding *u, uint32_t a)
{
    do
        a = u->accesses.items[a].link;
    while (a && !hd_net_is_cause(u->net, u->accesses.items[a].group));
    return !a;
}

/* An access has found the closed set for the first time: wishes that pass the set meet it, to reach what follows. */
static void admit(hd_unfolding *u, uint32_t c, uint32_t e)
{
    size_t from = hd_unfold_gather(u, HD_CROWD_MEETINGS, u->conditions.items[c].parent, e);
    for (size_t i = from; i < u->near.count; i++) {
        const meeting *m = &u->meetings.items[u->near.items[i]];
        uint32_t w = m->wish;
        if (hd_unfold_passes(u, w, c, m->group) && !hd_unfold_find_meeting(u, w, c) && hd_unfold_set_fits(u, w, c))
            hd_unfold_meet(u, w, c);
    }
    u->near.count = from;
}

void hd_unfold_offer_access(hd_unfolding *u, uint32_t a)
{
    const access *k = &u->accesses.items[a];
    uint8_t group = k->group;
    uint32_t c = k->found, e = k->event;
    if (!hd_net_is_cause(u->net, group))
        return;
    if (is_closed(&u->conditions.items[c]) && is_first_cause(u, a))
        admit(u, c, e);
    size_t from = hd_unfold_gather(u, HD_CROWD_MEETINGS, c, e);
    for (size_t i = from; i < u->near.count; i++) {
        uint8_t own = u->meetings.items[u->near.items[i]].group;
        if (own != HD_GROUP_UNKNOWN && hd_groups_conflict(own, group))
            hd_unfold_choose_sets(u, u->near.items[i], group, a);
    }
    u->near.count = from;
    hd_unfold_work_off(u, 0);
}
