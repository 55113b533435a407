#include "dpor/dpor_internal.h"

static void *dpor_open(const hd_explore_config *config, hd_memory *memory)
{
    hd_dpor *d = hd_alloc(memory, sizeof *d);
    d->memory = d->nodes.memory = d->races.memory = d->prefix.memory = d->plan_sleepers.memory = memory;
    d->also.memory = d->unless.memory = memory;
    hd_sleep_init(&d->sleep, memory);
    hd_reversal_init(&d->room, memory);
    hd_trace_init(&d->trace, memory, config->races);
    hd_path_init(&d->path, &config->solver, memory);
    d->path.pinned = true; /* by sleepers, and by trees */
    d->path.turns_assumptions = true;
    hd_decisions_init(&d->decisions, &d->path, memory);
    hd_wakeup_init(&d->trees, memory);
    hd_vec_push(&d->nodes, ((hd_dpor_node) { 0 }));
    return d;
}

static void dpor_close(void *self)
{
    hd_dpor *d = self;
    hd_trace_fini(&d->trace);
    hd_path_fini(&d->path);
    hd_decisions_fini(&d->decisions);
    hd_vec_fini(&d->also);
    hd_vec_fini(&d->unless);
    hd_wakeup_fini(&d->trees);
    hd_vec_fini(&d->nodes);
    hd_sleep_fini(&d->sleep);
    hd_vec_fini(&d->races);
    hd_vec_fini(&d->prefix);
    hd_vec_fini(&d->plan_sleepers);
    hd_reversal_fini(&d->room);
    hd_release(d->memory, d, sizeof *d);
}

/* Nodes along the branch that was followed take over what is left of its tree. If the
 * execution was cut before the branch's end, that is left too: its next step sleeps
 * with these inputs, and may not with others. */
static void push_nodes(hd_dpor *d)
{
    uint32_t at = d->branch_tree;
    for (uint32_t p = d->branch; p < d->trace.steps.count; p++) {
        uint32_t rest = 0;
        d->nodes.items[p].asked = at && d->trees.nodes.items[at].unknown;
        if (at) {
            d->nodes.items[p].settled = d->nodes.items[p].retaken = false;
            uint32_t child = d->trees.nodes.items[at].child;
            hd_wakeup_release(&d->trees, at);
            at = child;
            if (child)
                rest = d->trees.nodes.items[child].sibling;
        }
        hd_dpor_push_node(d, p, rest);
    }
    d->branch_tree = 0;
    if (at)
        hd_wakeup_put_back(&d->trees, &hd_vec_last(&d->nodes)->wakeup, at);
}

/* Sequences from here on are to be run with the inputs of this execution. */
static void open_inputs(hd_dpor *d)
{
    d->trees.inputs = hd_path_keep(&d->path, 1);
    d->trees.added = 0;
}

/* Every node of a tree has a share in its inputs. */
static void close_inputs(hd_dpor *d)
{
    hd_wakeup_trees *t = &d->trees;
    if (t->inputs) {
        hd_path_keep(&d->path, t->added);
        hd_path_drop(&d->path, t->inputs);
    }
    for (size_t i = 0; i < t->released.count; i++)
        hd_path_drop(&d->path, t->released.items[i]);
    hd_vec_clear(&t->released);
}

/* Back to the first `steps` steps. */
static void forget_after(hd_dpor *d, uint32_t steps)
{
    hd_trace_cut(&d->trace, steps);
    uint32_t items = (uint32_t)d->trace.items.count;
    d->examined = d->examined < items ? d->examined : items;
    while (d->races.count && hd_vec_last(&d->races)->later >= items)
        d->races.count--;
}

/* All terms that the explorer keeps. */
static void each_term(hd_dpor *d, void (*visit)(hd_terms *, hd_term *))
{
    for (size_t i = 0; i < d->sleep.entries.count; i++)
        visit(&d->path.terms, &d->sleep.entries.items[i].when);
    for (size_t i = 0; i < d->trees.steps.count; i++) {
        visit(&d->path.terms, &d->trees.steps.items[i].when);
        visit(&d->path.terms, &d->trees.steps.items[i].condition);
    }
}

static void keep_term(hd_terms *t, hd_term *term)
{
    hd_terms_keep(t, *term);
}

static void renumber_term(hd_terms *t, hd_term *term)
{
    *term = hd_terms_renumbered(t, *term);
}

static void forget_terms(hd_dpor *d)
{
    hd_path_begin_forgetting(&d->path);
    each_term(d, keep_term);
    hd_path_forget(&d->path);
    each_term(d, renumber_term);
}

static bool dpor_learn(void *self, const hd_execution *e)
{
    hd_dpor *d = self;
    forget_after(d, d->branch);
    if (hd_path_is_full(&d->path))
        forget_terms(d);
    if (!hd_trace_extend(&d->trace, e) || !hd_path_extend(&d->path, e))
        return false;
    open_inputs(d);
    push_nodes(d);
    if (e->outcome->kind == HD_CUT) {
        hd_vec_last(&d->nodes)->cut = true;
    } else {
        hd_wakeup_drop(&d->trees, &hd_vec_last(&d->nodes)->wakeup); /* nothing can follow */
        hd_dpor_reverse_races(d, e);
    }
    close_inputs(d);
    return true;
}

static hd_path *dpor_path(void *self)
{
    return &((hd_dpor *)self)->path;
}

static const hd_trace *dpor_trace(void *self)
{
    return &((hd_dpor *)self)->trace;
}

/* As if what is left at each node were as large as what has been done there. */
static double dpor_progress(void *self)
{
    const hd_dpor *d = self;
    double done = 0, share = 1;
    for (size_t i = 0; i < d->nodes.count; i++) {
        uint32_t left = 0;
        for (uint32_t w = d->nodes.items[i].wakeup; w; w = d->trees.nodes.items[w].sibling)
            left++;
        uint32_t explored = d->nodes.items[i].explored;
        share /= explored + 1 + left;
        done += share * explored;
    }
    return done;
}

const hd_explorer hd_explorer_dpor = { .name = "dpor",
    .exhaustive = true,
    .open = dpor_open,
    .next = hd_dpor_next,
    .learn = dpor_learn,
    .close = dpor_close,
    .trace = dpor_trace,
    .progress = dpor_progress,
    .path = dpor_path };
