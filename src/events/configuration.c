#include "events/configuration.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { UNSEEN, OPEN, DONE };

struct hd_configuration_space {
    const hd_trees *trees;
    hd_arena arena; /* of the arrays */
    uint32_t round; /* entries stamped with it are valid: nothing has to be cleared between two questions */
    uint32_t *event_stamp, *place_stamp;
    uint8_t *event_state;
    uint32_t *last_use; /* per place: the last use found so far */
    uint32_t *reader_stamp, *reader; /* per token: the head of a list of its readers (contexts) */
    uint32_t *next_reader; /* per context */
    bool *is_thread; /* per place: is it a thread's control? */
    hd_vec(uint32_t) events, stack, places, branches;
    hd_configuration joined;
};

/* An array with an entry for each of `count` things; all zero, as in a new round. */
#define array(s, field, count) ((s)->field = hd_arena_alloc(&(s)->arena, ((count) + 1) * sizeof *(s)->field))

hd_configuration_space *hd_configuration_space_open(const hd_trees *trees)
{
    hd_configuration_space *s = hd_alloc(&hd_heap, sizeof *s);
    size_t events = trees->events.count, places = trees->place_count, tokens = trees->uses.count + places;
    s->trees = trees;
    hd_arena_init(&s->arena, &hd_heap);
    array(s, event_stamp, events);
    array(s, event_state, events);
    array(s, place_stamp, places);
    array(s, last_use, places);
    array(s, is_thread, places);
    if (trees->contexts.count) {
        array(s, reader_stamp, tokens);
        array(s, reader, tokens);
        array(s, next_reader, trees->contexts.count);
    }
    for (uint32_t i = 0; i < events; i++)
        s->is_thread[hd_trees_home(trees, i)->place] = true;
    return s;
}

void hd_configuration_space_close(hd_configuration_space *s)
{
    hd_vec_fini(&s->events);
    hd_vec_fini(&s->stack);
    hd_vec_fini(&s->places);
    hd_vec_fini(&s->branches);
    hd_vec_fini(&s->joined);
    hd_arena_fini(&s->arena);
    hd_release(&hd_heap, s, sizeof *s);
}

/* --- cones -------------------------------------------------------------------------------- */

static void reach(hd_configuration_space *s, uint32_t event)
{
    if (s->event_stamp[event] == s->round)
        return;
    s->event_stamp[event] = s->round;
    hd_vec_push(&s->stack, event);
}

static void touch(hd_configuration_space *s, uint32_t use)
{
    uint32_t place = s->trees->uses.items[use].place;
    if (s->place_stamp[place] != s->round) {
        s->place_stamp[place] = s->round;
        s->last_use[place] = use;
        hd_vec_push(&s->places, place);
        /* Uses of a cone at one place are a chain, in which later uses have greater numbers. */
    } else if (use > s->last_use[place]) {
        s->last_use[place] = use;
    }
}

static void reach_causes(hd_configuration_space *s, uint32_t event)
{
    const hd_trees *t = s->trees;
    const hd_tree_event *e = &t->events.items[event];
    uint32_t count, before = hd_trees_before(t, event);
    const uint32_t *causes = hd_trees_causes(t, event, &count);
    for (uint32_t u = e->use; u < e->use + e->use_count; u++)
        touch(s, u);
    if (before != HD_NO_EVENT)
        reach(s, before);
    for (uint32_t i = 0; i < count; i++)
        reach(s, causes[i]);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

void hd_configuration_of(hd_configuration_space *s, uint32_t event, hd_configuration *out)
{
    s->round++;
    hd_vec_clear(&s->stack);
    hd_vec_clear(&s->places);
    reach(s, event);
    while (s->stack.count)
        reach_causes(s, hd_vec_pop(&s->stack));
    /* Cones are sorted by place, so that joins and checks are merges. */
    if (s->places.count)
        qsort(s->places.items, s->places.count, sizeof *s->places.items, by_number);
    hd_vec_clear(out);
    hd_vec_reserve(out, s->places.count);
    for (size_t i = 0; i < s->places.count; i++)
        hd_vec_push(out, ((hd_last_use) { s->places.items[i], s->last_use[s->places.items[i]] }));
}

uint32_t hd_configuration_at(const hd_configuration *c, uint32_t place)
{
    size_t low = 0, high = c->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->items[middle].place < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->count && c->items[low].place == place ? c->items[low].use : HD_NO_USE;
}

bool hd_configuration_has(const hd_trees *t, const hd_configuration *c, uint32_t event)
{
    /* An event is in a configuration if its use of its thread's control is an ancestor of the
     * configuration's last use there. */
    const hd_tree_use *home = hd_trees_home(t, event);
    uint32_t last = hd_configuration_at(c, home->place);
    return last != HD_NO_USE && hd_trees_ancestor(home, &t->uses.items[last]);
}

void hd_configuration_copy(hd_configuration *to, const hd_configuration *from)
{
    hd_vec_clear(to);
    hd_vec_reserve(to, from->count);
    if (from->count)
        memcpy(to->items, from->items, from->count * sizeof *from->items);
    to->count = from->count;
}

/* From the back, in place: `into` grows by the places that only `from` has. */
void hd_configuration_join(hd_configuration *into, const hd_configuration *from)
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
        hd_last_use y = from->items[b - 1];
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

bool hd_configurations_consistent(const hd_trees *t, const hd_configuration *a, const hd_configuration *b)
{
    const hd_last_use *x = a->items, *x_end = x + a->count, *y = b->items, *y_end = y + b->count;
    while (x < x_end && y < y_end) {
        if (x->place < y->place) {
            x++;
        } else if (x->place > y->place) {
            y++;
        } else {
            /* Only the earlier use can be the ancestor. */
            const hd_tree_use *first = &t->uses.items[x->use < y->use ? x->use : y->use];
            const hd_tree_use *second = &t->uses.items[x->use < y->use ? y->use : x->use];
            if (!hd_trees_ancestor(first, second))
                return false;
            x++;
            y++;
        }
    }
    return true;
}

/* --- cycles, orders, inputs ------------------------------------------------------------------ */

/* The number of a token: that of the use that produced it; initial tokens come after all uses, by place. */
static size_t token(const hd_trees *t, uint32_t place, uint32_t use)
{
    return use != HD_NO_USE ? use : t->uses.count + place;
}

static void note_readers(hd_configuration_space *s, uint32_t event)
{
    const hd_trees *t = s->trees;
    const hd_tree_event *e = &t->events.items[event];
    for (uint32_t c = e->context; c < e->context + e->context_count; c++) {
        size_t read = token(t, t->contexts.items[c].place, t->contexts.items[c].use);
        s->next_reader[c] = s->reader_stamp[read] == s->round ? s->reader[read] : HD_NO_USE;
        s->reader_stamp[read] = s->round;
        s->reader[read] = c;
    }
}

/* Lists the events of a configuration: every event is in the chain of its thread's control. */
static void list_events(hd_configuration_space *s, const hd_configuration *c)
{
    const hd_trees *t = s->trees;
    s->round++;
    hd_vec_clear(&s->events);
    for (size_t i = 0; i < c->count; i++) {
        if (!s->is_thread[c->items[i].place])
            continue;
        for (uint32_t u = c->items[i].use; u != HD_NO_USE; u = t->uses.items[u].parent) {
            uint32_t event = t->uses.items[u].event;
            if (s->event_stamp[event] == s->round)
                continue;
            s->event_stamp[event] = s->round;
            s->event_state[event] = UNSEEN;
            hd_vec_push(&s->events, event);
            if (t->contexts.count)
                note_readers(s, event);
        }
    }
}

/* Depth-first search: an OPEN predecessor means a cycle (false). */
static bool comes_first(hd_configuration_space *s, uint32_t event)
{
    if (s->event_state[event] == UNSEEN)
        hd_vec_push(&s->stack, event);
    return s->event_state[event] != OPEN;
}

/* Pushes the readers of the token that the use takes: they come before the event (asymmetric conflict). */
static bool push_readers(hd_configuration_space *s, const hd_tree_use *use)
{
    size_t taken = token(s->trees, use->place, use->parent);
    uint32_t c = s->reader_stamp[taken] == s->round ? s->reader[taken] : HD_NO_USE;
    bool fine = true;
    for (; fine && c != HD_NO_USE; c = s->next_reader[c]) {
        uint32_t reader = s->trees->contexts.items[c].event;
        fine = reader == use->event || comes_first(s, reader);
    }
    return fine;
}

/* Pushes everything that must come before `event`: its causes, and the readers of the tokens that it takes. */
static bool push_earlier(hd_configuration_space *s, uint32_t event)
{
    const hd_trees *t = s->trees;
    const hd_tree_event *e = &t->events.items[event];
    uint32_t count, before = hd_trees_before(t, event);
    const uint32_t *causes = hd_trees_causes(t, event, &count);
    bool fine = before == HD_NO_EVENT || comes_first(s, before);
    for (uint32_t u = e->use; fine && t->contexts.count && u < e->use + e->use_count; u++)
        fine = push_readers(s, &t->uses.items[u]);
    for (uint32_t i = 0; fine && i < count; i++)
        fine = comes_first(s, causes[i]);
    return fine;
}

bool hd_configuration_linearise(
    hd_configuration_space *s, const hd_configuration *c, const uint32_t **events, uint32_t *count)
{
    list_events(s, c);
    /* Ties are broken by event numbers, which list causes first; so the order is deterministic. */
    if (s->events.count)
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

static bool has_inputs(hd_configuration_space *s, const uint32_t *events, uint32_t count)
{
    const hd_trees *t = s->trees;
    hd_vec_clear(&s->branches);
    for (uint32_t i = 0; i < count; i++)
        if (t->events.items[events[i]].branches)
            hd_vec_push(&s->branches, events[i]);
    return !s->branches.count || t->satisfiable(t->context, s->branches.items, (uint32_t)s->branches.count);
}

bool hd_configurations_only_need_chains(const hd_trees *t)
{
    return !t->contexts.count && !t->satisfiable;
}

bool hd_configurations_fit(hd_configuration_space *s, const hd_configuration *a, const hd_configuration *b)
{
    const hd_trees *t = s->trees;
    const uint32_t *events;
    uint32_t count;
    if (!hd_configurations_consistent(t, a, b))
        return false;
    if (hd_configurations_only_need_chains(t))
        return true;
    hd_configuration_copy(&s->joined, a);
    hd_configuration_join(&s->joined, b);
    return hd_configuration_linearise(s, &s->joined, &events, &count)
        && (!t->satisfiable || has_inputs(s, events, count));
}
