#include "abi/valid.h"
#include "base/error.h"
#include "events/places_internal.h"
#include "events/trees.h"

#include <stdlib.h>

/* A token that the current event takes or reads, and the use that produced it. */
typedef struct token {
    uint32_t place, parent;
} token;

typedef hd_vec(token) tokens;

typedef struct builder {
    hd_trees *trees;
    const hd_events *events;
    hd_places places;
    hd_event event; /* the current one */
    tokens taken, read;
} builder;

/* --- tokens --------------------------------------------------------------------------------- */

/* The later of two uses in one chain; either may be HD_NO_USE. Later uses have greater numbers. */
static uint32_t later(uint32_t a, uint32_t b)
{
    return a == HD_NO_USE || (b != HD_NO_USE && b > a) ? b : a;
}

/* Several pieces of an event may need the token of one place: the last producer counts. */
static void add_token(tokens *list, uint32_t place, uint32_t parent)
{
    size_t i = 0;
    while (i < list->count && list->items[i].place != place)
        i++;
    if (i == list->count)
        hd_vec_push(list, ((token) { place, HD_NO_USE }));
    list->items[i].parent = later(list->items[i].parent, parent);
}

/* The use by which `event` takes the token of `place`, or HD_NO_USE. */
static uint32_t use_at(const hd_trees *t, uint32_t event, uint32_t place)
{
    const hd_tree_event *e = &t->events.items[event];
    for (uint32_t i = 0; i < e->use_count; i++)
        if (t->uses.items[e->use + i].place == place)
            return e->use + i;
    return HD_NO_USE;
}

/* The producer of the token: the last of the piece's causes that took it. */
static uint32_t producer(const builder *b, const hd_event_piece *piece, uint32_t place)
{
    uint32_t use = HD_NO_USE;
    for (uint32_t i = 0; i < piece->cause_count; i++)
        use = later(use, use_at(b->trees, b->event.causes.items[piece->cause + i].event, place));
    return use;
}

/* Operations that are causes of nothing read tokens; all others take them. */
static void add_piece(builder *b, const hd_event_piece *piece)
{
    uint32_t count;
    const uint32_t *places = hd_places_of_piece(&b->places, piece, b->event.thread, &count);
    tokens *list = hd_net_is_cause(hd_events_net(b->events), piece->group) ? &b->taken : &b->read;
    for (uint32_t i = 0; i < count; i++)
        add_token(list, places[i], producer(b, piece, places[i]));
}

/* An exit of the process takes the control token of every thread, also of a thread without events. */
static void take_threads(builder *b)
{
    for (size_t i = 0; i < b->places.homes.count; i++)
        add_token(&b->taken, b->places.homes.items[i], HD_NO_USE);
    for (size_t i = 0; i < b->event.edges.count; i++) {
        uint32_t cause = b->event.edges.items[i].event;
        add_token(&b->taken, hd_trees_home(b->trees, cause)->place, b->trees->events.items[cause].use);
    }
}

static int by_place(const void *a, const void *b)
{
    const token *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

static bool is_taken(const builder *b, uint32_t place)
{
    for (size_t i = 0; i < b->taken.count; i++)
        if (b->taken.items[i].place == place)
            return true;
    return false;
}

/* --- events --------------------------------------------------------------------------------- */

static void add_use(hd_trees *t, uint32_t place, uint32_t parent)
{
    hd_vec_push(&t->uses, ((hd_tree_use) { place, parent, (uint32_t)t->events.count - 1, 0, 0 }));
    hd_vec_last(&t->events)->use_count++;
}

static void add_uses(builder *b, uint32_t home)
{
    hd_trees *t = b->trees;
    uint32_t before = b->event.before;
    add_use(t, home, before == HD_NO_EVENT ? HD_NO_USE : t->events.items[before].use);
    if (b->taken.count)
        qsort(b->taken.items, b->taken.count, sizeof *b->taken.items, by_place);
    for (size_t i = 0; i < b->taken.count; i++)
        if (b->taken.items[i].place != home)
            add_use(t, b->taken.items[i].place, b->taken.items[i].parent);
}

static void add_contexts(builder *b)
{
    hd_trees *t = b->trees;
    uint32_t event = (uint32_t)t->events.count - 1;
    /* An event that takes a token need not read it as well. */
    for (size_t i = 0; i < b->read.count; i++)
        if (!is_taken(b, b->read.items[i].place)) {
            hd_vec_push(&t->contexts, ((hd_tree_context) { b->read.items[i].place, b->read.items[i].parent, event }));
            hd_vec_last(&t->events)->context_count++;
        }
}

/* Causes are kept even where no token connects them: joins, and objects with no place. */
static void add_causes(builder *b)
{
    hd_trees *t = b->trees;
    for (size_t i = 0; i < b->event.edges.count; i++)
        hd_vec_push(&t->causes, b->event.edges.items[i].event);
    for (size_t i = 0; i < b->event.causes.count; i++)
        hd_vec_push(&t->causes, b->event.causes.items[i].event);
    hd_vec_last(&t->events)->cause_count = (uint32_t)(b->event.edges.count + b->event.causes.count);
}

static void add_event(builder *b, uint32_t number)
{
    hd_trees *t = b->trees;
    hd_events_read(b->events, number, &b->event);
    hd_vec_clear(&b->taken);
    hd_vec_clear(&b->read);
    for (size_t i = 0; i < b->event.pieces.count; i++)
        add_piece(b, &b->event.pieces.items[i]);
    if (hd_kind_exits(b->event.ops.items[0].kind))
        take_threads(b);
    hd_vec_push(&t->events,
        ((hd_tree_event) { .use = (uint32_t)t->uses.count,
            .context = (uint32_t)t->contexts.count,
            .cause = (uint32_t)t->causes.count,
            .branches = hd_events_constraint(b->events, number) != 0 }));
    add_uses(b, hd_places_of_thread(&b->places, b->event.thread));
    add_contexts(b);
    add_causes(b);
}

/* --- intervals -------------------------------------------------------------------------------- */

/* Depth-first intervals without recursion: subtree sizes from the last use to the first (a parent
 * has a smaller number than its children), then intervals from the first use on. */
static void number_trees(hd_trees *t)
{
    size_t count = t->uses.count;
    hd_tree_use *uses = t->uses.items;
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

void hd_trees_init(hd_trees *t, const hd_events *s, uint32_t count)
{
    builder b = { .trees = t, .events = s };
    *t = (hd_trees) { 0 };
    hd_places_init(&b.places, s, count);
    t->place_count = b.places.count;
    for (uint32_t i = 0; i < count; i++)
        add_event(&b, i);
    number_trees(t);
    hd_check_valid(hd_trees_is_valid(t), 0, 0);
    hd_vec_fini(&b.taken);
    hd_vec_fini(&b.read);
    hd_event_fini(&b.event);
    hd_places_fini(&b.places);
}

void hd_trees_fini(hd_trees *t)
{
    hd_vec_fini(&t->events);
    hd_vec_fini(&t->uses);
    hd_vec_fini(&t->contexts);
    hd_vec_fini(&t->causes);
}

/* --- validity --------------------------------------------------------------------------------- */

static bool is_cause(const hd_trees *t, uint32_t cause, uint32_t event)
{
    uint32_t count;
    const uint32_t *causes = hd_trees_causes(t, event, &count);
    bool found = cause == hd_trees_before(t, event);
    for (uint32_t i = 0; i < count && !found; i++)
        found = causes[i] == cause;
    return found;
}

/* Is the token's producer, if any, a direct cause of the event that takes or reads it? */
static bool token_is_valid(const hd_trees *t, uint32_t place, uint32_t producer, uint32_t event)
{
    if (producer == HD_NO_USE)
        return true;
    const hd_tree_use *p = &t->uses.items[producer];
    return p->place == place && p->event < event && is_cause(t, p->event, event);
}

static bool event_is_valid(const hd_trees *t, uint32_t event)
{
    const hd_tree_event *e = &t->events.items[event];
    uint32_t count;
    const uint32_t *causes = hd_trees_causes(t, event, &count);
    bool valid = e->use_count > 0;
    for (uint32_t i = e->use; valid && i < e->use + e->use_count; i++) {
        const hd_tree_use *u = &t->uses.items[i];
        valid = u->event == event && token_is_valid(t, u->place, u->parent, event)
            && (u->parent == HD_NO_USE || (u->parent < i && hd_trees_ancestor(&t->uses.items[u->parent], u)));
    }
    for (uint32_t i = e->context; valid && i < e->context + e->context_count; i++)
        valid = token_is_valid(t, t->contexts.items[i].place, t->contexts.items[i].use, event);
    for (uint32_t i = 0; valid && i < count; i++)
        valid = causes[i] < event;
    return valid;
}

bool hd_trees_is_valid(const hd_trees *t)
{
    for (uint32_t i = 0; i < t->events.count; i++)
        if (!event_is_valid(t, i))
            return false;
    return true;
}
