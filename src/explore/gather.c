#include "explore/gather.h"

#include "base/error.h"
#include "event/op.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = 0xffffffffu };

/* A row: thread and flags, the event before, numbers of operations and edges; then those. */
enum { HEAD, BEFORE, OPS, EDGES, BODY };

/* What has been done to some bytes of an object in the execution at hand. */
typedef struct piece {
    uint8_t mask;
    uint32_t last_total; /* event */
    uint32_t front; /* others since, as a list in `fronts` */
    uint32_t next; /* piece of the same object */
} piece;

typedef struct front {
    hd_gather_met met;
    uint32_t next;
} front;

struct hd_gather {
    hd_memory *memory;
    hd_gather_net net;
    hd_rows rows; /* the events */
    hd_rows ways; /* event, site, thread and what */
    bool lost_ways;
    hd_vec(hd_gather_site) sites;
    hd_map site_index; /* address → site + 1 */

    /* The execution at hand. */
    hd_map objects; /* key → piece + 1 */
    hd_vec(piece) pieces;
    hd_vec(front) fronts;
    uint32_t last[HD_MAX_THREADS]; /* events */
    hd_vec(hd_gather_edge) open[HD_MAX_THREADS]; /* edges into a thread that has done nothing since */
    hd_vec(uint32_t) run;
    /* Pieces that the event at hand uses, with the class: piece * 4 + class; and what was split off them. */
    hd_vec(uint32_t) touched, split;
};

hd_gather *hd_gather_open(hd_gather_net net, hd_memory *memory)
{
    hd_gather *g = hd_alloc(memory, sizeof *g);
    g->memory = g->sites.memory = g->pieces.memory = g->fronts.memory = g->run.memory = g->touched.memory =
        g->split.memory = memory;
    g->net = net;
    hd_rows_init(&g->rows, memory);
    hd_rows_init(&g->ways, memory);
    hd_map_init(&g->site_index, memory);
    hd_map_init(&g->objects, memory);
    for (int t = 0; t < HD_MAX_THREADS; t++)
        g->open[t].memory = memory;
    return g;
}

void hd_gather_close(hd_gather *g)
{
    hd_memory *memory = g->memory;
    hd_rows_fini(&g->rows);
    hd_rows_fini(&g->ways);
    hd_map_fini(&g->site_index);
    hd_map_fini(&g->objects);
    for (size_t i = 0; i < g->sites.count; i++) {
        hd_release(memory, (char *)g->sites.items[i].file, strlen(g->sites.items[i].file) + 1);
        hd_release(memory, (char *)g->sites.items[i].function, strlen(g->sites.items[i].function) + 1);
    }
    hd_vec_fini(&g->sites);
    hd_vec_fini(&g->pieces);
    hd_vec_fini(&g->fronts);
    hd_vec_fini(&g->run);
    hd_vec_fini(&g->touched);
    hd_vec_fini(&g->split);
    for (int t = 0; t < HD_MAX_THREADS; t++)
        hd_vec_fini(&g->open[t]);
    hd_release(memory, g, sizeof *g);
}

void hd_gather_clear(hd_gather *g)
{
    hd_rows_clear(&g->rows);
    hd_rows_clear(&g->ways);
    g->lost_ways = false;
    hd_vec_clear(&g->run);
}

uint32_t hd_gather_count(const hd_gather *g)
{
    return hd_rows_count(&g->rows);
}

const uint32_t *hd_gather_last(const hd_gather *g, uint32_t *count)
{
    *count = (uint32_t)g->run.count;
    return g->run.items;
}

const hd_gather_site *hd_gather_sites(const hd_gather *g, uint32_t *count)
{
    *count = (uint32_t)g->sites.count;
    return g->sites.items;
}

/* --- words ----------------------------------------------------------------------------------- */

static void put(hd_gather *g, uint32_t word)
{
    hd_rows_put(&g->rows, word);
}

static const char *keep_text(hd_gather *g, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(hd_alloc(g->memory, size), text, size);
}

static uint32_t site_number(hd_gather *g, const hd_site *site)
{
    uint64_t *number = hd_map_put(&g->site_index, (uint64_t)(uintptr_t)site);
    if (!*number) {
        hd_gather_site kept = { "?", "?", site ? site->line : 0, site ? site->column : 0 };
        kept.file = keep_text(g, site ? site->file : "?");
        kept.function = keep_text(g, site ? site->function : "?");
        hd_vec_push(&g->sites, kept);
        *number = g->sites.count;
    }
    return (uint32_t)(*number - 1);
}

const hd_gather_site *hd_gather_site_of(hd_gather *g, const hd_site *site)
{
    return &g->sites.items[site_number(g, site)];
}

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
        front same = { g->fronts.items[f].met, copy };
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
        hd_vec_push(&g->pieces, ((piece) { 0xff, HD_NO_EVENT, NONE, NONE }));
        *first = g->pieces.count;
    }
    for (uint32_t i = (uint32_t)*first - 1; i != NONE; i = g->pieces.items[i].next) {
        uint8_t inside = g->pieces.items[i].mask & mask, outside = g->pieces.items[i].mask & (uint8_t)~mask;
        if (!inside)
            continue;
        if (outside) {
            piece rest = g->pieces.items[i];
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

static void find_past(const hd_gather *g, const piece *p, hd_access_class class, uint16_t thread, past *out)
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
    put(g, (uint32_t)p->mask | (uint32_t) class << 8 | p->count << 16);
    for (uint32_t i = 0; i < p->count; i++) {
        put(g, (uint32_t)p->met[i].class | (uint32_t)p->met[i].thread << 8);
        put(g, p->met[i].event);
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

static void put_op(hd_gather *g, const hd_op *op)
{
    hd_access_class class = class_of(g, op->kind);
    uint8_t mask = hd_op_class(op->kind) == HD_OBJECT_MEMORY ? op->mask : 0xff;
    size_t first = g->touched.count;
    bool alone = hd_op_class(op->kind) == HD_OBJECT_NONE || op->kind == HD_EXIT;
    uint64_t label = op->kind == HD_BRANCH ? op->value : hd_op_key(op);
    if (!alone)
        use_pieces(g, op, mask, class);
    put(g, (uint32_t)label);
    put(g, (uint32_t)(label >> 32));
    put(g, (uint32_t)op->kind | (uint32_t)op->choice << 8 | (uint32_t)mask << 16);
    put(g, site_number(g, op->site));
    size_t at = g->rows.words.count;
    put(g, 0);
    uint32_t pieces = put_pieces(g, first, class, op->thread);
    g->rows.words.items[at] = pieces;
}

/* --- what the event leaves behind ----------------------------------------------------------------- */

static void note_in_front(hd_gather *g, piece *p, hd_gather_met met)
{
    for (uint32_t f = p->front; f != NONE; f = g->fronts.items[f].next) {
        hd_gather_met *old = &g->fronts.items[f].met;
        if (old->class == met.class && old->thread == met.thread) {
            old->event = met.event;
            return;
        }
    }
    hd_vec_push(&g->fronts, ((front) { met, p->front }));
    p->front = (uint32_t)g->fronts.count - 1;
}

static void leave_trace(hd_gather *g, piece *p, hd_access_class class, uint32_t event, uint16_t thread)
{
    if (class == HD_TOTAL) {
        p->last_total = event;
        p->front = NONE;
    } else if (p->last_total != event && !(class == HD_LOOKS && g->net == HD_GATHER_CONTEXTUAL)) {
        note_in_front(g, p, (hd_gather_met) { (uint8_t) class, thread, event });
    }
}

static void leave_traces(hd_gather *g, uint32_t event, uint16_t thread)
{
    for (size_t i = 0; i < g->touched.count; i++)
        leave_trace(g, &g->pieces.items[g->touched.items[i] / 4], g->touched.items[i] % 4, event, thread);
    for (size_t i = 0; i < g->split.count; i++)
        leave_trace(g, &g->pieces.items[g->split.items[i] / 4], g->split.items[i] % 4, event, thread);
    g->last[thread] = event;
    hd_vec_push(&g->run, event);
}

/* --- edges ------------------------------------------------------------------------------------------- */

static void open_edge(hd_gather *g, uint16_t thread, uint32_t event, bool creates)
{
    for (size_t i = 0; i < g->open[thread].count; i++)
        if (g->open[thread].items[i].event == event)
            return;
    hd_vec_push(&g->open[thread], ((hd_gather_edge) { event, creates }));
}

static void note_edge(hd_gather *g, const hd_op *op)
{
    uint32_t from = (uint32_t)op->object;
    bool creates = g->last[op->thread] == HD_NO_EVENT && !g->open[op->thread].count;
    for (size_t i = 0; i < g->open[from].count; i++)
        open_edge(g, op->thread, g->open[from].items[i].event, creates);
    if (g->last[from] != HD_NO_EVENT)
        open_edge(g, op->thread, g->last[from], creates);
}

static int by_event(const void *a, const void *b)
{
    const hd_gather_edge *x = a, *y = b;
    return x->event < y->event ? -1 : x->event > y->event;
}

static uint32_t put_edges(hd_gather *g, uint16_t thread)
{
    uint32_t count = (uint32_t)g->open[thread].count;
    hd_gather_edge *edges = g->open[thread].items;
    if (count)
        qsort(edges, count, sizeof *edges, by_event);
    for (uint32_t i = 0; i < count; i++) {
        put(g, edges[i].creates);
        put(g, edges[i].event);
    }
    hd_vec_clear(&g->open[thread]);
    return count;
}

/* Nothing happens after the process has ended: the end comes after all there was. */
static void meet_everything(hd_gather *g, uint16_t thread)
{
    for (uint16_t t = 0; t < HD_MAX_THREADS; t++)
        if (t != thread && g->last[t] != HD_NO_EVENT)
            open_edge(g, thread, g->last[t], false);
}

/* --- executions -------------------------------------------------------------------------------------- */

static void start(hd_gather *g)
{
    hd_map_clear(&g->objects);
    hd_vec_clear(&g->pieces);
    hd_vec_clear(&g->fronts);
    hd_vec_clear(&g->run);
    for (int t = 0; t < HD_MAX_THREADS; t++) {
        g->last[t] = HD_NO_EVENT;
        hd_vec_clear(&g->open[t]);
    }
}

static bool belongs(const hd_op *op, const hd_op *first)
{
    return op->kind != HD_EDGE && !(op->flags & HD_OP_WITHDRAWN) && (op == first || (op->flags & HD_OP_CONTINUES));
}

/* The step that begins at log[at]; gives where the next one may. */
static uint32_t add_step(hd_gather *g, const hd_execution *e, uint32_t at)
{
    const hd_op *first = &e->log[at];
    uint32_t ops = 0, end = at + 1;
    hd_vec_clear(&g->touched);
    hd_vec_clear(&g->split);
    put(g, (uint32_t)first->thread | (uint32_t)(first->kind == HD_BRANCH) << 16);
    put(g, g->last[first->thread]);
    put(g, 0);
    put(g, 0);
    for (uint32_t i = at; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (op->kind == HD_EDGE || (op->flags & HD_OP_WITHDRAWN))
            continue;
        if (!belongs(op, first))
            break;
        put_op(g, op);
        ops++;
        end = i + 1;
        if (op->kind == HD_EXIT)
            meet_everything(g, op->thread);
    }
    uint32_t edges = put_edges(g, first->thread);
    hd_rows_open(&g->rows)[OPS] = ops;
    hd_rows_open(&g->rows)[EDGES] = edges;
    leave_traces(g, hd_rows_intern(&g->rows), first->thread);
    return end;
}

/* The thread's last event; before its first, the last of those that it was created behind. */
static uint32_t event_at(const hd_gather *g, uint16_t thread)
{
    if (g->last[thread] != HD_NO_EVENT || !g->open[thread].count)
        return g->last[thread];
    return hd_vec_last(&g->open[thread])->event;
}

/* What threads came to before the log had more than `position` entries. */
static uint32_t add_ways(hd_gather *g, const hd_execution *e, uint32_t next, uint32_t position)
{
    for (; next < e->covered_count && e->covered[next].position <= position; next++) {
        const hd_covered *c = &e->covered[next];
        uint32_t event = event_at(g, c->thread);
        if (event == HD_NO_EVENT)
            continue;
        hd_rows_put(&g->ways, event);
        hd_rows_put(&g->ways, site_number(g, c->site));
        hd_rows_put(&g->ways, (uint32_t)c->thread | (uint32_t)c->what << 16);
        hd_rows_intern(&g->ways);
    }
    return next;
}

void hd_gather_add(hd_gather *g, const hd_execution *e)
{
    uint32_t ways = 0;
    start(g);
    for (uint32_t i = 0; i < e->log_count;) {
        const hd_op *op = &e->log[i];
        ways = add_ways(g, e, ways, i);
        if (op->kind == HD_EDGE)
            note_edge(g, op);
        if (op->kind == HD_EDGE || (op->flags & HD_OP_WITHDRAWN))
            i++;
        else
            i = add_step(g, e, i);
    }
    add_ways(g, e, ways, UINT32_MAX);
    g->lost_ways |= e->covered_count == HD_COVER_ROOM;
}

uint32_t hd_gather_way_count(const hd_gather *g)
{
    return hd_rows_count(&g->ways);
}

hd_gather_way hd_gather_way_at(const hd_gather *g, uint32_t number)
{
    const uint32_t *words = hd_rows_words(&g->ways, number);
    return (hd_gather_way) { words[0], words[1], (uint16_t)words[2], (uint8_t)(words[2] >> 16) };
}

bool hd_gather_lost_ways(const hd_gather *g)
{
    return g->lost_ways;
}

/* --- rows -------------------------------------------------------------------------------------------- */

typedef struct cursor {
    const uint32_t *word;
} cursor;

static void read_piece(cursor *c, hd_gather_row *row, uint64_t object)
{
    uint32_t head = *c->word++, count = head >> 16;
    hd_vec_push(&row->pieces,
        ((hd_gather_piece) { object, (uint8_t)head, (uint8_t)(head >> 8), (uint32_t)row->met.count, count }));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t who = *c->word++, event = *c->word++;
        hd_vec_push(&row->met, ((hd_gather_met) { (uint8_t)who, (uint16_t)(who >> 8), event }));
    }
}

static void read_op(cursor *c, hd_gather_row *row)
{
    uint64_t object = *c->word++;
    object |= (uint64_t)*c->word++ << 32;
    uint32_t what = *c->word++, site = *c->word++, pieces = *c->word++;
    hd_vec_push(&row->ops,
        ((hd_gather_op) { object, (uint8_t)what, (uint8_t)(what >> 8), (uint8_t)(what >> 16), site,
            (uint32_t)row->pieces.count, pieces }));
    for (uint32_t i = 0; i < pieces; i++)
        read_piece(c, row, object);
}

void hd_gather_read(const hd_gather *g, uint32_t event, hd_gather_row *row)
{
    const uint32_t *words = hd_rows_words(&g->rows, event);
    cursor c = { words + BODY };
    hd_vec_clear(&row->ops);
    hd_vec_clear(&row->pieces);
    hd_vec_clear(&row->met);
    hd_vec_clear(&row->edges);
    row->thread = (uint16_t)words[HEAD];
    row->is_branch = words[HEAD] >> 16 & 1;
    row->before = words[BEFORE];
    for (uint32_t i = 0; i < words[OPS]; i++)
        read_op(&c, row);
    for (uint32_t i = 0; i < words[EDGES]; i++) {
        uint32_t creates = *c.word++, from = *c.word++;
        hd_vec_push(&row->edges, ((hd_gather_edge) { from, creates != 0 }));
    }
    hd_assert(c.word == hd_rows_words(&g->rows, event + 1));
}

void hd_gather_row_fini(hd_gather_row *row)
{
    hd_vec_fini(&row->ops);
    hd_vec_fini(&row->pieces);
    hd_vec_fini(&row->met);
    hd_vec_fini(&row->edges);
}
