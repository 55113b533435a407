#include "unfolder/unfolder_internal.h"

/* How many looks at events the search for blocked states may take, beside some for each event. */
enum { LOOKS = 20000000, LOOKS_PER_EVENT = 20 };

/* Aims at the smallest configuration with the events, if inputs permit it; literals
 * in `avoided` are to hold as well. */
static bool aim_at(hd_unfolder *x, const uint32_t *events, uint32_t count)
{
    hd_unfold_set way = { .memory = x->memory };
    bool possible = hd_unfold_configuration(x->u, events, count, &way);
    if (possible) {
        hd_unfold_sides_of(x->u, way.items, way.count, &x->literals);
        for (size_t i = 0; i < x->avoided.count; i++)
            hd_vec_push(&x->literals, x->avoided.items[i]);
        possible = hd_claims_permits(&x->claims, x->literals.items, x->literals.count, true);
    }
    if (possible) {
        hd_unfold_schedule_of(x->u, way.items, way.count, &x->aim);
        x->sure = (uint32_t)x->aim.count;
    }
    hd_vec_fini(&way);
    return possible;
}

/* --- blocked states ---------------------------------------------------------------------------- */

static void search_blocked(hd_unfolder *x)
{
    hd_unfold_judge judge = hd_unfolder_judge(x);
    x->searched = hd_unfold_steps(x->u);
    uint64_t effort = LOOKS + (uint64_t)LOOKS_PER_EVENT * x->searched;
    x->gave_up = !hd_unfold_find_deadlocks(x->u, effort, &judge, &x->deadlocks, &x->blocked);
    x->blocked_at = 0;
}

bool hd_unfolder_next_blocked(hd_unfolder *x)
{
    if (x->blocked_at == x->blocked.count && x->searched != hd_unfold_steps(x->u))
        search_blocked(x);
    while (x->blocked_at < x->blocked.count) {
        const uint32_t *events = &x->blocked.items[x->blocked_at];
        x->blocked_at += 1 + events[0];
        if (aim_at(x, events + 1, events[0]))
            return true;
    }
    return false;
}

/* --- pairs that race -------------------------------------------------------------------------
 *
 * In the contextual net a write has no reads among its causes: that both are
 * covered does not say that any execution had both. */

static uint64_t pair_of(const hd_op *read, const hd_op *write)
{
    return hd_hash(hd_hash((uint64_t)(uintptr_t)read->site) ^ (uint64_t)(uintptr_t)write->site);
}

void hd_unfolder_note_races(hd_unfolder *x)
{
    for (size_t i = 0; i < x->trace.new_races.count; i++) {
        const hd_op *a = &x->trace.ops.items[x->trace.new_races.items[i].first];
        const hd_op *b = &x->trace.ops.items[x->trace.new_races.items[i].second];
        *hd_map_put(&x->raced, pair_of(a, b)) = 1;
    }
}

/* Only the first operation of a block is known here. */
static bool is_block(const hd_op *op)
{
    return op->flags & HD_OP_ATOMIC;
}

/* May they race, and is it not known? */
static bool may_race(const hd_unfolder *x, const hd_op *read, const hd_op *write)
{
    if (is_block(read) || is_block(write))
        return read->thread != write->thread;
    return !hd_map_get(&x->raced, pair_of(read, write)) && read->thread != write->thread
        && hd_kind_is_memory(write->kind) && hd_kind_is_memory(read->kind)
        && (hd_kind_is_plain(read->kind) || hd_kind_is_plain(write->kind));
}

/* The next event and one that looked before it that could race and have not. */
bool hd_unfolder_next_pair(hd_unfolder *x)
{
    bool found = false;
    for (; !found && x->pair_event < hd_unfold_count(x->u); x->pair_event += !found) {
        if (!hd_unfold_is_event(x->u, x->pair_event) || hd_unfold_get(x->u, x->pair_event).automatic)
            continue;
        const hd_op *write = &x->labels.items[hd_unfold_get(x->u, x->pair_event).label];
        hd_unfold_lookers(x->u, x->pair_event, &x->lookers);
        for (; !found && x->pair_looker < x->lookers.count; x->pair_looker++) {
            uint32_t both[] = { x->lookers.items[x->pair_looker], x->pair_event };
            const hd_op *read = &x->labels.items[hd_unfold_get(x->u, both[0]).label];
            found = may_race(x, read, write) && aim_at(x, both, 2);
        }
        x->pair_looker = found ? x->pair_looker : 0;
    }
    return found;
}

/* --- events without a test -----------------------------------------------------------------------
 *
 * An execution in which an assumption fails is no test; what other threads did in it
 * may have been seen nowhere else. It is tried again with inputs for which the
 * assumptions hold that have failed, until none fails or there are no such inputs. */

/* The last execution was for an event that is still in no test. */
static bool try_again(hd_unfolder *x)
{
    for (size_t i = 0; i < x->refused.count; i++)
        hd_vec_push(&x->avoided, ((hd_unfold_literal) { x->refused.items[i].side, false }));
    return x->refused.count && aim_at(x, &x->untested, 1);
}

static uint32_t find_untested(hd_unfolder *x)
{
    uint32_t e = x->untested_before < hd_unfold_count(x->u) ? x->untested_before : hd_unfold_count(x->u);
    while (--e && (!hd_unfold_is_event(x->u, e) || hd_unfold_is_tested(x->u, e)))
        ;
    x->untested_before = e ? e : 1;
    return e;
}

bool hd_unfolder_next_untested(hd_unfolder *x)
{
    bool found = x->untested && !hd_unfold_is_tested(x->u, x->untested) && try_again(x);
    while (!found) {
        if (x->untested)
            hd_unfold_give_up(x->u, x->untested);
        hd_vec_clear(&x->avoided);
        x->untested = find_untested(x);
        if (!x->untested)
            return false;
        found = aim_at(x, &x->untested, 1);
    }
    return true;
}

void hd_unfolder_forget_rest(hd_unfolder *x)
{
    hd_vec_clear(&x->avoided);
    x->untested = 0;
    x->untested_before = UINT32_MAX;
    hd_map_clear(&x->deadlocks);
    hd_vec_clear(&x->blocked);
    x->blocked_at = 0;
    x->searched = 0;
    x->pair_event = 0;
    x->pair_looker = 0;
}
