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

/* Thread numbers appear in the message only, not in the key. The sum in the key is symmetric: both orders of the same
 * two positions are the same finding. */
void hd_finding_of_accesses(hd_finding *f, const hd_execution *e, const hd_op *a, const hd_op *b, const char *what)
{
    uint32_t common = a->mask & b->mask;
    f->thread = b->thread;
    snprintf(f->message, sizeof f->message, "%s: %s by T%u, %s by T%u", what, hd_op_text(a->kind),
        hd_thread_number_at(e->log, e->log_count, f->entries[0]), hd_op_text(b->kind),
        hd_thread_number_at(e->log, e->log_count, f->entries[1]));
    f->variable = b->object + (common ? (uint32_t)__builtin_ctz(common) : 0);
    write_place(f->places[0], sizeof *f->places, a->site);
    write_place(f->places[1], sizeof *f->places, b->site);
    f->key = hd_hash((hd_finding_location(a->site) + hd_finding_location(b->site)) ^ f->kind);
}

static bool is_claimed(const hd_op *op)
{
    return hd_kind_is_plain(op->kind) && (op->flags & HD_OP_CLAIMED);
}

bool hd_check_race(const hd_execution *e, const hd_trace *trace, const hd_race *race, hd_finding *out)
{
    const hd_op *a = &trace->ops.items[race->first], *b = &trace->ops.items[race->second];
    *out = (hd_finding) { .kind = HD_FINDING_DATA_RACE,
        .entries = { log_entry(e, race->first), log_entry(e, race->second) },
        .claimed = is_claimed(a) || is_claimed(b) };
    hd_finding_of_accesses(
        out, e, a, b, out->claimed ? "data race in a function that is annotated as atomic" : "data race");
    return true;
}
