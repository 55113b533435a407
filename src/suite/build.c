#include "suite/build.h"

#include "abi/site.h"
#include "base/error.h"
#include "base/rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct builder {
    const hd_events *events;
    hd_event event; /* the current one */
} builder;

/* --- goals: local states ----------------------------------------------------------------------- */

/* The local state after an event, as a row: what the event does and the states of its causes. Edges
 * that only had to be waited for (joins, wake-ups) are left out, so events that differ in nothing
 * else have the same state. */
static uint32_t state_of(builder *b, hd_rows *states, const uint32_t *state)
{
    const hd_event *event = &b->event;
    hd_rows_put(states, (uint32_t)event->thread | (uint32_t)event->is_branch << 16);
    hd_rows_put(states, event->before == HD_NO_EVENT ? HD_NO_EVENT : state[event->before]);
    for (size_t i = 0; i < event->ops.count; i++) {
        const hd_event_op *op = &event->ops.items[i];
        hd_rows_put(states, (uint32_t)op->object);
        hd_rows_put(states, (uint32_t)(op->object >> 32));
        hd_rows_put(states, (uint32_t)op->kind | (uint32_t)op->choice << 8 | (uint32_t)op->mask << 16);
        hd_rows_put(states, op->site);
        for (uint32_t k = 0; k < op->piece_count; k++) {
            const hd_event_piece *piece = &event->pieces.items[op->piece + k];
            hd_rows_put(states, (uint32_t)piece->mask | piece->cause_count << 16);
            for (uint32_t m = 0; m < piece->cause_count; m++)
                hd_rows_put(states, state[event->causes.items[piece->cause + m].event]);
        }
    }
    for (size_t i = 0; i < event->edges.count; i++)
        if (event->edges.items[i].creates)
            hd_rows_put(states, state[event->edges.items[i].event]);
    return hd_rows_intern(states);
}

/* A source position independent of the build directory: the file's base name, line and column. */
static uint64_t site_key(const hd_event_site *site)
{
    const char *slash = strrchr(site->file, '/'), *name = slash ? slash + 1 : site->file;
    return hd_hash(hd_hash_bytes(name, strlen(name), site->line) ^ site->column);
}

/* The state as a key that survives rebuilding as long as lines stay the same: it is made of source
 * positions, not of addresses. */
static uint64_t state_key(const builder *b, const uint64_t *keys)
{
    const hd_event *event = &b->event;
    uint32_t count;
    const hd_event_site *sites = hd_events_sites(b->events, &count);
    uint64_t key = hd_hash(event->thread);
    if (event->before != HD_NO_EVENT)
        key = hd_hash(key ^ keys[event->before]);
    for (size_t i = 0; i < event->ops.count; i++) {
        const hd_event_op *op = &event->ops.items[i];
        key = hd_hash(key ^ site_key(&sites[op->site]));
        key = hd_hash(
            key ^ (uint64_t)op->kind ^ (uint64_t)op->choice << 8 ^ (op->kind == HD_BRANCH ? op->object << 16 : 0));
        for (uint32_t k = 0; k < op->piece_count; k++) {
            const hd_event_piece *piece = &event->pieces.items[op->piece + k];
            for (uint32_t m = 0; m < piece->cause_count; m++)
                key = hd_hash(key ^ keys[event->causes.items[piece->cause + m].event]);
        }
    }
    for (size_t i = 0; i < event->edges.count; i++)
        if (event->edges.items[i].creates)
            key = hd_hash(key ^ keys[event->edges.items[i].event]);
    return key;
}

/* Marks the states of an event's causes: they are reached whenever this event is, so they are no
 * goals of their own. */
static void imply(const builder *b, const uint32_t *state, bool *implied)
{
    const hd_event *event = &b->event;
    if (event->before != HD_NO_EVENT)
        implied[state[event->before]] = true;
    for (size_t i = 0; i < event->causes.count; i++)
        implied[state[event->causes.items[i].event]] = true;
    for (size_t i = 0; i < event->edges.count; i++)
        if (event->edges.items[i].creates)
            implied[state[event->edges.items[i].event]] = true;
}

/* --- goals, in general --------------------------------------------------------------------------- */

/* A goal together with a mark that reaches it, and the mark's event. */
typedef struct belonging {
    uint32_t goal, mark, event;
    uint64_t key; /* of the goal */
} belonging;

typedef hd_vec(belonging) belongings;

static int by_goal(const void *a, const void *b)
{
    const belonging *x = a, *y = b;
    if (x->goal != y->goal)
        return x->goal < y->goal ? -1 : 1;
    return x->mark < y->mark ? -1 : x->mark > y->mark;
}

/* A goal with a mark before any event is reached by every run: no test has to be chosen for it. */
static bool is_free(const belonging *first, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (first[i].event == HD_NO_EVENT)
            return true;
    return false;
}

static void add_goal(hd_suite_problem *n, hd_suite_goals *goals, const belonging *first, size_t count)
{
    /* Every goal is reported; only those that need a test go to the problem. */
    hd_vec_push(&goals->items, ((hd_suite_goal) { first->key, (uint32_t)goals->marks.count, (uint32_t)count }));
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&goals->marks, first[i].mark);
    if (is_free(first, count))
        return;
    hd_suite_problem_add_goal(n, (uint32_t)goals->items.count - 1);
    for (size_t i = 0; i < count; i++)
        hd_suite_problem_add_member(n, first[i].event);
}

static void add_goals(hd_suite_problem *n, hd_suite_goals *goals, belongings *all)
{
    if (all->count)
        qsort(all->items, all->count, sizeof *all->items, by_goal);
    for (size_t i = 0, next; i < all->count; i = next) {
        for (next = i + 1; next < all->count && all->items[next].goal == all->items[i].goal;)
            next++;
        add_goal(n, goals, &all->items[i], next - i);
    }
}

/* --- goals: local states, blocks, ways ------------------------------------------------------------- */

static void find_states(builder *b, uint32_t count, belongings *all)
{
    uint32_t *state = hd_alloc(&hd_heap, (count + 1) * sizeof *state);
    uint64_t *keys = hd_alloc(&hd_heap, (count + 1) * sizeof *keys);
    bool *implied = hd_alloc(&hd_heap, count + 1);
    hd_rows states;
    hd_rows_init(&states, &hd_heap);
    for (uint32_t i = 0; i < count; i++) {
        hd_events_read(b->events, i, &b->event);
        state[i] = state_of(b, &states, state);
        keys[i] = state_key(b, keys);
        imply(b, state, implied);
    }
    /* All events have been seen, so `implied` is complete. */
    for (uint32_t i = 0; i < count; i++)
        if (!implied[state[i]])
            hd_vec_push(all, ((belonging) { state[i], i, i, keys[i] }));
    hd_rows_fini(&states);
    hd_release(&hd_heap, state, (count + 1) * sizeof *state);
    hd_release(&hd_heap, keys, (count + 1) * sizeof *keys);
    hd_release(&hd_heap, implied, count + 1);
}

/* Do the first `count` events lead to it? */
static bool is_among(const hd_event_way *w, uint32_t count)
{
    for (uint32_t i = 0; i < w->wait_count; i++)
        if (w->waits[i] >= count)
            return false;
    return w->event == HD_NO_EVENT || w->event < count;
}

/* Goals for statements and branches: a source position and what happens there, per thread. */
static void find_ways(builder *b, uint32_t count, hd_suite_criterion criterion, belongings *all)
{
    uint32_t site_count;
    const hd_event_site *sites = hd_events_sites(b->events, &site_count);
    hd_rows goals;
    hd_rows_init(&goals, &hd_heap);
    for (uint32_t i = 0; i < hd_events_way_count(b->events); i++) {
        hd_event_way w = hd_events_way(b->events, i);
        if ((w.what == HD_COVER_BLOCK) != (criterion == HD_SUITE_STATEMENTS) || !is_among(&w, count))
            continue;
        hd_rows_put(&goals, w.site);
        hd_rows_put(&goals, w.thread);
        hd_rows_put(&goals, w.ordinal);
        hd_rows_put(&goals, w.what);
        uint64_t key = hd_hash(site_key(&sites[w.site]) ^ w.thread ^ (uint64_t)w.ordinal << 16);
        hd_vec_push(all, ((belonging) { hd_rows_intern(&goals), i, w.event, hd_hash(key ^ w.what) }));
    }
    hd_rows_fini(&goals);
}

/* Of local states only those that no other goal implies are reported: a run with an event has all
 * its causes. Blocks and ways are all reported, because a run with the event need not get to them
 * (hd_event_way). */
static void keep_chosen(hd_suite_problem *n, hd_suite_goals *goals)
{
    for (uint32_t i = 0; i < n->goals.count; i++) {
        goals->items.items[i] = goals->items.items[n->goals.items[i].number];
        n->goals.items[i].number = i;
    }
    goals->items.count = n->goals.count;
}

void hd_suite_goals_fini(hd_suite_goals *goals)
{
    hd_vec_fini(&goals->items);
    hd_vec_fini(&goals->marks);
}

void hd_suite_build(
    hd_suite_problem *n, hd_suite_goals *goals, const hd_trees *trees, const hd_events *s, hd_suite_criterion criterion)
{
    builder b = { .events = s };
    belongings all = { 0 };
    *goals = (hd_suite_goals) { 0 };
    hd_suite_problem_init(n, trees);
    if (criterion == HD_SUITE_EVENTS)
        find_states(&b, (uint32_t)trees->events.count, &all);
    else
        find_ways(&b, (uint32_t)trees->events.count, criterion, &all);
    add_goals(n, goals, &all);
    hd_suite_problem_close(n);
    if (criterion == HD_SUITE_EVENTS)
        keep_chosen(n, goals);
    hd_vec_fini(&all);
    hd_event_fini(&b.event);
}
