#include "suite/build.h"

#include "abi/site.h"
#include "base/error.h"
#include "base/rows.h"
#include "suite/places.h"

#include <stdlib.h>
#include <string.h>

/* A token that the current event takes or reads, and the use that produced it. */
typedef struct taken {
    uint32_t place, parent;
} taken;

typedef struct builder {
    hd_problem *net;
    const hd_events *events;
    hd_net kind;
    hd_places places;
    hd_event row;
    hd_vec(taken) uses, contexts;
} builder;

/* --- events --------------------------------------------------------------------------------- */

/* The later of two uses in one chain; either may be HD_NO_USE. Later uses have greater numbers
 * (suite/problem.h). */
static uint32_t later(uint32_t a, uint32_t b)
{
    return a == HD_NO_USE || (b != HD_NO_USE && b > a) ? b : a;
}

#define take(list, at, by) \
    do { \
        size_t i_ = 0; \
        while (i_ < (list)->count && (list)->items[i_].place != (at)) \
            i_++; \
        if (i_ == (list)->count) \
            hd_vec_push(list, ((taken) { (at), HD_NO_USE })); \
        (list)->items[i_].parent = later((list)->items[i_].parent, (by)); \
    } while (0)

/* The producer of the token: the last of the causes that took it. */
static uint32_t left_by(const builder *b, const hd_event_piece *piece, uint32_t place)
{
    uint32_t use = HD_NO_USE;
    for (uint32_t i = 0; i < piece->cause_count; i++)
        use = later(use, hd_problem_use_at(b->net, b->row.causes.items[piece->cause + i].event, place));
    return use;
}

/* A read in a contextual net becomes a context; everything else takes tokens. */
static void take_piece(builder *b, const hd_event_piece *piece)
{
    uint32_t count;
    const uint32_t *places = hd_places_of_piece(&b->places, piece, b->row.thread, &count);
    bool looks = piece->group == HD_GROUP_LOOKS && b->kind == HD_NET_CONTEXTUAL;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t use = left_by(b, piece, places[i]);
        if (looks)
            take(&b->contexts, places[i], use);
        else
            take(&b->uses, places[i], use);
    }
}

/* An exit of the process takes the control token of every thread, also of a thread that has done nothing. */
static void take_threads(builder *b)
{
    hd_problem *n = b->net;
    for (size_t i = 0; i < b->places.homes.count; i++)
        take(&b->uses, b->places.homes.items[i], HD_NO_USE);
    for (size_t i = 0; i < b->row.edges.count; i++) {
        uint32_t use = n->events.items[b->row.edges.items[i].event].use;
        take(&b->uses, n->uses.items[use].place, use);
    }
}

static int by_place(const void *a, const void *b)
{
    const taken *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

static bool is_taken(const builder *b, uint32_t place)
{
    for (size_t i = 0; i < b->uses.count; i++)
        if (b->uses.items[i].place == place)
            return true;
    return false;
}

/* Edges (creation, joins, wake-ups) and causes are causes even where no token connects them. */
static void add_causes(builder *b)
{
    for (size_t i = 0; i < b->row.edges.count; i++)
        hd_problem_add_cause(b->net, b->row.edges.items[i].event);
    for (size_t i = 0; i < b->row.causes.count; i++)
        hd_problem_add_cause(b->net, b->row.causes.items[i].event);
}

static void add_event(builder *b, uint32_t event)
{
    hd_problem *n = b->net;
    hd_events_read(b->events, event, &b->row);
    uint32_t home = hd_places_of_thread(&b->places, b->row.thread);
    hd_vec_clear(&b->uses);
    hd_vec_clear(&b->contexts);
    for (size_t i = 0; i < b->row.pieces.count; i++)
        take_piece(b, &b->row.pieces.items[i]);
    if (hd_kind_exits(b->row.ops.items[0].kind))
        take_threads(b);
    hd_problem_add_event(n, event);
    /* The thread's own control token comes first, as suite/problem.h demands. */
    hd_problem_add_use(n, home, b->row.before == HD_NO_EVENT ? HD_NO_USE : n->events.items[b->row.before].use);
    if (b->uses.count)
        qsort(b->uses.items, b->uses.count, sizeof *b->uses.items, by_place);
    for (size_t i = 0; i < b->uses.count; i++)
        if (b->uses.items[i].place != home)
            hd_problem_add_use(n, b->uses.items[i].place, b->uses.items[i].parent);
    /* An event that takes a token need not read it as well. */
    for (size_t i = 0; i < b->contexts.count; i++)
        if (!is_taken(b, b->contexts.items[i].place))
            hd_problem_add_context(n, b->contexts.items[i].place, b->contexts.items[i].parent);
    add_causes(b);
}

/* --- goals: local states ----------------------------------------------------------------------- */

/* The local state after an event, as a row: what the event does and the states of its causes. Edges
 * that only had to be waited for (joins, wake-ups) are left out, so events that differ in nothing
 * else have the same state. */
static uint32_t state_of(builder *b, hd_rows *states, const uint32_t *state)
{
    const hd_event *row = &b->row;
    hd_rows_put(states, (uint32_t)row->thread | (uint32_t)row->is_branch << 16);
    hd_rows_put(states, row->before == HD_NO_EVENT ? HD_NO_EVENT : state[row->before]);
    for (size_t i = 0; i < row->ops.count; i++) {
        const hd_event_op *op = &row->ops.items[i];
        hd_rows_put(states, (uint32_t)op->object);
        hd_rows_put(states, (uint32_t)(op->object >> 32));
        hd_rows_put(states, (uint32_t)op->kind | (uint32_t)op->choice << 8 | (uint32_t)op->mask << 16);
        hd_rows_put(states, op->site);
        for (uint32_t k = 0; k < op->piece_count; k++) {
            const hd_event_piece *piece = &row->pieces.items[op->piece + k];
            hd_rows_put(states, (uint32_t)piece->mask | piece->cause_count << 16);
            for (uint32_t m = 0; m < piece->cause_count; m++)
                hd_rows_put(states, state[row->causes.items[piece->cause + m].event]);
        }
    }
    for (size_t i = 0; i < row->edges.count; i++)
        if (row->edges.items[i].creates)
            hd_rows_put(states, state[row->edges.items[i].event]);
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
    const hd_event *row = &b->row;
    uint32_t count;
    const hd_event_site *sites = hd_events_sites(b->events, &count);
    uint64_t key = hd_hash(row->thread);
    if (row->before != HD_NO_EVENT)
        key = hd_hash(key ^ keys[row->before]);
    for (size_t i = 0; i < row->ops.count; i++) {
        const hd_event_op *op = &row->ops.items[i];
        key = hd_hash(key ^ site_key(&sites[op->site]));
        key = hd_hash(
            key ^ (uint64_t)op->kind ^ (uint64_t)op->choice << 8 ^ (op->kind == HD_BRANCH ? op->object << 16 : 0));
        for (uint32_t k = 0; k < op->piece_count; k++) {
            const hd_event_piece *piece = &row->pieces.items[op->piece + k];
            for (uint32_t m = 0; m < piece->cause_count; m++)
                key = hd_hash(key ^ keys[row->causes.items[piece->cause + m].event]);
        }
    }
    for (size_t i = 0; i < row->edges.count; i++)
        if (row->edges.items[i].creates)
            key = hd_hash(key ^ keys[row->edges.items[i].event]);
    return key;
}

/* Marks the states of an event's causes: they are reached whenever this event is, so they are no
 * goals of their own. */
static void imply(const builder *b, const uint32_t *state, bool *implied)
{
    const hd_event *row = &b->row;
    if (row->before != HD_NO_EVENT)
        implied[state[row->before]] = true;
    for (size_t i = 0; i < row->causes.count; i++)
        implied[state[row->causes.items[i].event]] = true;
    for (size_t i = 0; i < row->edges.count; i++)
        if (row->edges.items[i].creates)
            implied[state[row->edges.items[i].event]] = true;
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

static void add_goal(hd_problem *n, hd_suite_goals *goals, const belonging *first, size_t count)
{
    /* Every goal is reported; only those that need a test go to the problem. */
    hd_vec_push(&goals->items, ((hd_suite_goal) { first->key, (uint32_t)goals->marks.count, (uint32_t)count }));
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&goals->marks, first[i].mark);
    if (is_free(first, count))
        return;
    hd_problem_add_goal(n, (uint32_t)goals->items.count - 1);
    for (size_t i = 0; i < count; i++)
        hd_problem_add_member(n, first[i].event);
}

static void add_goals(hd_problem *n, hd_suite_goals *goals, belongings *all)
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

static void find_states(builder *b, belongings *all)
{
    uint32_t count = hd_events_count(b->events);
    uint32_t *state = hd_alloc(&hd_heap, (count + 1) * sizeof *state);
    uint64_t *keys = hd_alloc(&hd_heap, (count + 1) * sizeof *keys);
    bool *implied = hd_alloc(&hd_heap, count + 1);
    hd_rows states;
    hd_rows_init(&states, &hd_heap);
    for (uint32_t i = 0; i < count; i++) {
        hd_events_read(b->events, i, &b->row);
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

/* Goals for statements and branches: a source position and what happens there, per thread. */
static void find_ways(builder *b, hd_cover_what what, belongings *all)
{
    uint32_t count;
    const hd_event_site *sites = hd_events_sites(b->events, &count);
    hd_rows goals;
    hd_rows_init(&goals, &hd_heap);
    for (uint32_t i = 0; i < hd_events_way_count(b->events); i++) {
        hd_event_way w = hd_events_way(b->events, i);
        if ((w.what == HD_COVER_BLOCK) != (what == HD_COVER_STATEMENTS))
            continue;
        hd_rows_put(&goals, w.site);
        hd_rows_put(&goals, (uint32_t)w.thread | w.ordinal << 16);
        hd_rows_put(&goals, w.what);
        uint64_t key = hd_hash(site_key(&sites[w.site]) ^ w.thread ^ w.ordinal << 16);
        hd_vec_push(all, ((belonging) { hd_rows_intern(&goals), i, w.event, hd_hash(key ^ w.what) }));
    }
    hd_rows_fini(&goals);
}

/* Of local states only those that no other goal implies are reported: a run with an event has all
 * its causes. Blocks and ways are all reported, because a run with the event need not get to them
 * (hd_event_way). */
static void keep_chosen(hd_problem *n, hd_suite_goals *goals)
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

void hd_suite_build(hd_problem *n, hd_suite_goals *goals, const hd_events *g, hd_net net, hd_cover_what what)
{
    builder b = { .net = n, .events = g, .kind = net };
    belongings all = { 0 };
    *goals = (hd_suite_goals) { 0 };
    hd_problem_init(n);
    hd_places_init(&b.places, g, net);
    for (uint32_t i = 0; i < hd_events_count(g); i++)
        add_event(&b, i);
    if (what == HD_COVER_EVENTS)
        find_states(&b, &all);
    else
        find_ways(&b, what, &all);
    add_goals(n, goals, &all);
    hd_problem_close(n);
    if (what == HD_COVER_EVENTS)
        keep_chosen(n, goals);
    hd_vec_fini(&all);
    hd_vec_fini(&b.uses);
    hd_vec_fini(&b.contexts);
    hd_event_fini(&b.row);
    hd_places_fini(&b.places);
}
