/* Sets of accesses that commute with each other, as conditions.
 *
 * Accesses of one group at a condition, compatible with each other and with the
 * wish, that have with each all that comes before it: every such set is a
 * condition that the wish can meet. */
#include "unfold/unfold_internal.h"

#include <stdlib.h>

/* --- closed sets ------------------------------------------------------------------------------------ */

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

uint8_t hd_unfold_group_of_set(const hd_unfolding *u, uint32_t c)
{
    return u->accesses.items[set_of(u, &u->conditions.items[c])[0]].group;
}

/* Are all accesses of the closed set in the wish's past? */
static bool has_set(const hd_unfolding *u, uint32_t w, uint32_t c)
{
    const condition *k = &u->conditions.items[c];
    for (uint32_t i = 0; i < set_size(u, k); i++)
        if (!hd_unfold_precedes(u, u->accesses.items[set_of(u, k)[i]].event, u->wishes.items[w].cone))
            return false;
    return true;
}

bool hd_unfold_passes(const hd_unfolding *u, uint32_t w, uint32_t c, uint8_t group)
{
    if (!is_closed(&u->conditions.items[c]) || group == HD_GROUP_UNKNOWN)
        return false;
    uint8_t before = hd_unfold_group_of_set(u, c);
    return !hd_groups_conflict(group, before) || (is_implied(before, group) && has_set(u, w, c));
}

/* --- choosing them -------------------------------------------------------------------------------------- */

typedef struct choice_of_set {
    uint32_t wish, condition;
    uint8_t group, own; /* of the set's accesses, and of the wish's own */
    uint32_t must; /* the new access that each set has to have; 0: none */
} choice_of_set;

/* Does the candidate fit the chosen accesses, and is none of those left out in its past? (A set is closed under
 * causes.) */
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

/* Does the set contain only accesses that are in the wish's past anyway? (See is_implied.) */
static bool is_nothing_new(const hd_unfolding *u, const choice_of_set *s)
{
    if (!is_implied(s->group, s->own) || s->must)
        return false;
    for (size_t i = 0; i < u->chosen.count; i++)
        if (!is_forced(u, s, u->chosen.items[i]))
            return false;
    return true;
}

/* Pairwise fit is enough, except in the contextual net. */
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

/* Collects the accesses of the group that can be in a set with `must`, sorted by number. */
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

void hd_unfold_choose_sets(hd_unfolding *u, uint32_t m, uint8_t group, uint32_t must)
{
    const meeting *k = &u->meetings.items[m];
    choice_of_set s = { k->wish, k->condition, group, k->group, must };
    if (!collect_candidates(u, &s))
        return;
    hd_vec_clear(&u->chosen);
    choose(u, &s, 0);
}

bool hd_unfold_set_fits(hd_unfolding *u, uint32_t w, uint32_t c)
{
    const condition *k = &u->conditions.items[c];
    for (uint32_t i = 0; i < set_size(u, k); i++)
        if (!hd_unfold_wish_fits(u, w, u->accesses.items[set_of(u, k)[i]].event))
            return false;
    return true;
}

/* Adds the closed sets that the access at the meeting passes and that other accesses have found. */
static void pass_sets(hd_unfolding *u, uint32_t m)
{
    uint32_t w = u->meetings.items[m].wish, c = u->meetings.items[m].condition;
    uint8_t own = u->meetings.items[m].group;
    if (!u->objects.items[u->conditions.items[c].object].mixed)
        return;
    size_t from = hd_unfold_gather(u, HD_CROWD_CHILDREN, c, u->wishes.items[w].cone);
    for (size_t i = from; i < u->near.count; i++) {
        uint32_t n = u->near.items[i];
        if (u->conditions.items[n].group_accesses && hd_unfold_passes(u, w, n, own) && hd_unfold_set_fits(u, w, n))
            hd_vec_push(&u->work, ((pair) { w, n }));
    }
    u->near.count = from;
}

void hd_unfold_choose_all_sets(hd_unfolding *u, uint32_t m)
{
    uint32_t w = u->meetings.items[m].wish, c = u->meetings.items[m].condition;
    uint8_t own = u->meetings.items[m].group;
    uint64_t done[HD_GROUP_ALONE / 64 + 1] = { 0 };
    if (own == HD_GROUP_UNKNOWN)
        return;
    size_t from = hd_unfold_gather(u, HD_CROWD_ACCESSES, c, u->wishes.items[w].cone);
    for (size_t i = from; i < u->near.count; i++) {
        uint8_t group = u->accesses.items[u->near.items[i]].group;
        if ((done[group / 64] >> group % 64 & 1) || !hd_groups_conflict(own, group) || !hd_net_is_cause(u->net, group))
            continue;
        done[group / 64] |= 1ull << group % 64;
        hd_unfold_choose_sets(u, m, group, 0);
    }
    u->near.count = from;
    pass_sets(u, m);
}
