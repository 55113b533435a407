#include "suite/problem.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

void hd_problem_init(hd_problem *n)
{
    *n = (hd_problem) { .place_count = 0 };
}

void hd_problem_fini(hd_problem *n)
{
    hd_vec_fini(&n->events);
    hd_vec_fini(&n->uses);
    hd_vec_fini(&n->contexts);
    hd_vec_fini(&n->causes);
    hd_vec_fini(&n->goals);
    hd_vec_fini(&n->members);
}

/* --- making one --------------------------------------------------------------------------- */

uint32_t hd_problem_add_event(hd_problem *n, uint32_t origin)
{
    hd_vec_push(&n->events,
        ((hd_problem_event) { .use = (uint32_t)n->uses.count,
            .context = (uint32_t)n->contexts.count,
            .cause = (uint32_t)n->causes.count,
            .origin = origin }));
    return (uint32_t)n->events.count - 1;
}

void hd_problem_add_use(hd_problem *n, uint32_t place, uint32_t parent_use)
{
    hd_vec_push(&n->uses, ((hd_problem_use) { place, parent_use, (uint32_t)n->events.count - 1, 0, 0 }));
    hd_vec_last(&n->events)->use_count++;
    n->place_count = place >= n->place_count ? place + 1 : n->place_count;
}

void hd_problem_add_context(hd_problem *n, uint32_t place, uint32_t use)
{
    hd_vec_push(&n->contexts, ((hd_problem_context) { place, use, (uint32_t)n->events.count - 1 }));
    hd_vec_last(&n->events)->context_count++;
    n->place_count = place >= n->place_count ? place + 1 : n->place_count;
}

void hd_problem_add_cause(hd_problem *n, uint32_t event)
{
    hd_vec_push(&n->causes, event);
    hd_vec_last(&n->events)->cause_count++;
}

void hd_problem_add_goal(hd_problem *n, uint32_t number)
{
    hd_vec_push(&n->goals, ((hd_problem_goal) { (uint32_t)n->members.count, 0, number }));
}

void hd_problem_add_member(hd_problem *n, uint32_t event)
{
    hd_vec_push(&n->members, event);
    hd_vec_last(&n->goals)->member_count++;
}

uint32_t hd_problem_use_at(const hd_problem *n, uint32_t event, uint32_t place)
{
    const hd_problem_event *e = &n->events.items[event];
    for (uint32_t i = 0; i < e->use_count; i++)
        if (n->uses.items[e->use + i].place == place)
            return e->use + i;
    return HD_NO_USE;
}

/* --- closing it ----------------------------------------------------------------------------- */

/* Depth-first intervals without recursion: subtree sizes from the last use to the first (a parent
 * has a smaller number than its children), then intervals from the first use on. */
static void number_trees(hd_problem *n)
{
    size_t count = n->uses.count;
    hd_problem_use *uses = n->uses.items;
    uint32_t *size = hd_alloc(&hd_heap, (count + 1) * sizeof *size);
    uint32_t *next = hd_alloc(&hd_heap, (count + 1) * sizeof *next);
    uint32_t root_next = 0;
    for (size_t i = count; i-- > 0;) {
        size[i]++;
        if (uses[i].parent != HD_NO_USE)
            size[uses[i].parent] += size[i];
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t *from = uses[i].parent == HD_NO_USE ? &root_next : &next[uses[i].parent];
        /* Children get consecutive intervals inside their parent's, after the parent's own number. */
        uses[i].enter = *from;
        uses[i].leave = *from + size[i];
        *from += size[i];
        next[i] = uses[i].enter + 1;
    }
    hd_release(&hd_heap, size, (count + 1) * sizeof *size);
    hd_release(&hd_heap, next, (count + 1) * sizeof *next);
}

static void imply_causes(const hd_problem *n, const hd_problem_event *e, bool *implied)
{
    for (uint32_t u = e->use; u < e->use + e->use_count; u++)
        if (n->uses.items[u].parent != HD_NO_USE)
            implied[n->uses.items[n->uses.items[u].parent].event] = true;
    for (uint32_t c = e->context; c < e->context + e->context_count; c++)
        if (n->contexts.items[c].use != HD_NO_USE)
            implied[n->uses.items[n->contexts.items[c].use].event] = true;
    for (uint32_t c = e->cause; c < e->cause + e->cause_count; c++)
        implied[n->causes.items[c]] = true;
}

/* Marks as needed the single-event goals whose event no other needed event implies. Of several
 * goals with the same event, the first is kept. */
static void drop_implied_singles(const hd_problem *n, bool *implied, bool *needed)
{
    for (size_t g = 0; g < n->goals.count; g++) {
        uint32_t event = n->members.items[n->goals.items[g].member];
        needed[g] = n->goals.items[g].member_count == 1 && !implied[event];
        implied[event] |= needed[g];
    }
}

static bool is_met(const hd_problem *n, const hd_problem_goal *goal, const bool *implied)
{
    for (uint32_t m = 0; m < goal->member_count; m++)
        if (implied[n->members.items[goal->member + m]])
            return true;
    return false;
}

/* Drops goals that come with others: a test that reaches a single-event goal contains that event's
 * whole past. Events are visited from the last to the first, so implications propagate in one pass. */
static void drop_implied_goals(hd_problem *n)
{
    bool *implied = hd_alloc(&hd_heap, n->events.count + 1), *needed = hd_alloc(&hd_heap, n->goals.count + 1);
    bool *single = hd_alloc(&hd_heap, n->events.count + 1);
    size_t kept = 0;
    for (size_t g = 0; g < n->goals.count; g++)
        if (n->goals.items[g].member_count == 1)
            single[n->members.items[n->goals.items[g].member]] = true;
    /* The whole past of a single-event goal is implied, step by step. */
    for (size_t i = n->events.count; i-- > 0;)
        if (single[i] || implied[i])
            imply_causes(n, &n->events.items[i], implied);
    drop_implied_singles(n, implied, needed);
    for (size_t g = 0; g < n->goals.count; g++)
        if (needed[g] || (n->goals.items[g].member_count > 1 && !is_met(n, &n->goals.items[g], implied)))
            n->goals.items[kept++] = n->goals.items[g];
    hd_release(&hd_heap, implied, n->events.count + 1);
    hd_release(&hd_heap, needed, n->goals.count + 1);
    hd_release(&hd_heap, single, n->events.count + 1);
    n->goals.count = kept;
}

void hd_problem_close(hd_problem *n)
{
    number_trees(n);
    drop_implied_goals(n);
}

/* --- validity --------------------------------------------------------------------------------- */

static bool use_is_valid(const hd_problem *n, uint32_t index)
{
    const hd_problem_use *u = &n->uses.items[index];
    if (u->parent == HD_NO_USE)
        return true;
    const hd_problem_use *parent = &n->uses.items[u->parent];
    /* The invariants that hd_cone_join and the intervals rely on. */
    return u->parent < index && parent->place == u->place && parent->event < u->event && hd_problem_ancestor(parent, u);
}

static bool event_is_valid(const hd_problem *n, uint32_t index)
{
    const hd_problem_event *e = &n->events.items[index];
    bool valid = e->use_count > 0;
    for (uint32_t u = e->use; valid && u < e->use + e->use_count; u++)
        valid = n->uses.items[u].event == index && use_is_valid(n, u);
    for (uint32_t c = e->context; valid && c < e->context + e->context_count; c++) {
        uint32_t use = n->contexts.items[c].use;
        valid = use == HD_NO_USE
            || (n->uses.items[use].place == n->contexts.items[c].place && n->uses.items[use].event < index);
    }
    for (uint32_t c = e->cause; valid && c < e->cause + e->cause_count; c++)
        valid = n->causes.items[c] < index;
    return valid;
}

bool hd_problem_is_valid(const hd_problem *n)
{
    bool valid = true;
    for (uint32_t i = 0; valid && i < n->events.count; i++)
        valid = event_is_valid(n, i);
    for (size_t i = 0; valid && i < n->goals.count; i++)
        valid = n->goals.items[i].member_count > 0;
    return valid;
}
