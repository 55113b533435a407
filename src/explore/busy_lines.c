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

static bool is_cut_off(const hd_thread_view *v)
{
    return v->status == HD_THREAD_AT_OP && v->pending.flags & HD_OP_DEEP;
}

/* A thread that was cut off, or else the one with the most operations. */
static uint32_t busiest_thread(const hd_execution *e)
{
    uint32_t count[HD_MAX_THREADS] = { 0 }, busiest = 0;
    for (uint32_t i = 0; i < e->log_count; i++)
        count[e->log[i].thread]++;
    for (uint32_t i = 0; i < e->thread_count; i++) {
        if (is_cut_off(&e->threads[i]))
            return i;
        if (count[i] > count[busiest])
            busiest = i;
    }
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

/* The entry with the visible operation that began the thread's last step, if invisible ones have continued it; 0: none
 * have. */
static uint32_t last_visible(const hd_execution *e, uint32_t thread)
{
    uint32_t first = 0;
    bool continued = false;
    for (uint32_t i = start_of(e, thread); i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (op->thread != thread || !hd_op_is_done(op))
            continue;
        first = op->flags & HD_OP_CONTINUES ? first : i;
        continued = op->flags & HD_OP_COMPOSED;
    }
    return continued ? first : 0;
}

/* Returns the number of operations of the thread from the entry on. */
static uint32_t count_lines(const hd_execution *e, uint32_t thread, uint32_t from, lines *all)
{
    hd_map places; /* of a line: its index + 1 */
    uint32_t count = 0;
    hd_map_init(&places, all->memory);
    for (uint32_t i = from; i < e->log_count; i++) {
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

static void add_lines(hd_sentence *s, lines *all, bool counts)
{
    for (size_t i = 0; i < all->count && i < SHOWN; i++) {
        line l = take_busiest(all);
        hd_sentence_add(s, "%s", i ? ", " : counts ? ": " : " at ");
        if (counts)
            hd_sentence_add(s, "%u at ", l.count);
        hd_sentence_add(s, "%s:%u", l.site->file, l.site->line);
    }
    hd_sentence_add(s, "%s", all->count > SHOWN ? ", …" : "");
}

/* The log of a step lacks accesses that repeat others (runtime/sched/compose.h), so those are not counted by lines. */
void hd_busy_lines(const hd_execution *e, uint32_t depth, char *text, size_t size, hd_memory *memory)
{
    hd_sentence s = { text, size, 0 };
    lines all = { .memory = memory };
    uint32_t thread = busiest_thread(e), visible = last_visible(e, thread);
    uint32_t count = count_lines(e, thread, visible ? visible + 1 : start_of(e, thread), &all);
    const hd_site *site = visible ? e->log[visible].site : NULL;
    text[0] = '\0';
    hd_sentence_add(&s, "thread T%u performed %u operations",
        hd_thread_number(e->log, e->log_count, hd_identity(thread, e->threads[thread].life)),
        is_cut_off(&e->threads[thread]) ? depth : count);
    if (visible)
        hd_sentence_add(&s, ", none of them visible since %s:%u,", site ? site->file : "?", site ? site->line : 0);
    add_lines(&s, &all, !visible);
    hd_vec_fini(&all);
}
