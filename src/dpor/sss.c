/* State-less selective search (docs/algorithms/sss.md): depth-first search with persistent sets and sleep sets.
 *
 *   sss      Figure 1 of the paper. With --compose, steps are composed: a visible operation with the invisible ones of
 *            its thread after it, as one transition.
 *   if-sss   Figure 2: invisible operations come first. Only the visible operation of a step can depend on steps that
 *            sleep.
 *
 * The persistent set of a state is the set of all enabled steps, or is computed from static bounds (dpor/persistent.h).
 *
 * A level is a step of the last execution: its alternatives, of which one has been taken, and the sleep set of the
 * state before it. Steps that have been taken from a level sleep there.
 *
 * Both rely on the runtime for composition (runtime/sched/compose.h) and on the check of the lock discipline: a
 * violation makes the search incomplete (explore/run.c). */
#include "dpor/persistent.h"
#include "dpor/sleep.h"
#include "explore/explorer.h"

#include "abi/valid.h"
#include "base/error.h"

typedef struct level {
    uint32_t first, count, taken; /* alternatives, those of the persistent set */
    uint32_t step; /* of the trace */
    hd_sleep_set sleep;
} level;

typedef struct sss {
    hd_memory *memory;
    bool composes, exits;
    bool visible_only; /* only the visible operations of a step sleep */
    hd_vec(level) levels;
    hd_vec(hd_choice) choices; /* of all levels */
    hd_vec(hd_choice) prefix;
    hd_vec(hd_sleeper) sleepers; /* of the last plan */
    hd_sleep sleep;
    hd_persistent *persistent; /* NULL: the set is all that is enabled */
    hd_persistent_sizes sizes;
    hd_trace trace;
    bool started;
} sss;

static sss *open(const hd_explore_config *config, hd_memory *memory)
{
    sss *s = hd_alloc(memory, sizeof *s);
    s->memory = s->levels.memory = s->choices.memory = s->prefix.memory = s->sleepers.memory = memory;
    hd_sleep_init(&s->sleep, memory);
    s->sleep.dependency = config->dependency;
    s->exits = config->exits;
    hd_trace_init(&s->trace, memory, config->races);
    s->trace.sync_only = true;
    return s;
}

/* With the trivial dependency, all steps depend on each other. */
static void open_persistent(sss *s, const hd_explore_config *config)
{
    if (config->allowed && config->dependency != HD_DEPENDS_ALWAYS)
        s->persistent =
            hd_persistent_open(config->allowed, s->composes && !s->visible_only ? &config->settings : NULL, s->memory);
}

static void *sss_open(const hd_explore_config *config, hd_memory *memory)
{
    sss *s = open(config, memory);
    s->composes = config->compose;
    open_persistent(s, config);
    return s;
}

static void *if_sss_open(const hd_explore_config *config, hd_memory *memory)
{
    sss *s = open(config, memory);
    s->composes = s->visible_only = true;
    open_persistent(s, config);
    return s;
}

/* The level's step as the last execution did it. */
static hd_sleeper step_of(const sss *s, const level *l)
{
    const hd_item *item = &s->trace.items.items[s->trace.steps.items[l->step]];
    return (hd_sleeper) { item->thread, item->choice, &s->trace.ops.items[item->access], item->access_count };
}

/* What of the step sleeps. The operations before the first invisible one are those of the visible transition. */
static hd_sleeper sleeping_part(const sss *s, hd_sleeper step)
{
    for (uint32_t i = 0; s->visible_only && i < step.op_count; i++)
        if (step.ops[i].flags & HD_OP_COMPOSED)
            step.op_count = i;
    return step;
}

static bool is_asleep(const sss *s, const level *l, hd_choice c)
{
    for (uint32_t i = l->sleep.first; i < l->sleep.first + l->sleep.count; i++)
        if (s->sleep.entries.items[i].thread == c.thread && s->sleep.entries.items[i].choice == c.choice)
            return true;
    return false;
}

/* The step that the level has taken is explored: it sleeps. A thread that was picked but whose execution ended before
 * it performed its operation has no step. */
static void put_to_sleep(sss *s, level *l)
{
    if (l->step >= s->trace.steps.count)
        return;
    hd_sleeper step = sleeping_part(s, step_of(s, l));
    uint32_t first = (uint32_t)s->sleep.ops.count;
    hd_sleep_add(&s->sleep, &l->sleep, &step, (hd_sleep_entry) { 0 });
    /* Without what a critical section accesses, nothing tells whether two sections commute: their locks conflict. */
    for (uint32_t i = first; s->visible_only && i < s->sleep.ops.count; i++)
        s->sleep.ops.items[i].flags &= (uint16_t)~HD_OP_SECTION;
}

static bool take_next(sss *s, level *l)
{
    put_to_sleep(s, l);
    while (++l->taken < l->count)
        if (!is_asleep(s, l, s->choices.items[l->first + l->taken]))
            return true;
    return false;
}

/* Moves to the next alternative of the last level that has one, and drops those after it; false: none has. */
static bool advance(sss *s)
{
    for (; s->levels.count; s->levels.count--) {
        level *l = hd_vec_last(&s->levels);
        if (take_next(s, l))
            return true;
        hd_sleep_drop(&s->sleep, l->sleep);
        s->choices.count = l->first;
    }
    return false;
}

/* Sleepers are those of the last level, from the state before its step on. */
static bool sss_next(void *self, hd_plan *plan)
{
    sss *s = self;
    if (s->started && !advance(s))
        return false;
    s->started = true;
    hd_vec_clear(&s->prefix);
    hd_vec_clear(&s->sleepers);
    for (size_t i = 0; i < s->levels.count; i++)
        hd_vec_push(&s->prefix, s->choices.items[s->levels.items[i].first + s->levels.items[i].taken]);
    hd_sleep_set set = s->levels.count ? hd_vec_last(&s->levels)->sleep : (hd_sleep_set) { 0 };
    for (uint32_t i = set.first; i < set.first + set.count; i++)
        hd_vec_push(&s->sleepers, hd_sleep_get(&s->sleep, i));
    *plan = (hd_plan) { .prefix = s->prefix.items,
        .prefix_count = (uint32_t)s->prefix.count,
        .sleepers = s->sleepers.items,
        .sleeper_count = (uint32_t)s->sleepers.count,
        .sleep_at = s->prefix.count ? (uint32_t)s->prefix.count - 1 : 0,
        .sleeps_on = true,
        .dependency = s->sleep.dependency,
        .composes = s->composes,
        .exits = s->exits,
        .tail = HD_TAIL_FIRST,
        .alternatives = true };
    return true;
}

/* The alternatives at the step, of its persistent set; the one that the tail took comes first. */
static void fill_level(sss *s, level *l, const hd_execution *e, const hd_alternatives *a)
{
    hd_sleeper step = step_of(s, l), next = sleeping_part(s, step);
    hd_choice taken = { step.thread, step.choice };
    hd_thread_set set;
    bool known = false, some = s->persistent && hd_persistent_find(s->persistent, l->step, &next, &set);
    hd_vec_push(&s->choices, taken);
    for (uint32_t i = 0; i < a->count; i++) {
        hd_choice c = e->choices[a->first + i];
        bool same = c.thread == taken.thread && c.choice == taken.choice;
        known |= same;
        if (!same && (!some || hd_thread_set_has(&set, c.thread)))
            hd_vec_push(&s->choices, c);
    }
    hd_assert(known);
    l->count = (uint32_t)s->choices.count - l->first;
    if (s->persistent)
        s->sizes =
            (hd_persistent_sizes) { s->sizes.states + 1, s->sizes.taken + l->count, s->sizes.enabled + a->count };
}

static void add_level(sss *s, const hd_execution *e, const hd_alternatives *a, uint32_t step)
{
    level l = { .first = (uint32_t)s->choices.count, .step = step };
    if (s->levels.count) {
        hd_sleeper before = step_of(s, hd_vec_last(&s->levels));
        l.sleep = hd_sleep_after(&s->sleep, hd_vec_last(&s->levels)->sleep, &before);
        hd_check_valid(
            hd_sleep_is_valid(&s->sleep, hd_vec_last(&s->levels)->sleep, &before, l.sleep, l.sleep.count), 1, step);
    }
    fill_level(s, &l, e, a);
    hd_vec_push(&s->levels, l);
}

/* The first step from `step` on that was a scheduling decision. */
static uint32_t next_picked(const sss *s, uint32_t step)
{
    while (step < s->trace.steps.count && s->trace.items.items[s->trace.steps.items[step]].flags & HD_OP_ALONE)
        step++;
    return step;
}

static bool sss_learn(void *self, const hd_execution *e)
{
    sss *s = self;
    uint32_t shared = s->levels.count ? hd_vec_last(&s->levels)->step : 0;
    uint32_t step = s->levels.count ? shared + 1 : 0;
    hd_trace_cut(&s->trace, shared);
    if (!hd_trace_extend(&s->trace, e))
        return false;
    if (s->persistent)
        hd_persistent_begin(s->persistent, e);
    for (uint32_t i = 0; i < e->alternative_steps; i++, step++) {
        step = next_picked(s, step);
        if (step >= s->trace.steps.count)
            break; /* all enabled steps are asleep, or the run ended before the thread performed its operation */
        add_level(s, e, &e->alternatives[i], step);
    }
    return true;
}

static void sss_close(void *self)
{
    sss *s = self;
    hd_vec_fini(&s->levels);
    hd_vec_fini(&s->choices);
    hd_vec_fini(&s->prefix);
    hd_vec_fini(&s->sleepers);
    hd_sleep_fini(&s->sleep);
    if (s->persistent)
        hd_persistent_close(s->persistent);
    hd_trace_fini(&s->trace);
    hd_release(s->memory, s, sizeof *s);
}

static const hd_trace *sss_trace(void *self)
{
    return &((sss *)self)->trace;
}

/* The share of the tree to the left of the current path, if all branches are equally large. */
static double sss_progress(void *self)
{
    const sss *s = self;
    double done = 0, share = 1;
    for (size_t i = 0; i < s->levels.count; i++) {
        share /= s->levels.items[i].count;
        done += share * s->levels.items[i].taken;
    }
    return done;
}

static hd_persistent_sizes sss_sizes(void *self)
{
    return ((sss *)self)->sizes;
}

#define SSS(id, title) \
    const hd_explorer hd_explorer_##id = { .name = title, \
        .exhaustive = true, \
        .open = id##_open, \
        .next = sss_next, \
        .learn = sss_learn, \
        .close = sss_close, \
        .trace = sss_trace, \
        .progress = sss_progress, \
        .sizes = sss_sizes, \
        .sees_joins = true }

SSS(sss, "sss");
SSS(if_sss, "if-sss");
