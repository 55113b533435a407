#include "worker/coverage.h"

#include <string.h>

hd_coverage *hd_coverage_open(hd_memory *memory)
{
    hd_coverage *c = hd_alloc(memory, sizeof *c);
    *c = (hd_coverage) { .memory = memory, .lines = { .memory = memory } };
    hd_map_init(&c->sites, memory);
    hd_map_init(&c->places, memory);
    return c;
}

void hd_coverage_clear(hd_coverage *c)
{
    /* Other executions may reach other lines, but the lines stay what they are. */
    for (size_t i = 0; i < c->lines.count; i++)
        c->lines.items[i].executions = 0;
}

static const char *copy_text(hd_memory *memory, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(hd_alloc(memory, size), text, size);
}

/* Several hooks may be at one line. */
static uint64_t add_line(hd_coverage *c, const hd_site *site)
{
    uint64_t *known = hd_map_put(&c->places, hd_hash_bytes(site->file, strlen(site->file), site->line));
    if (!*known) {
        hd_vec_push(&c->lines, ((hd_reached_line) { .file = copy_text(c->memory, site->file), .line = site->line }));
        *known = c->lines.count;
    }
    return *known;
}

void hd_coverage_add(hd_coverage *c, const hd_execution *e)
{
    c->executions++;
    for (uint32_t i = 0; i < e->covered_count; i++) {
        const hd_site *site = e->covered[i].site;
        if (e->covered[i].what != HD_COVER_BLOCK || !site->line)
            continue;
        uint64_t *line = hd_map_put(&c->sites, (uint64_t)(uintptr_t)site);
        if (!*line)
            *line = add_line(c, site);
        hd_reached_line *reached = &c->lines.items[*line - 1];
        if (reached->last == c->executions)
            continue;
        reached->last = c->executions;
        reached->executions++;
    }
}
