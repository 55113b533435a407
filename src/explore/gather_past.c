#include "explore/gatherer.h"

#include "event/op.h"

#include <stdlib.h>

enum { NONE = 0xffffffffu };

/* --- the past of an operation ------------------------------------------------------------------- */

static hd_access_class class_of(const hd_gather *g, uint8_t kind)
{
    if (g->net == HD_GATHER_NAIVE || hd_kind_is_total(kind))
        return HD_TOTAL;
    return hd_kind_looks(kind) ? HD_LOOKS : HD_GROUPED;
}

static uint32_t copy_front(hd_gather *g, uint32_t first)
{
    uint32_t copy = NONE;
    for (uint32_t f = first; f != NONE; f = g->fronts.items[f].next) {
        hd_gather_front same = { g->fronts.items[f].met, copy };
        hd_vec_push(&g->fronts, same);
        copy = (uint32_t)g->fronts.count - 1;
    }
    return copy;
}

/* What this event did to a piece before, it did to the part that is now split off. */
static void split_touched(hd_gather *g, uint32_t from, uint32_t part)
{
    for (size_t i = 0; i < g->touched.count; i++)
        if (g->touched.items[i] / 4 == from)
            hd_vec_push(&g->split, part * 4 + g->touched.items[i] % 4);
}

/* The pieces that lie within `mask`, split so that none lies half in it. */
static void use_pieces(hd_gather *g, const hd_op *op, uint8_t mask, hd_access_class class)
{
    uint64_t *first = hd_map_put(&g->objects, hd_op_key(op));
    if (!*first) {
        hd_vec_push(&g->pieces, ((hd_gather_part) { 0xff, HD_NO_EVENT, NONE, NONE }));
        *first = g->pieces.count;
    }
    for (uint32_t i = (uint32_t)*first - 1; i != NONE; i = g->pieces.items[i].next) {
        uint8_t inside = g->pieces.items[i].mask & mask, outside = g->pieces.items[i].mask & (uint8_t)~mask;
        if (!inside)
            continue;
        if (outside) {
            hd_gather_part rest = g->pieces.items[i];
            rest.mask = outside;
            rest.front = copy_front(g, rest.front);
            g->pieces.items[i].mask = inside;
            g->pieces.items[i].next = (uint32_t)g->pieces.count;
            hd_vec_push(&g->pieces, rest);
            split_touched(g, i, (uint32_t)g->pieces.count - 1);
        }
        hd_vec_push(&g->touched, i * 4 + class);
    }
}

/* Must an operation of this class and thread know of that one? Its own are
 * what it follows on in its thread's copy. */
static bool meets(hd_access_class class, uint16_t thread, const hd_gather_met *m)
{
    return class == HD_TOTAL || m->class != class || m->thread == thread;
}

static int by_class_and_thread(const void *a, const void *b)
{
    const hd_gather_met *x = a, *y = b;
    int difference = (int)x->class - (int)y->class;
    return difference ? difference : (int)x->thread - (int)y->thread;
}

/* Bytes with what they met. */
typedef struct past {
    uint8_t mask;
    uint32_t count;
    hd_gather_met met[2 * HD_MAX_THREADS + 1];
} past;

static void find_past(const hd_gather *g, const hd_gather_part *p, hd_access_class class, uint16_t thread, past *out)
{
    out->mask = p->mask;
    out->count = 0;
    for (uint32_t f = p->front; f != NONE; f = g->fronts.items[f].next)
        if (meets(class, thread, &g->fronts.items[f].met))
            out->met[out->count++] = g->fronts.items[f].met;
    if (p->last_total != HD_NO_EVENT)
        out->met[out->count++] = (hd_gather_met) { HD_TOTAL, 0, p->last_total };
    qsort(out->met, out->count, sizeof *out->met, by_class_and_thread);
}

static bool same_past(const past *a, const past *b)
{
    for (uint32_t i = 0; i < a->count && a->count == b->count; i++)
        if (by_class_and_thread(&a->met[i], &b->met[i]) || a->met[i].event != b->met[i].event)
            return false;
    return a->count == b->count;
}

static int by_first_byte(const void *a, const void *b)
{
    return __builtin_ctz(((const past *)a)->mask) - __builtin_ctz(((const past *)b)->mask);
}

static void put_past(hd_gather *g, const past *p, hd_access_class class)
{
    hd_gather_put(g, (uint32_t)p->mask | (uint32_t) class << 8 | p->count << 16);
    for (uint32_t i = 0; i < p->count; i++) {
        hd_gather_put(g, (uint32_t)p->met[i].class | (uint32_t)p->met[i].thread << 8);
        hd_gather_put(g, p->met[i].event);
    }
}

/* The pieces touched from `first` on. How an object was cut into pieces is an accident of the
 * execution: those with the same past are put as one. Gives how many are put. */
static uint32_t put_pieces(hd_gather *g, size_t first, hd_access_class class, uint16_t thread)
{
    past pasts[8];
    uint32_t count = 0;
    for (size_t i = first; i < g->touched.count; i++) {
        find_past(g, &g->pieces.items[g->touched.items[i] / 4], class, thread, &pasts[count]);
        uint32_t k = 0;
        while (k < count && !same_past(&pasts[k], &pasts[count]))
            k++;
        if (k < count)
            pasts[k].mask |= pasts[count].mask;
        else
            count++;
    }
    qsort(pasts, count, sizeof *pasts, by_first_byte);
    for (uint32_t i = 0; i < count; i++)
        put_past(g, &pasts[i], class);
    return count;
}

void hd_gather_put_op(hd_gather *g, const hd_op *op)
{
    hd_access_class class = class_of(g, op->kind);
    uint8_t mask = hd_kind_is_memory(op->kind) ? op->mask : 0xff;
    size_t first = g->touched.count;
    bool alone = hd_op_class(op->kind) == HD_OBJECT_NONE || hd_kind_exits(op->kind);
    uint64_t label = op->kind == HD_BRANCH ? op->value : hd_op_key(op);
    if (!alone)
        use_pieces(g, op, mask, class);
    hd_gather_put(g, (uint32_t)label);
    hd_gather_put(g, (uint32_t)(label >> 32));
    hd_gather_put(g, (uint32_t)op->kind | (uint32_t)op->choice << 8 | (uint32_t)mask << 16);
    hd_gather_put(g, hd_gather_site_number(g, op->site));
    size_t at = g->rows.words.count;
    hd_gather_put(g, 0);
    uint32_t pieces = put_pieces(g, first, class, op->thread);
    g->rows.words.items[at] = pieces;
}

/* --- what the event leaves behind ----------------------------------------------------------------- */

static void note_in_front(hd_gather *g, hd_gather_part *p, hd_gather_met met)
{
    for (uint32_t f = p->front; f != NONE; f = g->fronts.items[f].next) {
        hd_gather_met *old = &g->fronts.items[f].met;
        if (old->class == met.class && old->thread == met.thread) {
            old->event = met.event;
            return;
        }
    }
    hd_vec_push(&g->fronts, ((hd_gather_front) { met, p->front }));
    p->front = (uint32_t)g->fronts.count - 1;
}

static void leave_trace(hd_gather *g, hd_gather_part *p, hd_access_class class, uint32_t event, uint16_t thread)
{
    if (class == HD_TOTAL) {
        p->last_total = event;
        p->front = NONE;
    } else if (p->last_total != event && !(class == HD_LOOKS && g->net == HD_GATHER_CONTEXTUAL)) {
        note_in_front(g, p, (hd_gather_met) { (uint8_t) class, thread, event });
    }
}

void hd_gather_leave_traces(hd_gather *g, uint32_t event, uint16_t thread)
{
    for (size_t i = 0; i < g->touched.count; i++)
        leave_trace(g, &g->pieces.items[g->touched.items[i] / 4], g->touched.items[i] % 4, event, thread);
    for (size_t i = 0; i < g->split.count; i++)
        leave_trace(g, &g->pieces.items[g->split.items[i] / 4], g->split.items[i] % 4, event, thread);
    g->last[thread] = event;
    hd_vec_push(&g->run, event);
}
