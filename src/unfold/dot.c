#include "unfold/unfold_internal.h"

#include <stdarg.h>
#include <stdio.h>

/* Boxes are events, one lane per thread; circles are conditions. A dashed line leads to a condition that an event only
 * looks at. */

__attribute__((format(printf, 2, 3))) static void put(hd_unfold_text *out, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    length = length < (int)sizeof line ? length : (int)sizeof line - 1;
    hd_vec_reserve(out, (size_t)length);
    for (int i = 0; i < length; i++)
        out->items[out->count++] = line[i];
}

static void put_event(const hd_unfolding *u, uint32_t e, const hd_unfold_namer *namer, hd_unfold_text *out)
{
    char name[200] = "";
    const event *v = &u->events.items[e];
    if (v->kind == EVENT_STEP || v->kind == EVENT_BRANCH) {
        namer->event(namer->context, v->label, name, sizeof name);
        put(out, "    e%u [shape=box label=\"%u: %s\"];\n", e, e, name);
    } else {
        put(out, "    e%u [shape=box style=dotted label=\"%s\"];\n", e, v->kind == EVENT_AWAIT ? "goes on" : "starts");
    }
    put(out, "    t%u [shape=circle label=\"T%u\"];\n    e%u -> t%u;\n", e, v->thread, e, e);
    if (v->before)
        put(out, "    t%u -> e%u;\n", v->before, e);
}

/* An execution that failed may have waited where others show that it ends. */
static bool is_drawn(const hd_unfolding *u, uint32_t e)
{
    const event *v = &u->events.items[e];
    return v->kind != EVENT_PROSPECT && !(v->kind == EVENT_AWAIT && hd_unfold_is_behind_end(u, v->before));
}

static void put_lanes(const hd_unfolding *u, uint32_t end, const hd_unfold_namer *namer, hd_unfold_text *out)
{
    for (uint32_t t = 0; t < u->clock_width; t++) {
        bool open = false;
        for (uint32_t e = 1; e < end; e++) {
            if (u->events.items[e].thread != t || !is_drawn(u, e))
                continue;
            if (!open)
                put(out, "  subgraph cluster_t%u {\n    label=\"T%u\";\n", t, t);
            open = true;
            put_event(u, e, namer, out);
        }
        if (open)
            put(out, "  }\n");
    }
}

static void put_condition(
    const hd_unfolding *u, uint32_t end, uint32_t c, const hd_unfold_namer *namer, hd_unfold_text *out)
{
    char name[200] = "";
    const condition *k = &u->conditions.items[c];
    bool found = k->child || k->group_accesses; /* sets that nothing came after are only thought of */
    if (u->objects.items[k->object].awaited || !k->object || (is_closed(k) && !found) || maker_of(u, c) >= end)
        return;
    namer->object(namer->context, k->object, name, sizeof name);
    put(out, "  c%u [shape=circle label=\"%s\"];\n", c, name);
    if (maker_of(u, c))
        put(out, "  e%u -> c%u;\n", maker_of(u, c), c);
    for (uint32_t i = 0; i < set_size(u, k); i++)
        if (u->accesses.items[set_of(u, k)[i]].event < end)
            put(out, "  e%u -> c%u;\n", u->accesses.items[set_of(u, k)[i]].event, c);
}

static void put_accesses(const hd_unfolding *u, uint32_t e, hd_unfold_text *out)
{
    const event *v = &u->events.items[e];
    for (uint32_t i = 0; i < v->access_count; i++) {
        const access *a = &u->accesses.items[v->access + i];
        put(out, "  c%u -> e%u%s;\n", a->found, e, a->group == HD_GROUP_LOOKS ? " [style=dashed arrowhead=none]" : "");
    }
    if (v->kind == EVENT_ORDER && v->cause)
        put(out, "  e%u -> e%u [style=dotted];\n", v->cause, e);
    if (v->kind == EVENT_AWAIT)
        put(out, "  e%u -> e%u [style=dotted];\n", maker_of(u, u->meetings.items[v->cause].condition), e);
}

/* Where the first `most` drawn events end; `all`: how many there are. */
static uint32_t end_of(const hd_unfolding *u, uint32_t most, uint32_t *all)
{
    uint32_t end = (uint32_t)u->events.count;
    *all = 0;
    for (uint32_t e = 1; e < u->events.count; e++)
        if (is_drawn(u, e) && (*all)++ == most)
            end = e;
    return end;
}

void hd_unfold_draw(const hd_unfolding *u, uint32_t most, const hd_unfold_namer *namer, hd_unfold_text *out)
{
    uint32_t all, end = end_of(u, most, &all);
    hd_vec_clear(out);
    put(out, "digraph unfolding {\n  rankdir=TB;\n  node [fontsize=10];\n");
    if (all > most)
        put(out, "  // %u of %u events\n", most, all);
    put_lanes(u, end, namer, out);
    for (uint32_t c = 1; c < u->conditions.count; c++)
        put_condition(u, end, c, namer, out);
    for (uint32_t e = 1; e < end; e++)
        if (is_drawn(u, e))
            put_accesses(u, e, out);
    put(out, "}\n");
}
