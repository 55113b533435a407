/* flip: race detection and flipping (Sen and Agha 2006, as in jCUTE; docs/algorithms/dpor-sleep.md). For every race,
 * the earlier step is postponed: any other thread runs instead. The latest target is taken first. Not complete, and the
 * verdict says so. */
#include "dpor/execution_tree.h"

static size_t draw_latest(hd_execution_tree *x)
{
    return x->targets.count - 1;
}

/* Any other thread that has not been taken at the node and does not sleep there becomes a target. */
static void postpone(hd_execution_tree *x, uint32_t earlier, const hd_reversal_step *later)
{
    uint32_t n = x->way.items[x->trace.items.items[earlier].position];
    (void)later;
    for (uint32_t i = 0; i < x->nodes.items[n].choice_count; i++) {
        hd_choice c = x->choices.items[x->nodes.items[n].first_choice + i];
        if (!hd_execution_tree_has_target(x, n, c) && !hd_execution_tree_sleeps(x, n, c)) {
            hd_execution_tree_add_target(x, n, c);
            return;
        }
    }
}

static bool flip_next(void *self, hd_plan *plan)
{
    return hd_execution_tree_next(self, plan, draw_latest);
}

static bool flip_learn(void *self, const hd_execution *e)
{
    return hd_execution_tree_learn(self, e, postpone);
}

static const char *flip_unfinished(void *self)
{
    (void)self;
    return "flipping races one at a time does not promise to find everything";
}

const hd_explorer hd_explorer_flip = { .name = "flip",
    .exhaustive = true,
    .open = hd_execution_tree_open,
    .next = flip_next,
    .learn = flip_learn,
    .close = hd_execution_tree_close,
    .trace = hd_execution_tree_trace,
    .path = hd_execution_tree_path,
    .progress = hd_execution_tree_progress,
    .unfinished = flip_unfinished };
