#include "unfold/parts.h"

/* --- finding what is known -------------------------------------------------------------------- */

static uint64_t pair_hash(uint32_t w, uint32_t c)
{
    return hd_hash((uint64_t)w << 32 | c);
}

static uint64_t meeting_hash(const hd_unfolding *u, uint32_t m)
{
    return pair_hash(u->meetings.items[m].wish, u->meetings.items[m].condition);
}

uint32_t hd_unfold_find_meeting(const hd_unfolding *u, uint32_t w, uint32_t c)
{
    if (!u->met.room)
        return 0;
    for (size_t i = hd_hash_index_start(&u->met, pair_hash(w, c)); u->met.slots[i]; i = (i + 1) & (u->met.room - 1)) {
        const meeting *m = &u->meetings.items[u->met.slots[i]];
        if (m->wish == w && m->condition == c)
            return u->met.slots[i];
    }
    return 0;
}

static uint64_t set_hash(uint32_t c, const uint32_t *set, uint32_t count)
{
    return hd_hash_bytes(set, count * sizeof *set, c);
}

static uint64_t closed_hash(const hd_unfolding *u, uint32_t c)
{
    const condition *k = &u->conditions.items[c];
    return set_hash(k->parent, &u->sets.items[k->set], k->set_count);
}

static bool is_that_set(const hd_unfolding *u, uint32_t closed, uint32_t c, const uint32_t *set, uint32_t count)
{
    const condition *k = &u->conditions.items[closed];
    bool same = k->parent == c && k->set_count == count;
    for (uint32_t i = 0; i < count && same; i++)
        same = u->sets.items[k->set + i] == set[i];
    return same;
}

uint32_t hd_unfold_closed(hd_unfolding *u, uint32_t c, const uint32_t *set, uint32_t count)
{
    uint64_t hash = set_hash(c, set, count);
    if (u->closed.room)
        for (size_t i = hd_hash_index_start(&u->closed, hash); u->closed.slots[i]; i = (i + 1) & (u->closed.room - 1))
            if (is_that_set(u, u->closed.slots[i], c, set, count))
                return u->closed.slots[i];
    int32_t total = u->conditions.items[c].count;
    for (uint32_t i = 0; i < count; i++)
        total += u->accesses.items[set[i]].adds;
    uint32_t new = hd_unfold_new_condition(u, u->conditions.items[c].object, c, 0, total);
    u->conditions.items[new].set = (uint32_t)u->sets.count;
    u->conditions.items[new].set_count = count;
    for (uint32_t i = 0; i < count; i++)
        hd_vec_push(&u->sets, set[i]);
    hd_hash_index_add(&u->closed, u->memory, hash, new, closed_hash, u);
    return new;
}

/* --- targets ------------------------------------------------------------------------------------ */

static bool is_enabled(uint8_t needs, int32_t count)
{
    switch (needs) {
    case HD_NEED_ZERO:
        return count == 0;
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
    for (uint32_t e = m->outcomes; e; e = u->events.items[e].sibling)
        if (u->events.items[e].choice == choice)
            return true;
    return false;
}

bool hd_unfold_is_open(const hd_unfolding *u, const target *t)
{
    const meeting *m = &u->meetings.items[t->meeting];
    if (m->status == MEETING_DONE)
        return !m->wishes && !has_outcome(u, m, t->choice);
    return m->status == MEETING_TARGET;
}

void hd_unfold_add_target(hd_unfolding *u, uint32_t m, uint8_t choice)
{
    hd_vec_push(&u->targets, ((target) { m, choice }));
}

/* Has the wish in its past an access at the condition that its own would have
 * to come after? Then it finds not the condition but a set beyond it. */
static bool is_past(const hd_unfolding *u, uint32_t w, uint32_t c, uint8_t group)
{
    for (uint32_t a = u->conditions.items[c].group_accesses; a; a = u->accesses.items[a].next) {
        const access *other = &u->accesses.items[a];
        if (groups_conflict(other->group, group) && group_is_cause(u, other->group)
            && hd_unfold_precedes(u, other->event, u->wishes.items[w].cone))
            return true;
    }
    return false;
}

static void make_target(hd_unfolding *u, uint32_t m)
{
    meeting *k = &u->meetings.items[m];
    const wish *w = &u->wishes.items[k->wish];
    if (k->status != MEETING_SHUT || !is_enabled(w->needs, u->conditions.items[k->condition].count))
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

static void choose(hd_unfolding *u, const choice_of_set *s, size_t index)
{
    if (index == u->candidates.count) {
        if (u->chosen.count)
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

/* Accesses of the group that can be in a set with `must`, by number. */
static bool collect_candidates(hd_unfolding *u, const choice_of_set *s, uint8_t group)
{
    hd_vec_clear(&u->candidates);
    for (uint32_t a = u->conditions.items[s->condition].group_accesses; a; a = u->accesses.items[a].next) {
        const access *k = &u->accesses.items[a];
        if (k->group != group)
            continue;
        bool fits = (!s->must || a == s->must || hd_unfold_compatible(u, k->event, u->accesses.items[s->must].event))
            && hd_unfold_wish_fits(u, s->wish, k->event);
        if (fits)
            hd_vec_push(&u->candidates, a);
        else if (a == s->must)
            return false;
    }
    for (size_t i = 0, k = u->candidates.count; i + 1 < k; i++) {
        uint32_t a = u->candidates.items[i];
        u->candidates.items[i] = u->candidates.items[--k];
        u->candidates.items[k] = a;
    }
    return u->candidates.count > 0;
}

static void choose_sets(hd_unfolding *u, uint32_t w, uint32_t c, uint32_t must, uint8_t group)
{
    choice_of_set s = { w, c, must };
    if (!collect_candidates(u, &s, group))
        return;
    hd_vec_clear(&u->chosen);
    choose(u, &s, 0);
}

/* For each group that the access at the meeting does not commute with. */
static void choose_all_sets(hd_unfolding *u, uint32_t m)
{
    uint8_t own = u->meetings.items[m].group;
    uint32_t w = u->meetings.items[m].wish, c = u->meetings.items[m].condition;
    bool done[HD_GROUP_ALONE] = { false };
    if (own == HD_GROUP_UNKNOWN)
        return;
    for (uint32_t a = u->conditions.items[c].group_accesses; a; a = u->accesses.items[a].next) {
        uint8_t group = u->accesses.items[a].group;
        if (done[group] || !groups_conflict(own, group) || !group_is_cause(u, group))
            continue;
        done[group] = true;
        choose_sets(u, w, c, 0, group);
    }
}

/* --- meeting ----------------------------------------------------------------------------------------- */

uint32_t hd_unfold_meet(hd_unfolding *u, uint32_t w, uint32_t c)
{
    uint32_t m = hd_unfold_find_meeting(u, w, c);
    if (m)
        return m;
    m = (uint32_t)u->meetings.count;
    wish *k = &u->wishes.items[w];
    condition *at = &u->conditions.items[c];
    hd_vec_push(&u->meetings,
        ((meeting) {
            .wish = w, .condition = c, .next = at->meetings, .group = k->unsure ? HD_GROUP_UNKNOWN : k->group }));
    at->meetings = m;
    hd_hash_index_add(&u->met, u->memory, pair_hash(w, c), m, meeting_hash, u);
    k->met += k->met < 2;
    if (k->met == 2 && k->object)
        hd_unfold_contend(u, k->object);
    return m;
}

/* Tries the conditions made from this one, directly or after a set. */
static void try_children(hd_unfolding *u, uint32_t w, uint32_t c)
{
    for (uint32_t n = u->conditions.items[c].child; n; n = u->conditions.items[n].sibling) {
        uint32_t e = u->conditions.items[n].event;
        if (!e)
            try_children(u, w, n);
        else if (hd_unfold_wish_fits(u, w, e))
            hd_vec_push(&u->work, ((pair) { w, n }));
    }
}

static void work_off(hd_unfolding *u, uint32_t first)
{
    while (u->work.count) {
        pair p = hd_vec_pop(&u->work);
        if (hd_unfold_find_meeting(u, p.wish, p.condition))
            continue;
        uint32_t m = hd_unfold_meet(u, p.wish, p.condition);
        make_target(u, m);
        choose_all_sets(u, m);
        if (p.condition == first || !is_closed(&u->conditions.items[p.condition]))
            try_children(u, p.wish, p.condition);
    }
}

void hd_unfold_seek(hd_unfolding *u, uint32_t w, uint32_t first)
{
    hd_vec_push(&u->work, ((pair) { w, first }));
    work_off(u, first);
}

void hd_unfold_settle(hd_unfolding *u, uint32_t m, uint8_t group)
{
    if (u->meetings.items[m].group != HD_GROUP_UNKNOWN)
        return;
    u->meetings.items[m].group = group;
    if (u->meetings.items[m].status == MEETING_TARGET
        && is_past(u, u->meetings.items[m].wish, u->meetings.items[m].condition, group))
        u->meetings.items[m].status = MEETING_DROPPED;
    choose_all_sets(u, m);
    work_off(u, 0);
}

/* --- what is new ----------------------------------------------------------------------------------------- */

void hd_unfold_offer_condition(hd_unfolding *u, uint32_t c)
{
    uint32_t e = u->conditions.items[c].event, parent = c;
    do {
        parent = u->conditions.items[parent].parent;
        for (uint32_t m = u->conditions.items[parent].meetings; m; m = u->meetings.items[m].next) {
            uint32_t w = u->meetings.items[m].wish;
            if (u->wishes.items[w].seen == c)
                continue;
            u->wishes.items[w].seen = c;
            if (hd_unfold_wish_fits(u, w, e))
                hd_vec_push(&u->work, ((pair) { w, c }));
        }
    } while (is_closed(&u->conditions.items[parent]));
    work_off(u, 0);
}

void hd_unfold_offer_access(hd_unfolding *u, uint32_t a)
{
    uint8_t group = u->accesses.items[a].group;
    uint32_t c = u->accesses.items[a].found;
    if (!group_is_cause(u, group))
        return;
    for (uint32_t m = u->conditions.items[c].meetings; m; m = u->meetings.items[m].next) {
        uint8_t own = u->meetings.items[m].group;
        if (own != HD_GROUP_UNKNOWN && groups_conflict(own, group))
            choose_sets(u, u->meetings.items[m].wish, c, a, group);
    }
    work_off(u, 0);
}
