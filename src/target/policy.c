#include "target/policy.h"

#include "event/op.h"
#include "target/chance.h"

#include <string.h>

/* Steps in a row outside of a record, after which its next step is skipped. */
enum { MOST_STRAYS = 200 };

/* --- sleeping --------------------------------------------------------------------- */

/* The part of the prefix that needs no policy: no step sleeps in it. A debug build checks kinds at each decision. */
static void hand_over_prefix(hd_target *t)
{
    const hd_plan *plan = &t->plan;
#ifdef HD_DEBUG
    bool hands_over = false;
#else
    bool hands_over = !plan->record_count;
#endif
    uint32_t count = plan->sleeper_count && plan->sleep_at < plan->prefix_count ? plan->sleep_at : plan->prefix_count;
    t->engine.planned = plan->prefix;
    t->engine.planned_count = hands_over ? count : 0;
    t->engine.followed = 0;
}

void hd_policy_start(hd_target *t, const hd_plan *plan)
{
    t->plan = *plan;
    hand_over_prefix(t);
    t->runtime->options->flow = plan->flows;
    t->runtime->options->exits = plan->exits;
    t->runtime->options->compose = plan->composes ? HD_COMPOSES_NOW : t->composes ? HD_COMPOSES_LATER : HD_COMPOSES_NOT;
    t->position = t->seen = t->streak = 0;
    t->last_thread = -1;
    t->misfit = ~0u;
    t->strays = 0;
    hd_vec_clear(&t->alternatives);
    hd_vec_clear(&t->choices);
    hd_vec_clear(&t->asleep);
    if (hd_chance_has(plan->tail))
        hd_chance_start(t);
}

/* From here on the sleepers sleep. Log entries so far cannot wake them: the sleep set belongs to
 * the state after them. */
static void fall_asleep(hd_target *t)
{
    for (uint32_t i = 0; i < t->plan.sleeper_count; i++)
        hd_vec_push(&t->asleep, i);
    t->seen = *t->runtime->log_count;
}

/* Does the operation wake the sleeper? It does if what the sleeper would do depends on it, or
 * if it belongs to the sleeper's own thread: then the sleeping operation was withdrawn or is done. */
static bool disturbs(const hd_op *op, const hd_sleeper *s, hd_dependency how)
{
    if (op->kind == HD_EDGE || (op->flags & HD_OP_WITHDRAWN) || op->thread == s->thread)
        return op->thread == s->thread;
    for (uint32_t i = 0; i < s->op_count; i++)
        if (hd_ops_depend(how, op, &s->ops[i]))
            return true;
    return false;
}

/* Wakes sleepers that an operation logged since the last call disturbs. */
static void wake(hd_target *t)
{
    for (; t->seen < *t->runtime->log_count; t->seen++) {
        size_t kept = 0;
        for (size_t i = 0; i < t->asleep.count; i++)
            if (!disturbs(&t->runtime->log[t->seen], &t->plan.sleepers[t->asleep.items[i]], t->plan.dependency))
                t->asleep.items[kept++] = t->asleep.items[i];
        t->asleep.count = kept;
    }
}

static bool is_asleep(const hd_target *t, uint32_t thread, uint32_t choice)
{
    for (size_t i = 0; i < t->asleep.count; i++) {
        const hd_sleeper *s = &t->plan.sleepers[t->asleep.items[i]];
        if (s->thread == thread && s->choice == choice)
            return true;
    }
    return false;
}

/* --- picking ---------------------------------------------------------------------- */

static uint32_t outcomes_of(const hd_op *op)
{
    return op->choices > 1 ? op->choices : 1;
}

/* Picks the thread with this outcome of its operation. */
static int take(hd_target *t, uint32_t thread, uint32_t choice)
{
    t->streak = (int)thread == t->last_thread ? t->streak + 1 : 0;
    t->last_thread = (int)thread;
    t->runtime->threads[thread].pending.choice = (uint8_t)choice;
    t->engine.followed = ++t->position;
    return (int)thread;
}

/* Takes note of the steps that the runtime has followed by itself: from the last one back to the begin of its streak,
 * which may have begun before them. */
static void catch_up(hd_target *t)
{
    const hd_choice *planned = t->engine.planned;
    uint32_t followed = t->engine.followed, first = followed;
    if (t->position >= followed)
        return;
    int thread = planned[followed - 1].thread;
    while (first > t->position && planned[first - 1].thread == thread)
        first--;
    bool goes_on = first == t->position && thread == t->last_thread;
    t->streak = goes_on ? t->streak + (followed - first) : followed - first - 1;
    t->last_thread = thread;
    t->position = followed;
}

/* Can the plan's step be taken now? */
static bool fits(const hd_target *t, const hd_choice *c)
{
    return c->thread < *t->runtime->thread_count && t->runtime->enabled(c->thread)
        && c->choice < outcomes_of(&t->runtime->threads[c->thread].pending);
}

/* Records every choice that is enabled now, as a block of `choices` (for dfs). */
static void note_alternatives(hd_target *t)
{
    hd_alternatives a = { (uint32_t)t->choices.count, 0 };
    for (uint32_t i = 0; i < *t->runtime->thread_count; i++) {
        if (!t->runtime->enabled(i))
            continue;
        uint32_t count = outcomes_of(&t->runtime->threads[i].pending);
        for (uint32_t k = 0; k < count; k++)
            hd_vec_push(&t->choices, ((hd_choice) { (uint16_t)i, (uint8_t)k }));
    }
    a.count = (uint32_t)t->choices.count - a.first;
    if (a.count)
        hd_vec_push(&t->alternatives, a);
}

/* The first outcome of thread `i`'s operation that is not asleep, or -1. */
static int awake_outcome(const hd_target *t, uint32_t i)
{
    uint32_t count = t->asleep.count ? outcomes_of(&t->runtime->threads[i].pending) : 0;
    for (uint32_t k = 0; k < count; k++)
        if (!is_asleep(t, i, k))
            return (int)k;
    return count ? -1 : 0;
}

/* The thread to begin with. After a long streak the next thread comes first: a loop that waits must not starve the
 * others. */
static uint32_t first_of(const hd_target *t)
{
    bool lowest = t->plan.tail == HD_TAIL_LOWEST || t->last_thread < 0;
    return lowest ? 0 : (uint32_t)t->last_thread + (t->streak >= HD_LONGEST_STREAK);
}

/* Stays with the last thread while it is enabled (few context switches), then tries the next ones
 * in cyclic order. A patient tail takes an exit of the process only if nothing else is enabled. */
static int pick_first(hd_target *t)
{
    bool stuck = true;
    bool patient = t->plan.tail == HD_TAIL_PATIENT || t->plan.tail == HD_TAIL_LOWEST;
    int exits = -1;
    uint32_t count = *t->runtime->thread_count, start = first_of(t);
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = start + n < count ? start + n : start + n - count;
        if (t->runtime->threads[i].status != HD_THREAD_AT_OP || !t->runtime->enabled(i))
            continue;
        int outcome = awake_outcome(t, i);
        stuck = false;
        if (outcome < 0)
            continue;
        if (!patient || !hd_kind_exits(t->runtime->threads[i].pending.kind))
            return take(t, i, (uint32_t)outcome);
        exits = (int)i;
    }
    /* Nothing enabled: a deadlock or the end. Enabled but all asleep: every continuation is
     * explored elsewhere. */
    return exits >= 0 ? take(t, (uint32_t)exits, 0) : stuck ? HD_PICK_NONE : HD_PICK_CUT;
}

static int pick_by_chance(hd_target *t)
{
    uint32_t outcome;
    int thread = hd_chance_pick(t, &outcome);
    return thread < 0 ? HD_PICK_NONE /* a deadlock or the end */ : take(t, (uint32_t)thread, outcome);
}

/* The next step of the prefix. If it does not fit, a forgiving plan skips it; otherwise the
 * execution diverged. */
static int pick_planned(hd_target *t)
{
    for (; t->position < t->plan.prefix_count; t->position++) {
        const hd_choice *c = &t->plan.prefix[t->position];
        if (fits(t, c))
            return is_asleep(t, c->thread, c->choice) ? HD_PICK_CUT : take(t, c->thread, c->choice);
        if (!t->plan.forgiving)
            return HD_PICK_DIVERGED;
        if (t->misfit == ~0u)
            t->misfit = t->position;
    }
    return HD_PICK_NONE;
}

/* --- following a record ---------------------------------------------------------- */

/* An operation without a source position matches any record of its kind. */
static bool matches(const hd_op *op, const hd_step_record *r)
{
    return op->kind == r->kind && (!op->site || (op->site->line == r->line && !strcmp(op->site->file, r->file)));
}

static const char *last_part(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* The same kind of operation in the same file, on another line: the program was edited. */
static bool has_moved(const hd_op *op, const hd_step_record *r)
{
    return op->kind == r->kind && op->site && !strcmp(last_part(op->site->file), last_part(r->file));
}

/* Does the record contain this operation of the thread further on? Then it must wait for its turn. */
static bool comes_later(const hd_target *t, const hd_op *op)
{
    for (uint32_t i = t->position + 1; i < t->plan.record_count; i++)
        if (t->plan.records[i].thread == op->thread && matches(op, &t->plan.records[i]))
            return true;
    return false;
}

/* Follows a replay file's schedule on a program that may have changed. The recorded step is taken
 * if its thread is about to do it, on the same line or on another. If the thread is about to do
 * something that the record does not contain, that is done first; recorded steps that the program
 * no longer has are skipped. */
static int pick_recorded(hd_target *t)
{
    for (; t->position < t->plan.record_count; t->position++) {
        const hd_step_record *r = &t->plan.records[t->position];
        hd_op *op = &t->runtime->threads[r->thread].pending;
        bool enabled = r->thread < *t->runtime->thread_count && t->runtime->enabled(r->thread);
        if (enabled && (matches(op, r) || has_moved(op, r)) && r->choice < outcomes_of(op)) {
            t->strays = 0;
            return take(t, r->thread, r->choice);
        }
        if (t->misfit == ~0u)
            t->misfit = t->position;
        if (enabled && !comes_later(t, op) && t->strays++ < MOST_STRAYS) {
            op->choice = 0;
            /* A stray step: it is performed, but the position in the record stays. */
            t->last_thread = r->thread;
            return r->thread;
        }
    }
    return HD_PICK_NONE;
}

/* Is the thread at an operation that is (`alone`) or is not one only because of the option `alone`? */
static bool is_at(const hd_target *t, uint32_t thread, bool alone)
{
    const hd_thread_view *v = &t->runtime->threads[thread];
    return v->status == HD_THREAD_AT_OP && !(v->pending.flags & HD_OP_ALONE) == !alone;
}

/* Operations that exist only because of the option `alone` are not part of schedules: they are
 * performed without a decision. */
static int pick_alone(const hd_target *t)
{
    if (!t->runtime->options->alone || (t->last_thread >= 0 && is_at(t, (uint32_t)t->last_thread, false)))
        return HD_PICK_NONE; /* the last thread has an ordinary operation, which needs a decision */
    for (uint32_t i = 0; i < *t->runtime->thread_count; i++)
        if (is_at(t, i, true) && t->runtime->enabled(i))
            return (int)i;
    return HD_PICK_NONE;
}

int hd_policy_pick(hd_target *t)
{
    const hd_plan *plan = &t->plan;
    catch_up(t);
    int alone = pick_alone(t);
    if (alone != HD_PICK_NONE)
        return alone;
    /* A replay of a file first follows its record; what comes after it is the tail's. */
    if (t->position < plan->record_count) {
        int recorded = pick_recorded(t);
        if (recorded != HD_PICK_NONE)
            return recorded;
    }
    /* `sleep_at` may lie inside the prefix: sleepers that the rest of it disturbs wake up. */
    if (t->position == plan->sleep_at && plan->sleeper_count)
        fall_asleep(t);
    else if (t->asleep.count)
        wake(t);
    if (t->position < plan->prefix_count) {
        int planned = pick_planned(t);
        if (planned != HD_PICK_NONE)
            return planned;
    }
    if (t->asleep.count && t->position == plan->prefix_count && !plan->sleeps_on)
        return HD_PICK_CUT; /* sleep-set blocked: all continuations have been explored */
    if (plan->alternatives)
        note_alternatives(t);
    return hd_chance_has(plan->tail) ? pick_by_chance(t) : pick_first(t);
}
