/* dpor-sleep: dynamic partial order reduction with sleep sets (Flanagan and Godefroid 2005), with the source sets of
 * Abdulla et al. 2014; the next target is drawn at random. docs/algorithms/dpor-sleep.md says why the target of a race
 * must be an initial of the reversed race, and why the order of targets does not matter. */
#include "dpor/execution_tree.h"

static size_t draw_any(hd_execution_tree *x)
{
    return hd_rng_below(&x->rng, x->targets.count);
}

/* The first step of the thread after the position, with the outcome that it had. */
static hd_choice first_after(const hd_execution_tree *x, uint32_t position, uint16_t thread)
{
    const hd_trace *t = &x->trace;
    for (uint32_t p = position + 1; p < t->steps.count; p++)
        if (t->items.items[t->steps.items[p]].thread == thread)
            return (hd_choice) { thread, t->items.items[t->steps.items[p]].choice };
    return (hd_choice) { thread, 0 };
}

/* Is the step at `position` an initial of the steps that are not left out with `earlier`? */
static bool is_initial(const hd_execution_tree *x, uint32_t earlier, const hd_reversal_step *later, uint32_t position)
{
    const hd_trace *t = &x->trace;
    uint32_t item = t->steps.items[position];
    if (hd_reversal_drops(t, earlier, later, item))
        return false;
    for (uint32_t p = t->items.items[earlier].position + 1; p < position; p++)
        if (hd_trace_before(t, t->steps.items[p], item))
            return false;
    return true;
}

/* Is the later step itself an initial: the first of its thread, and in conflict with no step before it that is not left
 * out with the earlier one? */
static bool later_is_initial(const hd_execution_tree *x, uint32_t position, const hd_reversal_step *later)
{
    const hd_trace *t = &x->trace;
    for (uint32_t p = position + 1; p < t->steps.count && t->steps.items[p] < later->until; p++) {
        const hd_item *item = &t->items.items[t->steps.items[p]];
        if (item->thread == later->thread
            || (!hd_reversal_drops(t, t->steps.items[position], later, t->steps.items[p])
                && hd_steps_conflict(&t->ops.items[item->access], item->access_count, later->ops, later->op_count)))
            return false;
    }
    return true;
}

static bool is_covered(hd_execution_tree *x, uint32_t node, hd_choice c)
{
    return hd_execution_tree_has_target(x, node, c) || hd_execution_tree_sleeps(x, node, c);
}

/* If an initial of the reversed race has been taken at the node, is a target there, or sleeps there, the trace of the
 * reversed race is explored. Otherwise an initial becomes a target, preferably one of the later step's thread. */
static void add_initial(hd_execution_tree *x, uint32_t earlier, const hd_reversal_step *later)
{
    const hd_trace *t = &x->trace;
    uint32_t position = t->items.items[earlier].position, n = x->way.items[position];
    hd_choice first = { 0 };
    bool found = false;
    for (uint32_t p = position + 1; p < t->steps.count && t->steps.items[p] < later->until; p++) {
        const hd_item *item = &t->items.items[t->steps.items[p]];
        hd_choice c = { item->thread, item->choice };
        if (!is_initial(x, earlier, later, p) || !hd_execution_tree_can_do(x, n, c))
            continue;
        if (is_covered(x, n, c))
            return;
        if (!found || item->thread == later->thread)
            first = c;
        found = true;
    }
    hd_choice own = first_after(x, position, later->thread);
    if (later_is_initial(x, position, later) && hd_execution_tree_can_do(x, n, own)) {
        if (is_covered(x, n, own))
            return;
        first = own;
        found = true;
    }
    if (found)
        hd_execution_tree_add_target(x, n, first);
    else
        hd_execution_tree_add_all(x, n); /* no initial is known to be enabled: try every thread */
}

static bool dpor_sleep_next(void *self, hd_plan *plan)
{
    return hd_execution_tree_next(self, plan, draw_any);
}

static bool dpor_sleep_learn(void *self, const hd_execution *e)
{
    return hd_execution_tree_learn(self, e, add_initial);
}

static const char *dpor_sleep_unfinished(void *self)
{
    const hd_execution_tree *x = self;
    return x->has_outcomes ? "dpor-sleep does not promise to combine all outcomes of choices and signals"
        : x->missed        ? "executions ended before branches that were to have other values"
                           : NULL;
}

const hd_explorer hd_explorer_dpor_sleep = { .name = "dpor-sleep",
    .exhaustive = true,
    .open = hd_execution_tree_open,
    .next = dpor_sleep_next,
    .learn = dpor_sleep_learn,
    .close = hd_execution_tree_close,
    .trace = hd_execution_tree_trace,
    .path = hd_execution_tree_path,
    .progress = hd_execution_tree_progress,
    .unfinished = dpor_sleep_unfinished };
