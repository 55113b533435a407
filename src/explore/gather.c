#include "explore/gatherer.h"

#include "base/error.h"
#include "event/op.h"

#include <stdlib.h>
#include <string.h>

hd_gather *hd_gather_open(hd_gather_net net, hd_memory *memory)
{
    hd_gather *g = hd_alloc(memory, sizeof *g);
    g->memory = g->sites.memory = g->pieces.memory = g->fronts.memory = g->run.memory = g->touched.memory =
        g->split.memory = memory;
    g->net = net;
    hd_rows_init(&g->rows, memory);
    hd_rows_init(&g->ways, memory);
    hd_terms_init(&g->terms, memory);
    hd_import_init(&g->import, &g->terms, memory);
    g->conditions.memory = g->inside.memory = memory;
    g->waits.memory = g->wait_starts.memory = g->run_ways.memory = memory;
    hd_map_init(&g->site_index, memory);
    hd_map_init(&g->place_index, memory);
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
    hd_import_fini(&g->import);
    hd_terms_fini(&g->terms);
    hd_vec_fini(&g->conditions);
    hd_vec_fini(&g->inside);
    hd_vec_fini(&g->waits);
    hd_vec_fini(&g->wait_starts);
    hd_vec_fini(&g->run_ways);
    hd_map_fini(&g->site_index);
    hd_map_fini(&g->place_index);
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
    hd_vec_clear(&g->waits);
    hd_vec_clear(&g->wait_starts);
    hd_vec_clear(&g->run_ways);
    hd_terms_clear(&g->terms);
    hd_vec_clear(&g->conditions);
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

/* --- places ----------------------------------------------------------------------------------- */

static const char *keep_text(hd_gather *g, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(hd_alloc(g->memory, size), text, size);
}

static uint32_t number_of_place(hd_gather *g, hd_gather_site site)
{
    uint64_t hash = hd_hash_bytes(site.file, strlen(site.file), (uint64_t)site.line << 32 | site.column);
    uint64_t *number = hd_map_put(&g->place_index, hd_hash_bytes(site.function, strlen(site.function), hash));
    if (!*number) {
        site.file = keep_text(g, site.file);
        site.function = keep_text(g, site.function);
        hd_vec_push(&g->sites, site);
        *number = g->sites.count;
    }
    return (uint32_t)*number;
}

uint32_t hd_gather_site_number(hd_gather *g, const hd_site *site)
{
    uint64_t *number = hd_map_put(&g->site_index, (uint64_t)(uintptr_t)site);
    if (!*number)
        *number = number_of_place(g,
            site ? (hd_gather_site) { site->file, site->function, site->line, site->column }
                 : (hd_gather_site) { "?", "?", 0, 0 });
    return (uint32_t)(*number - 1);
}

const hd_gather_site *hd_gather_site_of(hd_gather *g, const hd_site *site)
{
    return &g->sites.items[hd_gather_site_number(g, site)];
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
    bool creates = op->thread != 0 && !g->begun[op->thread];
    g->begun[op->thread] = true;
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
        hd_gather_put(g, edges[i].creates);
        hd_gather_put(g, edges[i].event);
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
    hd_vec_clear(&g->run_ways);
    for (int t = 0; t < HD_MAX_THREADS; t++) {
        g->last[t] = HD_NO_EVENT;
        g->begun[t] = false;
        hd_vec_clear(&g->open[t]);
    }
}

/* What must hold of the inputs for the branch to have the value that it has. */
static hd_term condition_of(hd_gather *g, const hd_op *branch)
{
    hd_term term = branch->object ? hd_import_term(&g->import, branch->object) : 0;
    return term ? hd_term_equals(&g->terms, term, branch->value) : 0;
}

static void note_condition(hd_gather *g, uint32_t event, const hd_execution *e)
{
    while (g->conditions.count <= event)
        hd_vec_push(&g->conditions, 0);
    if (g->conditions.items[event])
        return;
    for (size_t i = 0; i < g->inside.count; i++)
        g->conditions.items[event] =
            hd_term_both(&g->terms, g->conditions.items[event], condition_of(g, &e->log[g->inside.items[i]]));
}

static void begin_row(hd_gather *g, const hd_op *op)
{
    bool alone = op->flags & HD_OP_ALONE;
    hd_vec_clear(&g->touched);
    hd_vec_clear(&g->split);
    hd_gather_put(g, (uint32_t)op->thread | (uint32_t)(op->kind == HD_BRANCH) << 16 | (uint32_t)alone << 17);
    hd_gather_put(g, g->last[op->thread]);
    hd_gather_put(g, 0);
    hd_gather_put(g, 0);
}

static void end_row(hd_gather *g, const hd_op *op, uint32_t ops)
{
    uint32_t edges = put_edges(g, op->thread);
    hd_rows_open(&g->rows)[HD_ROW_OPS] = ops;
    hd_rows_open(&g->rows)[HD_ROW_EDGES] = edges;
    hd_gather_leave_traces(g, hd_rows_intern(&g->rows), op->thread);
}

/* A branch on inputs is an event that nobody decides on. */
static void add_branch(hd_gather *g, const hd_execution *e, uint32_t at)
{
    const hd_op *op = &e->log[at];
    hd_vec_clear(&g->inside);
    hd_vec_push(&g->inside, at);
    begin_row(g, op);
    hd_gather_put_op(g, op);
    end_row(g, op, 1);
    note_condition(g, g->last[op->thread], e);
}

/* The step that begins at log[at], with the branches inside it. */
static void add_step(hd_gather *g, const hd_execution *e, uint32_t at)
{
    const hd_op *first = &e->log[at];
    uint32_t ops = 0;
    begin_row(g, first);
    hd_vec_clear(&g->inside);
    for (uint32_t i = at; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        bool done = hd_op_is_done(op);
        if (done && op != first && !(op->flags & HD_OP_CONTINUES))
            break;
        if (!done && !hd_op_is_inside(op))
            continue;
        hd_gather_put_op(g, op);
        ops++;
        if (!done) {
            hd_vec_push(&g->inside, i);
            continue;
        }
        if (hd_kind_exits(op->kind))
            meet_everything(g, op->thread);
    }
    end_row(g, first, ops);
    if (g->inside.count)
        note_condition(g, g->last[first->thread], e);
}

/* The thread's last event; before its first, the last of those that it was created behind. */
static uint32_t event_at(const hd_gather *g, uint16_t thread)
{
    uint32_t event = g->last[thread];
    for (size_t i = 0; event == HD_NO_EVENT && i < g->open[thread].count; i++)
        if (g->open[thread].items[i].creates)
            event = g->open[thread].items[i].event;
    return event;
}

static void add_way(hd_gather *g, const hd_covered *c)
{
    hd_rows_put(&g->ways, event_at(g, c->thread));
    hd_rows_put(&g->ways, hd_gather_site_number(g, c->site));
    hd_rows_put(&g->ways, (uint32_t)c->thread | (uint32_t)c->ordinal << 16);
    hd_rows_put(&g->ways, c->what);
    uint32_t way = hd_rows_intern(&g->ways);
    hd_vec_push(&g->run_ways, way);
    if (way < g->wait_starts.count)
        return;
    hd_vec_push(&g->wait_starts, (uint32_t)g->waits.count);
    for (size_t i = 0; i < g->open[c->thread].count; i++)
        hd_vec_push(&g->waits, g->open[c->thread].items[i].event);
}

/* What threads came to before the log had more than `position` entries. */
static uint32_t add_ways(hd_gather *g, const hd_execution *e, uint32_t next, uint32_t position)
{
    for (; next < e->covered_count && e->covered[next].position <= position; next++)
        add_way(g, &e->covered[next]);
    return next;
}

void hd_gather_add(hd_gather *g, const hd_execution *e)
{
    uint32_t ways = 0;
    start(g);
    hd_import_begin(&g->import, e->exprs, e->expr_count, e->inputs, e->input_count);
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        ways = add_ways(g, e, ways, i);
        if (op->kind == HD_EDGE)
            note_edge(g, op);
        else if (op->kind == HD_BRANCH && !hd_op_is_inside(op))
            add_branch(g, e, i);
        else if (hd_op_is_done(op) && !(op->flags & HD_OP_CONTINUES))
            add_step(g, e, i);
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
    const uint32_t *words = hd_rows_words(&g->ways, number), *starts = g->wait_starts.items;
    uint32_t end = number + 1 < g->wait_starts.count ? starts[number + 1] : (uint32_t)g->waits.count;
    return (hd_gather_way) { .event = words[0],
        .site = words[1],
        .what = words[3],
        .ordinal = words[2] >> 16,
        .thread = (uint16_t)words[2],
        .waits = g->waits.items + starts[number],
        .wait_count = end - starts[number] };
}

const uint32_t *hd_gather_last_ways(const hd_gather *g, uint32_t *count)
{
    *count = (uint32_t)g->run_ways.count;
    return g->run_ways.items;
}

hd_term hd_gather_condition(const hd_gather *g, uint32_t event)
{
    return event < g->conditions.count ? g->conditions.items[event] : 0;
}

hd_terms *hd_gather_terms(hd_gather *g)
{
    return &g->terms;
}

bool hd_gather_lost_ways(const hd_gather *g)
{
    return g->lost_ways;
}
