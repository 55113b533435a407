#include "explore/busy_lines.h"

#include "abi/lives.h"
#include "base/map.h"
#include "base/sentence.h"
#include "base/vec.h"
#include "event/op.h"

#include <string.h>

enum { SHOWN = 5 };

typedef struct line {
    const hd_site *site;
    uint32_t count;
} line;

typedef hd_vec(line) lines;

static uint32_t busiest_thread(const hd_execution *e)
{
    uint32_t busiest = 0;
    for (uint32_t i = 1; i < e->thread_count; i++)
        if (e->threads[i].steps > e->threads[busiest].steps)
            busiest = i;
    return busiest;
}

/* Where the slot's last thread begins. */
static uint32_t start_of(const hd_execution *e, uint32_t slot)
{
    uint32_t start = 0;
    for (uint32_t i = 0; i < e->log_count; i++)
        if (hd_edge_starts(&e->log[i]) && e->log[i].thread == slot)
            start = i;
    return start;
}

/* Returns the number of operations of the thread. */
static uint32_t count_lines(const hd_execution *e, uint32_t thread, lines *all)
{
    hd_map places; /* of a line: its index + 1 */
    uint32_t count = 0;
    hd_map_init(&places, all->memory);
    for (uint32_t i = start_of(e, thread); i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (!hd_op_is_done(op) || op->thread != thread)
            continue;
        count++;
        if (!op->site)
            continue;
        uint64_t *place = hd_map_put(&places, hd_hash_bytes(op->site->file, strlen(op->site->file), op->site->line));
        if (!*place) {
            hd_vec_push(all, ((line) { .site = op->site }));
            *place = all->count;
        }
        all->items[*place - 1].count++;
    }
    hd_map_fini(&places);
    return count;
}

/* Removes the line with the most operations, and returns it. */
static line take_busiest(lines *all)
{
    size_t best = 0;
    for (size_t i = 1; i < all->count; i++)
        if (all->items[i].count > all->items[best].count)
            best = i;
    line found = all->items[best];
    all->items[best].count = 0;
    return found;
}

void hd_busy_lines(const hd_execution *e, char *text, size_t size, hd_memory *memory)
{
    hd_sentence s = { text, size, 0 };
    lines all = { .memory = memory };
    uint32_t thread = busiest_thread(e), count = count_lines(e, thread, &all);
    text[0] = '\0';
    hd_sentence_add(&s, "thread T%u performed %u operations",
        hd_thread_number(e->log, e->log_count, hd_identity(thread, e->threads[thread].life)), count);
    for (size_t i = 0; i < all.count && i < SHOWN; i++) {
        line l = take_busiest(&all);
        hd_sentence_add(&s, "%s%u at %s:%u", i ? ", " : ": ", l.count, l.site->file, l.site->line);
    }
    hd_sentence_add(&s, "%s", all.count > SHOWN ? ", …" : "");
    hd_vec_fini(&all);
}
