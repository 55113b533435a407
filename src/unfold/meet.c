#include "unfold/parts.h"

#include <stdlib.h>

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

/* Most conditions have few meetings, which are looked through; those with more than
 * that have theirs in an index. */
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

/* The condition has one more: the first. */
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

static uint64_t set_hash(uint32_t c, const uint32_t *set, uint32_t count)
{
    return hd_hash_bytes(set, count * sizeof *set, hd_hash(c));
}

static uint64_t closed_hash(const hd_unfolding *u, uint32_t c)
{
    const condition *k = &u->conditions.items[c];
    return set_hash(k->parent, set_of(u, k), set_size(u, k));
}

typedef struct set_after {
    uint32_t condition;
    const uint32_t *accesses;
    uint32_t count;
} set_after;

static bool is_that_set(const hd_unfolding *u, uint32_t closed, const void *thing)
{
    const set_after *s = thing;
    const condition *k = &u->conditions.items[closed];
    bool same = k->parent == s->condition && set_size(u, k) == s->count;
    for (uint32_t i = 0; i < s->count && same; i++)
        same = set_of(u, k)[i] == s->accesses[i];
    return same;
}

uint32_t hd_unfold_closed(hd_unfolding *u, uint32_t c, const uint32_t *set, uint32_t count)
{
    uint64_t hash = set_hash(c, set, count);
    uint32_t known = hd_hash_index_find(&u->closed, hash, is_that_set, &(set_after) { c, set, count }, u);
    if (known)
        return known;
    int32_t total = u->conditions.items[c].count;
    for (uint32_t i = 0; i < count; i++)
        total += u->accesses.items[set[i]].adds;
    uint32_t new = hd_unfold_new_condition(u, u->conditions.items[c].object, c, 0, total);
    u->conditions.items[new].closed = true;
    u->conditions.items[new].maker = (uint32_t)u->sets.count;
    hd_vec_push(&u->sets, count);
    for (uint32_t i = 0; i < count; i++)
        hd_vec_push(&u->sets, set[i]);
    hd_hash_index_add(&u->closed, u->memory, hash, new, closed_hash, u);
    hd_unfold_enter(u, HD_CROWD_CHILDREN, c, new);
    return new;
}

/* --- targets ------------------------------------------------------------------------------------ */

bool hd_unfold_is_enabled(const hd_unfolding *u, const meeting *m)
{
    int32_t count = u->conditions.items[m->condition].count;
    switch (u->wishes.items[m->wish].needs) {
    case HD_NEED_ZERO:
        return count <= 0;
    case HD_NEED_POSITIVE:
        return count > 0;
    case HD_NEED_BELOW_WRITER:
        return count < HD_WRITER_COUNT;
    default:
        return true;
    }
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

/* Has the wish in its past an access at the condition that its own would have to
 * come after? Then it finds not the condition but a set beyond it; see is_implied in
 * parts.h. */
static bool is_past(hd_unfolding *u, uint32_t w, uint32_t c, uint8_t group)
{
    uint32_t cone = u->wishes.items[w].cone;
    size_t from = hd_unfold_gather_past(u, HD_CROWD_ACCESSES, c, cone);
    bool past = false;
    for (size_t i = from; i < u->near.count && !past; i++) {
        const access *other = &u->accesses.items[u->near.items[i]];
        past = groups_conflict(other->group, group) && !is_implied(other->group, group)
            && group_is_cause(u, other->group) && hd_unfold_precedes(u, other->event, cone);
    }
    u->near.count = from;
    return past;
}

/* The group of a closed set. */
static uint8_t group_of_set(const hd_unfolding *u, uint32_t c)
{
    return u->accesses.items[set_of(u, &u->conditions.items[c])[0]].group;
}

/* Has the wish all accesses of the closed set in its past? */
static bool has_set(const hd_unfolding *u, uint32_t w, uint32_t c)
{
    const condition *k = &u->conditions.items[c];
    for (uint32_t i = 0; i < set_size(u, k); i++)
        if (!hd_unfold_precedes(u, u->accesses.items[set_of(u, k)[i]].event, u->wishes.items[w].cone))
            return false;
    return true;
}

/* An access that commutes with the set finds the condition before it, as does one for which the set is implied; it
 * meets the set only on the way to what came after it. */
static bool passes(const hd_unfolding *u, uint32_t w, uint32_t c, uint8_t group)
{
    if (!is_closed(&u->conditions.items[c]) || group == HD_GROUP_UNKNOWN)
        return false;
    uint8_t before = group_of_set(u, c);
    return !groups_conflict(group, before) || (is_implied(before, group) && has_set(u, w, c));
}

static void make_target(hd_unfolding *u, uint32_t m)
{
    meeting *k = &u->meetings.items[m];
    const wish *w = &u->wishes.items[k->wish];
    if (passes(u, k->wish, k->condition, k->group))
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

/* --- sets ------------------------------------------------------------------------------------------
 *
 * Accesses of one group at a condition, compatible with each other and with the
 * wish, that have with each all that comes before it: every such set is a
 * condition that the wish can meet. */

typedef struct choice_of_set {
    uint32_t wish, condition;
    uint8_t group, own; /* of the set's accesses, and of the wish's own */
    uint32_t must; /* the new access that each set has to have; 0: none */
} choice_of_set;

/* Does access `a` fit to those chosen, and do those left out not come before it? */
static bool may_be_chosen(hd_unfolding *u, size_t index)
{
    uint32_t e = u->accesses.items[u->candidates.items[index]].event;
    size_t k = 0;
    for (size_t i = 0; i < index; i++) {
        uint32_t other = u->accesses.items[u->candidates.items[i]].event;
        bool chosen = k < u->chosen.count && u->chosen.items[k] == u->candidates.items[i];
        if (chosen ? !hd_unfold_compatible(u, other, e) : hd_unfold_precedes(u, other, e))
            return false;
        k += chosen;
    }
    return true;
}

static bool is_forced(const hd_unfolding *u, const choice_of_set *s, uint32_t a)
{
    return a == s->must || hd_unfold_precedes(u, u->accesses.items[a].event, u->wishes.items[s->wish].cone);
}

/* Is it just what the wish has in its past anyway? */
static bool is_nothing_new(const hd_unfolding *u, const choice_of_set *s)
{
    if (!is_implied(s->group, s->own) || s->must)
        return false;
    for (size_t i = 0; i < u->chosen.count; i++)
        if (!is_forced(u, s, u->chosen.items[i]))
            return false;
    return true;
}

/* Pairs that fit are enough but in the contextual net. */
static bool chosen_fit(hd_unfolding *u, uint32_t w)
{
    if (u->net != HD_NET_CONTEXTUAL || u->chosen.count < 2)
        return true;
    hd_unfold_set all = { .memory = u->memory };
    hd_vec_push(&all, u->wishes.items[w].cone);
    for (size_t i = 0; i < u->chosen.count; i++)
        hd_vec_push(&all, u->accesses.items[u->chosen.items[i]].event);
    bool fit = hd_unfold_configuration(u, all.items, (uint32_t)all.count, &u->found);
    hd_vec_fini(&all);
    return fit;
}

static void choose(hd_unfolding *u, const choice_of_set *s, size_t index)
{
    if (index == u->candidates.count) {
        if (u->chosen.count && !is_nothing_new(u, s) && chosen_fit(u, s->wish))
            hd_vec_push(&u->work,
                ((pair) { s->wish, hd_unfold_closed(u, s->condition, u->chosen.items, (uint32_t)u->chosen.count) }));
        return;
    }
    if (may_be_chosen(u, index)) {
        hd_vec_push(&u->chosen, u->candidates.items[index]);
        choose(u, s, index + 1);
        u->chosen.count--;
    }
    if (!is_forced(u, s, u->candidates.items[index]))
        choose(u, s, index + 1);
}

static bool is_candidate(hd_unfolding *u, const choice_of_set *s, uint32_t a)
{
    uint32_t e = u->accesses.items[a].event;
    if (s->must && a != s->must && !hd_unfold_compatible(u, e, u->accesses.items[s->must].event))
        return false;
    return hd_unfold_wish_fits(u, s->wish, e);
}

/* Accesses of the group that can be in a set with `must`, by number. */
static bool collect_candidates(hd_unfolding *u, const choice_of_set *s)
{
    hd_vec_clear(&u->candidates);
    if (s->must && !is_candidate(u, s, s->must))
        return false;
    uint32_t near = s->must ? u->accesses.items[s->must].event : u->wishes.items[s->wish].cone;
    size_t from = hd_unfold_gather(u, HD_CROWD_ACCESSES, s->condition, near);
    for (size_t i = from; i < u->near.count; i++) {
        uint32_t a = u->near.items[i];
        if (a == s->must || (u->accesses.items[a].group == s->group && is_candidate(u, s, a)))
            hd_vec_push(&u->candidates, a);
    }
    u->near.count = from;
    if (u->candidates.count > 1)
        qsort(u->candidates.items, u->candidates.count, sizeof *u->candidates.items, hd_unfold_by_number);
    return u->candidates.count > 0;
}

/* Those of the group that come between the meeting's condition and its access. */
static void choose_sets(hd_unfolding *u, uint32_t m, uint8_t group, uint32_t must)
{
    const meeting *k = &u->meetings.items[m];
    choice_of_set s = { k->wish, k->condition, group, k->group, must };
    if (!collect_candidates(u, &s))
        return;
    hd_vec_clear(&u->chosen);
    choose(u, &s, 0);
}

static bool set_fits(hd_unfolding *u, uint32_t w, uint32_t c)
{
    const condition *k = &u->conditions.items[c];
    for (uint32_t i = 0; i < set_size(u, k); i++)
        if (!hd_unfold_wish_fits(u, w, u->accesses.items[set_of(u, k)[i]].event))
            return false;
    return true;
}

/* The sets that the access at the meeting passes but that others have come after. */
static void pass_sets(hd_unfolding *u, uint32_t m)
{
    uint32_t w = u->meetings.items[m].wish, c = u->meetings.items[m].condition;
    uint8_t own = u->meetings.items[m].group;
    if (!u->objects.items[u->conditions.items[c].object].mixed)
        return;
    size_t from = hd_unfold_gather(u, HD_CROWD_CHILDREN, c, u->wishes.items[w].cone);
    for (size_t i = from; i < u->near.count; i++) {
        uint32_t n = u->near.items[i];
        if (u->conditions.items[n].group_accesses && passes(u, w, n, own) && set_fits(u, w, n))
            hd_vec_push(&u->work, ((pair) { w, n }));
    }
    u->near.count = from;
}

/* For each group that the access at the meeting does not commute with. */
static void choose_all_sets(hd_unfolding *u, uint32_t m)
{
    uint32_t w = u->meetings.items[m].wish, c = u->meetings.items[m].condition;
    uint8_t own = u->meetings.items[m].group;
    uint64_t done[HD_GROUP_ALONE / 64 + 1] = { 0 };
    if (own == HD_GROUP_UNKNOWN)
        return;
    size_t from = hd_unfold_gather(u, HD_CROWD_ACCESSES, c, u->wishes.items[w].cone);
    for (size_t i = from; i < u->near.count; i++) {
        uint8_t group = u->accesses.items[u->near.items[i]].group;
        if ((done[group / 64] >> group % 64 & 1) || !groups_conflict(own, group) || !group_is_cause(u, group))
            continue;
        done[group / 64] |= 1ull << group % 64;
        choose_sets(u, m, group, 0);
    }
    u->near.count = from;
    pass_sets(u, m);
}

/* --- meeting ----------------------------------------------------------------------------------------- */

/* Of an access that may turn out to be of different groups: those that only look
 * leave the object as it was. */
static uint8_t known_group(const hd_unfolding *u, uint32_t w, uint32_t c)
{
    if (!u->wishes.items[w].unsure)
        return u->wishes.items[w].group;
    if (!is_closed(&u->conditions.items[c]) || group_of_set(u, c) != HD_GROUP_LOOKS)
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
    bool found = !passes(u, w, c, group) && (group == HD_GROUP_UNKNOWN || !is_past(u, w, c, group));
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

/* Tries the conditions made from this one, directly or after a set. */
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
        choose_all_sets(u, m);
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
    choose_all_sets(u, m);
    hd_unfold_work_off(u, 0);
}

/* --- what is new ----------------------------------------------------------------------------------------- */

/* To the wishes that have met `parent`. */
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

/* Has the condition of this access been found by another cause before it? */
static bool is_first_cause(const hd_unfolding *u, uint32_t a)
{
    do
        a = u->accesses.items[a].link;
    while (a && !group_is_cause(u, u->accesses.items[a].group));
    return !a;
}

/* The closed set has been found by an access: lets wishes pass it. */
static void admit(hd_unfolding *u, uint32_t c, uint32_t e)
{
    size_t from = hd_unfold_gather(u, HD_CROWD_MEETINGS, u->conditions.items[c].parent, e);
    for (size_t i = from; i < u->near.count; i++) {
        const meeting *m = &u->meetings.items[u->near.items[i]];
        uint32_t w = m->wish;
        if (passes(u, w, c, m->group) && !hd_unfold_find_meeting(u, w, c) && set_fits(u, w, c))
            hd_unfold_meet(u, w, c);
    }
    u->near.count = from;
}

void hd_unfold_offer_access(hd_unfolding *u, uint32_t a)
{
    const access *k = &u->accesses.items[a];
    uint8_t group = k->group;
    uint32_t c = k->found, e = k->event;
    if (!group_is_cause(u, group))
        return;
    if (is_closed(&u->conditions.items[c]) && is_first_cause(u, a))
        admit(u, c, e);
    size_t from = hd_unfold_gather(u, HD_CROWD_MEETINGS, c, e);
    for (size_t i = from; i < u->near.count; i++) {
        uint8_t own = u->meetings.items[u->near.items[i]].group;
        if (own != HD_GROUP_UNKNOWN && groups_conflict(own, group))
            choose_sets(u, u->near.items[i], group, a);
    }
    u->near.count = from;
    hd_unfold_work_off(u, 0);
}
