/* Sleep sets as ranges of one vector: sets are made and dropped like a stack, so a set is never freed by itself. */
#include "dpor/sleep.h"

#include "dpor/sequence.h"

void hd_sleep_init(hd_sleep *s, hd_memory *memory)
{
    *s = (hd_sleep) { .entries = { .memory = memory }, .ops = { .memory = memory } };
}

void hd_sleep_fini(hd_sleep *s)
{
    hd_vec_fini(&s->entries);
    hd_vec_fini(&s->ops);
}

static bool depend(const hd_sleep *s, const hd_sleeper *step, const hd_op *sleeping, uint32_t count)
{
    if (s->dependency == HD_DEPENDS_CONFLICT)
        return hd_steps_conflict(step->ops, step->op_count, sleeping, count);
    for (uint32_t i = 0; i < step->op_count; i++)
        for (uint32_t k = 0; k < count; k++)
            if (hd_ops_depend(s->dependency, &step->ops[i], &sleeping[k]))
                return true;
    return false;
}

hd_sleep_set hd_sleep_after(hd_sleep *s, hd_sleep_set from, const hd_sleeper *step)
{
    hd_sleep_set set = { .first = (uint32_t)s->entries.count, .first_op = (uint32_t)s->ops.count };
    for (uint32_t i = from.first; i < from.first + from.count; i++) {
        hd_sleep_entry e = s->entries.items[i];
        const hd_op *sleeping = &s->ops.items[e.first_op];
        /* A step of the same thread wakes it, too: the thread's next step is another one then. `asked` is not
         * inherited: the ways through the step are explored at the node where it was taken. */
        if (e.thread != step->thread && !depend(s, step, sleeping, e.op_count))
            *hd_vec_add(&s->entries) = (hd_sleep_entry) { e.thread, e.choice, e.first_op, e.op_count, e.when, false };
    }
    set.count = (uint32_t)s->entries.count - set.first;
    return set;
}

static bool has(const hd_sleep *s, hd_sleep_set set, const hd_sleep_entry *like)
{
    for (uint32_t i = set.first; i < set.first + set.count; i++) {
        const hd_sleep_entry *e = &s->entries.items[i];
        if (e->thread == like->thread && e->choice == like->choice && e->when == like->when)
            return true;
    }
    return false;
}

bool hd_sleep_add(hd_sleep *s, hd_sleep_set *set, const hd_sleeper *step, hd_sleep_entry how)
{
    how.thread = step->thread;
    how.choice = step->choice;
    how.first_op = (uint32_t)s->ops.count;
    how.op_count = step->op_count;
    /* Without a condition on inputs a step is taken only once from a node, so it cannot be there already. */
    if (how.when && has(s, *set, &how))
        return false;
    hd_vec_push(&s->entries, how);
    hd_vec_reserve(&s->ops, step->op_count);
    for (uint32_t i = 0; i < step->op_count; i++)
        s->ops.items[s->ops.count++] = step->ops[i];
    set->count++;
    return true;
}

void hd_sleep_drop(hd_sleep *s, hd_sleep_set set)
{
    s->entries.count = set.first;
    s->ops.count = set.first_op;
}

/* --- validity ---------------------------------------------------------------------- */

static bool is_same(const hd_sleep_entry *a, const hd_sleep_entry *b)
{
    return a->thread == b->thread && a->choice == b->choice && a->first_op == b->first_op && a->op_count == b->op_count
        && a->when == b->when;
}

/* Steps that fell asleep at the node itself, one after the other. */
static bool own_are_valid(const hd_sleep *s, hd_sleep_set set, uint32_t inherited)
{
    uint32_t op = set.first_op;
    for (uint32_t i = set.first + inherited; i < set.first + set.count; i++) {
        const hd_sleep_entry *e = &s->entries.items[i];
        if (e->first_op != op || !e->op_count || e->first_op + e->op_count > s->ops.count
            || s->ops.items[e->first_op].thread != e->thread)
            return false;
        op += e->op_count;
        if (e->when && has(s, (hd_sleep_set) { .first = set.first, .count = i - set.first }, e))
            return false;
    }
    return true;
}

bool hd_sleep_is_valid(
    const hd_sleep *s, hd_sleep_set from, const hd_sleeper *step, hd_sleep_set set, uint32_t inherited)
{
    uint32_t next = set.first;
    if (inherited > set.count || set.first + set.count > s->entries.count)
        return false;
    for (uint32_t i = from.first; step && i < from.first + from.count; i++) {
        const hd_sleep_entry *e = &s->entries.items[i];
        const hd_op *sleeping = &s->ops.items[e->first_op];
        if (e->thread == step->thread || depend(s, step, sleeping, e->op_count))
            continue;
        if (next == set.first + inherited || !is_same(e, &s->entries.items[next++]))
            return false;
    }
    return next == set.first + inherited && own_are_valid(s, set, inherited);
}
