#include "dpor/execution_tree.h"

void *hd_execution_tree_open(const hd_explore_config *config, hd_memory *memory)
{
    hd_execution_tree *x = hd_alloc(memory, sizeof *x);
    x->memory = x->nodes.memory = x->ops.memory = x->choices.memory = x->targets.memory = x->way.memory = memory;
    x->given.memory = x->asleep.memory = x->sleepers.memory = x->prefix.memory = x->last.memory = x->now.memory =
        memory;

    hd_rng_seed(&x->rng, config->seed);
    hd_trace_init(&x->trace, memory, config->races);
    hd_path_init(&x->path, &config->solver, memory);
    hd_vec_push(&x->nodes, ((hd_tree_node) { 0 }));
    return x;
}

void hd_execution_tree_close(void *self)
{
    hd_execution_tree *x = self;
    hd_trace_fini(&x->trace);
    hd_path_fini(&x->path);
    hd_vec_fini(&x->given);
    hd_vec_fini(&x->nodes);
    hd_vec_fini(&x->ops);
    hd_vec_fini(&x->choices);
    hd_vec_fini(&x->targets);
    hd_vec_fini(&x->way);
    hd_vec_fini(&x->asleep);
    hd_vec_fini(&x->sleepers);
    hd_vec_fini(&x->prefix);
    hd_vec_fini(&x->last);
    hd_vec_fini(&x->now);
    hd_release(x->memory, x, sizeof *x);
}

static bool same_choice(hd_choice a, hd_choice b)
{
    return a.thread == b.thread && a.choice == b.choice;
}

/* The child that the step leads to, or the value of the branch; 0: there is none. */
static uint32_t find_child(const hd_execution_tree *x, uint32_t n, hd_choice c)
{
    uint32_t child = x->nodes.items[n].child;
    while (child && (x->nodes.items[child].is_branch || !same_choice(x->nodes.items[child].step, c)))
        child = x->nodes.items[child].sibling;
    return child;
}

static uint32_t find_side(const hd_execution_tree *x, uint32_t n, uint64_t value)
{
    uint32_t child = x->nodes.items[n].child;
    while (child && (!x->nodes.items[child].is_branch || x->nodes.items[child].value != value))
        child = x->nodes.items[child].sibling;
    return child;
}

/* --- sleep sets ---------------------------------------------------------------------------- */

static bool wakes(const hd_execution_tree *x, const hd_tree_node *step, const hd_tree_node *sleeper)
{
    return step->step.thread == sleeper->step.thread
        || hd_steps_conflict(
            &x->ops.items[step->first_op], step->op_count, &x->ops.items[sleeper->first_op], sleeper->op_count);
}

/* Is the sleeping step still asleep after node n? A mixed step may have another effect with the current inputs than it
 * was seen to have: it wakes all. */
static bool sleeps_on(const hd_execution_tree *x, uint32_t n, uint32_t sleeper)
{
    const hd_tree_node *k = &x->nodes.items[n];
    return k->is_branch || (!k->mixed && !wakes(x, k, &x->nodes.items[sleeper]));
}

/* Computes the sleep set of node n: the steps that were taken at a node above, before the way to n was (children have
 * growing numbers), and that no step since conflicts with. A mixed step never sleeps: its effect after other steps is
 * not known. */
static void find_asleep(hd_execution_tree *x, uint32_t n, uint32_t before)
{
    if (n) {
        find_asleep(x, x->nodes.items[n].parent, n);
        size_t kept = 0;
        for (size_t i = 0; i < x->asleep.count; i++)
            if (sleeps_on(x, n, x->asleep.items[i]))
                x->asleep.items[kept++] = x->asleep.items[i];
        x->asleep.count = kept;
    } else {
        hd_vec_clear(&x->asleep);
    }
    for (uint32_t c = x->nodes.items[n].child; c; c = x->nodes.items[c].sibling)
        if (c < before && !x->nodes.items[c].is_branch && !x->nodes.items[c].mixed)
            hd_vec_push(&x->asleep, c);
}

bool hd_execution_tree_sleeps(hd_execution_tree *x, uint32_t n, hd_choice c)
{
    find_asleep(x, n, ~0u);
    for (size_t i = 0; i < x->asleep.count; i++)
        if (same_choice(x->nodes.items[x->asleep.items[i]].step, c))
            return true;
    return false;
}

/* --- the next execution ----------------------------------------------------------------------- */

static bool take_target(hd_execution_tree *x, hd_tree_target *out, size_t (*draw)(hd_execution_tree *x))
{
    while (x->targets.count) {
        size_t i = draw(x);
        *out = x->targets.items[i];
        x->targets.items[i] = *hd_vec_last(&x->targets); /* the order of targets does not matter */
        x->targets.count--;
        if (out->turns) { /* its value is new, so it cannot have been explored */
            find_asleep(x, out->node, ~0u);
            return true;
        }
        if (!find_child(x, out->node, out->choice) && !hd_execution_tree_sleeps(x, out->node, out->choice))
            return true;
    }
    return false;
}

static uint32_t add_node(hd_execution_tree *x, uint32_t n, hd_tree_node new)
{
    uint32_t child = (uint32_t)x->nodes.count;
    new.parent = n;
    new.sibling = x->nodes.items[n].child;
    hd_vec_push(&x->nodes, new);
    x->nodes.items[n].child = child;
    return child;
}

/* The branch's value counts as taken from now on, even if the execution does not reach the branch: it is not asked for
 * again, and `missed` keeps the verdict from being complete. */
static void begin_turn(hd_execution_tree *x, const hd_tree_target *a)
{
    hd_tree_node side = { .is_branch = true,
        .depth = x->nodes.items[a->node].depth,
        .value = a->value,
        .given = a->given,
        .given_count = a->given_count };
    add_node(x, a->node, side);
    x->nodes.items[a->node].asked = false;
    x->turning = a->node + 1;
}

/* The prefix that leads to the target, and the sleep set there. */
static void plan_way(hd_execution_tree *x, const hd_tree_target *a)
{
    uint32_t depth = x->nodes.items[a->node].depth;
    hd_vec_reserve(&x->prefix, depth + 1);
    x->prefix.count = depth + !a->turns;
    if (!a->turns)
        x->prefix.items[depth] = a->choice;
    for (uint32_t n = a->node; n; n = x->nodes.items[n].parent)
        if (!x->nodes.items[n].is_branch)
            x->prefix.items[x->nodes.items[n].depth - 1] = x->nodes.items[n].step;
    for (size_t i = 0; i < x->asleep.count; i++) {
        const hd_tree_node *s = &x->nodes.items[x->asleep.items[i]];
        hd_vec_push(
            &x->sleepers, ((hd_sleeper) { s->step.thread, s->step.choice, &x->ops.items[s->first_op], s->op_count }));
    }
    if (a->turns)
        begin_turn(x, a);
}

bool hd_execution_tree_next(hd_execution_tree *x, hd_plan *plan, size_t (*draw)(hd_execution_tree *x))
{
    hd_tree_target a = { 0 };
    hd_vec_clear(&x->prefix);
    hd_vec_clear(&x->sleepers);
    x->turning = 0;
    if (x->started) {
        if (!take_target(x, &a, draw))
            return false;
        plan_way(x, &a);
    }
    x->started = true;
    *plan = (hd_plan) { .given = x->given.items + a.given,
        .given_count = a.given_count,
        .prefix = x->prefix.items,
        .prefix_count = (uint32_t)x->prefix.count,
        .sleepers = x->sleepers.items,
        .sleeper_count = (uint32_t)x->sleepers.count,
        .sleep_at = x->nodes.items[a.node].depth,
        .sleeps_on = true,
        .alternatives = true };
    return true;
}

/* --- the tree ------------------------------------------------------------------------------------ */

static uint32_t add_child(hd_execution_tree *x, uint32_t n, hd_choice c, uint32_t position, const hd_tree_node *like)
{
    const hd_item *item = &x->trace.items.items[x->trace.steps.items[position]];
    hd_tree_node new = *like;
    new.depth = position + 1;
    new.step = c;
    new.mixed = hd_path_branches_inside(&x->path, position + 1);
    new.first_op = (uint32_t)x->ops.count;
    new.op_count = item->access_count;
    for (uint32_t i = 0; i < item->access_count; i++)
        hd_vec_push(&x->ops, x->trace.ops.items[item->access + i]);
    return add_node(x, n, new);
}

/* The steps that are enabled at the node; known for nodes after the prefix of some execution. */
static void note_choices(hd_execution_tree *x, uint32_t n, const hd_execution *e, uint32_t tail_step)
{
    hd_tree_node *k = &x->nodes.items[n];
    if (k->choice_count || tail_step >= e->alternative_steps)
        return;
    const hd_alternatives *a = &e->alternatives[tail_step];
    k->first_choice = (uint32_t)x->choices.count;
    k->choice_count = a->count;
    for (uint32_t i = 0; i < a->count; i++)
        hd_vec_push(&x->choices, e->choices[a->first + i]);
}

/* A node with the inputs of the last execution, as a pattern for the nodes that it adds. */
static hd_tree_node inputs_of_last(hd_execution_tree *x)
{
    hd_tree_node like = { .given = (uint32_t)x->given.count, .given_count = (uint32_t)x->path.given.count };
    for (size_t i = 0; i < x->path.given.count; i++)
        hd_vec_push(&x->given, x->path.given.items[i]);
    return like;
}

/* Makes another value for branch `index`, which follows node n, a target. One at a time: once it has been taken, the
 * next one is asked for. */
static void ask_for_another(hd_execution_tree *x, uint32_t n, size_t index)
{
    hd_given_list given = { .memory = x->memory };
    hd_vec(uint64_t) seen = { .memory = x->memory };
    hd_tree_target a = { .node = n, .turns = true, .given = (uint32_t)x->given.count };
    x->nodes.items[n].asked = true;
    for (uint32_t c = x->nodes.items[n].child; c; c = x->nodes.items[c].sibling)
        hd_vec_push(&seen, x->nodes.items[c].value);
    if (hd_path_solve(&x->path, index, seen.items, seen.count, &given, &a.value) == HD_SAT) {
        for (size_t i = 0; i < given.count; i++)
            hd_vec_push(&x->given, given.items[i]);
        a.given_count = (uint32_t)given.count;
        hd_vec_push(&x->targets, a);
    }
    hd_vec_fini(&seen);
    hd_vec_fini(&given);
}

/* Descends along the branches after `position` steps. */
static uint32_t follow_branches(
    hd_execution_tree *x, uint32_t at, uint32_t position, size_t *next, const hd_tree_node *like)
{
    for (; *next < x->path.branches.count && x->path.branches.items[*next].position == position; ++*next) {
        const hd_path_branch *branch = &x->path.branches.items[*next];
        uint32_t side = find_side(x, at, branch->value);
        if (!side) {
            hd_tree_node new = *like;
            new.is_branch = true;
            new.depth = position;
            new.value = branch->value;
            side = add_node(x, at, new);
        }
        x->turning = x->turning == at + 1 ? 0 : x->turning;
        if (branch->open && !x->nodes.items[at].asked)
            ask_for_another(x, at, *next);
        at = side;
    }
    return at;
}

/* Adds the execution's nodes to the tree. */
static void grow(hd_execution_tree *x, const hd_execution *e)
{
    uint32_t at = 0, prefix = (uint32_t)x->prefix.count;
    size_t next = 0;
    hd_tree_node like = inputs_of_last(x);
    hd_vec_clear(&x->way);
    for (uint32_t p = 0; p <= x->last.count; p++) {
        at = follow_branches(x, at, p, &next, &like);
        hd_vec_push(&x->way, at);
        if (p == x->last.count)
            break;
        if (p >= prefix)
            note_choices(x, at, e, p - prefix);
        uint32_t child = find_child(x, at, x->last.items[p]);
        at = child ? child : add_child(x, at, x->last.items[p], p, &like);
    }
    x->missed |= x->turning != 0; /* follow_branches has not met the branch that was to be turned */
}

/* --- races ------------------------------------------------------------------------------------------- */

bool hd_execution_tree_can_do(const hd_execution_tree *x, uint32_t n, hd_choice c)
{
    const hd_tree_node *k = &x->nodes.items[n];
    for (uint32_t i = 0; i < k->choice_count; i++)
        if (same_choice(x->choices.items[k->first_choice + i], c))
            return true;
    return false;
}

bool hd_execution_tree_has_target(const hd_execution_tree *x, uint32_t n, hd_choice c)
{
    for (size_t i = x->targets.count; i-- > 0;)
        if (x->targets.items[i].node == n && !x->targets.items[i].turns && same_choice(x->targets.items[i].choice, c))
            return true;
    return find_child(x, n, c);
}

static hd_tree_target target_at(const hd_execution_tree *x, uint32_t n, hd_choice c)
{
    const hd_tree_node *k = &x->nodes.items[n];
    return (hd_tree_target) { .node = n, .choice = c, .given = k->given, .given_count = k->given_count };
}

void hd_execution_tree_add_target(hd_execution_tree *x, uint32_t n, hd_choice c)
{
    if (!hd_execution_tree_has_target(x, n, c))
        hd_vec_push(&x->targets, target_at(x, n, c));
}

void hd_execution_tree_add_all(hd_execution_tree *x, uint32_t n)
{
    for (uint32_t i = 0; i < x->nodes.items[n].choice_count; i++)
        hd_execution_tree_add_target(x, n, x->choices.items[x->nodes.items[n].first_choice + i]);
}

typedef void branch_off(hd_execution_tree *x, uint32_t earlier, const hd_reversal_step *later);

static void reverse_races(hd_execution_tree *x, hd_reversal_step *later, branch_off *branch_off)
{
    uint32_t racing[HD_MAX_THREADS + 1], also[HD_MAX_THREADS];
    uint32_t count = hd_reversal_find(&x->trace, later, racing);
    for (uint32_t i = 0; i < count; i++) {
        hd_reversal_leave_out(&x->trace, later, racing[i], also);
        branch_off(x, racing[i], later);
    }
}

static void reverse_steps(hd_execution_tree *x, branch_off *branch_off)
{
    for (uint32_t p = 0; p < x->trace.steps.count; p++) {
        hd_reversal_step later = hd_reversal_of_step(&x->trace, p);
        const hd_item *item = &x->trace.items.items[x->trace.steps.items[p]];
        reverse_races(x, &later, branch_off);
        /* Outcomes become targets at the step's own node only, not in every combination with other races. */
        x->has_outcomes |= item->choices > 1;
        for (uint8_t k = 0; k < item->choices; k++)
            hd_execution_tree_add_target(x, x->way.items[p], ((hd_choice) { item->thread, k }));
    }
    for (uint32_t i = 0; i < x->trace.items.count; i++)
        if (x->trace.items.items[i].kind == HD_ITEM_WITHDRAWN) {
            hd_reversal_step later;
            hd_reversal_of_withdrawn(&later, &x->trace, i);
            reverse_races(x, &later, branch_off);
        }
}

/* Operations that were published but never performed: of blocked threads, and of those that were running when the
 * process ended. The latter could have come before the last step. */
static void reverse_pending(hd_execution_tree *x, const hd_execution *e, branch_off *branch_off)
{
    for (uint32_t i = 0; i < e->thread_count; i++) {
        if (!hd_thread_wants_more(&e->threads[i]))
            continue;
        hd_reversal_step later;
        hd_reversal_of_pending(&later, &x->trace, &e->threads[i].pending);
        reverse_races(x, &later, branch_off);
        if (e->threads[i].enabled && x->way.count > 1)
            hd_execution_tree_add_all(x, x->way.items[x->way.count - 2]);
    }
}

/* --- learning ------------------------------------------------------------------------------------------ */

bool hd_execution_tree_learn(hd_execution_tree *x, const hd_execution *e, branch_off *branch_off)
{
    uint32_t same = 0;
    hd_schedule_of(e, &x->now);
    /* The trace keeps the common prefix with the last execution. With inputs, the same steps may have other effects. */
    while (!e->input_count && same < x->now.count && same < x->last.count && same < x->trace.steps.count
        && same_choice(x->now.items[same], x->last.items[same]))
        same++;
    hd_trace_cut(&x->trace, same);
    hd_schedule spare = x->last;
    x->last = x->now;
    x->now = spare;
    hd_path_clear(&x->path);
    if (!hd_trace_extend(&x->trace, e) || !hd_path_extend(&x->path, e))
        return false;
    grow(x, e);
    reverse_steps(x, branch_off);
    reverse_pending(x, e, branch_off);
    return true;
}

double hd_execution_tree_progress(void *self)
{
    (void)self;
    return -1;
}

hd_path *hd_execution_tree_path(void *self)
{
    return &((hd_execution_tree *)self)->path;
}

const hd_trace *hd_execution_tree_trace(void *self)
{
    return &((hd_execution_tree *)self)->trace;
}
