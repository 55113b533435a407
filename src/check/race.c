/* Data races: two accesses to common bytes, at least one of them a write and at least one not
 * atomic, that the program's synchronisation does not order. The trace finds them with vector
 * clocks (event/trace.h); this file turns one into a finding. */
#include "check/checks.h"

#include "abi/lives.h"
#include "base/map.h"
#include "event/op.h"

#include <stdio.h>

/* The log entry of the trace's `index`-th operation. The trace skips edges, branches and withdrawn
 * operations, so its indices are smaller. */
static uint32_t log_entry(const hd_execution *e, uint32_t index)
{
    for (uint32_t i = 0; i < e->log_count; i++) {
        if (!hd_op_is_done(&e->log[i]))
            continue;
        if (index-- == 0)
            return i;
    }
    return ~0u;
}

static void write_place(char *text, size_t size, const hd_site *site)
{
    snprintf(text, size, "%s:%u", site ? site->file : "?", site ? site->line : 0);
}

/* The number of the thread that has logged the entry. */
static uint32_t number_at(const hd_execution *e, uint32_t entry)
{
    uint32_t slot = e->log[entry].thread;
    return hd_thread_number(e->log, e->log_count, hd_identity(slot, hd_life_at(e->log, entry, slot)));
}

bool hd_check_race(const hd_execution *e, const hd_trace *trace, const hd_race *race, hd_finding *out)
{
    const hd_op *a = &trace->ops.items[race->first], *b = &trace->ops.items[race->second];
    *out = (hd_finding) { .kind = HD_FINDING_DATA_RACE, .thread = b->thread };
    out->entries[0] = log_entry(e, race->first);
    out->entries[1] = log_entry(e, race->second);
    /* Thread numbers appear in the message only, not in the key. */
    snprintf(out->message, sizeof out->message, "data race: %s by T%u, %s by T%u", hd_op_text(a->kind),
        number_at(e, out->entries[0]), hd_op_text(b->kind), number_at(e, out->entries[1]));
    uint32_t common = a->mask & b->mask;
    out->variable = b->object + (common ? (uint32_t)__builtin_ctz(common) : 0);
    write_place(out->places[0], sizeof *out->places, a->site);
    write_place(out->places[1], sizeof *out->places, b->site);
    /* The sum is symmetric: both orders of the same two positions are the same race. */
    out->key = hd_hash((hd_finding_location(a->site) + hd_finding_location(b->site)) ^ out->kind);
    return true;
}
