#include "suite/config.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { UNSEEN, OPEN, DONE };

void hd_space_init(hd_space *s, const hd_problem *problem)
{
    size_t events = problem->events.count + 1, places = problem->place_count + 1;
    size_t tokens = problem->uses.count + places;
    *s = (hd_space) { .problem = problem };
    s->event_stamp = hd_alloc(&hd_heap, events * sizeof *s->event_stamp);
    s->event_state = hd_alloc(&hd_heap, events);
    s->place_stamp = hd_alloc(&hd_heap, places * sizeof *s->place_stamp);
    s->last_use = hd_alloc(&hd_heap, places * sizeof *s->last_use);
    s->is_thread = hd_alloc(&hd_heap, places);
    if (problem->contexts.count) {
        s->reader_stamp = hd_alloc(&hd_heap, tokens * sizeof *s->reader_stamp);
        s->reader = hd_alloc(&hd_heap, tokens * sizeof *s->reader);
        s->next_reader = hd_alloc(&hd_heap, problem->contexts.count * sizeof *s->next_reader);
    }
    for (size_t i = 0; i < problem->events.count; i++)
        s->is_thread[problem->uses.items[problem->events.items[i].use].place] = true;
}

void hd_space_fini(hd_space *s)
{
    const hd_problem *problem = s->problem;
    size_t events = problem->events.count + 1, places = problem->place_count + 1;
    size_t tokens = problem->uses.count + places;
    hd_release(&hd_heap, s->event_stamp, events * sizeof *s->event_stamp);
    hd_release(&hd_heap, s->event_state, events);
    hd_release(&hd_heap, s->place_stamp, places * sizeof *s->place_stamp);
    hd_release(&hd_heap, s->last_use, places * sizeof *s->last_use);
    hd_release(&hd_heap, s->is_thread, places);
    if (problem->contexts.count) {
        hd_release(&hd_heap, s->reader_stamp, tokens * sizeof *s->reader_stamp);
        hd_release(&hd_heap, s->reader, tokens * sizeof *s->reader);
        hd_release(&hd_heap, s->next_reader, problem->contexts.count * sizeof *s->next_reader);
    }
    hd_vec_fini(&s->events);
    hd_vec_fini(&s->stack);
    hd_vec_fini(&s->places);
    hd_vec_fini(&s->branches);
    hd_vec_fini(&s->joined);
}

/* --- cones -------------------------------------------------------------------------------- */

static void reach(hd_space *s, uint32_t event)
{
    if (s->event_stamp[event] == s->round)
        return;
    s->event_stamp[event] = s->round;
    hd_vec_push(&s->stack, event);
}

static void touch(hd_space *s, uint32_t use)
{
    uint32_t place = s->problem->uses.items[use].place;
    if (s->place_stamp[place] != s->round) {
        s->place_stamp[place] = s->round;
        s->last_use[place] = use;
        hd_vec_push(&s->places, place);
        /* Uses of a cone at one place are a chain, in which later uses have greater numbers. */
    } else if (use > s->last_use[place]) {
        s->last_use[place] = use;
    }
}

/* Direct causes: producers of the tokens that the event takes or reads, and further causes. */
static void reach_causes(hd_space *s, uint32_t event)
{
    const hd_problem *n = s->problem;
    const hd_problem_event *e = &n->events.items[event];
    for (uint32_t u = e->use; u < e->use + e->use_count; u++) {
        touch(s, u);
        if (n->uses.items[u].parent != HD_NO_USE)
            reach(s, n->uses.items[n->uses.items[u].parent].event);
    }
    for (uint32_t c = e->context; c < e->context + e->context_count; c++)
        if (n->contexts.items[c].use != HD_NO_USE)
            reach(s, n->uses.items[n->contexts.items[c].use].event);
    for (uint32_t c = e->cause; c < e->cause + e->cause_count; c++)
        reach(s, n->causes.items[c]);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

void hd_cone_of(hd_space *s, uint32_t event, hd_cone *out)
{
    s->round++;
    hd_vec_clear(&s->stack);
    hd_vec_clear(&s->places);
    reach(s, event);
    while (s->stack.count)
        reach_causes(s, hd_vec_pop(&s->stack));
    /* Cones are sorted by place, so that joins and checks are merges. */
    qsort(s->places.items, s->places.count, sizeof *s->places.items, by_number);
    hd_vec_clear(out);
    hd_vec_reserve(out, s->places.count);
    for (size_t i = 0; i < s->places.count; i++)
        hd_vec_push(out, ((hd_mark) { s->places.items[i], s->last_use[s->places.items[i]] }));
}

bool hd_cone_has(const hd_problem *n, const hd_cone *c, uint32_t event)
{
    /* An event is in a configuration if its use of its thread's control is an ancestor of the
     * configuration's last use there. */
    const hd_problem_use *home = &n->uses.items[n->events.items[event].use];
    size_t low = 0, high = c->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->items[middle].place < home->place)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->count && c->items[low].place == home->place
        && hd_problem_ancestor(home, &n->uses.items[c->items[low].use]);
}

void hd_cone_copy(hd_cone *to, const hd_cone *from)
{
    hd_vec_clear(to);
    hd_vec_reserve(to, from->count);
    if (from->count)
        memcpy(to->items, from->items, from->count * sizeof *from->items);
    to->count = from->count;
}

/* From the back, in place: `into` grows by the places that only `from` has. */
void hd_cone_join(hd_cone *into, const hd_cone *from)
{
    size_t common = 0;
    for (size_t a = 0, b = 0; a < into->count && b < from->count;) {
        uint32_t x = into->items[a].place, y = from->items[b].place;
        common += x == y;
        a += x <= y;
        b += y <= x;
    }
    size_t a = into->count, b = from->count, total = a + b - common;
    hd_vec_reserve(into, total - a);
    into->count = total;
    while (b > 0) {
        hd_mark y = from->items[b - 1];
        if (a > 0 && into->items[a - 1].place > y.place) {
            into->items[--total] = into->items[--a];
            continue;
        }
        if (a > 0 && into->items[a - 1].place == y.place) {
            a--;
            /* Consistent uses are in one chain: the greater number is the later one. */
            y.use = into->items[a].use > y.use ? into->items[a].use : y.use;
        }
        into->items[--total] = y;
        b--;
    }
}

bool hd_cones_consistent(const hd_problem *n, const hd_cone *a, const hd_cone *b)
{
    const hd_mark *x = a->items, *x_end = x + a->count, *y = b->items, *y_end = y + b->count;
    while (x < x_end && y < y_end) {
        if (x->place < y->place) {
            x++;
        } else if (x->place > y->place) {
            y++;
        } else {
            /* Only the earlier use can be the ancestor. */
            const hd_problem_use *first = &n->uses.items[x->use < y->use ? x->use : y->use];
            const hd_problem_use *second = &n->uses.items[x->use < y->use ? y->use : x->use];
            if (!hd_problem_ancestor(first, second))
                return false;
            x++;
            y++;
        }
    }
    return true;
}

/* --- cycles, orders, inputs ------------------------------------------------------------------ */

/* The number of a token: that of the use that produced it; initial tokens come after all uses, by place. */
static size_t token(const hd_problem *n, uint32_t place, uint32_t use)
{
    return use != HD_NO_USE ? use : n->uses.count + place;
}

static void note_readers(hd_space *s, uint32_t event)
{
    const hd_problem *n = s->problem;
    const hd_problem_event *e = &n->events.items[event];
    for (uint32_t c = e->context; c < e->context + e->context_count; c++) {
        size_t t = token(n, n->contexts.items[c].place, n->contexts.items[c].use);
        s->next_reader[c] = s->reader_stamp[t] == s->round ? s->reader[t] : HD_NO_USE;
        s->reader_stamp[t] = s->round;
        s->reader[t] = c;
    }
}

/* Lists the events of a configuration: every event is in the chain of its thread's control. */
static void list_events(hd_space *s, const hd_cone *c)
{
    const hd_problem *n = s->problem;
    s->round++;
    hd_vec_clear(&s->events);
    for (size_t i = 0; i < c->count; i++) {
        if (!s->is_thread[c->items[i].place])
            continue;
        for (uint32_t u = c->items[i].use; u != HD_NO_USE; u = n->uses.items[u].parent) {
            uint32_t event = n->uses.items[u].event;
            if (s->event_stamp[event] == s->round)
                continue;
            s->event_stamp[event] = s->round;
            s->event_state[event] = UNSEEN;
            hd_vec_push(&s->events, event);
            if (n->contexts.count)
                note_readers(s, event);
        }
    }
}

/* Depth-first search: an OPEN predecessor means a cycle (false). */
static bool comes_first(hd_space *s, uint32_t event)
{
    if (s->event_state[event] == UNSEEN)
        hd_vec_push(&s->stack, event);
    return s->event_state[event] != OPEN;
}

/* Pushes everything that must come before `event`: its causes, and the readers of each token that
 * it takes (asymmetric conflict). */
static bool push_earlier(hd_space *s, uint32_t event)
{
    const hd_problem *n = s->problem;
    const hd_problem_event *e = &n->events.items[event];
    bool fine = true;
    for (uint32_t u = e->use; fine && u < e->use + e->use_count; u++) {
        const hd_problem_use *use = &n->uses.items[u];
        if (use->parent != HD_NO_USE)
            fine = comes_first(s, n->uses.items[use->parent].event);
        if (!n->contexts.count)
            continue;
        size_t t = token(n, use->place, use->parent);
        uint32_t c = s->reader_stamp[t] == s->round ? s->reader[t] : HD_NO_USE;
        for (; fine && c != HD_NO_USE; c = s->next_reader[c]) {
            uint32_t reader = n->contexts.items[c].event;
            fine = reader == event || comes_first(s, reader);
        }
    }
    for (uint32_t c = e->context; fine && c < e->context + e->context_count; c++)
        if (n->contexts.items[c].use != HD_NO_USE)
            fine = comes_first(s, n->uses.items[n->contexts.items[c].use].event);
    for (uint32_t c = e->cause; fine && c < e->cause + e->cause_count; c++)
        fine = comes_first(s, n->causes.items[c]);
    return fine;
}

bool hd_cone_linearise(hd_space *s, const hd_cone *c, const uint32_t **events, uint32_t *count)
{
    list_events(s, c);
    /* Ties are broken by event numbers, which list causes first; so the order is deterministic. */
    qsort(s->events.items, s->events.count, sizeof *s->events.items, by_number);
    hd_vec_clear(&s->stack);
    size_t all = s->events.count, done = 0;
    uint32_t *order = hd_alloc(&hd_heap, (all + 1) * sizeof *order);
    bool fine = true;
    for (size_t i = 0; i < all && fine; i++) {
        if (s->event_state[s->events.items[i]] == UNSEEN)
            hd_vec_push(&s->stack, s->events.items[i]);
        while (s->stack.count && fine) {
            uint32_t event = *hd_vec_last(&s->stack);
            if (s->event_state[event] == UNSEEN) {
                s->event_state[event] = OPEN;
                fine = push_earlier(s, event);
                continue;
            }
            s->stack.count--;
            if (s->event_state[event] == OPEN)
                order[done++] = event;
            s->event_state[event] = DONE;
        }
    }
    if (fine && all)
        memcpy(s->events.items, order, all * sizeof *order);
    hd_release(&hd_heap, order, (all + 1) * sizeof *order);
    *events = s->events.items;
    *count = (uint32_t)all;
    return fine;
}

static bool has_inputs(hd_space *s, const uint32_t *events, uint32_t count)
{
    const hd_problem *n = s->problem;
    hd_vec_clear(&s->branches);
    for (uint32_t i = 0; i < count; i++)
        if (n->events.items[events[i]].branches)
            hd_vec_push(&s->branches, events[i]);
    return !s->branches.count || n->satisfiable(n->context, s->branches.items, (uint32_t)s->branches.count);
}

bool hd_cones_fit(hd_space *s, const hd_cone *a, const hd_cone *b)
{
    const hd_problem *n = s->problem;
    const uint32_t *events;
    uint32_t count;
    if (!hd_cones_consistent(n, a, b))
        return false;
    /* Without contexts and branches, consistency is all. */
    if (!n->contexts.count && !n->satisfiable)
        return true;
    hd_cone_copy(&s->joined, a);
    hd_cone_join(&s->joined, b);
    return hd_cone_linearise(s, &s->joined, &events, &count) && (!n->satisfiable || has_inputs(s, events, count));
}
