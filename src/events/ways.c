/* Source positions, and the statements and branches that threads reach between events. */
#include "events/events_internal.h"

#include <string.h>

/* --- source positions ----------------------------------------------------------------------- */

/* Inlined copies of one source position have several sites in the program; here they are one. */
static uint32_t number_of_position(hd_events *s, hd_event_site site)
{
    uint64_t hash = hd_hash_bytes(site.file, strlen(site.file), (uint64_t)site.line << 32 | site.column);
    uint64_t *number = hd_map_put(&s->position_index, hd_hash_bytes(site.function, strlen(site.function), hash));
    if (!*number) {
        /* The program's strings are gone when it ends; the structure outlives it. */
        site.file = hd_arena_copy(&s->texts, site.file);
        site.function = hd_arena_copy(&s->texts, site.function);
        hd_vec_push(&s->sites, site);
        *number = s->sites.count;
    }
    return (uint32_t)*number;
}

uint32_t hd_events_site_number(hd_events *s, const hd_site *site)
{
    uint64_t *number = hd_map_put(&s->site_index, (uint64_t)(uintptr_t)site);
    if (!*number)
        *number = number_of_position(s,
            site ? (hd_event_site) { site->file, site->function, site->line, site->column }
                 : (hd_event_site) { "?", "?", 0, 0 });
    return (uint32_t)(*number - 1);
}

const hd_event_site *hd_events_site_of(hd_events *s, const hd_site *site)
{
    return &s->sites.items[hd_events_site_number(s, site)];
}

const hd_event_site *hd_events_sites(const hd_events *s, uint32_t *count)
{
    *count = (uint32_t)s->sites.count;
    return s->sites.items;
}

/* --- ways ------------------------------------------------------------------------------------- */

/* The thread's last event; before its first, the last event of its creator. */
static uint32_t event_at(const hd_events *s, uint16_t thread)
{
    uint32_t event = s->last[thread];
    for (size_t i = 0; event == HD_NO_EVENT && i < s->open[thread].count; i++)
        if (s->open[thread].items[i].creates)
            event = s->open[thread].items[i].event;
    return event;
}

static void add_way(hd_events *s, const hd_covered *c)
{
    hd_rows_put(&s->ways, event_at(s, c->thread));
    hd_rows_put(&s->ways, hd_events_site_number(s, c->site));
    hd_rows_put(&s->ways, c->thread);
    hd_rows_put(&s->ways, c->ordinal);
    hd_rows_put(&s->ways, c->what);
    uint32_t way = hd_rows_intern(&s->ways);
    hd_vec_push(&s->run_ways, way);
    if (way < s->wait_starts.count)
        return;
    /* A new way: the thread waited for the events of its open edges. */
    hd_vec_push(&s->wait_starts, (uint32_t)s->waits.count);
    for (size_t i = 0; i < s->open[c->thread].count; i++)
        hd_vec_push(&s->waits, s->open[c->thread].items[i].event);
}

uint32_t hd_events_add_ways(hd_events *s, const hd_execution *e, uint32_t next, uint32_t position)
{
    for (; next < e->covered_count && e->covered[next].position <= position; next++)
        add_way(s, &e->covered[next]);
    return next;
}

uint32_t hd_events_way_count(const hd_events *s)
{
    return hd_rows_count(&s->ways);
}

hd_event_way hd_events_way(const hd_events *s, uint32_t number)
{
    const uint32_t *words = hd_rows_words(&s->ways, number), *starts = s->wait_starts.items;
    uint32_t end = number + 1 < s->wait_starts.count ? starts[number + 1] : (uint32_t)s->waits.count;
    return (hd_event_way) { .event = words[0],
        .site = words[1],
        .thread = (uint16_t)words[2],
        .ordinal = words[3],
        .what = words[4],
        .waits = s->waits.items + starts[number],
        .wait_count = end - starts[number] };
}

const uint32_t *hd_events_last_ways(const hd_events *s, uint32_t *count)
{
    *count = (uint32_t)s->run_ways.count;
    return s->run_ways.items;
}

bool hd_events_lost_ways(const hd_events *s)
{
    return s->lost_ways;
}
