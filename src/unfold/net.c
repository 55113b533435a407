#include "unfold/unfold_internal.h"

#include <string.h>

enum { WIDTH_STEP = 4, NARROW = 8 };

/* --- trees ---------------------------------------------------------------------------
 *
 * Each node has its parent and one jump pointer further up (Myers 1983): an ancestor at a given depth is found in a
 * logarithmic number of steps. */

#define DEFINE_AT_DEPTH(name, array) \
    uint32_t name(const hd_unfolding *u, uint32_t n, uint32_t depth) \
    { \
        while (u->array.items[n].depth > depth) { \
            uint32_t jump = u->array.items[n].jump; \
            bool too_far = u->array.items[jump].depth < depth; \
            n = too_far ? PARENT(u->array.items[n]) : jump; \
        } \
        return n; \
    }

#define PARENT(e) (e).before
DEFINE_AT_DEPTH(hd_unfold_event_at_depth, events)
#undef PARENT
#define PARENT(c) (c).parent
DEFINE_AT_DEPTH(hd_unfold_condition_at_depth, conditions)
#undef PARENT

/* --- rows of clocks and columns -------------------------------------------------------- */

/* Makes rows of `item` bytes per entry wider; returns the new memory. */
static void *widen(hd_unfolding *u, void *rows, size_t item, size_t old_width, size_t width, size_t *room, size_t used)
{
    size_t events = u->events.room ? u->events.room : 1;
    char *wide = hd_alloc(u->memory, events * width * item);
    for (size_t e = 0; e < used; e++)
        memcpy(wide + e * width * item, (char *)rows + e * old_width * item, old_width * item);
    hd_release(u->memory, rows, *room * item);
    *room = events * width;
    return wide;
}

static void widen_clocks(hd_unfolding *u, uint32_t threads)
{
    size_t width = threads <= NARROW ? threads : (threads + WIDTH_STEP - 1) / WIDTH_STEP * WIDTH_STEP;
    if (width <= u->clock_width)
        return;
    u->clocks = widen(
        u, u->clocks, sizeof *u->clocks, u->clock_width, width, &u->clock_room, u->clock_width ? u->events.count : 0);
    u->clock_width = width;
}

static void widen_columns(hd_unfolding *u, size_t slots)
{
    if (slots <= u->column_width)
        return;
    size_t width = u->column_width < 8 ? u->column_width + 1 : 2 * u->column_width;
    u->columns = widen(u, u->columns, sizeof *u->columns, u->column_width, width, &u->column_room,
        u->column_width ? u->events.count : 0);
    u->column_width = width;
}

static void reserve_rows(hd_unfolding *u)
{
    if (u->events.count < u->events.room)
        return;
    hd_vec_reserve(&u->events, 1);
    size_t room = u->events.room * u->clock_width;
    u->clocks = hd_resize(u->memory, u->clocks, u->clock_room * sizeof *u->clocks, room * sizeof *u->clocks);
    u->clock_room = room;
    room = u->events.room * u->column_width;
    if (room)
        u->columns = hd_resize(u->memory, u->columns, u->column_room * sizeof *u->columns, room * sizeof *u->columns);
    u->column_room = room;
}

/* --- events ----------------------------------------------------------------------------- */

/* The jump skips two jumps of equal length, otherwise it goes to the parent (Myers' skew-binary rule). */
static void set_event_jump(hd_unfolding *u, event *e)
{
    const event *b = &u->events.items[e->before], *j = &u->events.items[b->jump];
    bool even = b->depth - j->depth == j->depth - u->events.items[j->jump].depth;
    e->depth = b->depth + 1;
    e->jump = even && b->depth ? j->jump : e->before;
}

/* Adds the event to its parent's children; prospects are in no tree. */
static void hang(hd_unfolding *u, uint32_t e)
{
    const event *v = &u->events.items[e];
    hd_vec_push(&u->successors, ((successors) { 0 }));
    if (v->kind == EVENT_PROSPECT || !e)
        return;
    while (u->first_events.count <= v->thread)
        hd_vec_push(&u->first_events, 0u);
    uint32_t *list = v->before ? &u->successors.items[v->before].child : &u->first_events.items[v->thread];
    u->successors.items[e].beside = *list;
    *list = e;
}

void hd_unfold_know_successors(hd_unfolding *u)
{
    for (uint32_t e = (uint32_t)u->successors.count; e < u->events.count; e++)
        hang(u, e);
}

void hd_unfold_forget_successors(hd_unfolding *u)
{
    if (u->keeps_successors)
        return;
    hd_vec_fini(&u->successors);
    hd_vec_clear(&u->first_events);
}

uint32_t hd_unfold_new_event(hd_unfolding *u, event_kind kind, uint16_t thread, uint32_t before)
{
    widen_clocks(u, thread + 1u);
    reserve_rows(u);
    uint32_t e = (uint32_t)u->events.count;
    hd_assert(e < UINT32_MAX - 1);
    event *new = hd_vec_add(&u->events);
    *new = (event) { .kind = (uint8_t)kind, .thread = thread, .before = before };
    if (!e) {
        memset(clock_of(u, 0), 0, u->clock_width * sizeof *u->clocks);
        return 0;
    }
    set_event_jump(u, new);
    memcpy(clock_of(u, e), clock_of(u, before), u->clock_width * sizeof *u->clocks);
    if (u->column_width)
        memcpy(columns_of(u, e), columns_of(u, before), u->column_width * sizeof *u->columns);
    if (u->rows.count) {
        deep_row row = u->rows.items[before];
        hd_vec_push(&u->rows, row);
    }
    if (kind != EVENT_PROSPECT)
        clock_of(u, e)[thread] = e;
    if (u->successors.count)
        hang(u, e);
    return e;
}

/* Of two conditions of one object in one configuration, the later. */
static uint32_t later_condition(const hd_unfolding *u, uint32_t a, uint32_t b)
{
    return u->conditions.items[a].depth >= u->conditions.items[b].depth ? a : b;
}

void hd_unfold_join(hd_unfolding *u, uint32_t e, uint32_t with)
{
    if (u->rows.count)
        hd_unfold_row_join(u, e, with);
    uint32_t *into = clock_of(u, e), *from = clock_of(u, with);
    for (size_t t = 0; t < u->clock_width; t++)
        if (u->events.items[from[t]].depth > u->events.items[into[t]].depth)
            into[t] = from[t];
    column *to = columns_of(u, e), *of = columns_of(u, with);
    for (size_t s = 0; s < u->slots.count; s++)
        to[s].condition = later_condition(u, to[s].condition, of[s].condition);
}

void hd_unfold_join_condition(hd_unfolding *u, uint32_t e, uint32_t c)
{
    const condition *k = &u->conditions.items[c];
    if (maker_of(u, c))
        hd_unfold_join(u, e, maker_of(u, c));
    for (uint32_t i = 0; i < set_size(u, k); i++)
        hd_unfold_join(u, e, u->accesses.items[set_of(u, k)[i]].event);
    if (is_closed(k) && maker_of(u, k->parent))
        hd_unfold_join(u, e, maker_of(u, k->parent));
}

/* --- conditions -------------------------------------------------------------------------- */

uint32_t hd_unfold_new_condition(hd_unfolding *u, uint32_t object, uint32_t parent, uint32_t event, int32_t count)
{
    uint32_t c = (uint32_t)u->conditions.count;
    condition *new = hd_vec_add(&u->conditions);
    *new = (condition) { .object = object, .parent = parent, .maker = event, .count = count };
    if (!parent) {
        new->jump = c;
        return c;
    }
    condition *p = &u->conditions.items[parent];
    const condition *j = &u->conditions.items[p->jump];
    bool even = p->depth - j->depth == j->depth - u->conditions.items[j->jump].depth;
    new->depth = p->depth + 1;
    new->jump = even && p->depth ? j->jump : parent;
    new->sibling = p->child;
    p->child = c;
    return c;
}

uint32_t hd_unfold_add_object(hd_unfolding *u, int32_t count)
{
    uint32_t number = (uint32_t)u->objects.count;
    uint32_t root = hd_unfold_new_condition(u, number, 0, 0, count);
    uint32_t slot = u->rows.count ? HD_DEEP_SLOT | number : HD_NO_SLOT;
    hd_vec_push(&u->objects, ((object) { .root = root, .at = root, .slot = slot }));
    if (u->rows.count)
        hd_unfold_row_reach(u, number);
    return number;
}

uint32_t hd_unfold_add_awaited(hd_unfolding *u, uint16_t thread)
{
    uint32_t number = hd_unfold_add_object(u, 0);
    widen_clocks(u, thread + 1u);
    u->objects.items[number].awaited = u->objects.items[number].shared = true;
    u->objects.items[number].slot = HD_NO_SLOT;
    u->objects.items[number].thread = thread;
    return number;
}

/* --- contended objects --------------------------------------------------------------------- */

/* Takes over from a cause what it has established in the slot. */
static void inherit(hd_unfolding *u, uint32_t e, uint32_t from, uint32_t slot)
{
    column *to = &columns_of(u, e)[slot];
    to->condition = later_condition(u, to->condition, columns_of(u, from)[slot].condition);
}

static void inherit_from_condition(hd_unfolding *u, uint32_t e, uint32_t c, uint32_t slot)
{
    const condition *k = &u->conditions.items[c];
    inherit(u, e, maker_of(u, c), slot);
    for (uint32_t i = 0; i < set_size(u, k); i++)
        inherit(u, e, u->accesses.items[set_of(u, k)[i]].event, slot);
    if (is_closed(k))
        inherit(u, e, maker_of(u, k->parent), slot);
}

static void note_own_accesses(hd_unfolding *u, uint32_t e, uint32_t slot)
{
    const event *v = &u->events.items[e];
    column *to = &columns_of(u, e)[slot];
    for (uint32_t i = 0; i < v->access_count; i++) {
        const access *a = &u->accesses.items[v->access + i];
        inherit_from_condition(u, e, a->found, slot);
        if (u->conditions.items[a->found].object != u->slots.items[slot])
            continue;
        to->condition = made_by(a) ? made_by(a) : later_condition(u, to->condition, a->found);
        to->access = made_by(a) ? 0 : v->access + i;
    }
}

static void inherit_from_meetings(hd_unfolding *u, uint32_t e, uint32_t m, uint32_t slot)
{
    while (m) {
        inherit_from_condition(u, e, u->meetings.items[m].condition, slot);
        m = u->wishes.items[u->meetings.items[m].wish].after;
    }
}

void hd_unfold_fill_in(hd_unfolding *u, uint32_t e, uint32_t slot)
{
    const event *v = &u->events.items[e];
    columns_of(u, e)[slot] =
        e ? columns_of(u, v->before)[slot] : (column) { u->objects.items[u->slots.items[slot]].root, 0 };
    if (!e)
        return;
    if (v->kind == EVENT_ORDER)
        inherit(u, e, v->cause, slot);
    else
        inherit_from_meetings(u, e, v->cause, slot);
    note_own_accesses(u, e, slot);
}

void hd_unfold_contend(hd_unfolding *u, uint32_t number)
{
    object *o = &u->objects.items[number];
    if (o->slot != HD_NO_SLOT || o->awaited)
        return;
    if (u->slots.count == u->most_columns) {
        hd_unfold_track_all(u);
        return;
    }
    o->slot = (uint32_t)u->slots.count;
    hd_vec_push(&u->slots, number);
    widen_columns(u, u->slots.count);
    for (uint32_t e = 0; e < u->events.count; e++)
        hd_unfold_fill_in(u, e, o->slot);
}
