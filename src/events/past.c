/* The causes of an operation on its object.
 *
 * For each object the current execution has one history per set of bytes: the last operation that commutes with nothing
 * (a write), and for each thread and group the last operation since. That is enough to find the causes of the next
 * operation: a thread's earlier operations of the group are causes of its last one. Histories are split where an
 * operation uses only some of their bytes. */
#include "events/events_internal.h"

#include "event/op.h"

#include <stdlib.h>

enum { NONE = 0xffffffffu };

/* --- histories ----------------------------------------------------------------------------------- */

static uint32_t copy_entries(hd_events *s, uint32_t first)
{
    uint32_t copy = NONE;
    for (uint32_t i = first; i != NONE; i = s->entries.items[i].next) {
        hd_event_entry same = { s->entries.items[i].cause, copy };
        hd_vec_push(&s->entries, same);
        copy = (uint32_t)s->entries.count - 1;
    }
    return copy;
}

/* What the current event did to a history before, it also did to the part that is now split off. */
static void split_touched(hd_events *s, uint32_t from, uint32_t part)
{
    for (size_t i = 0; i < s->touched.count; i++)
        if (s->touched.items[i].history == from)
            hd_vec_push(&s->split, ((hd_event_touch) { part, s->touched.items[i].group }));
}

static void split_history(hd_events *s, uint32_t i, uint8_t inside, uint8_t outside)
{
    hd_event_history rest = s->histories.items[i];
    rest.mask = outside;
    rest.since = copy_entries(s, rest.since);
    s->histories.items[i].mask = inside;
    s->histories.items[i].next = (uint32_t)s->histories.count;
    hd_vec_push(&s->histories, rest);
    split_touched(s, i, (uint32_t)s->histories.count - 1);
}

/* Touches the histories within `mask`, split so that each is inside or outside of it. */
static void touch_histories(hd_events *s, const hd_op *op, uint8_t mask, uint8_t group)
{
    uint64_t *first = hd_map_put(&s->objects, hd_op_key(op));
    if (!*first) {
        hd_vec_push(&s->histories, ((hd_event_history) { 0xff, HD_NO_EVENT, NONE, NONE }));
        *first = s->histories.count;
    }
    for (uint32_t i = (uint32_t)*first - 1; i != NONE; i = s->histories.items[i].next) {
        uint8_t inside = s->histories.items[i].mask & mask, outside = s->histories.items[i].mask & (uint8_t)~mask;
        if (!inside)
            continue;
        if (outside)
            split_history(s, i, inside, outside);
        hd_vec_push(&s->touched, ((hd_event_touch) { i, group }));
    }
}

/* --- causes --------------------------------------------------------------------------------------- */

/* Bytes with the same causes: `count` of hd_events.causes, from `first` on. */
typedef struct past {
    uint8_t mask;
    uint32_t first, count;
} past;

static int by_group_and_thread(const void *a, const void *b)
{
    const hd_event_cause *x = a, *y = b;
    int difference = (int)x->group - (int)y->group;
    return difference ? difference : (int)x->thread - (int)y->thread;
}

/* An operation comes after those that it conflicts with, and after its own thread's. */
static void find_past(hd_events *s, const hd_event_history *h, uint8_t group, uint16_t thread, past *out)
{
    *out = (past) { .mask = h->mask, .first = (uint32_t)s->causes.count };
    for (uint32_t i = h->since; i != NONE; i = s->entries.items[i].next) {
        const hd_event_cause *c = &s->entries.items[i].cause;
        if (hd_groups_conflict(group, c->group) || c->thread == thread)
            hd_vec_push(&s->causes, *c);
    }
    if (h->last != HD_NO_EVENT)
        hd_vec_push(&s->causes, ((hd_event_cause) { HD_GROUP_ALONE, 0, h->last }));
    out->count = (uint32_t)s->causes.count - out->first;
    /* The order of the list depends on the execution; equal events must have equal rows. */
    if (out->count)
        qsort(s->causes.items + out->first, out->count, sizeof *s->causes.items, by_group_and_thread);
}

static bool same_past(const hd_events *s, const past *a, const past *b)
{
    for (uint32_t i = 0; i < a->count && a->count == b->count; i++) {
        const hd_event_cause *x = &s->causes.items[a->first + i], *y = &s->causes.items[b->first + i];
        if (by_group_and_thread(x, y) || x->event != y->event)
            return false;
    }
    return a->count == b->count;
}

static int by_first_byte(const void *a, const void *b)
{
    return __builtin_ctz(((const past *)a)->mask) - __builtin_ctz(((const past *)b)->mask);
}

static void put_past(hd_events *s, const past *p, uint8_t group)
{
    hd_events_put(s, (uint32_t)p->mask | (uint32_t)group << 8 | p->count << 16);
    for (uint32_t i = 0; i < p->count; i++) {
        const hd_event_cause *c = &s->causes.items[p->first + i];
        hd_events_put(s, (uint32_t)c->group | (uint32_t)c->thread << 8);
        hd_events_put(s, c->event);
    }
}

/* Puts the histories touched from `first` on, and gives the number of pieces. How an object was split depends on the
 * execution, so histories with the same causes are one piece. */
static uint32_t put_pieces(hd_events *s, size_t first, uint8_t group, uint16_t thread)
{
    past pasts[8];
    uint32_t count = 0;
    hd_vec_clear(&s->causes);
    for (size_t i = first; i < s->touched.count; i++) {
        find_past(s, &s->histories.items[s->touched.items[i].history], group, thread, &pasts[count]);
        uint32_t k = 0;
        while (k < count && !same_past(s, &pasts[k], &pasts[count]))
            k++;
        if (k < count)
            pasts[k].mask |= pasts[count].mask;
        else
            count++;
    }
    qsort(pasts, count, sizeof *pasts, by_first_byte);
    for (uint32_t i = 0; i < count; i++)
        put_past(s, &pasts[i], group);
    return count;
}

void hd_events_put_op(hd_events *s, const hd_op *op)
{
    uint8_t group = hd_net_group(s->net, hd_kinds[op->kind].group);
    uint8_t mask = hd_kind_is_memory(op->kind) ? op->mask : 0xff;
    size_t first = s->touched.count;
    /* The causes of an exit are edges from all threads. */
    bool has_object = hd_op_class(op->kind) != HD_OBJECT_NONE && !hd_kind_exits(op->kind);
    uint64_t label = op->kind == HD_BRANCH ? op->value : hd_op_key(op);
    if (has_object)
        touch_histories(s, op, mask, group);
    hd_events_put(s, (uint32_t)label);
    hd_events_put(s, (uint32_t)(label >> 32));
    hd_events_put(s, (uint32_t)op->kind | (uint32_t)op->choice << 8 | (uint32_t)mask << 16);
    hd_events_put(s, hd_events_site_number(s, op->site));
    size_t at = s->rows.words.count;
    hd_events_put(s, 0);
    uint32_t pieces = put_pieces(s, first, group, op->thread);
    s->rows.words.items[at] = pieces;
}

/* --- the event in the histories ------------------------------------------------------------------- */

static void note_since(hd_events *s, hd_event_history *h, hd_event_cause cause)
{
    for (uint32_t i = h->since; i != NONE; i = s->entries.items[i].next) {
        hd_event_cause *old = &s->entries.items[i].cause;
        if (old->group == cause.group && old->thread == cause.thread) {
            old->event = cause.event;
            return;
        }
    }
    hd_vec_push(&s->entries, ((hd_event_entry) { cause, h->since }));
    h->since = (uint32_t)s->entries.count - 1;
}

static void enter(hd_events *s, const hd_event_touch *t, uint32_t event, uint16_t thread)
{
    hd_event_history *h = &s->histories.items[t->history];
    if (t->group == HD_GROUP_ALONE) {
        h->last = event;
        h->since = NONE;
    } else if (h->last != event && hd_net_is_cause(s->net, t->group)) {
        /* A step that writes the object as well is already its last change. */
        note_since(s, h, (hd_event_cause) { t->group, thread, event });
    }
}

void hd_events_enter(hd_events *s, uint32_t event, uint16_t thread)
{
    for (size_t i = 0; i < s->touched.count; i++)
        enter(s, &s->touched.items[i], event, thread);
    for (size_t i = 0; i < s->split.count; i++)
        enter(s, &s->split.items[i], event, thread);
    s->last[thread] = event;
    hd_vec_push(&s->run, event);
}
