/* Executions become rows. See events/events.h for the parts of a row. */
#include "events/events_internal.h"

#include "base/error.h"
#include "event/op.h"

#include <stdlib.h>
#include <string.h>

hd_events *hd_events_open(hd_net net, hd_memory *memory)
{
    hd_events *s = hd_alloc(memory, sizeof *s);
    s->memory = s->sites.memory = s->histories.memory = s->entries.memory = s->run.memory = s->touched.memory =
        s->split.memory = s->causes.memory = memory;
    s->net = net;
    hd_rows_init(&s->rows, memory);
    hd_rows_init(&s->ways, memory);
    hd_terms_init(&s->terms, memory);
    hd_import_init(&s->import, &s->terms, memory);
    s->constraints.memory = s->inside.memory = memory;
    s->waits.memory = s->wait_starts.memory = s->run_ways.memory = memory;
    hd_arena_init(&s->texts, memory);
    hd_map_init(&s->site_index, memory);
    hd_map_init(&s->position_index, memory);
    hd_map_init(&s->objects, memory);
    for (int t = 0; t < HD_MAX_THREADS; t++) {
        s->open[t].memory = memory;
        s->last[t] = HD_NO_EVENT;
    }
    return s;
}

void hd_events_close(hd_events *s)
{
    hd_memory *memory = s->memory;
    hd_rows_fini(&s->rows);
    hd_rows_fini(&s->ways);
    hd_import_fini(&s->import);
    hd_terms_fini(&s->terms);
    hd_vec_fini(&s->constraints);
    hd_vec_fini(&s->inside);
    hd_vec_fini(&s->waits);
    hd_vec_fini(&s->wait_starts);
    hd_vec_fini(&s->run_ways);
    hd_map_fini(&s->objects);
    hd_vec_fini(&s->sites);
    hd_arena_fini(&s->texts);
    hd_map_fini(&s->site_index);
    hd_map_fini(&s->position_index);
    hd_vec_fini(&s->histories);
    hd_vec_fini(&s->entries);
    hd_vec_fini(&s->run);
    hd_vec_fini(&s->touched);
    hd_vec_fini(&s->split);
    hd_vec_fini(&s->causes);
    for (int t = 0; t < HD_MAX_THREADS; t++)
        hd_vec_fini(&s->open[t]);
    hd_release(memory, s, sizeof *s);
}

void hd_events_clear(hd_events *s)
{
    hd_rows_clear(&s->rows);
    hd_rows_clear(&s->ways);
    hd_vec_clear(&s->waits);
    hd_vec_clear(&s->wait_starts);
    hd_vec_clear(&s->run_ways);
    hd_terms_clear(&s->terms);
    hd_vec_clear(&s->constraints);
    s->lost_ways = false;
    hd_vec_clear(&s->run);
}

hd_net hd_events_net(const hd_events *s)
{
    return s->net;
}

uint32_t hd_events_count(const hd_events *s)
{
    return hd_rows_count(&s->rows);
}

const uint32_t *hd_events_last(const hd_events *s, uint32_t *count)
{
    *count = (uint32_t)s->run.count;
    return s->run.items;
}

/* --- edges ------------------------------------------------------------------------------------------- */

static void open_edge(hd_events *s, uint16_t thread, uint32_t event, bool creates)
{
    for (size_t i = 0; i < s->open[thread].count; i++)
        if (s->open[thread].items[i].event == event)
            return;
    hd_vec_push(&s->open[thread], ((hd_event_edge) { event, creates }));
}

static void note_edge(hd_events *s, const hd_op *op)
{
    uint32_t from = (uint32_t)op->object;
    /* The first edge into a thread is its creation; thread 0 is not created. */
    bool creates = op->thread != 0 && !s->begun[op->thread];
    s->begun[op->thread] = true;
    /* Until `from` has an event of its own, what comes before it also comes before the thread. */
    for (size_t i = 0; i < s->open[from].count; i++)
        open_edge(s, op->thread, s->open[from].items[i].event, creates);
    if (s->last[from] != HD_NO_EVENT)
        open_edge(s, op->thread, s->last[from], creates);
}

static int by_event(const void *a, const void *b)
{
    const hd_event_edge *x = a, *y = b;
    return x->event < y->event ? -1 : x->event > y->event;
}

static uint32_t put_edges(hd_events *s, uint16_t thread)
{
    uint32_t count = (uint32_t)s->open[thread].count;
    hd_event_edge *edges = s->open[thread].items;
    /* Threads may be waited for in any order; equal events must have equal rows. */
    if (count)
        qsort(edges, count, sizeof *edges, by_event);
    for (uint32_t i = 0; i < count; i++) {
        hd_events_put(s, edges[i].creates);
        hd_events_put(s, edges[i].event);
    }
    hd_vec_clear(&s->open[thread]);
    return count;
}

/* The exit of the process comes after the last event of every thread. */
static void come_after_everything(hd_events *s, uint16_t thread)
{
    for (uint16_t t = 0; t < s->threads; t++)
        if (t != thread && s->last[t] != HD_NO_EVENT)
            open_edge(s, thread, s->last[t], false);
}

/* --- executions -------------------------------------------------------------------------------------- */

static void start(hd_events *s)
{
    hd_map_clear(&s->objects);
    hd_vec_clear(&s->histories);
    hd_vec_clear(&s->entries);
    hd_vec_clear(&s->run);
    hd_vec_clear(&s->run_ways);
    for (uint32_t t = 0; t < s->threads; t++) {
        s->last[t] = HD_NO_EVENT;
        s->begun[t] = false;
        hd_vec_clear(&s->open[t]);
    }
}

/* The constraint under which the branch has the value that it has. */
static hd_term constraint_of(hd_events *s, const hd_op *branch)
{
    hd_term term = branch->object ? hd_import_term(&s->import, branch->object) : 0;
    return term ? hd_term_equals(&s->terms, term, branch->value) : 0;
}

static void note_constraint(hd_events *s, uint32_t event, const hd_execution *e)
{
    while (s->constraints.count <= event)
        hd_vec_push(&s->constraints, 0);
    /* Equal events have the same branches, so the first execution's constraint stands for all. */
    if (s->constraints.items[event])
        return;
    for (size_t i = 0; i < s->inside.count; i++)
        s->constraints.items[event] =
            hd_term_both(&s->terms, s->constraints.items[event], constraint_of(s, &e->log[s->inside.items[i]]));
}

static void begin_row(hd_events *s, const hd_op *op)
{
    bool alone = op->flags & HD_OP_ALONE;
    hd_vec_clear(&s->touched);
    hd_vec_clear(&s->split);
    hd_events_put(s, (uint32_t)op->thread | (uint32_t)(op->kind == HD_BRANCH) << 16 | (uint32_t)alone << 17);
    hd_events_put(s, s->last[op->thread]);
    hd_events_put(s, 0); /* HD_ROW_OPS and HD_ROW_EDGES are known at the end */
    hd_events_put(s, 0);
}

static void end_row(hd_events *s, const hd_op *op, uint32_t ops)
{
    uint32_t edges = put_edges(s, op->thread);
    hd_rows_open(&s->rows)[HD_ROW_OPS] = ops;
    hd_rows_open(&s->rows)[HD_ROW_EDGES] = edges;
    hd_events_enter(s, hd_rows_intern(&s->rows), op->thread);
}

/* A branch on inputs between two steps is an event of its own; no schedule names it. */
static void add_branch(hd_events *s, const hd_execution *e, uint32_t at)
{
    const hd_op *op = &e->log[at];
    hd_vec_clear(&s->inside);
    hd_vec_push(&s->inside, at);
    begin_row(s, op);
    hd_events_put_op(s, op);
    end_row(s, op, 1);
    note_constraint(s, s->last[op->thread], e);
}

/* The step that begins at log[at], with the branches inside it. */
static void add_step(hd_events *s, const hd_execution *e, uint32_t at)
{
    const hd_op *first = &e->log[at];
    uint32_t ops = 0;
    begin_row(s, first);
    hd_vec_clear(&s->inside);
    for (uint32_t i = at; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        bool done = hd_op_is_done(op);
        if (done && op != first && !(op->flags & HD_OP_CONTINUES))
            break;
        if (!done && !hd_op_is_inside(op))
            continue;
        hd_events_put_op(s, op);
        ops++;
        if (!done) {
            hd_vec_push(&s->inside, i);
            continue;
        }
        if (hd_kind_exits(op->kind))
            come_after_everything(s, op->thread);
    }
    end_row(s, first, ops);
    if (s->inside.count)
        note_constraint(s, s->last[first->thread], e);
}

void hd_events_add(hd_events *s, const hd_execution *e)
{
    uint32_t ways = 0;
    start(s);
    hd_import_begin(&s->import, e->exprs, e->expr_count, e->inputs, e->input_count);
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        ways = hd_events_add_ways(s, e, ways, i);
        s->threads = op->thread >= s->threads ? op->thread + 1u : s->threads;
        if (op->kind == HD_EDGE)
            note_edge(s, op);
        else if (op->kind == HD_BRANCH && !hd_op_is_inside(op))
            add_branch(s, e, i);
        else if (hd_op_is_done(op) && !(op->flags & HD_OP_CONTINUES))
            add_step(s, e, i);
    }
    hd_events_add_ways(s, e, ways, UINT32_MAX);
    s->lost_ways |= e->covered_count == HD_COVER_ROOM;
}

hd_term hd_events_constraint(const hd_events *s, uint32_t event)
{
    return event < s->constraints.count ? s->constraints.items[event] : 0;
}

hd_terms *hd_events_terms(hd_events *s)
{
    return &s->terms;
}

/* --- decoding ----------------------------------------------------------------------------------- */

typedef struct cursor {
    const uint32_t *word;
} cursor;

static void read_piece(cursor *c, hd_event *event, uint64_t object)
{
    uint32_t head = *c->word++, count = head >> 16;
    hd_vec_push(&event->pieces,
        ((hd_event_piece) { object, (uint8_t)head, (uint8_t)(head >> 8), (uint32_t)event->causes.count, count }));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t who = *c->word++, cause = *c->word++;
        hd_vec_push(&event->causes, ((hd_event_cause) { (uint8_t)who, (uint16_t)(who >> 8), cause }));
    }
}

static void read_op(cursor *c, hd_event *event)
{
    uint64_t object = *c->word++;
    object |= (uint64_t)*c->word++ << 32;
    uint32_t what = *c->word++, site = *c->word++, pieces = *c->word++;
    hd_vec_push(&event->ops,
        ((hd_event_op) { object, (uint8_t)what, (uint8_t)(what >> 8), (uint8_t)(what >> 16), site,
            (uint32_t)event->pieces.count, pieces }));
    for (uint32_t i = 0; i < pieces; i++)
        read_piece(c, event, object);
}

void hd_events_read(const hd_events *s, uint32_t number, hd_event *event)
{
    const uint32_t *words = hd_rows_words(&s->rows, number);
    cursor c = { words + HD_ROW_BODY };
    hd_vec_clear(&event->ops);
    hd_vec_clear(&event->pieces);
    hd_vec_clear(&event->causes);
    hd_vec_clear(&event->edges);
    event->thread = (uint16_t)words[HD_ROW_HEAD];
    event->is_branch = words[HD_ROW_HEAD] >> 16 & 1;
    event->is_alone = words[HD_ROW_HEAD] >> 17 & 1;
    event->before = words[HD_ROW_BEFORE];
    for (uint32_t i = 0; i < words[HD_ROW_OPS]; i++)
        read_op(&c, event);
    for (uint32_t i = 0; i < words[HD_ROW_EDGES]; i++) {
        uint32_t creates = *c.word++, from = *c.word++;
        hd_vec_push(&event->edges, ((hd_event_edge) { from, creates != 0 }));
    }
    hd_assert(c.word == hd_rows_words(&s->rows, number + 1));
}

void hd_event_fini(hd_event *event)
{
    hd_vec_fini(&event->ops);
    hd_vec_fini(&event->pieces);
    hd_vec_fini(&event->causes);
    hd_vec_fini(&event->edges);
}
