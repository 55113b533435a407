/* The explorers that the unfolding is compared with: races of an execution say
 * where another should branch off, and threads that have been taken there before
 * sleep until something they depend on happens.
 *
 *   dpor-sleep   (Flanagan and Godefroid 2005, with sleep sets, and the source sets of
 *                Abdulla et al. 2014) branches off with a step that the reversed race can
 *                begin with; the next target is drawn at random
 *   flip         (race detection and flipping: Sen and Agha 2006, as in jCUTE)
 *                postpones the earlier step: any other thread goes on instead
 *
 * Executions form a tree; a node is the state after a schedule and the branches on inputs that came with it. The
 * branches behind a step come before the choice of the next: they are nodes of their own, and another value for
 * each is a target of its own, solved for with all branches above it as they are. A schedule's target below them
 * has inputs that lead there: those of the execution that came there first. So targets of both kinds are taken in
 * any order, and each path has its own steps, races and sleepers. */
#include "explore/explorer.h"
#include "explore/minimise.h"
#include "dpor/reversal.h"

#include "base/rng.h"

typedef struct node {
    uint32_t parent, child, sibling;
    uint32_t depth; /* in steps */
    bool is_branch; /* a branch leads to it, not a step */
    bool mixed; /* inputs decide what the step does */
    bool asked; /* for another value of the branch that follows: a target, or there is none */
    hd_choice step; /* that leads to it */
    uint64_t value; /* of the branch that does */
    uint32_t first_op, op_count; /* of that step */
    uint32_t first_choice, choice_count; /* what can be done from it */
    uint32_t given, given_count; /* inputs that lead to it */
} node;

/* A step to be taken at a node, or inputs with which the branch there has another value. */
typedef struct aim {
    uint32_t node;
    bool turns;
    hd_choice choice;
    uint64_t value;
    uint32_t given, given_count;
} aim;

typedef struct backtrack {
    hd_memory *memory;
    bool flips;
    hd_rng rng;
    hd_trace trace;
    hd_vec(node) nodes;
    hd_vec(hd_op) ops;
    hd_vec(hd_choice) choices;
    hd_vec(aim) aims;
    hd_path path;
    hd_given_list given; /* of nodes and targets, one after the other */
    hd_vec(uint32_t) way; /* nodes of the last execution, at which it chose its steps */
    hd_vec(uint32_t) asleep; /* nodes whose step sleeps */
    hd_vec(hd_sleeper) sleepers;
    hd_vec(hd_choice) prefix;
    hd_schedule last, now;
    bool started;
    bool outcomes; /* steps have had several */
    uint32_t turning; /* the node whose branch is to have another value, + 1 */
    bool missed; /* an execution ended before such a branch */
} backtrack;

static void *open(const hd_explore_config *config, hd_memory *memory, bool flips)
{
    backtrack *b = hd_alloc(memory, sizeof *b);
    b->memory = b->nodes.memory = b->ops.memory = b->choices.memory = b->aims.memory = b->way.memory = memory;
    b->given.memory = b->asleep.memory = b->sleepers.memory = b->prefix.memory = b->last.memory = b->now.memory =
        memory;
    b->flips = flips;
    hd_rng_seed(&b->rng, config->seed);
    hd_trace_init(&b->trace, memory, config->races);
    hd_path_init(&b->path, &config->solver, memory);
    hd_vec_push(&b->nodes, ((node) { 0 }));
    return b;
}

static void *dpor_sleep_open(const hd_explore_config *config, hd_memory *memory)
{
    return open(config, memory, false);
}

static void *flip_open(const hd_explore_config *config, hd_memory *memory)
{
    return open(config, memory, true);
}

static void backtrack_close(void *self)
{
    backtrack *b = self;
    hd_trace_fini(&b->trace);
    hd_path_fini(&b->path);
    hd_vec_fini(&b->given);
    hd_vec_fini(&b->nodes);
    hd_vec_fini(&b->ops);
    hd_vec_fini(&b->choices);
    hd_vec_fini(&b->aims);
    hd_vec_fini(&b->way);
    hd_vec_fini(&b->asleep);
    hd_vec_fini(&b->sleepers);
    hd_vec_fini(&b->prefix);
    hd_vec_fini(&b->last);
    hd_vec_fini(&b->now);
    hd_release(b->memory, b, sizeof *b);
}

static bool same_choice(hd_choice a, hd_choice b)
{
    return a.thread == b.thread && a.choice == b.choice;
}

static uint32_t find_child(const backtrack *b, uint32_t n, hd_choice c)
{
    uint32_t child = b->nodes.items[n].child;
    while (child && (b->nodes.items[child].is_branch || !same_choice(b->nodes.items[child].step, c)))
        child = b->nodes.items[child].sibling;
    return child;
}

static uint32_t find_side(const backtrack *b, uint32_t n, uint64_t value)
{
    uint32_t child = b->nodes.items[n].child;
    while (child && (!b->nodes.items[child].is_branch || b->nodes.items[child].value != value))
        child = b->nodes.items[child].sibling;
    return child;
}

/* --- sleep sets ---------------------------------------------------------------------------- */

static bool disturbs(const backtrack *b, const node *step, const node *sleeper)
{
    return step->step.thread == sleeper->step.thread
        || hd_steps_conflict(
            &b->ops.items[step->first_op], step->op_count, &b->ops.items[sleeper->first_op], sleeper->op_count);
}

/* Does the sleeper go on sleeping behind node n? A mixed step was seen to do one thing, and may do another with the
 * inputs at hand: it disturbs all. */
static bool sleeps_on(const backtrack *b, uint32_t n, uint32_t sleeper)
{
    const node *k = &b->nodes.items[n];
    return k->is_branch || (!k->mixed && !disturbs(b, k, &b->nodes.items[sleeper]));
}

/* The steps that sleep at node n: taken at a node above before the way to n was,
 * and not disturbed since. What a mixed step does is not known elsewhere: it never sleeps. */
static void find_asleep(backtrack *b, uint32_t n, uint32_t before)
{
    if (n) {
        find_asleep(b, b->nodes.items[n].parent, n);
        size_t kept = 0;
        for (size_t i = 0; i < b->asleep.count; i++)
            if (sleeps_on(b, n, b->asleep.items[i]))
                b->asleep.items[kept++] = b->asleep.items[i];
        b->asleep.count = kept;
    } else {
        hd_vec_clear(&b->asleep);
    }
    for (uint32_t c = b->nodes.items[n].child; c; c = b->nodes.items[c].sibling)
        if (c < before && !b->nodes.items[c].is_branch && !b->nodes.items[c].mixed)
            hd_vec_push(&b->asleep, c);
}

static bool sleeps_at(backtrack *b, uint32_t n, hd_choice c)
{
    find_asleep(b, n, ~0u);
    for (size_t i = 0; i < b->asleep.count; i++)
        if (same_choice(b->nodes.items[b->asleep.items[i]].step, c))
            return true;
    return false;
}

/* --- the next execution ----------------------------------------------------------------------- */

static bool take_aim(backtrack *b, aim *out)
{
    while (b->aims.count) {
        size_t i = b->flips ? b->aims.count - 1 : hd_rng_below(&b->rng, b->aims.count);
        *out = b->aims.items[i];
        b->aims.items[i] = *hd_vec_last(&b->aims);
        b->aims.count--;
        if (out->turns) {
            find_asleep(b, out->node, ~0u);
            return true;
        }
        if (!find_child(b, out->node, out->choice) && !sleeps_at(b, out->node, out->choice))
            return true;
    }
    return false;
}

static uint32_t add_node(backtrack *b, uint32_t n, node new)
{
    uint32_t child = (uint32_t)b->nodes.count;
    new.parent = n;
    new.sibling = b->nodes.items[n].child;
    hd_vec_push(&b->nodes, new);
    b->nodes.items[n].child = child;
    return child;
}

/* The side is known from now on, whether or not the execution comes to it. */
static void begin_turn(backtrack *b, const aim *a)
{
    node side = { .is_branch = true,
        .depth = b->nodes.items[a->node].depth,
        .value = a->value,
        .given = a->given,
        .given_count = a->given_count };
    add_node(b, a->node, side);
    b->nodes.items[a->node].asked = false;
    b->turning = a->node + 1;
}

static void plan_way(backtrack *b, const aim *a)
{
    uint32_t depth = b->nodes.items[a->node].depth;
    hd_vec_reserve(&b->prefix, depth + 1);
    b->prefix.count = depth + !a->turns;
    if (!a->turns)
        b->prefix.items[depth] = a->choice;
    for (uint32_t n = a->node; n; n = b->nodes.items[n].parent)
        if (!b->nodes.items[n].is_branch)
            b->prefix.items[b->nodes.items[n].depth - 1] = b->nodes.items[n].step;
    for (size_t i = 0; i < b->asleep.count; i++) {
        const node *s = &b->nodes.items[b->asleep.items[i]];
        hd_vec_push(
            &b->sleepers, ((hd_sleeper) { s->step.thread, s->step.choice, &b->ops.items[s->first_op], s->op_count }));
    }
    if (a->turns)
        begin_turn(b, a);
}

static bool backtrack_next(void *self, hd_plan *plan)
{
    backtrack *b = self;
    aim a = { 0 };
    hd_vec_clear(&b->prefix);
    hd_vec_clear(&b->sleepers);
    b->turning = 0;
    if (b->started) {
        if (!take_aim(b, &a))
            return false;
        plan_way(b, &a);
    }
    b->started = true;
    *plan = (hd_plan) { .given = b->given.items + a.given,
        .given_count = a.given_count,
        .prefix = b->prefix.items,
        .prefix_count = (uint32_t)b->prefix.count,
        .sleepers = b->sleepers.items,
        .sleeper_count = (uint32_t)b->sleepers.count,
        .sleep_at = b->nodes.items[a.node].depth,
        .sleeps_on = true,
        .alternatives = true };
    return true;
}

/* --- the tree ------------------------------------------------------------------------------------ */

static uint32_t add_child(backtrack *b, uint32_t n, hd_choice c, uint32_t position, const node *like)
{
    const hd_item *item = &b->trace.items.items[b->trace.steps.items[position]];
    node new = *like;
    new.depth = position + 1;
    new.step = c;
    new.mixed = hd_path_branches_inside(&b->path, position + 1);
    new.first_op = (uint32_t)b->ops.count;
    new.op_count = item->access_count;
    for (uint32_t i = 0; i < item->access_count; i++)
        hd_vec_push(&b->ops, b->trace.ops.items[item->access + i]);
    return add_node(b, n, new);
}

static void note_choices(backtrack *b, uint32_t n, const hd_execution *e, uint32_t tail_step)
{
    node *k = &b->nodes.items[n];
    if (k->choice_count || tail_step >= e->alternative_steps)
        return;
    const hd_alternatives *a = &e->alternatives[tail_step];
    k->first_choice = (uint32_t)b->choices.count;
    k->choice_count = a->count;
    for (uint32_t i = 0; i < a->count; i++)
        hd_vec_push(&b->choices, e->choices[a->first + i]);
}

/* The inputs of the last execution, for the nodes that it adds. */
static node inputs_of_last(backtrack *b)
{
    node like = { .given = (uint32_t)b->given.count, .given_count = (uint32_t)b->path.given.count };
    for (size_t i = 0; i < b->path.given.count; i++)
        hd_vec_push(&b->given, b->path.given.items[i]);
    return like;
}

/* Another value for branch `index`, which follows node n. */
static void ask_for_another(backtrack *b, uint32_t n, size_t index)
{
    hd_given_list given = { .memory = b->memory };
    hd_vec(uint64_t) seen = { .memory = b->memory };
    aim a = { .node = n, .turns = true, .given = (uint32_t)b->given.count };
    b->nodes.items[n].asked = true;
    for (uint32_t c = b->nodes.items[n].child; c; c = b->nodes.items[c].sibling)
        hd_vec_push(&seen, b->nodes.items[c].value);
    if (hd_path_solve(&b->path, index, seen.items, seen.count, &given, &a.value) == HD_SAT) {
        for (size_t i = 0; i < given.count; i++)
            hd_vec_push(&b->given, given.items[i]);
        a.given_count = (uint32_t)given.count;
        hd_vec_push(&b->aims, a);
    }
    hd_vec_fini(&seen);
    hd_vec_fini(&given);
}

/* Down the branches behind `position` steps. */
static uint32_t follow_branches(backtrack *b, uint32_t at, uint32_t position, size_t *next, const node *like)
{
    for (; *next < b->path.branches.count && b->path.branches.items[*next].position == position; ++*next) {
        const hd_path_branch *branch = &b->path.branches.items[*next];
        uint32_t side = find_side(b, at, branch->value);
        if (!side) {
            node new = *like;
            new.is_branch = true;
            new.depth = position;
            new.value = branch->value;
            side = add_node(b, at, new);
        }
        b->turning = b->turning == at + 1 ? 0 : b->turning;
        if (branch->open && !b->nodes.items[at].asked)
            ask_for_another(b, at, *next);
        at = side;
    }
    return at;
}

static void grow(backtrack *b, const hd_execution *e)
{
    uint32_t at = 0, prefix = (uint32_t)b->prefix.count;
    size_t next = 0;
    node like = inputs_of_last(b);
    hd_vec_clear(&b->way);
    for (uint32_t p = 0; p <= b->last.count; p++) {
        at = follow_branches(b, at, p, &next, &like);
        hd_vec_push(&b->way, at);
        if (p == b->last.count)
            break;
        if (p >= prefix)
            note_choices(b, at, e, p - prefix);
        uint32_t child = find_child(b, at, b->last.items[p]);
        at = child ? child : add_child(b, at, b->last.items[p], p, &like);
    }
    b->missed |= b->turning != 0;
}

/* --- races ------------------------------------------------------------------------------------------- */

static bool can_do(const backtrack *b, uint32_t n, hd_choice c)
{
    const node *k = &b->nodes.items[n];
    for (uint32_t i = 0; i < k->choice_count; i++)
        if (same_choice(b->choices.items[k->first_choice + i], c))
            return true;
    return false;
}

static bool is_aimed_at(const backtrack *b, uint32_t n, hd_choice c)
{
    for (size_t i = b->aims.count; i-- > 0;)
        if (b->aims.items[i].node == n && !b->aims.items[i].turns && same_choice(b->aims.items[i].choice, c))
            return true;
    return find_child(b, n, c);
}

static aim aim_at(const backtrack *b, uint32_t n, hd_choice c)
{
    const node *k = &b->nodes.items[n];
    return (aim) { .node = n, .choice = c, .given = k->given, .given_count = k->given_count };
}

static void add_aim(backtrack *b, uint32_t n, hd_choice c)
{
    if (!is_aimed_at(b, n, c))
        hd_vec_push(&b->aims, aim_at(b, n, c));
}

static void add_all(backtrack *b, uint32_t n)
{
    for (uint32_t i = 0; i < b->nodes.items[n].choice_count; i++)
        add_aim(b, n, b->choices.items[b->nodes.items[n].first_choice + i]);
}

/* Postpones: any other thread that has not been taken here and does not sleep. */
static void postpone(backtrack *b, uint32_t n)
{
    for (uint32_t i = 0; i < b->nodes.items[n].choice_count; i++) {
        hd_choice c = b->choices.items[b->nodes.items[n].first_choice + i];
        if (!is_aimed_at(b, n, c) && !sleeps_at(b, n, c)) {
            hd_vec_push(&b->aims, aim_at(b, n, c));
            return;
        }
    }
}

/* What the thread did first after the position, with the outcome it had. */
static hd_choice first_after(const backtrack *b, uint32_t position, uint16_t thread)
{
    const hd_trace *t = &b->trace;
    for (uint32_t p = position + 1; p < t->steps.count; p++)
        if (t->items.items[t->steps.items[p]].thread == thread)
            return (hd_choice) { thread, t->items.items[t->steps.items[p]].choice };
    return (hd_choice) { thread, 0 };
}

/* Is the step at `position` among those that do not depend on `earlier`, and does none of these come before it? */
static bool is_initial(const backtrack *b, uint32_t earlier, uint32_t position)
{
    const hd_trace *t = &b->trace;
    uint32_t item = t->steps.items[position];
    if (hd_trace_before(t, earlier, item))
        return false;
    for (uint32_t p = t->items.items[earlier].position + 1; p < position; p++)
        if (hd_trace_before(t, t->steps.items[p], item))
            return false;
    return true;
}

/* Is the later step the first of its thread, with nothing before it that it depends on? */
static bool leads(const backtrack *b, uint32_t position, const hd_reversal_step *later)
{
    const hd_trace *t = &b->trace;
    for (uint32_t p = position + 1; p < t->steps.count && t->steps.items[p] < later->until; p++) {
        const hd_item *item = &t->items.items[t->steps.items[p]];
        if (item->thread == later->thread
            || (!hd_trace_before(t, t->steps.items[position], t->steps.items[p])
                && hd_steps_conflict(&t->ops.items[item->access], item->access_count, later->ops, later->op_count)))
            return false;
    }
    return true;
}

/* The steps with which the reversed race can begin: of what lies between and does not depend on the earlier
 * step, and of the later step. If one of them is taken here, or will be, or sleeps, the reversed race has its
 * trace; else one becomes a target. */
static void branch_off(backtrack *b, uint32_t earlier, const hd_reversal_step *later)
{
    const hd_trace *t = &b->trace;
    uint32_t position = t->items.items[earlier].position, n = b->way.items[position];
    hd_choice first = { 0 };
    bool found = false;
    if (b->flips) {
        postpone(b, n);
        return;
    }
    for (uint32_t p = position + 1; p < t->steps.count && t->steps.items[p] < later->until; p++) {
        const hd_item *item = &t->items.items[t->steps.items[p]];
        hd_choice c = { item->thread, item->choice };
        if (!is_initial(b, earlier, p) || !can_do(b, n, c))
            continue;
        if (is_aimed_at(b, n, c) || sleeps_at(b, n, c))
            return;
        if (!found || item->thread == later->thread)
            first = c;
        found = true;
    }
    hd_choice own = first_after(b, position, later->thread);
    if (leads(b, position, later) && can_do(b, n, own)) {
        if (is_aimed_at(b, n, own) || sleeps_at(b, n, own))
            return;
        first = own;
        found = true;
    }
    if (found)
        add_aim(b, n, first);
    else
        add_all(b, n);
}

static void reverse_races(backtrack *b, const hd_reversal_step *later)
{
    uint32_t racing[HD_MAX_THREADS + 1];
    uint32_t count = hd_reversal_find(&b->trace, later, racing);
    for (uint32_t i = 0; i < count; i++)
        branch_off(b, racing[i], later);
}

static void reverse_steps(backtrack *b)
{
    for (uint32_t p = 0; p < b->trace.steps.count; p++) {
        hd_reversal_step later = hd_reversal_of_step(&b->trace, p);
        const hd_item *item = &b->trace.items.items[b->trace.steps.items[p]];
        reverse_races(b, &later);
        b->outcomes |= item->choices > 1;
        for (uint8_t k = 0; k < item->choices; k++)
            add_aim(b, b->way.items[p], ((hd_choice) { item->thread, k }));
    }
    for (uint32_t i = 0; i < b->trace.items.count; i++)
        if (b->trace.items.items[i].kind == HD_ITEM_WITHDRAWN) {
            hd_reversal_step later = hd_reversal_of_withdrawn(&b->trace, i);
            reverse_races(b, &later);
        }
}

/* Operations that were never done: of threads that are stuck, or that were still
 * going when the process ended. */
static void reverse_pending(backtrack *b, const hd_execution *e)
{
    for (uint32_t i = 0; i < e->thread_count; i++) {
        if (!hd_thread_wants_more(&e->threads[i]))
            continue;
        hd_reversal_step later = hd_reversal_of_pending(&b->trace, &e->threads[i].pending);
        reverse_races(b, &later);
        if (e->threads[i].enabled && b->way.count > 1)
            add_all(b, b->way.items[b->way.count - 2]);
    }
}

/* --- learning ------------------------------------------------------------------------------------------ */

static bool backtrack_learn(void *self, const hd_execution *e)
{
    backtrack *b = self;
    uint32_t same = 0;
    hd_schedule_of(e, &b->now);
    while (!e->input_count && same < b->now.count && same < b->last.count && same < b->trace.steps.count
        && same_choice(b->now.items[same], b->last.items[same]))
        same++;
    hd_trace_cut(&b->trace, same);
    hd_schedule spare = b->last;
    b->last = b->now;
    b->now = spare;
    hd_path_clear(&b->path);
    if (!hd_trace_extend(&b->trace, e) || !hd_path_extend(&b->path, e))
        return false;
    grow(b, e);
    reverse_steps(b);
    reverse_pending(b, e);
    return true;
}

static const hd_trace *backtrack_trace(void *self)
{
    return &((backtrack *)self)->trace;
}

static double backtrack_progress(void *self)
{
    (void)self;
    return -1;
}

static const char *dpor_sleep_unfinished(void *self)
{
    const backtrack *b = self;
    return b->outcomes ? "dpor-sleep does not promise to combine all outcomes of choices and signals"
        : b->missed    ? "executions ended before branches that were to have other values"
                       : NULL;
}

static hd_path *backtrack_path(void *self)
{
    return &((backtrack *)self)->path;
}

static const char *flip_unfinished(void *self)
{
    (void)self;
    return "flipping races one at a time does not promise to find everything";
}

const hd_explorer hd_explorer_dpor_sleep = { .name = "dpor-sleep",
    .exhaustive = true,
    .open = dpor_sleep_open,
    .next = backtrack_next,
    .learn = backtrack_learn,
    .close = backtrack_close,
    .trace = backtrack_trace,
    .path = backtrack_path,
    .progress = backtrack_progress,
    .unfinished = dpor_sleep_unfinished };

const hd_explorer hd_explorer_flip = { .name = "flip",
    .exhaustive = true,
    .open = flip_open,
    .next = backtrack_next,
    .learn = backtrack_learn,
    .close = backtrack_close,
    .trace = backtrack_trace,
    .path = backtrack_path,
    .progress = backtrack_progress,
    .unfinished = flip_unfinished };
